//! # reassociation, strength-reduction: cheaper arithmetic
//!
//! ## Rule
//!
//! ```text
//!   let y = x + c in … let z = y + d    -->   let z = x + (c + d)         also with differences
//!   let y = x * c in … let z = y * d    -->   let z = x * (c * d)
//!   let y = x * c in … let z = y - x    -->   let z = x * (c - 1)         also y + x
//!   let z = div x 2^k                   -->   let z = shr x k
//!   let z = mod x 2^k                   -->   let z = and x (2^k - 1)
//!   let z = div x 2^k                   -->   let z = mul x 2^-k          of floats
//!   let z = mod x y                     -->   let z = if x < y then x else x - y      if 0 <= x < 2y
//!   let z = mod x y                     -->   let z = if x < 0 then x + y else x      if -y <= x < y
//! ```
//!
//! * *reassociation*: constants of sums and products are combined.
//! * *strength-reduction*: a division or remainder becomes a shift, a mask, a product, or a comparison and a
//!   difference.
//!
//! The last two lines make the neighbours in a ring, `(i + 1) % n` and `(i - 1) % n`, cheap. A division takes tens
//! of cycles.
//!
//! ## Requires
//!
//! The operands are integers, but for the product, where 2^k and 2^-k are normal numbers of the type. `div` rounds towards minus infinity, as a shift does. `quot` and `rem` round towards
//! zero, so they become a shift or a mask only in an unsigned type. `rem x y` becomes `x` or `x - y`, but never
//! `x + y`, since its result has the sign of `x`.
//!
//! ## Ensures
//!
//! Sums and products of integers wrap around, so any order gives the same result. A quotient by a power of two is
//! the same real number as the product with its inverse, so both are rounded alike.
//!
//! ## Leaves alone
//!
//! Sums and products of floats, which depend on the order, and quotients by other numbers, whose inverses are
//! rounded.
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
//! fun main (x: i32) -> (out: i32) = {
//!   let a: i32 = add x 3i32
//!   let b: i32 = add a 5i32
//!   let c: i32 = div b 8i32
//!   in c
//! }
//! entry main = main (x) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (x_0: i32) -> (out_1: i32) = {
//!   let b_2: i32 = add x_0 8i32
//!   let c_3: i32 = shr b_2 3i32
//!   in c_3
//! }
//! entry main = main (x_0) -> (out_1)
//! ```

use ravel_core::{Atom, Body, Builder, Exp, Type};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, binary, convert};

use super::{Facts, Rewrite, Rule};

/// Combines the constants of two operators.
pub const REASSOCIATION: Rule =
    Rule { name: "reassociation", rewrite: |known, stm| reassociated(known, &stm.exp).map(Rewrite::Exp) };

/// Division by a power of two as a shift, a mask or a product, and a remainder near its divisor as a comparison.
pub const REDUCTION: Rule = Rule {
    name: "strength-reduction",
    rewrite: |known, stm| {
        reduced(known, &stm.exp).map(Rewrite::Exp).or_else(|| near_divisor(known, &stm.exp))
    },
};

fn reassociated(known: &Facts, exp: &Exp) -> Option<Exp> {
    two_constants(known, exp).or_else(|| multiple_plus_one(known, exp))
}

/// A multiple of `x` plus or minus `x`.
fn multiple_plus_one(known: &Facts, exp: &Exp) -> Option<Exp> {
    let (op, multiple, x) = match *exp {
        Exp::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => (op, a, b),
        _ => return None,
    };
    let times = |multiple: Atom, x| match with_constant(known.definition(multiple.var()?)?)? {
        (BinOp::Mul, of, times) if of == x && times.ty().is_integer() => Some(times),
        _ => None,
    };
    let (x, times) = match times(multiple, x) {
        Some(times) => (x, times),
        None if op == BinOp::Add => (multiple, times(x, multiple)?),
        None => return None,
    };
    let one = convert(PrimValue::I8(1), times.ty());
    Some(Exp::Binary(BinOp::Mul, x, Atom::Const(binary(op, times, one)?)))
}

