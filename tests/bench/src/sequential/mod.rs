//! # sequential: the programs' algorithms in sequential Rust
//!
//! The baseline of the benchmarks. One thread, slices, all memory allocated before the loops. The algorithms are the
//! same, in f64, but with every choice that a sequential program is free to make: recurrences, early exits, arrays
//! updated in place.
//!
//! The hot loops are written so that the compiler vectorises them without bounds checks. Loop-invariant code is hoisted
//! by hand, and multiplications and additions are fused. There are no threads, no unsafe code and no intrinsics, and
//! the versions compute everything that the programs compute: all nodes of a tree, all edges of a graph. A search for
//! changes that would make a version more than 3 % faster found none.
//!
//! A version first extracts its data from the input, and returns a function to be timed.

mod bfs;
mod heston;
mod hullwhite;
mod locvol;
mod pricing;
mod sobol;

use ravel_abi::{Array, Element, Value};
use ravel_prim::PrimValue;

/// A prepared computation that can run repeatedly.
pub type Run<'a> = Box<dyn FnMut() -> Value + 'a>;

/// The sequential version of an entry point of a program on this input, if it has one.
pub fn prepare<'a>(program: &str, entry: &str, input: &'a [Value]) -> Option<Run<'a>> {
    match (program, entry) {
        ("pricing/pricing", "main" | "by_index" | "by_recurrence") => pricing::prepare(input),
        ("hullwhite/hullwhite", "main" | "by_height" | "by_width" | "by_shape")
        | ("hullwhite/one_per_thread" | "hullwhite/flat", "main") => hullwhite::prepare(input),
        ("locvol/locvol", "main" | "by_scans") => locvol::prepare(input),
        ("heston/heston", "main") => heston::prepare(input),
        ("sobol/sum", "main") | ("sobol/stream", "sum") => sobol::prepare_sum(input),
        ("sobol/pi", "main") | ("sobol/stream", "pi") => sobol::prepare_pi(input),
        ("sobol/points", "main" | "joe_kuo") => sobol::prepare_points(input),
        _ if program.starts_with("bfs/") => bfs::prepare(input),
        _ => None,
    }
}

/// The elements of an array, if they have this type.
fn elements<T: Element>(value: &Value) -> Option<&[T]> {
    match value {
        Value::Array(Array { data, .. }) => T::of(data),
        Value::Scalar(_) => None,
    }
}

/// The size of an array in a dimension.
fn size(value: &Value, dimension: usize) -> Option<usize> {
    match value {
        Value::Array(Array { shape, .. }) => shape.get(dimension).copied(),
        Value::Scalar(_) => None,
    }
}

/// An i32 as a size or a count.
fn count(value: &Value) -> Option<usize> {
    match value {
        Value::Scalar(PrimValue::I32(number)) => usize::try_from(*number).ok(),
        _ => None,
    }
}

/// A real number.
fn real(value: &Value) -> Option<f64> {
    match value {
        Value::Scalar(PrimValue::F64(number)) => Some(*number),
        _ => None,
    }
}

/// An array of this shape with these elements.
fn array_value<T: Element>(shape: &[usize], elements: Vec<T>) -> Value {
    Value::Array(Array { shape: shape.to_vec(), data: T::wrap(elements) })
}
