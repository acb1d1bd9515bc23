//! # range-comparison, range-arithmetic: consequences of the range analysis
//!
//! ## Rule
//!
//! ```text
//!   let b = lt x y     -->   let b = true      if x < y always
//!   let b = lt x y     -->   let b = false     if x >= y always; le, eq and ne likewise
//!   let z = min x y    -->   let z = x         if x <= y always; max likewise
//!   let z = mod x y    -->   let z = x         if 0 <= x < y always, integers; then div x y is 0
//!   let z = abs x      -->   let z = x         if 0 <= x always, integers
//! ```
//!
//! * *range-comparison*: a comparison that the ranges of its operands decide becomes a constant.
//! * *range-arithmetic*: if the ranges of the operands show that the result of an operator is one of them, it
//!   becomes this operand.
//!
//! "Always" means: the range analysis proves it ([`ravel_core::range`]).
//!
//! ## Requires
//!
//! No dropped operand depends on a check (`dependence`). A check itself may be proved even if its condition
//! depends on other checks ([`super::assertion`]).
//!
//! ## Ensures
//!
//! If an index is a loop counter, is clamped or mirrored, or is compared in an enclosing branch, its bounds
//! check becomes a check of `true`, which [`super::assertion`] removes.
//!
//! ## Leaves alone
//!
//! Floats, of which no ranges are known.
//!
//! ## Costs
//!
//! Constant time for each statement.
//!
//! ## Source
//!
//! Harrison, "Compiler Analysis of the Value Ranges for Variables" (IEEE Transactions on Software Engineering
//! 3, 1977).
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, xs: [n]i32) -> (out: [n]i32) = {
//!   let ys: [n]i32 = screma n {
//!     from iota 0 1
//!     map \(i: i64) -> {
//!       let low: bool = le 0 i
//!       let a: i64 = min i n
//!       let j: i64 = assert low (a) "out of bounds"
//!       let y: i32 = xs[j]
//!       in y
//!     }
//!     to map
//!   }
//!   in ys
//! }
//! entry main = main (xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xs_1: [n_0]i32) -> (out_2: [n_0]i32) = {
//!   let ys_3: [n_0]i32 = screma n_0 {
//!     from iota 0i64 1i64
//!     map \(i_4: i64) -> {
//!       let y_5: i32 = xs_1[i_4]
//!       in y_5
//!     }
//!     to map
//!   }
//!   in ys_3
//! }
//! entry main = main (xs_1) -> (out_2)
//! ```

use ravel_core::{Atom, Exp};
use ravel_prim::{BinOp, PrimValue, UnOp};

use super::{Facts, Rewrite, Rule};

/// A comparison with one possible outcome becomes a constant.
pub const COMPARISON: Rule = Rule {
    name: "range-comparison",
    rewrite: |known, stm| match stm.exp {
        Exp::Compare(op, a, b) if !known.is_dependent(a) && !known.is_dependent(b) => {
            let truth = known.ranges.compare(known.vars, op, a, b)?;
            Some(Rewrite::Atoms(vec![Atom::bool(truth)]))
        }
        _ => None,
    },
};

/// Arithmetic whose result is one of its operands.
pub const ARITHMETIC: Rule = Rule {
    name: "range-arithmetic",
    rewrite: |known, stm| {
        let kept = operand(known, &stm.exp)?;
        let may_keep = match stm.exp {
            Exp::Binary(_, a, b) => known.may_keep_only(kept, &[a, b]),
            _ => true,
        };
        may_keep.then(|| Rewrite::Atoms(vec![kept]))
    },
};

fn operand(known: &Facts, exp: &Exp) -> Option<Atom> {
    let at_most = |a, b, more| known.ranges.at_most(known.vars, a, b, more);
    match *exp {
        Exp::Binary(BinOp::Min, a, b) if at_most(a, b, 0) => Some(a),
        Exp::Binary(BinOp::Min, a, b) if at_most(b, a, 0) => Some(b),
        Exp::Binary(BinOp::Max, a, b) if at_most(b, a, 0) => Some(a),
        Exp::Binary(BinOp::Max, a, b) if at_most(a, b, 0) => Some(b),
        Exp::Binary(op @ (BinOp::Mod | BinOp::Rem | BinOp::Div | BinOp::Quot), a, b) => {
            let zero = Atom::Const(PrimValue::zero(known.type_of(a).elem));
            let small = at_most(zero, a, 0) && at_most(a, b, -1);
            small.then_some(if matches!(op, BinOp::Mod | BinOp::Rem) { a } else { zero })
        }
        Exp::Unary(UnOp::Abs, a) => {
            let zero = Atom::Const(PrimValue::zero(known.type_of(a).elem));
            at_most(zero, a, 0).then_some(a)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    #[test]
    fn a_loop_counter_as_position_needs_no_check() {
        let before = "
            let o: [n]i32 = screma n {
              from iota 0 1
              map \\(i: i64) -> {
                let low: bool = le 0 i
                let high: bool = lt i n
                let ok: bool = and low high
                let j: i64 = assert ok (i) \"out of bounds\"
                let e: i32 = ys[j]
                in e
              }
              to map
            }";
        let (after, events) = trace(&PASS, &within(before, "o", "r: [n]i32"));
        assert!(after.contains("-> {\n      let e_11: i32 = ys_7[i_10]\n      in e_11\n"), "{after}");
        assert_eq!(events, ["range-comparison", "range-comparison", "constant-folding", "assert-true"]);
    }

    /// The first element of a chunk exists, unless the chunk may be empty.
    #[test]
    fn the_first_position_of_a_chunk_needs_no_check() {
        let before = |neutral: &str| {
            let text = "
                let s: i32 = stream n {
                  from ys
                  chunk \\(k: i64, at: i64, e: [k]i32) -> {
                    let ok: bool = lt 0 k
                    let j: i64 = assert ok (0) \"out of bounds\"
                    let f: i32 = e[j]
                    in f
                  }
                  to reduce \\(p: i32, q: i32) -> p NEUTRAL
                }";
            within(&text.replace("NEUTRAL", neutral), "s", "r: i32")
        };
        let (after, events) = trace(&PASS, &before("(0i32)"));
        assert!(after.contains("-> {\n      let f_13: i32 = e_12[0i64]\n      in f_13\n"), "{after}");
        assert_eq!(events, ["range-comparison", "assert-true"]);
        assert_eq!(trace(&PASS, &before("")).1, ["assert-true refused: proved"]);
    }

    #[test]
    fn operands_in_range_replace_results() {
        let before = "
            let d: [n]i64 = screma n {
              from iota 0 1
              map \\(i: i64) -> {
                let a: i64 = min i n
                let b: i64 = max a 0
                let e: i64 = mod b n
                let f: i64 = div e n
                let g: i64 = abs e
                let h: i64 = add f g
                in h
              }
              to map
            }";
        let (after, events) = trace(&PASS, &within(before, "d", "r: [n]i64"));
        assert!(after.contains("map \\(i_10: i64) -> i_10\n"), "{after}");
        assert_eq!(events.iter().filter(|event| *event == "range-arithmetic").count(), 5);
    }

    #[test]
    fn operands_of_other_ranges_stay() {
        for exp in ["min m n", "mod m n", "div n m", "abs m", "max m 0"] {
            let (after, _) = trace(&PASS, &within(&format!("let a: i64 = {exp}"), "a", "r: i64"));
            assert!(statements(&after).starts_with("let a_9"), "{after}");
        }
        let (after, _) = trace(&PASS, &within("let a: f64 = max u 0.0f64", "a", "r: f64"));
        assert!(statements(&after).starts_with("let a_9"), "{after}");
    }
}
