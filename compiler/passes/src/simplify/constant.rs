//! # constant-folding: evaluate operators on constants
//!
//! ## Rule
//!
//! ```text
//!   let x = op c1 c2   -->   let x = c      where c is the value by the evaluator of scalars
//!   let x = trust c    -->   let x = true
//! ```
//!
//! * *constant-folding*: an operator on constants becomes its value.
//!
//! ## Requires
//!
//! The operation does not fail.
//!
//! ## Ensures
//!
//! The value is that of the interpreter, since both use one evaluator.
//!
//! ## Leaves alone
//!
//! An operation that fails, as a division by zero does.
//!
//! ## Costs
//!
//! Constant time for each statement.
//!
//! ## Source
//!
//! Muchnick, "Advanced Compiler Design and Implementation" (1997), section 12.1.
//!
//! ## Before
//!
//! ```text
//! fun main () -> (out: i32) = {
//!   let a: i32 = mul 6i32 7i32
//!   in a
//! }
//! entry main = main () -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main () -> (out_0: i32) = { in 42i32 }
//! entry main = main () -> (out_0)
//! ```

use ravel_core::{Atom, Exp};
use ravel_prim::{PrimValue, binary, compare, convert, unary};

use super::{Rewrite, Rule};

/// An operator on constants becomes a constant.
pub const FOLDING: Rule = Rule {
    name: "constant-folding",
    rewrite: |_, stm| fold(&stm.exp).map(|value| Rewrite::Atoms(vec![Atom::Const(value)])),
};

fn fold(exp: &Exp) -> Option<PrimValue> {
    match *exp {
        Exp::Unary(op, Atom::Const(a)) => unary(op, a),
        Exp::Binary(op, Atom::Const(a), Atom::Const(b)) => binary(op, a, b),
        Exp::Compare(op, Atom::Const(a), Atom::Const(b)) => compare(op, a, b).map(PrimValue::Bool),
        Exp::Convert(to, Atom::Const(a)) => Some(convert(a, to)),
        Exp::Trust(_) => Some(PrimValue::Bool(true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    #[test]
    fn operators_on_constants_fold() {
        let before = "
            let a: i32 = add 2147483647i32 1i32
            let b: i64 = convert i64 a
            let d: bool = lt b 0
            let e: f64 = sqrt 2.25f64";
        let (after, events) = trace(&PASS, &within(before, "(b, d, e)", "r: i64, s: bool, t: f64"));
        assert_eq!(statements(&after), "in (-2147483648i64, true, 1.5f64)");
        assert_eq!(events, ["constant-folding"; 4]);
    }

    #[test]
    fn trust_is_true() {
        let before =
            "let a: bool = trust c let b: i32 = assert a (x) \"no\" let d: [m]i32 = assert a (ys) \"no\"";
        let (after, events) = trace(&PASS, &within(before, "(b, d)", "r: i32, s: [m]i32"));
        assert_eq!(statements(&after), "let d_10: [m_1]i32 = assert true (ys_7) \"no\"\nin (x_3, d_10)");
        assert_eq!(events, ["constant-folding", "assert-true"]);
    }

    #[test]
    fn failing_operations_stay() {
        let (after, events) = trace(&PASS, &within("let a: i32 = div 1i32 0i32", "a", "r: i32"));
        assert_eq!(statements(&after), "let a_9: i32 = div 1i32 0i32\nin a_9");
        assert_eq!(events, [""; 0]);
    }
}