fn two_constants(known: &Facts, exp: &Exp) -> Option<Exp> {
    let (op, inner, outer) = with_constant(exp)?;
    let Atom::Var(var) = inner else { return None };
    if !outer.ty().is_integer() {
        return None;
    }
    let (inner_op, x, first) = with_constant(known.definition(var)?)?;
    let (op, constant) = match (op, inner_op) {
        (BinOp::Mul, BinOp::Mul) => (BinOp::Mul, binary(BinOp::Mul, first, outer)?),
        (BinOp::Add | BinOp::Sub, BinOp::Add | BinOp::Sub) => {
            (BinOp::Add, binary(BinOp::Add, signed(inner_op, first)?, signed(op, outer)?)?)
        }
        _ => return None,
    };
    Some(Exp::Binary(op, x, Atom::Const(constant)))
}

/// An operator with its variable operand and its constant.
fn with_constant(exp: &Exp) -> Option<(BinOp, Atom, PrimValue)> {
    match *exp {
        Exp::Binary(op, x, Atom::Const(c)) => Some((op, x, c)),
        Exp::Binary(op @ (BinOp::Add | BinOp::Mul), Atom::Const(c), x) => Some((op, x, c)),
        _ => None,
    }
}

/// The constant that an addition or a subtraction adds.
fn signed(op: BinOp, value: PrimValue) -> Option<PrimValue> {
    if op == BinOp::Sub { binary(BinOp::Sub, PrimValue::zero(value.ty()), value) } else { Some(value) }
}

fn reduced(known: &Facts, exp: &Exp) -> Option<Exp> {
    let Exp::Binary(op, x, Atom::Const(c)) = *exp else { return None };
    let ty = known.type_of(x).elem;
    if let (BinOp::Div, Some(inverse)) = (op, inverse(c)) {
        return Some(Exp::Binary(BinOp::Mul, x, Atom::Const(inverse)));
    }
    let power = exponent(c)?;
    let unsigned = ty.is_unsigned();
    match op {
        BinOp::Div => Some(Exp::Binary(BinOp::Shr, x, of_type(ty, power))),
        BinOp::Quot if unsigned => Some(Exp::Binary(BinOp::Shr, x, of_type(ty, power))),
        BinOp::Mod => Some(Exp::Binary(BinOp::And, x, of_type(ty, c.bits() - 1))),
        BinOp::Rem if unsigned => Some(Exp::Binary(BinOp::And, x, of_type(ty, c.bits() - 1))),
        _ => None,
    }
}

/// The remainder of a dividend that lies between minus the divisor and twice the divisor.
fn near_divisor(known: &Facts, exp: &Exp) -> Option<Rewrite> {
    let Exp::Binary(op @ (BinOp::Mod | BinOp::Rem), x @ Atom::Var(_), y @ Atom::Var(_)) = *exp else {
        return None;
    };
    let (dividend, divisor) = (known.ranges.interval(known.vars, x)?, known.ranges.interval(known.vars, y)?);
    let at_most = |more| known.ranges.at_most(known.vars, x, y, more);
    if divisor.least < 1 {
        return None;
    }
    let ty = known.type_of(x).elem;
    let write: fn(&mut Builder, PrimType, Atom, Atom) -> Atom =
        if dividend.least >= 0 && at_most(divisor.least - 1) {
            |b, ty, x, y| {
                let is_rest = b.compare(CmpOp::Lt, x, y);
                let less = b.body(|b| vec![b.binary(BinOp::Sub, x, y)]);
                choose(b, ty, is_rest, Body { stms: Vec::new(), result: vec![x] }, less)
            }
        } else if op == BinOp::Mod && dividend.least >= -divisor.least && at_most(-1) {
            |b, ty, x, y| {
                let is_below = b.compare(CmpOp::Lt, x, Atom::Const(PrimValue::zero(ty)));
                let more = b.body(|b| vec![b.binary(BinOp::Add, x, y)]);
                choose(b, ty, is_below, more, Body { stms: Vec::new(), result: vec![x] })
            }
        } else {
            return None;
        };
    Some(Rewrite::Emit(Box::new(move |b| write(b, ty, x, y))))
}

fn choose(b: &mut Builder, ty: PrimType, cond: Atom, then: Body, otherwise: Body) -> Atom {
    b.bind(Type::scalar(ty), Exp::If { cond, then, otherwise })
}

fn of_type(ty: PrimType, bits: u64) -> Atom {
    Atom::Const(PrimValue::from_bits(ty, bits))
}

