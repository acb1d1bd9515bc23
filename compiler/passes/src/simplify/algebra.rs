//! # algebraic-identity: laws of arithmetic
//!
//! ## Rule
//!
//! ```text
//!   x + 0, 0 + x, x - 0, x * 1, 1 * x, x / 1, x << 0, …   -->   x
//!   x * 0, x - x, x & 0, x ^ x                            -->   0          integers and bools
//!   min x x, max x x, x & x, x | x                        -->   x          integers and bools
//!   x == x, x <= x   -->   true      x != x, x < x   -->   false           integers and bools
//!   b == true   -->   b              convert t x   -->   x                 if x has type t
//!   not (not x), neg (neg x)   -->   x
//!   (x - y) + y, (x + y) - y, x - (x - y)   -->   x, x, y                  integers
//! ```
//!
//! * *algebraic-identity*: if a law of arithmetic shows that the result of an operator is an operand or a
//!   constant, it becomes this value.
//!
//! ## Requires
//!
//! * *exact*: the identity is exact in every bit, also for -0, infinities and NaN. Integers wrap around, so
//!   every law above holds. Of floats, `x * 1`, `x / 1`, `x - 0` and `x + -0` are `x`. But `x + 0` differs if
//!   `x` is -0, and `x * 0` and `x == x` differ if `x` is NaN.
//!
//! No dropped operand depends on a check (`dependence`).
//!
//! ## Ensures
//!
//! The value is the same in every bit.
//!
//! ## Leaves alone
//!
//! Laws that do not hold for floats in every bit.
//!
//! ## Costs
//!
//! Constant time for each statement.
//!
//! ## Source
//!
//! Muchnick, "Advanced Compiler Design and Implementation" (1997), section 12.3.
//!
//! ## Before
//!
//! ```text
//! fun main (x: i32, y: i32) -> (out: i32) = {
//!   let a: i32 = add x 0i32
//!   let b: i32 = sub y y
//!   let c: i32 = mul a 1i32
//!   let d: i32 = or c b
//!   in d
//! }
//! entry main = main (x, y) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (x_0: i32, y_1: i32) -> (out_2: i32) = { in x_0 }
//! entry main = main (x_0, y_1) -> (out_2)
//! ```

use ravel_core::{Atom, Exp};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp, convert};

use super::{Facts, Rewrite, Rule};
use crate::Premise;

/// The laws of scalar operators.
pub const IDENTITY: Rule = Rule {
    name: "algebraic-identity",
    rewrite: |known, stm| match identity(known, &stm.exp) {
        Some(atom) => Some(Rewrite::Atoms(vec![atom])),
        None => is_inexact(known, &stm.exp).then_some(Rewrite::Refused(EXACT)),
    },
};

/// What [`IDENTITY`] requires.
pub const EXACT: Premise = Premise {
    name: "exact",
    about: "the identity is exact in every bit, also for -0, infinities and NaN",
    otherwise: "this identity is not exact for floats",
};

/// Whether the expression would be simplified by a law of real numbers that floats violate.
fn is_inexact(known: &Facts, exp: &Exp) -> bool {
    let Exp::Binary(op, a, b) = *exp else { return false };
    let ty = known.type_of(a).elem;
    let is_zero = |atom| atom == Atom::Const(PrimValue::zero(ty));
    ty.is_float()
        && match op {
            BinOp::Add | BinOp::Mul => is_zero(a) || is_zero(b),
            BinOp::Sub => a == b,
            _ => false,
        }
}

fn identity(known: &Facts, exp: &Exp) -> Option<Atom> {
    match *exp {
        Exp::Unary(op @ (UnOp::Not | UnOp::Neg), Atom::Var(var)) => match known.definition(var) {
            Some(Exp::Unary(inner, x)) if *inner == op => Some(*x),
            _ => None,
        },
        Exp::Binary(op, a, b) => {
            let kept = binary(op, a, b, known.type_of(a).elem);
            let kept = kept.filter(|&kept| known.may_keep_only(kept, &[a, b]));
            kept.or_else(|| cancel(known, op, a, b))
        }
        Exp::Compare(op, a, b) => {
            let kept = comparison(op, a, b, known.type_of(a).elem);
            kept.filter(|&kept| known.may_keep_only(kept, &[a, b]))
        }
        Exp::Convert(to, a) if known.type_of(a).elem == to => Some(a),
        _ => None,
    }
}

