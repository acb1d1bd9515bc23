//! Where a definition for ordinary operands applies, it has the bits of the general one.

use super::super::{Angle, OrdinaryValue, general_binary, general_unary, ordinary_binary, ordinary_unary};
use crate::{BinOp, UnOp};

const UNARY: [UnOp; 7] =
    [UnOp::Exp, UnOp::Log, UnOp::Log2, UnOp::Log10, UnOp::Cbrt, UnOp::Asinh, UnOp::Acosh];

/// Any bits, and numbers of the sizes that functions are used for.
fn operands() -> impl Iterator<Item = f64> {
    let mut state = 1_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state
    };
    let ends =
        [0.0, -0.0, 1.0, -1.0, 2.0, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE, 708.0, -708.0, 87.0, -87.0];
    let random = (0..60_000).map(move |number| match number % 3 {
        0 => f64::from_bits(next() ^ next() >> 32),
        1 => (next() >> 40) as f64 / f64::from(1 << 14) - 500.0,
        _ => (next() >> 40) as f64 / f64::from(1 << 21),
    });
    ends.into_iter().chain(random)
}

/// Compares the two in one type. Returns the number of operands to which the one for ordinary operands applies.
fn compare<R>(operand: fn(f64) -> R, bits: fn(R) -> u64) -> usize
where
    R: Angle<Truth = bool>,
{
    let mut applied = 0;
    let mut check = |ordinary: Option<OrdinaryValue<R>>, general: Option<R>, what: &dyn Fn() -> String| {
        let OrdinaryValue { applies, value } = ordinary.expect("shorter for ordinary operands");
        if applies {
            assert!(bits(value) == bits(general.expect("an elementary function")), "{}", what());
            applied += 1;
        }
    };
    for x in operands() {
        for op in UNARY {
            let argument = operand(x);
            check(ordinary_unary(op, argument), general_unary(op, argument), &|| {
                format!("{} {x:?}", op.name())
            });
        }
    }
    let numbers: Vec<f64> = operands().collect();
    for (&x, &y) in numbers.iter().zip(numbers.iter().rev()) {
        for y in [y, y / 64.0, 0.0, 1e300] {
            let (a, b) = (operand(x), operand(y));
            let power = BinOp::Pow;
            check(ordinary_binary(power, a, b), general_binary(power, a, b), &|| format!("pow {x:?} {y:?}"));
        }
    }
    applied
}

#[test]
fn ordinary_operands_have_the_general_value() {
    assert!(compare::<f64>(|x| x, f64::to_bits) > 200_000);
    assert!(compare::<f32>(|x| x as f32, |x| x.to_bits().into()) > 200_000);
}
