//! # copy-propagation
//!
//! ```text
//!   let y = x in E   -->   E[x/y]
//! ```
//!
//! Of arrays too: `y` is another name for the same memory, so what may be done with one may be
//! done with the other.

use ravel_core::Exp;

use super::{Rewrite, Rule};

/// A copy is the original.
pub const PROPAGATION: Rule = Rule {
    name: "copy-propagation",
    rewrite: |_, stm| match stm.exp {
        Exp::Atom(atom) => Some(Rewrite::Names(vec![atom])),
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
        let (after, events) = trace(PASS, &within(before, "(k, b, e)", "r: i64, s: [r]i32, t: i32"));
        assert_eq!(
            statements(&after),
            "let b_11: [n_0]i32 = scratch\nlet d_12: i32 = ys_7[n_0]\nin (n_0, b_11, d_12)"
        );
        assert_eq!(events, ["copy-propagation", "copy-propagation", "copy-propagation"]);
    }
}
