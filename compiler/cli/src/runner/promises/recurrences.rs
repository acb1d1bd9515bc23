//! Tests stated recurrences: for random arguments, the value at the next index must equal the recurrence applied to the
//! value at this index.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ravel_abi::{Bounds, Dim, Signature, Value, ValueRequest, approx_equal, generate, write_text};
use ravel_driver::{Promise, Source};
use ravel_engine::Executable;
use ravel_prim::{PrimType, PrimValue, convert};

use super::super::{Outcome, TOLERANCE, plain};

/// The number of calls for each recurrence.
const CALLS: u64 = 60;

/// Tests the recurrences of a program, until the flag is set.
pub(super) fn test(source: &Source, stop: &Arc<AtomicBool>) -> Vec<Outcome> {
    let (executable, promises) = match Executable::of_promises(source) {
        Ok((executable, promises)) => (executable.stopped_by(stop.clone()), promises),
        // Errors in the program are reported by its other tests.
        Err(_) if ravel_driver::check(source).is_err() => return Vec::new(),
        Err(problems) => return vec![Outcome::Limited(plain(&problems))],
    };
    let untested = promises.untested.into_iter().map(Outcome::Limited);
    promises.promises.iter().map(|promise| test_one(&executable, promise)).chain(untested).collect()
}

fn test_one(executable: &Executable, Promise { entry, about, place }: &Promise) -> Outcome {
    let Some(signature) = executable.signature(entry) else { return Outcome::Passed };
    let mut defined = false;
    for call in 0..CALLS {
        let Ok(args) = arguments(signature, call) else { continue };
        // The recurrence states nothing if one of the two values is undefined.
        let Ok((results, _)) = executable.call(entry, &args) else { continue };
        defined = true;
        let (values, by_recurrence) = results.split_at(results.len() / 2);
        for (value, by_recurrence) in values.iter().zip(by_recurrence) {
            if let Err(mismatch) = approx_equal(value, by_recurrence, TOLERANCE) {
                let args = write_text(&args).trim_end().replace('\n', " ");
                return Outcome::Failed(format!(
                    "{place}: {about} does not satisfy its recurrence: with the arguments {args}, {mismatch} by the recurrence"
                ));
            }
        }
    }
    match defined {
        true => Outcome::Passed,
        false => Outcome::Failed(format!("{place}: {about} failed for all arguments that were tried")),
    }
}

/// The arguments of a call; the last one is the index. Sizes and numbers of type i64 are small. Integers of other types are
/// small in every second call. Floats lie between 0 and 1.
fn arguments(signature: &Signature, call: u64) -> Result<Vec<Value>, String> {
    let mut bounds = Bounds::default();
    bounds.set(PrimType::I64, "0:9")?;
    if call.is_multiple_of(2) {
        for &elem in PrimType::ALL.iter().filter(|elem| elem.is_integer()) {
            bounds.set(elem, "0:9")?;
        }
    }
    let size = |dim: &Dim| match *dim {
        Dim::Const(size) => size as usize,
        Dim::Size(number) => (call as usize + 3 * number) % 5 + 1,
    };
    let index = match call {
        0..10 => call,
        call => call * call % 1009,
    };
    let last = signature.params.len().saturating_sub(1);
    let wanted = signature.params.iter().enumerate().map(|(number, param)| match number == last {
        true => ValueRequest::Exactly(Value::Scalar(convert(PrimValue::U64(index), param.elem))),
        false => ValueRequest::Random { elem: param.elem, shape: param.dims.iter().map(size).collect() },
    });
    let args = generate(&wanted.collect::<Vec<_>>(), &bounds, call + 1);
    let args = args.map_err(|failure| failure.to_string())?;
    let params = signature.params.iter().zip(args);
    Ok(params.map(|(param, arg)| param.with_known_constructors(arg)).collect())
}
