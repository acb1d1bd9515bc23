//! Arguments and results of programs: scalars and regular arrays of primitives.

use half::f16;
use ravel_prim::{PrimType, PrimValue};
use serde::{Deserialize, Serialize};

use crate::{Elements, Failure, memory_limit};

/// An argument or result of a program.
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
    /// The elements; their number is the product of the sizes.
    pub data: Data,
}

/// Elements of one type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each name is the type's name")]
pub enum Data {
    I8(Elements<i8>),
    I16(Elements<i16>),
    I32(Elements<i32>),
    I64(Elements<i64>),
    U8(Elements<u8>),
    U16(Elements<u16>),
    U32(Elements<u32>),
    U64(Elements<u64>),
    F16(Elements<f16>),
    F32(Elements<f32>),
    F64(Elements<f64>),
    Bool(Elements<bool>),
}

/// A Rust type of elements.
pub trait Element: Copy + Send + Sync + 'static {
    /// Its primitive type.
    const TYPE: PrimType;
    /// Wraps the elements in the variant of [`Data`] for this type.
    fn wrap(elements: impl Into<Elements<Self>>) -> Data;
    /// Borrows the elements, if they have this type.
    fn of(data: &Data) -> Option<&[Self]>;
    /// Borrows the elements mutably, if they have this type.
    fn of_mut(data: &mut Data) -> Option<&mut [Self]>;
    /// The scalar inside, if it has this type.
    fn scalar(value: PrimValue) -> Option<Self>;
    /// Reads an element from its bytes, little endian. There must be [`PrimType::bytes`] of them.
    fn read(bytes: &[u8]) -> Self;
    /// Appends the bytes, little endian.
    fn write(self, bytes: &mut Vec<u8>);
}

