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

/// A Rust type of elements.
pub trait Element: Copy + Send + Sync + 'static {
    /// Its primitive type.
    const TYPE: PrimType;
    /// The vector as data.
    fn wrap(elements: Vec<Self>) -> Data;
    /// The vector inside, if it has elements of this type.
    fn of(data: &Data) -> Option<&Vec<Self>>;
    /// The vector inside, if it has elements of this type.
    fn of_mut(data: &mut Data) -> Option<&mut Vec<Self>>;
    /// The element from its bytes, little endian, of which there are [`PrimType::bytes`].
    fn read(bytes: &[u8]) -> Self;
    /// Appends the bytes, little endian.
    fn write(self, bytes: &mut Vec<u8>);
}

macro_rules! element {
    ($($rust:ty => $variant:ident,)*) => {$(
        impl Element for $rust {
            const TYPE: PrimType = PrimType::$variant;

            fn wrap(elements: Vec<Self>) -> Data {
                Data::$variant(elements)
            }

            fn of(data: &Data) -> Option<&Vec<Self>> {
                match data {
                    Data::$variant(elements) => Some(elements),
                    _ => None,
                }
            }

            fn of_mut(data: &mut Data) -> Option<&mut Vec<Self>> {
                match data {
                    Data::$variant(elements) => Some(elements),
                    _ => None,
                }
            }

            element!(bytes $variant $rust);
        }
    )*};
    (bytes Bool $rust:ty) => {
        fn read(bytes: &[u8]) -> bool {
            bytes.first().is_some_and(|&byte| byte != 0)
        }

        fn write(self, bytes: &mut Vec<u8>) {
            bytes.push(u8::from(self));
        }
    };
    (bytes $variant:ident $rust:ty) => {
        fn read(bytes: &[u8]) -> $rust {
            bytes.try_into().map(<$rust>::from_le_bytes).unwrap_or_default()
        }

        fn write(self, bytes: &mut Vec<u8>) {
            bytes.extend_from_slice(&self.to_le_bytes());
        }
    };
}

element! {
    i8 => I8, i16 => I16, i32 => I32, i64 => I64,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64,
    f16 => F16, f32 => F32, f64 => F64, bool => Bool,
}

/// Runs `$body` with `$type` naming the Rust type of the elements of this primitive type.
macro_rules! with_element {
    ($elem:expr, $type:ident => $body:expr) => {
        with_element!($elem, $type => $body; I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64,
            F16 half::f16, F32 f32, F64 f64, Bool bool)
    };
    ($elem:expr, $type:ident => $body:expr; $($variant:ident $rust:ty),*) => {
        match $elem {
            $(ravel_prim::PrimType::$variant => {
                type $type = $rust;
                $body
            })*
        }
    };
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

    /// The elements from their bytes, little endian; a rest too short for one is dropped.
    pub fn from_bytes(elem: PrimType, bytes: &[u8]) -> Data {
        with_element!(elem, T => T::wrap(bytes.chunks_exact(T::TYPE.bytes()).map(T::read).collect()))
    }

    /// Appends the bytes of the elements, little endian.
    pub fn write_bytes(&self, bytes: &mut Vec<u8>) {
        bytes.reserve(self.len() * self.elem().bytes());
        with_data!(self, vec => vec.iter().for_each(|element| element.write(bytes)));
    }

    /// The element at `index`.
    pub fn get(&self, index: usize) -> Option<PrimValue> {
        with_data!(self, vec => vec.get(index).map(|&element| element.into()))
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

    /// The type as in source, such as `[3][2]f64`.
    pub fn type_text(&self) -> String {
        let sizes: String = self.shape().iter().map(|size| format!("[{size}]")).collect();
        format!("{sizes}{}", self.elem())
    }

    /// The sizes; none for a scalar.
    pub fn shape(&self) -> &[usize] {
        match self {
            Value::Scalar(_) => &[],
            Value::Array(array) => &array.shape,
        }
    }
}

pub(crate) use {with_data, with_element};