fn binary(op: BinOp, a: Atom, b: Atom, ty: PrimType) -> Option<Atom> {
    let zero = Atom::Const(PrimValue::zero(ty));
    let one = Atom::Const(convert(PrimValue::I8(1), ty));
    let exact = !ty.is_float();
    match op {
        BinOp::Add if exact && a == zero => Some(b),
        BinOp::Add if exact && b == zero => Some(a),
        BinOp::Add if ty.is_float() && is_negative_zero(b) => Some(a),
        BinOp::Add if ty.is_float() && is_negative_zero(a) => Some(b),
        BinOp::Sub if b == zero => Some(a),
        BinOp::Mul if a == one => Some(b),
        BinOp::Mul | BinOp::Div | BinOp::Quot if b == one => Some(a),
        BinOp::Mul if exact && (a == zero || b == zero) => Some(zero),
        BinOp::Sub | BinOp::Xor if exact && a == b => Some(zero),
        BinOp::Shl | BinOp::Shr | BinOp::Lshr if b == zero => Some(a),
        BinOp::Or | BinOp::Xor if b == zero => Some(a),
        BinOp::Or | BinOp::Xor if a == zero => Some(b),
        BinOp::And if a == zero || b == zero => Some(zero),
        BinOp::And if ty == PrimType::Bool && a == one => Some(b),
        BinOp::And if ty == PrimType::Bool && b == one => Some(a),
        BinOp::Or if ty == PrimType::Bool && (a == one || b == one) => Some(one),
        BinOp::And | BinOp::Or | BinOp::Min | BinOp::Max if exact && a == b => Some(a),
        _ => None,
    }
}

/// A sum and a difference with the same integer cancel.
fn cancel(known: &Facts, op: BinOp, a: Atom, b: Atom) -> Option<Atom> {
    if !known.type_of(a).elem.is_integer() {
        return None;
    }
    let operands = |atom: Atom, op| match known.definition(atom.var()?)? {
        &Exp::Binary(inner, x, y) if inner == op => Some((x, y)),
        _ => None,
    };
    let difference = |atom| operands(atom, BinOp::Sub);
    let (left, cancelled) = match op {
        BinOp::Add => [(a, b), (b, a)].into_iter().find_map(|(difference_of, other)| {
            difference(difference_of).filter(|&(_, y)| y == other).map(|(x, _)| (x, other))
        }),
        BinOp::Sub => {
            let of_sum = operands(a, BinOp::Add)
                .and_then(|(x, y)| if y == b { Some(x) } else { (x == b).then_some(y) });
            let of_sum = of_sum.map(|left| (left, b));
            of_sum.or_else(|| difference(b).filter(|&(x, _)| x == a).map(|(_, y)| (y, a)))
        }
        _ => None,
    }?;
    (!known.is_dependent(cancelled)).then_some(left)
}

fn is_negative_zero(atom: Atom) -> bool {
    match atom {
        Atom::Const(value) if value.ty().is_float() => value.bits() == 1 << (value.ty().bits() - 1),
        _ => false,
    }
}