/// The exponent, if the integer is a positive power of two.
fn exponent(value: PrimValue) -> Option<u64> {
    let (ty, bits) = (value.ty(), value.bits());
    let negative = ty.is_signed() && bits == 1 << (ty.bits() - 1);
    (ty.is_integer() && bits > 1 && bits.is_power_of_two() && !negative)
        .then(|| u64::from(bits.trailing_zeros()))
}

/// The inverse of a float, if it is exact: both are powers of two, and normal numbers of their type.
fn inverse(value: PrimValue) -> Option<PrimValue> {
    let ty = value.ty();
    let (fraction_bits, bias) = match ty {
        PrimType::F16 => (10, 15),
        PrimType::F32 => (23, 127),
        PrimType::F64 => (52, 1023),
        _ => return None,
    };
    let sign = 1 << (ty.bits() - 1);
    let bits = value.bits();
    let (exponent, fraction) = ((bits & !sign) >> fraction_bits, bits & ((1 << fraction_bits) - 1));
    let is_normal = (1..2 * bias).contains(&exponent);
    (is_normal && fraction == 0)
        .then(|| PrimValue::from_bits(ty, bits & sign | (2 * bias - exponent) << fraction_bits))
}

#[cfg(test)]
mod tests {
    use ravel_prim::{PrimType, PrimValue};

    use super::inverse;
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    fn simplified(stms: &str, ty: &str) -> String {
        statements(&trace(&PASS, &within(stms, "b", &format!("r: {ty}"))).0)
    }

    #[test]
    fn constants_combine() {
        for (stms, expected) in [
            ("let a: i32 = add x 3i32 let b: i32 = add a 4i32", "add x_3 7i32"),
            ("let a: i32 = sub x 3i32 let b: i32 = add 4i32 a", "add x_3 1i32"),
            ("let a: i32 = add 3i32 x let b: i32 = sub a 4i32", "add x_3 -1i32"),
            ("let a: i32 = sub x -2147483648i32 let b: i32 = sub a 1i32", "add x_3 2147483647i32"),
            ("let a: i32 = mul x 3i32 let b: i32 = mul 4i32 a", "mul x_3 12i32"),
        ] {
            let after = simplified(stms, "i32");
            assert!(after.contains(&format!("let b_9: i32 = {expected}")), "{after}");
        }
    }

    #[test]
    fn constants_of_floats_and_of_different_operators_stay() {
        let floats = "let a: f64 = add u 3.0f64 let b: f64 = add a 4.0f64";
        assert!(simplified(floats, "f64").contains("add a_9 4.0f64"));
        for stms in [
            "let a: i32 = sub 3i32 x let b: i32 = add a 4i32",
            "let a: i32 = add x 3i32 let b: i32 = mul a 4i32",
            "let a: i32 = div x 3i32 let b: i32 = mul a 4i32",
        ] {
            assert!(simplified(stms, "i32").contains("a_9 4i32"), "{stms}");
        }
    }

    #[test]
    fn a_multiple_and_its_base_combine() {
        for (stms, expected) in [
            ("let a: i32 = mul x 2i32 let b: i32 = sub a x", "in x_3"),
            ("let a: i32 = mul 5i32 x let b: i32 = sub a x", "let b_9: i32 = mul x_3 4i32\nin b_9"),
            ("let a: i32 = mul x 5i32 let b: i32 = add a x", "let b_9: i32 = mul x_3 6i32\nin b_9"),
            ("let a: i32 = mul x 5i32 let b: i32 = add x a", "let b_9: i32 = mul x_3 6i32\nin b_9"),
        ] {
            assert_eq!(simplified(stms, "i32"), expected, "{stms}");
        }
        for stms in [
            "let a: i32 = mul x 5i32 let b: i32 = sub x a",
            "let a: i32 = mul x 5i32 let b: i32 = add a y",
            "let a: i32 = mul x y let b: i32 = sub a x",
            "let a: f64 = mul u 5.0f64 let b: f64 = sub a u",
        ] {
            let ty = if stms.contains("f64") { "f64" } else { "i32" };
            assert!(simplified(stms, ty).ends_with("in b_10"), "{stms}");
        }
    }