macro_rules! element {
    ($($rust:ty => $variant:ident,)*) => {$(
        impl Element for $rust {
            const TYPE: PrimType = PrimType::$variant;

            fn wrap(elements: impl Into<Elements<Self>>) -> Data {
                Data::$variant(elements.into())
            }

            fn of(data: &Data) -> Option<&[Self]> {
                match data {
                    Data::$variant(elements) => Some(elements),
                    _ => None,
                }
            }

            fn of_mut(data: &mut Data) -> Option<&mut [Self]> {
                match data {
                    Data::$variant(elements) => Some(elements),
                    _ => None,
                }
            }

            fn scalar(value: PrimValue) -> Option<Self> {
                match value {
                    PrimValue::$variant(scalar) => Some(scalar),
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
            <$rust>::from_le_bytes(bytes.try_into().expect("the caller passes as many bytes as the type has"))
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
#[macro_export]
macro_rules! with_element {
    ($elem:expr, $type:ident => $body:expr) => {
        $crate::with_element!($elem, $type => $body; I8 i8, I16 i16, I32 i32, I64 i64,
            U8 u8, U16 u16, U32 u32, U64 u64, F16 $crate::f16, F32 f32, F64 f64, Bool bool)
    };
    ($elem:expr, $type:ident => $body:expr; $($variant:ident $rust:ty),*) => {
        match $elem {
            $($crate::PrimType::$variant => {
                type $type = $rust;
                $body
            })*
        }
    };
}

/// Runs `$body` with `$vec` bound to the elements inside a [`Data`], whatever its type.
#[macro_export]
macro_rules! with_data {
    ($data:expr, $vec:ident => $body:expr) => {
        $crate::with_data!($data, $vec => $body; I8 I16 I32 I64 U8 U16 U32 U64 F16 F32 F64 Bool)
    };
    ($data:expr, $vec:ident => $body:expr; $($variant:ident)*) => {
        match $data {
            $($crate::Data::$variant($vec) => $body,)*
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

    /// The elements from their bytes, little endian; an incomplete last element is dropped.
    pub fn from_bytes(elem: PrimType, bytes: &[u8]) -> Data {
        with_element!(elem, T => T::wrap(bytes.chunks_exact(T::TYPE.bytes()).map(T::read).collect::<Vec<T>>()))
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

    /// Replaces the element at `index`. Returns false if there is no such element or the scalar has another type.
    #[must_use]
    pub fn set(&mut self, index: usize, scalar: PrimValue) -> bool {
        fn set<T: Element>(elements: &mut [T], index: usize, scalar: PrimValue) -> bool {
            match (elements.get_mut(index), T::scalar(scalar)) {
                (Some(element), Some(scalar)) => {
                    *element = scalar;
                    true
                }
                _ => false,
            }
        }
        with_data!(self, vec => set(vec, index, scalar))
    }

    /// The `count` elements from `start` on. `None` if fewer are left.
    pub fn slice(&self, start: usize, count: usize) -> Option<Data> {
        let end = start.checked_add(count)?;
        with_data!(self, vec => vec.get(start..end).map(|part| Element::wrap(part.to_vec())))
    }

    /// `count` zeros (or `false`). Fails if there is too little memory, or if they need more than
    /// [`memory_limit`].
    pub fn zeros(elem: PrimType, count: u128) -> Result<Data, Failure> {
        fn zeros<T: Element + Default>(count: usize) -> Option<Data> {
            let mut elements: Vec<T> = Vec::new();
            elements.try_reserve_exact(count).ok()?;
            elements.resize(count, T::default());
            Some(T::wrap(elements))
        }
        let bytes = count.saturating_mul(elem.bytes() as u128);
        let count = usize::try_from(count).ok().filter(|_| bytes <= u128::from(memory_limit()));
        let data = count.and_then(|count| with_element!(elem, T => zeros::<T>(count)));
        data.ok_or_else(|| Failure::out_of_memory(bytes))
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        with_data!(self, vec => vec.len())
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Array {
    /// Whether the number of elements matches the sizes.
    pub fn is_whole(&self) -> bool {
        let count = self.shape.iter().try_fold(1usize, |count, &size| count.checked_mul(size));
        count == Some(self.data.len())
    }
}

impl<T: Element + Into<PrimValue>> From<T> for Value {
    fn from(scalar: T) -> Value {
        Value::Scalar(scalar.into())
    }
}

impl<T: Element> From<Vec<T>> for Value {
    /// An array of one dimension.
    fn from(elements: Vec<T>) -> Value {
        Value::Array(Array { shape: vec![elements.len()], data: T::wrap(elements) })
    }
}

impl<T: Element> From<&[T]> for Value {
    /// An array of one dimension.
    fn from(elements: &[T]) -> Value {
        Value::from(elements.to_vec())
    }
}

impl Value {
    /// An array with this shape, from its elements in row-major order. `None` if `shape` is empty, or if the
    /// number of elements does not match it.
    pub fn array<T: Element>(shape: &[usize], elements: Vec<T>) -> Option<Value> {
        let array = Array { shape: shape.to_vec(), data: T::wrap(elements) };
        (!shape.is_empty() && array.is_whole()).then_some(Value::Array(array))
    }

    /// The bytes of the elements of an array; 0 for a scalar.
    pub fn array_bytes(&self) -> u64 {
        match self {
            Value::Scalar(_) => 0,
            Value::Array(array) => (array.data.len() * array.data.elem().bytes()) as u64,
        }
    }

    /// The scalar, if it is one of this type.
    pub fn scalar<T: Element>(&self) -> Option<T> {
        match self {
            Value::Scalar(scalar) => T::scalar(*scalar),
            Value::Array(_) => None,
        }
    }

    /// The elements in row-major order, if it is an array of elements of this type.
    pub fn elements<T: Element>(&self) -> Option<&[T]> {
        match self {
            Value::Scalar(_) => None,
            Value::Array(array) => T::of(&array.data),
        }
    }

    /// The type of the scalar or of the elements.
    pub fn elem(&self) -> PrimType {
        match self {
            Value::Scalar(scalar) => scalar.ty(),
            Value::Array(array) => array.data.elem(),
        }
    }

    /// The type in source syntax, such as `[3][2]f64`.
    pub fn type_text(&self) -> String {
        let sizes: String = self.shape().iter().map(|size| format!("[{size}]")).collect();
        format!("{sizes}{}", self.elem())
    }

    /// Appends the bytes of the scalar or the elements, little endian.
    pub fn write_bytes(&self, bytes: &mut Vec<u8>) {
        match self {
            Value::Scalar(scalar) => bytes.extend(&scalar.bits().to_le_bytes()[..scalar.ty().bytes()]),
            Value::Array(array) => array.data.write_bytes(bytes),
        }
    }

    /// The sizes, outermost first. A scalar has no sizes: the slice is empty.
    pub fn shape(&self) -> &[usize] {
        match self {
            Value::Scalar(_) => &[],
            Value::Array(array) => &array.shape,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_can_be_set_only_to_a_scalar_of_its_type() {
        let mut data = Data::zeros(PrimType::I32, 2).unwrap();
        assert!(data.set(1, PrimValue::I32(7)));
        assert!(!data.set(1, PrimValue::I64(8)));
        assert!(!data.set(2, PrimValue::I32(9)));
        assert_eq!(data, Data::I32(vec![0, 7].into()));
        assert_eq!(data.get(1), Some(PrimValue::I32(7)));
        assert_eq!(data.get(2), None);
        assert_eq!(data.slice(1, 1), Some(Data::I32(vec![7].into())));
        assert_eq!(data.slice(1, 2), None);
    }

    #[test]
    fn refusing_a_too_large_array_states_its_size_in_bytes() {
        let refusal = Data::zeros(PrimType::I64, 1 << 60).unwrap_err();
        assert_eq!(refusal, Failure::out_of_memory(1 << 63));
        assert_eq!(Data::zeros(PrimType::F32, u128::MAX), Err(Failure::out_of_memory(u128::MAX)));
    }

    #[test]
    fn conversions_to_and_from_rust_types_keep_the_type() {
        let pair = Value::from(&[1.5f32, 2.5][..]);
        assert_eq!((pair.type_text(), pair.elements::<f32>()), ("[2]f32".to_owned(), Some(&[1.5, 2.5][..])));
        assert_eq!((pair.elements::<f64>(), pair.scalar::<f32>()), (None, None));
        let three = Value::from(3i64);
        assert_eq!(
            (three.scalar(), three.scalar::<i32>(), three.elements::<i64>()),
            (Some(3i64), None, None)
        );
        let grid = Value::array(&[2, 3], vec![true; 6]).expect("six elements");
        assert_eq!(grid.shape(), [2, 3]);
        for (shape, count) in [(&[2, 3][..], 5), (&[], 1), (&[usize::MAX, 2], 0)] {
            assert_eq!(Value::array(shape, vec![0u8; count]), None, "{shape:?}");
        }
    }

    #[test]
    fn bytes_are_little_endian() {
        let data = Data::from_bytes(PrimType::I16, &[1, 0, 0xfe, 0xff, 9]);
        assert_eq!(data, Data::I16(vec![1, -2].into()));
        let mut bytes = Vec::new();
        data.write_bytes(&mut bytes);
        assert_eq!(bytes, [1, 0, 0xfe, 0xff]);
    }
}
