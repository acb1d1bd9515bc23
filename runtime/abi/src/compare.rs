//! Comparing a result with the expected one.
//!
//! Integers and bools must be equal. Floats may differ by the tolerance times the largest finite
//! magnitude in the expected array, which counts as one if it is less. Infinities must be equal, and
//! NaN equals NaN.

use std::fmt;

use ravel_prim::{PrimType, PrimValue, convert};

use crate::Value;

/// The first difference found between two values.
#[derive(Clone, Debug, PartialEq)]
pub enum Mismatch {
    /// The element type or the sizes differ.
    Type {
        /// The type expected.
        expected: String,
        /// The type found.
        actual: String,
    },
    /// Two elements differ.
    Element {
        /// The indices, outermost first; none for a scalar.
        position: Vec<usize>,
        /// The element expected.
        expected: PrimValue,
        /// The element found.
        actual: PrimValue,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Type { expected, actual } => write!(f, "expected type {expected}, got {actual}"),
            Mismatch::Element { position, expected, actual } => {
                if !position.is_empty() {
                    write!(f, "at ")?;
                    position.iter().try_for_each(|index| write!(f, "[{index}]"))?;
                    write!(f, ": ")?;
                }
                write!(f, "expected {expected}, got {actual}")
            }
        }
    }
}

/// Compares `actual` with the expected value, floats up to `tolerance`.
pub fn approx_equal(expected: &Value, actual: &Value, tolerance: f64) -> Result<(), Mismatch> {
    if expected.elem() != actual.elem() || expected.shape() != actual.shape() {
        return Err(Mismatch::Type { expected: expected.type_text(), actual: actual.type_text() });
    }
    let pair = |index| Some((element(expected, index)?, element(actual, index)?));
    let pairs = || (0..).map_while(pair);
    let allowed = match expected.elem().is_float() {
        true => {
            let finite = pairs().map(|(element, _)| as_f64(element).abs()).filter(|x| x.is_finite());
            tolerance * finite.fold(1.0, f64::max)
        }
        false => 0.0,
    };
    match pairs().enumerate().find(|&(_, (expected, actual))| !close(expected, actual, allowed)) {
        None => Ok(()),
        Some((index, (element, actual))) => {
            Err(Mismatch::Element { position: position(index, expected.shape()), expected: element, actual })
        }
    }
}

fn element(value: &Value, index: usize) -> Option<PrimValue> {
    match value {
        Value::Scalar(scalar) => (index == 0).then_some(*scalar),
        Value::Array(array) => array.data.get(index),
    }
}

fn as_f64(value: PrimValue) -> f64 {
    match convert(value, PrimType::F64) {
        PrimValue::F64(x) => x,
        _ => f64::NAN,
    }
}

fn close(expected: PrimValue, actual: PrimValue, allowed: f64) -> bool {
    if !expected.ty().is_float() {
        return expected == actual;
    }
    let (expected, actual) = (as_f64(expected), as_f64(actual));
    match expected.is_finite() && actual.is_finite() {
        true => (expected - actual).abs() <= allowed,
        false => expected == actual || expected.is_nan() && actual.is_nan(),
    }
}

/// The indices of the element at row-major position `index`.
fn position(mut index: usize, shape: &[usize]) -> Vec<usize> {
    let mut position = vec![0; shape.len()];
    for (at, &size) in position.iter_mut().zip(shape).rev() {
        (*at, index) = (index % size, index / size);
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Array, Data};

    fn floats(elements: &[f64]) -> Value {
        Value::Array(Array { shape: vec![elements.len()], data: Data::F64(elements.to_vec().into()) })
    }

    fn says(expected: &Value, actual: &Value) -> String {
        approx_equal(expected, actual, 0.002).unwrap_err().to_string()
    }

    #[test]
    fn floats_may_differ_by_a_share_of_the_largest() {
        assert_eq!(approx_equal(&floats(&[0.0]), &floats(&[0.0019]), 0.002), Ok(()));
        assert_eq!(approx_equal(&floats(&[0.0, 1000.0]), &floats(&[1.9, 1000.0]), 0.002), Ok(()));
        assert_eq!(
            says(&floats(&[0.0, 1000.0]), &floats(&[0.0, 1002.5])),
            "at [1]: expected 1000.0f64, got 1002.5f64"
        );
        assert_eq!(
            says(&floats(&[f64::INFINITY, 0.0]), &floats(&[1e308, 9.0])),
            "at [0]: expected f64.inf, got 1e308f64"
        );
    }

    #[test]
    fn specials_equal_themselves_only() {
        let specials = floats(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
        assert_eq!(approx_equal(&specials, &specials, 0.0), Ok(()));
        assert_eq!(says(&floats(&[f64::NAN]), &floats(&[0.0])), "at [0]: expected f64.nan, got 0.0f64");
        assert!(approx_equal(&floats(&[f64::INFINITY]), &floats(&[f64::NEG_INFINITY]), 1.0).is_err());
        assert_eq!(approx_equal(&floats(&[0.0]), &floats(&[-0.0]), 0.0), Ok(()));
    }

    #[test]
    fn integers_must_be_equal() {
        let grid =
            |last| Value::Array(Array { shape: vec![2, 2], data: Data::I32(vec![1, 2, 3, last].into()) });
        assert_eq!(approx_equal(&grid(4), &grid(4), 0.0), Ok(()));
        assert_eq!(says(&grid(4), &grid(5)), "at [1][1]: expected 4i32, got 5i32");
        let scalar = |x| Value::Scalar(PrimValue::I32(x));
        assert_eq!(says(&scalar(1), &scalar(2)), "expected 1i32, got 2i32");
        assert_eq!(says(&scalar(1), &grid(4)), "expected type i32, got [2][2]i32");
    }
}