    #[test]
    fn division_by_powers_of_two_is_a_shift() {
        assert_eq!(simplified("let b: i32 = div x 8i32", "i32"), "let b_9: i32 = shr x_3 3i32\nin b_9");
        assert_eq!(simplified("let b: i32 = mod x 8i32", "i32"), "let b_9: i32 = and x_3 7i32\nin b_9");
        let unsigned = "let a: u32 = convert u32 x let b: u32 =";
        assert!(simplified(&format!("{unsigned} quot a 2u32"), "u32").contains("shr a_9 1u32"));
        assert!(simplified(&format!("{unsigned} rem a 2u32"), "u32").contains("and a_9 1u32"));
        let top = simplified(&format!("{unsigned} div a 2147483648u32"), "u32");
        assert!(top.contains("shr a_9 31u32"), "{top}");
    }

    /// The neighbours of a position in a ring.
    #[test]
    fn remainders_near_their_divisor_become_branches() {
        let at_point = |stms: &str| {
            let map = format!(
                "let b: [n]i32 = screma n {{ from iota 0 1 map \\(i: i64) -> {{ {stms}
                   let low: bool = le 0 p let high: bool = lt p n let ok: bool = and low high
                   let q: i64 = assert ok (p) \"out\" let e: i32 = ys[q] in e }} to map }}"
            );
            simplified(&map, "[n]i32")
        };
        for (near, chosen) in [
            ("let o: i64 = add i 1 let p: i64 = mod o n", "= sub "),
            ("let o: i64 = add i 1 let p: i64 = rem o n", "= sub "),
            ("let o: i64 = sub i 1 let p: i64 = mod o n", "= add "),
        ] {
            let text = at_point(near);
            assert!(text.contains("= if ") && text.contains(chosen), "{near}: {text}");
            assert!(!text.contains("mod ") && !text.contains("rem ") && !text.contains("assert"), "{text}");
        }
        for far in [
            "let o: i64 = add i 2 let p: i64 = mod o n",
            "let o: i64 = sub i 2 let p: i64 = mod o n",
            "let o: i64 = sub i 1 let p: i64 = rem o n",
            "let o: i64 = add i m let p: i64 = mod o n",
        ] {
            assert!(!at_point(far).contains("= if "), "{far}");
        }
    }

    #[test]
    fn quotients_by_powers_of_two_are_products() {
        for (divisor, factor) in
            [("8.0", "0.125"), ("-0.5", "-2.0"), ("4294967296.0", "2.3283064365386963e-10")]
        {
            let text = simplified(&format!("let b: f64 = div u {divisor}f64"), "f64");
            assert_eq!(text, format!("let b_9: f64 = mul u_5 {factor}f64\nin b_9"));
        }
        for divisor in ["3.0", "0.0", "1.7976931348623157e308", "5.0e-324"] {
            let text = simplified(&format!("let b: f64 = div u {divisor}f64"), "f64");
            assert!(text.contains("div u_5"), "{text}");
        }
    }

    /// Every power of two whose inverse is a normal number too, and no other.
    #[test]
    fn inverses_are_exact() {
        for exponent in -1080..1080 {
            let power = f64::from(exponent).exp2();
            let expected = (-1022..=1022).contains(&exponent).then(|| PrimValue::F64(1.0 / power));
            assert_eq!(inverse(PrimValue::F64(power)), expected, "2^{exponent}");
            let power = power as f32;
            let expected = (-126..=126).contains(&exponent).then(|| PrimValue::F32(1.0 / power));
            assert_eq!(inverse(PrimValue::F32(power)), expected, "2^{exponent}");
        }
        let half = |bits| PrimValue::from_bits(PrimType::F16, bits);
        assert_eq!(inverse(half(0x4000)), Some(half(0x3800)), "2 and 0.5");
        assert_eq!(inverse(half(0x7800)), None, "2^15, whose inverse is subnormal");
        assert_eq!(inverse(half(0x0400)), Some(half(0x7400)), "2^-14 and 2^14");
    }

    #[test]
    fn other_divisors_stay() {
        for exp in
            ["div x 6i32", "div x -8i32", "mod x -2147483648i32", "quot x 8i32", "rem x 8i32", "div 8i32 x"]
        {
            assert!(
                simplified(&format!("let b: i32 = {exp}"), "i32").contains(exp.split(' ').next().unwrap()),
                "{exp}"
            );
        }
    }
}
