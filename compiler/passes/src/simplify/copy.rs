//! # copy-propagation: one name for each value
//!
//! ## Rule
//!
//! ```text
//!   let y = x in E   -->   E[x/y]
//! ```
//!
//! * *copy-propagation*: another name of a value is replaced by the first one.
//!
//! ## Requires
//!
//! `x` is not a negative constant while `y` is a size in a type.
//!
//! ## Ensures
//!
//! For arrays too, `y` is another name for the same memory, so consuming one consumes the other.
//!
//! ## Leaves alone
//!
//! The statement `copy`, which makes a new array.
//!
//! ## Costs
//!
//! Constant time for each statement.
//!
//! ## Source
//!
//! Muchnick, "Advanced Compiler Design and Implementation" (1997), section 12.5.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, xs: [n]i32) -> (out: i32) = {
//!   let ys: [n]i32 = xs
//!   let y: i32 = ys[0]
//!   in y
//! }
//! entry main = main (xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i32) -> (out_2: i32) = {
//!   let y_3: i32 = xs_1[0i64]
//!   in y_3
//! }
//! entry main = main (xs_1) -> (out_2)
//! ```

use ravel_core::Exp;

use super::{Rewrite, Rule};

/// Replaces a copy by the original.
pub const PROPAGATION: Rule = Rule {
    name: "copy-propagation",
    rewrite: |known, stm| match stm.exp {
        Exp::Atom(atom) if known.replaceable(stm.binders[0], atom) => Some(Rewrite::Atoms(vec![atom])),
        _ => None,
    },
};

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    #[test]
    fn copies_of_scalars_arrays_and_sizes_vanish() {
        let before = "
            let k: i64 = n
            let a: [n]i32 = ys
            let b: [k]i32 = scratch
            let d: i32 = a[k]
            let e: i32 = d";
        let (after, events) = trace(&PASS, &within(before, "(k, b, e)", "r: i64, s: [r]i32, t: i32"));
        assert_eq!(
            statements(&after),
            "let b_11: [n_0]i32 = scratch\nlet d_12: i32 = ys_7[n_0]\nin (n_0, b_11, d_12)"
        );
        assert_eq!(events, ["copy-propagation", "copy-propagation", "copy-propagation"]);
    }
    #[test]
    fn a_size_that_is_negative_keeps_its_name() {
        let before = "
            let k: i64 = sub 1 3
            let ok: bool = le 0 k
            let z: i64 = assert ok (0) \"no\"
            let b: [k]i64 = iota k z 1
            let d: i64 = add k 1";
        let (after, _) = trace(&PASS, &within(before, "(k, b, d)", "r: i64, s: [r]i64, t: i64"));
        assert_eq!(
            statements(&after),
            "let k_11: i64 = -2i64\nlet ok_12: bool = le 0i64 k_11\n\
             let z_13: i64 = assert ok_12 (0i64) \"no\"\n\
             let b_14: [k_11]i64 = iota k_11 z_13 1i64\nlet d_15: i64 = add k_11 1i64\n\
             in (k_11, b_14, d_15)"
        );
    }
}
