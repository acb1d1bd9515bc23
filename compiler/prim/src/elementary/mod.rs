//! # elementary: the elementary functions, defined once
//!
//! A definition is straight-line code over the operators that every machine has ([`Real`]), without tables. So it is at
//! once the evaluator of the operator and what a code generator writes for it, and both give the same bits.
//!
//! Errors are at most 2 units in the last place, and for `exp` and `log` at most 1 (`docs/accuracy.md`). The comment on
//! each polynomial states an interval and an error. The polynomial has the smallest possible largest error on the
//! interval (found by the exchange algorithm of Remez), and its coefficients are rounded to the nearest f64 or f32. The
//! stated error is the error of the rounded polynomial, relative to the function.
//!
//! [`unary`] and [`binary`] evaluate a function. A code generator writes [`general_unary`], which holds for all arguments.
//! Some functions are shorter for ordinary arguments ([`ordinary_unary`]); evaluation tries that first.
//!
//! In f32, `exp` and `log` compute in f32, and the others in f64 (`in_double`; [`sine_and_cosine`] does so itself). Only
//! the functions of an angle need more than [`Real`]: an angle far from 0 is reduced to a quarter turn in integer
//! arithmetic of 192 bits ([`Angle`]).

mod angle;
mod arc;
mod circular;
mod error_free;
mod exponential;
mod logarithm;
mod power;
mod real;

pub use angle::{TWO_OVER_PI, reduce_far_angle};
pub use circular::sine_and_cosine;
pub use real::{Angle, Bits, OrdinaryValue, Real};

use crate::{BinOp, UnOp};

/// Applies the operator to `x` if it is an elementary function; `None` if it is another operator.
#[inline(always)]
pub fn unary<R: Angle<Truth = bool, Double: Angle<Truth = bool>>>(op: UnOp, x: R) -> Option<R> {
    match ordinary_unary(op, x) {
        Some(OrdinaryValue { applies: true, value }) => Some(value),
        _ => general_unary(op, x),
    }
}

/// Applies the operator to `x` and `y` if it is an elementary function; `None` if it is another operator.
#[inline(always)]
pub fn binary<R: Real<Truth = bool, Double: Real<Truth = bool>>>(op: BinOp, x: R, y: R) -> Option<R> {
    match ordinary_binary(op, x, y) {
        Some(OrdinaryValue { applies: true, value }) => Some(value),
        _ => general_binary(op, x, y),
    }
}

/// The elementary function of one operand, which may be any number; `None` if the operator is none.
#[inline(always)]
pub fn general_unary<R: Angle<Double: Angle>>(op: UnOp, x: R) -> Option<R> {
    let in_double = |function: fn(R::Double) -> R::Double| R::nearest(function(x.widen()));
    Some(match op {
        UnOp::Exp => exponential::exp(x),
        UnOp::Log => logarithm::log(x),
        UnOp::Log2 => in_double(logarithm::log2),
        UnOp::Log10 => in_double(logarithm::log10),
        UnOp::Cbrt => in_double(power::cbrt),
        UnOp::Sin => circular::sine_and_cosine(x).0,
        UnOp::Cos => circular::sine_and_cosine(x).1,
        UnOp::Tan => in_double(circular::tangent),
        UnOp::Asin => in_double(arc::asin),
        UnOp::Acos => in_double(arc::acos),
        UnOp::Atan => in_double(arc::atan),
        UnOp::Sinh => in_double(exponential::sinh),
        UnOp::Cosh => in_double(exponential::cosh),
        UnOp::Tanh => in_double(exponential::tanh),
        UnOp::Asinh => in_double(logarithm::asinh),
        UnOp::Acosh => in_double(logarithm::acosh),
        UnOp::Atanh => in_double(logarithm::atanh),
        _ => return None,
    })
}

/// The elementary function of two operands, which may be any numbers; `None` if the operator is none.
#[inline(always)]
pub fn general_binary<R: Real>(op: BinOp, x: R, y: R) -> Option<R> {
    let in_double =
        |function: fn(R::Double, R::Double) -> R::Double| R::nearest(function(x.widen(), y.widen()));
    Some(match op {
        BinOp::Pow if R::IS_SINGLE => in_double(power::pow_single),
        BinOp::Pow => in_double(power::pow),
        BinOp::Atan2 => in_double(arc::atan2),
        BinOp::Hypot => in_double(power::hypot),
        _ => return None,
    })
}

/// The elementary function of an ordinary operand; `None` if the operator is none, or not shorter for ordinary operands.
#[inline(always)]
pub fn ordinary_unary<R: Real<Double: Real<Truth = R::Truth>>>(op: UnOp, x: R) -> Option<OrdinaryValue<R>> {
    Some(match op {
        UnOp::Exp => exponential::ordinary_exp_sum(x, R::number(0.0)),
        UnOp::Log => logarithm::ordinary_log(x),
        UnOp::Log2 => nearest(logarithm::ordinary_log2(x.widen())),
        UnOp::Log10 => nearest(logarithm::ordinary_log10(x.widen())),
        UnOp::Cbrt => nearest(power::ordinary_cbrt(x.widen())),
        UnOp::Asinh => nearest(logarithm::ordinary_asinh(x.widen())),
        UnOp::Acosh => nearest(logarithm::ordinary_acosh(x.widen())),
        _ => return None,
    })
}

/// The elementary function of two ordinary operands, under the same conditions.
#[inline(always)]
pub fn ordinary_binary<R: Real<Double: Real<Truth = R::Truth>>>(
    op: BinOp,
    x: R,
    y: R,
) -> Option<OrdinaryValue<R>> {
    let (x, y) = (x.widen(), y.widen());
    Some(match op {
        BinOp::Pow if R::IS_SINGLE => nearest(power::ordinary_pow_single(x, y)),
        BinOp::Pow => nearest(power::ordinary_pow(x, y)),
        _ => return None,
    })
}

/// The value of the operand's type from that in f64.
#[inline(always)]
fn nearest<R: Real<Double: Real<Truth = R::Truth>>>(ordinary: OrdinaryValue<R::Double>) -> OrdinaryValue<R> {
    OrdinaryValue { applies: ordinary.applies, value: R::nearest(ordinary.value) }
}

#[cfg(test)]
mod tests;