fn comparison(op: CmpOp, a: Atom, b: Atom, ty: PrimType) -> Option<Atom> {
    if a == b && !ty.is_float() {
        return Some(Atom::bool(matches!(op, CmpOp::Eq | CmpOp::Le)));
    }
    let (truth, lie) = (Atom::bool(true), Atom::bool(false));
    match op {
        CmpOp::Eq if b == truth => Some(a),
        CmpOp::Eq if a == truth => Some(b),
        CmpOp::Ne if b == lie => Some(a),
        CmpOp::Ne if a == lie => Some(b),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    /// The text of one operator after simplification.
    fn simplified(exp: &str, ty: &str) -> String {
        let (after, _) = trace(&PASS, &within(&format!("let r2: {ty} = {exp}"), "r2", &format!("r: {ty}")));
        statements(&after)
    }

    #[test]
    fn identities_of_integers_and_bools() {
        for exp in [
            "add x 0i32",
            "add 0i32 x",
            "sub x 0i32",
            "mul x 1i32",
            "mul 1i32 x",
            "div x 1i32",
            "quot x 1i32",
        ] {
            assert_eq!(simplified(exp, "i32"), "in x_3", "{exp}");
        }
        for exp in
            ["shl x 0i32", "shr x 0i32", "or x 0i32", "xor 0i32 x", "and x x", "min x x", "convert i32 x"]
        {
            assert_eq!(simplified(exp, "i32"), "in x_3", "{exp}");
        }
        for exp in ["mul x 0i32", "sub x x", "xor x x", "and 0i32 x"] {
            assert_eq!(simplified(exp, "i32"), "in 0i32", "{exp}");
        }
        for exp in ["and c true", "or false c", "eq c true", "ne false c"] {
            assert_eq!(simplified(exp, "bool"), "in c_2", "{exp}");
        }
        for (exp, value) in [
            ("eq x x", "true"),
            ("le x x", "true"),
            ("ne x x", "false"),
            ("lt x x", "false"),
            ("or c true", "true"),
        ] {
            assert_eq!(simplified(exp, "bool"), format!("in {value}"), "{exp}");
        }
    }

    #[test]
    fn identities_of_floats_are_exact() {
        for exp in
            ["mul u 1.0f64", "mul 1.0f64 u", "div u 1.0f64", "sub u 0.0f64", "add u -0.0f64", "add -0.0f64 u"]
        {
            assert_eq!(simplified(exp, "f64"), "in u_5", "{exp}");
        }
        for exp in ["add u 0.0f64", "add 0.0f64 u", "mul u 0.0f64", "sub u u", "sub u -0.0f64", "min u u"] {
            assert_ne!(simplified(exp, "f64"), "in u_5", "{exp}");
            assert!(simplified(exp, "f64").starts_with("let "), "{exp}");
        }
        for exp in ["eq u u", "ne u u", "le u u", "lt u u"] {
            assert!(simplified(exp, "bool").starts_with("let "), "{exp}");
        }
    }

    #[test]
    fn additions_and_subtractions_cancel() {
        for (stms, left) in [
            ("let a: i32 = sub x y let b: i32 = add a y", "x_3"),
            ("let a: i32 = sub x y let b: i32 = add y a", "x_3"),
            ("let a: i32 = add x y let b: i32 = sub a y", "x_3"),
            ("let a: i32 = add x y let b: i32 = sub a x", "y_4"),
            ("let a: i32 = sub x y let b: i32 = sub x a", "y_4"),
        ] {
            let (after, _) = trace(&PASS, &within(stms, "b", "r: i32"));
            assert_eq!(statements(&after), format!("in {left}"), "{stms}");
        }
        for stms in [
            "let a: i32 = sub x y let b: i32 = add a x",
            "let a: i32 = add x y let b: i32 = sub x a",
            "let a: i32 = sub x y let b: i32 = sub a y",
            "let a: i32 = sub x y let b: i32 = sub y a",
        ] {
            let (after, _) = trace(&PASS, &within(stms, "b", "r: i32"));
            assert!(statements(&after).ends_with("in b_10"), "{stms}");
        }
        let floats = "let d: f64 = convert f64 x let a: f64 = sub u d let b: f64 = add a d";
        assert!(statements(&trace(&PASS, &within(floats, "b", "r: f64")).0).ends_with("in b_11"));
    }

    #[test]
    fn double_negation_vanishes() {
        let (after, _) = trace(&PASS, &within("let a: f64 = neg u let b: f64 = neg a", "b", "r: f64"));
        assert_eq!(statements(&after), "in u_5");
        let (after, _) = trace(&PASS, &within("let a: i32 = not x let b: i32 = neg a", "b", "r: i32"));
        assert_eq!(statements(&after), "let a_9: i32 = not x_3\nlet b_10: i32 = neg a_9\nin b_10");
    }
}
