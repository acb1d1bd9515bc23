//! Constructors and accessors for values of programs.

use ravel_abi::{Array, Data, Element, Value};
use ravel_prim::PrimValue;

/// A scalar.
pub fn scalar(x: impl Into<PrimValue>) -> Value {
    Value::Scalar(x.into())
}

/// An array of one dimension.
pub fn vector<T: Element>(elements: &[T]) -> Value {
    array(&[elements.len()], elements)
}

/// An array of any shape, its elements row by row.
pub fn array<T: Element>(shape: &[usize], elements: &[T]) -> Value {
    Value::Array(Array { shape: shape.to_vec(), data: T::wrap(elements.to_vec()) })
}

/// The same values with every f64 as f32.
pub fn in_single_precision(values: Vec<Value>) -> Vec<Value> {
    let single = |value| match value {
        Value::Scalar(PrimValue::F64(x)) => scalar(x as f32),
        Value::Array(Array { shape, data: Data::F64(elements) }) => {
            array(&shape, &elements.iter().map(|&x| x as f32).collect::<Vec<_>>())
        }
        other => other,
    };
    values.into_iter().map(single).collect()
}

/// The numbers in a floating-point value, as f64.
pub fn reals(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::Scalar(PrimValue::F32(x)) => Some(vec![f64::from(*x)]),
        Value::Scalar(PrimValue::F64(x)) => Some(vec![*x]),
        Value::Array(Array { data: Data::F32(elements), .. }) => {
            Some(elements.iter().map(|&x| f64::from(x)).collect())
        }
        Value::Array(Array { data: Data::F64(elements), .. }) => Some(elements.to_vec()),
        _ => None,
    }
}
