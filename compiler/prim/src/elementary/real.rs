//! The operators that every machine has. Elementary functions are defined over them.
//!
//! A definition is generic over [`Real`]. With `f32` and `f64` it computes a value. With the terms of a code generator it
//! writes code that computes the same value, bit for bit, because every operation rounds once and none is contracted.

use std::num::Wrapping;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

/// A float, or a term that stands for one.
pub trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// Whether it is an f32. It is an f64 otherwise.
    const IS_SINGLE: bool;
    /// Its representation.
    type Bits: Bits;
    /// The result of a comparison.
    type Truth: Copy + BitAnd<Output = Self::Truth> + BitOr<Output = Self::Truth> + Not<Output = Self::Truth>;

    /// A constant, which the type represents exactly.
    fn number(value: f64) -> Self;
    /// The absolute value.
    fn abs(self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// Its representation.
    fn to_bits(self) -> Self::Bits;
    /// The float with this representation.
    fn from_bits(bits: Self::Bits) -> Self;
    /// Whether it is less than another one; false if one of them is NaN.
    fn less(self, other: Self) -> Self::Truth;
    /// Whether it equals another one; false if one of them is NaN.
    fn equals(self, other: Self) -> Self::Truth;
    /// One of two values, both of which are computed.
    fn select(cond: Self::Truth, yes: Self, no: Self) -> Self;

    /// A constant of one value in f64, and of another one in f32.
    #[inline(always)]
    fn pick(double: f64, single: f64) -> Self {
        Self::number(if Self::IS_SINGLE { single } else { double })
    }

    /// The number with the sign of another one.
    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        let sign = if Self::IS_SINGLE { 1 << 31 } else { 1 << 63 };
        Self::from_bits(self.abs().to_bits() | (other.to_bits() & Self::Bits::number(sign)))
    }

    /// Whether it is NaN.
    #[inline(always)]
    fn is_nan(self) -> Self::Truth {
        !self.equals(self)
    }
}

/// The value of a function for ordinary arguments, which need no care for subnormal, infinite and other special numbers.
pub struct OrdinaryValue<R: Real, V = R> {
    /// Whether the argument is ordinary. The value means nothing otherwise.
    pub applies: R::Truth,
    /// The value. It has the bits of the one that the definition for all arguments gives.
    pub value: V,
}

/// A float that can be an angle of any size.
pub trait Angle: Real {
    /// [`reduce_far_angle`](super::reduce_far_angle) of an angle if the condition holds, which is rare; otherwise the given
    /// values.
    fn reduce_far_angle_if(cond: Self::Truth, angle: Self, otherwise: [Self; 3]) -> [Self; 3];
}

/// An unsigned integer of the width of a float, or a term that stands for one.
pub trait Bits:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
{
    /// A constant.
    fn number(value: u64) -> Self;
    /// Shifted left by a constant less than the width.
    fn shift_left(self, by: u32) -> Self;
    /// Shifted right by a constant less than the width; zeros come in.
    fn shift_right(self, by: u32) -> Self;
}

macro_rules! float {
    ($float:ident, $bits:ident, $is_single:literal, $far:ident) => {
        impl Real for $float {
            const IS_SINGLE: bool = $is_single;
            type Bits = Wrapping<$bits>;
            type Truth = bool;

            #[inline(always)]
            fn number(value: f64) -> $float {
                value as $float
            }

            #[inline(always)]
            fn abs(self) -> $float {
                $float::abs(self)
            }

            #[inline(always)]
            fn sqrt(self) -> $float {
                $float::sqrt(self)
            }

            #[inline(always)]
            fn to_bits(self) -> Wrapping<$bits> {
                Wrapping($float::to_bits(self))
            }

            #[inline(always)]
            fn from_bits(bits: Wrapping<$bits>) -> $float {
                $float::from_bits(bits.0)
            }

            #[inline(always)]
            fn less(self, other: $float) -> bool {
                self < other
            }

            #[inline(always)]
            fn equals(self, other: $float) -> bool {
                self == other
            }

            #[inline(always)]
            fn select(cond: bool, yes: $float, no: $float) -> $float {
                if cond { yes } else { no }
            }
        }

        impl Angle for $float {
            #[inline(always)]
            fn reduce_far_angle_if(cond: bool, angle: $float, otherwise: [$float; 3]) -> [$float; 3] {
                if cond { super::$far(angle) } else { otherwise }
            }
        }

        impl Bits for Wrapping<$bits> {
            #[inline(always)]
            fn number(value: u64) -> Wrapping<$bits> {
                Wrapping(value as $bits)
            }

            #[inline(always)]
            fn shift_left(self, by: u32) -> Wrapping<$bits> {
                self << by as usize
            }

            #[inline(always)]
            fn shift_right(self, by: u32) -> Wrapping<$bits> {
                self >> by as usize
            }
        }
    };
}

float!(f32, u32, true, reduce_far_angle_single);
float!(f64, u64, false, reduce_far_angle);
