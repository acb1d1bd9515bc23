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
//! A function of f32 computes in f32, since GPUs may lack f64. Only the functions of an angle need more than [`Real`]: an
//! angle far from 0 is reduced to a quarter turn in integer arithmetic ([`Angle`]).

mod angle;
mod arc;
mod circular;
mod error_free;
mod exponential;
mod logarithm;
mod power;
mod real;
mod types;

pub use angle::{TWO_OVER_PI, reduce_far_angle, reduce_far_angle_single};
pub use circular::sine_and_cosine;
pub use real::{Angle, Bits, OrdinaryValue, Real};
pub use types::{Float, Scalar};

use crate::{BinOp, UnOp};

/// Applies the operator to `x` if it is an elementary function; `None` if it is another operator.
#[inline(always)]
pub fn unary<R: Angle<Truth = bool>>(op: UnOp, x: R) -> Option<R> {
    match ordinary_unary(op, x) {
        Some(OrdinaryValue { applies: true, value }) => Some(value),
        _ => general_unary(op, x),
    }
}

/// Applies the operator to `x` and `y` if it is an elementary function; `None` if it is another operator.
#[inline(always)]
pub fn binary<R: Real<Truth = bool>>(op: BinOp, x: R, y: R) -> Option<R> {
    match ordinary_binary(op, x, y) {
        Some(OrdinaryValue { applies: true, value }) => Some(value),
        _ => general_binary(op, x, y),
    }
}

/// The elementary function of one operand, which may be any number; `None` if the operator is none.
#[inline(always)]
pub fn general_unary<R: Angle>(op: UnOp, x: R) -> Option<R> {
    Some(match op {
        UnOp::Exp => exponential::exp(x),
        UnOp::Log => logarithm::log(x),
        UnOp::Log2 => logarithm::log2(x),
        UnOp::Log10 => logarithm::log10(x),
        UnOp::Cbrt => power::cbrt(x),
        UnOp::Sin => circular::sine_and_cosine(x).0,
        UnOp::Cos => circular::sine_and_cosine(x).1,
        UnOp::Tan => circular::tangent(x),
        UnOp::Asin => arc::asin(x),
        UnOp::Acos => arc::acos(x),
        UnOp::Atan => arc::atan(x),
        UnOp::Sinh => exponential::sinh(x),
        UnOp::Cosh => exponential::cosh(x),
        UnOp::Tanh => exponential::tanh(x),
        UnOp::Asinh => logarithm::asinh(x),
        UnOp::Acosh => logarithm::acosh(x),
        UnOp::Atanh => logarithm::atanh(x),
        _ => return None,
    })
}

/// The elementary function of two operands, which may be any numbers; `None` if the operator is none.
#[inline(always)]
pub fn general_binary<R: Real>(op: BinOp, x: R, y: R) -> Option<R> {
    Some(match op {
        BinOp::Pow => power::pow(x, y),
        BinOp::Atan2 => arc::atan2(x, y),
        BinOp::Hypot => power::hypot(x, y),
        _ => return None,
    })
}

/// The elementary function of an ordinary operand; `None` if the operator is none, or not shorter for ordinary operands.
#[inline(always)]
pub fn ordinary_unary<R: Real>(op: UnOp, x: R) -> Option<OrdinaryValue<R>> {
    Some(match op {
        UnOp::Exp => exponential::ordinary_exp_sum(x, R::number(0.0)),
        UnOp::Log => logarithm::ordinary_log(x),
        UnOp::Log2 => logarithm::ordinary_log2(x),
        UnOp::Log10 => logarithm::ordinary_log10(x),
        UnOp::Cbrt => power::ordinary_cbrt(x),
        UnOp::Asinh => logarithm::ordinary_asinh(x),
        UnOp::Acosh => logarithm::ordinary_acosh(x),
        _ => return None,
    })
}

/// The elementary function of two ordinary operands, under the same conditions.
#[inline(always)]
pub fn ordinary_binary<R: Real>(op: BinOp, x: R, y: R) -> Option<OrdinaryValue<R>> {
    Some(match op {
        BinOp::Pow => power::ordinary_pow(x, y),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
