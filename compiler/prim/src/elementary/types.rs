//! The types that a definition is about, for terms of code that stand for values of them: emitters build such terms.

use std::num::Wrapping;

use crate::PrimType;

/// A type whose values a term may stand for.
pub trait Scalar: Copy {
    /// The type.
    const TYPE: PrimType;
}

/// A type of floats.
pub trait Float: Scalar {
    /// The integers of its width.
    type Bits: Scalar;
}

macro_rules! scalars {
    ($($ty:ty: $name:ident;)*) => {$(
        impl Scalar for $ty {
            const TYPE: PrimType = PrimType::$name;
        }
    )*};
}

scalars! {
    f32: F32;
    f64: F64;
    Wrapping<u32>: U32;
    Wrapping<u64>: U64;
}

impl Float for f32 {
    type Bits = Wrapping<u32>;
}

impl Float for f64 {
    type Bits = Wrapping<u64>;
}
