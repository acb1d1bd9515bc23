//! # classics: primitives and well-known loops in Rust, sequential and with rayon
//!
//! The baseline for the programs of `tests/run/classics`. Each version is what one would write by hand for speed in
//! plain Rust: iterators, `chunks_exact` where it helps the compiler to vectorise, sums in several accumulators, results
//! in new memory. There are no intrinsics and no unsafe code. The parallel versions use the same loops inside rayon's
//! iterators.
//!
//! | file | what decides the speed |
//! | --- | --- |
//! | `primitives` | memory: one pass over the data, or a few |
//! | `matrices` | reuse of data in caches and registers |
//! | `points` | arithmetic of each point |

mod chunks;
mod inputs;
mod matrices;
mod points;
mod primitives;
pub mod table;

use ravel_abi::{Array, Element, Value};
use ravel_prim::PrimValue;

/// A prepared computation that can run repeatedly. It returns all results.
type Run<'a> = Box<dyn FnMut() -> Vec<Value> + 'a>;

/// Prepares a computation on an input; `None` if the input has other types or shapes than it expects.
type Prepare = for<'a> fn(&'a [Value]) -> Option<Run<'a>>;

/// A computation on data of one size.
struct Classic {
    /// The entry point.
    entry: &'static str,
    /// What the table says about the data.
    data: &'static str,
    /// Makes the input for a number of elements, rows, bins or bodies, as `data` says.
    input: fn(usize) -> Vec<Value>,
    /// The argument of `input`.
    size: usize,
    sequential: Prepare,
    parallel: Prepare,
    /// The relative error that sums in another order may have.
    error: f64,
}

fn classic(
    entry: &'static str,
    data: &'static str,
    (input, size): (fn(usize) -> Vec<Value>, usize),
    [sequential, parallel]: [Prepare; 2],
    error: f64,
) -> Classic {
    Classic { entry, data, input, size, sequential, parallel, error }
}

/// All of them, in the order of the table, each with its file in `tests/run/classics`.
fn all() -> Vec<(&'static str, Classic)> {
    let files = [
        ("primitives.dsl", primitives::all()),
        ("matrices.dsl", matrices::all()),
        ("points.dsl", points::all()),
    ];
    files.into_iter().flat_map(|(file, all)| all.into_iter().map(move |classic| (file, classic))).collect()
}

/// The elements of an array, if they have this type.
fn elements<T: Element>(value: &Value) -> Option<&[T]> {
    match value {
        Value::Array(Array { data, .. }) => T::of(data),
        Value::Scalar(_) => None,
    }
}

/// The sizes of an array.
fn shape(value: &Value) -> Option<&[usize]> {
    match value {
        Value::Array(Array { shape, .. }) => Some(shape),
        Value::Scalar(_) => None,
    }
}

/// An i32 or an i64 as a count.
fn count(value: &Value) -> Option<usize> {
    match value {
        Value::Scalar(PrimValue::I32(number)) => usize::try_from(*number).ok(),
        Value::Scalar(PrimValue::I64(number)) => usize::try_from(*number).ok(),
        _ => None,
    }
}

/// A single result: an array of this shape.
fn array<T: Element>(shape: &[usize], elements: Vec<T>) -> Vec<Value> {
    vec![Value::Array(Array { shape: shape.to_vec(), data: T::wrap(elements) })]
}

/// A result: an array of one dimension.
fn vector<T: Element>(elements: Vec<T>) -> Value {
    Value::Array(Array { shape: vec![elements.len()], data: T::wrap(elements) })
}

#[cfg(test)]
mod tests {
    use ravel_abi::approx_equal;

    #[test]
    fn parallel_versions_compute_what_sequential_ones_do() {
        for (_, classic) in super::all() {
            // Matrix products need a multiple of 16, Fourier transforms a power of two.
            let input = (classic.input)(64);
            let both =
                [classic.sequential, classic.parallel].map(|prepare| prepare(&input).map(|mut run| run()));
            let [Some(sequential), Some(parallel)] = both else {
                panic!("{} takes other input", classic.entry)
            };
            assert_eq!(sequential.len(), parallel.len(), "{}", classic.entry);
            for (sequential, parallel) in sequential.iter().zip(&parallel) {
                let equal = approx_equal(sequential, parallel, classic.error);
                assert!(equal.is_ok(), "{}: {equal:?}", classic.entry);
            }
        }
    }
}
