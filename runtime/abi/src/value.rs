//! Values as they cross the border: scalars and regular arrays of primitives.

use half::f16;
use ravel_prim::{PrimType, PrimValue};

/// A value that a program takes or gives.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A scalar.
    Scalar(PrimValue),
    /// An array.
    Array(Array),
}

/// A regular array, row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// The sizes, outermost first; at least one.
    pub shape: Vec<usize>,
    /// The elements; as many as the product of the sizes.
    pub data: Data,
}

/// Elements of one type.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each name is the type's name")]
pub enum Data {
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    F16(Vec<f16>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    Bool(Vec<bool>),
}

/// Runs `$body` with `$vec` bound to the vector inside a [`Data`], whatever its type.
macro_rules! with_data {
    ($data:expr, $vec:ident => $body:expr) => {
        match $data {
            Data::I8($vec) => $body,
            Data::I16($vec) => $body,
            Data::I32($vec) => $body,
            Data::I64($vec) => $body,
            Data::U8($vec) => $body,
            Data::U16($vec) => $body,
            Data::U32($vec) => $body,
            Data::U64($vec) => $body,
            Data::F16($vec) => $body,
            Data::F32($vec) => $body,
            Data::F64($vec) => $body,
            Data::Bool($vec) => $body,
        }
    };
}

impl Data {
    /// The type of the elements.
    pub fn elem(&self) -> PrimType {
        match self {
            Data::I8(_) => PrimType::I8,
            Data::I16(_) => PrimType::I16,
            Data::I32(_) => PrimType::I32,
            Data::I64(_) => PrimType::I64,
            Data::U8(_) => PrimType::U8,
            Data::U16(_) => PrimType::U16,
            Data::U32(_) => PrimType::U32,
            Data::U64(_) => PrimType::U64,
            Data::F16(_) => PrimType::F16,
            Data::F32(_) => PrimType::F32,
            Data::F64(_) => PrimType::F64,
            Data::Bool(_) => PrimType::Bool,
        }
    }

    /// How many elements.
    pub fn len(&self) -> usize {
        with_data!(self, vec => vec.len())
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Value {
    /// The type of the scalar or of the elements.
    pub fn elem(&self) -> PrimType {
        match self {
            Value::Scalar(scalar) => scalar.ty(),
            Value::Array(array) => array.data.elem(),
        }
    }

    /// The sizes; none for a scalar.
    pub fn shape(&self) -> &[usize] {
        match self {
            Value::Scalar(_) => &[],
            Value::Array(array) => &array.shape,
        }
    }
}
