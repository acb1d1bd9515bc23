//! Calls an entry point: copies the arguments into blocks, and the results out of them.

use ravel_abi::{Array, Data, Failure, ResultType, Value};
use ravel_base::{Span, Symbol};
use ravel_kernel::*;
use ravel_prim::PrimValue;

use crate::machine::{Cell, Lanes, Machine, Run};
use crate::memory::fault;
use crate::{Options, Outcome};

/// Calls an entry point. `sizes` are the entry's sizes in order, and `args` fit its parameters. `describe` names a
/// place in the source.
///
/// # Errors
/// The failure of the program, [`Failure::Memory`] if it needs more memory than the device has, and [`Failure::Bug`] if
/// it does something that no compiled program may do.
pub fn run(
    program: &MemProgram,
    entry: Symbol,
    sizes: &[i64],
    args: &[Value],
    options: Options<'_>,
    describe: &dyn Fn(Span) -> String,
) -> Result<Outcome, Failure> {
    let found = program.entries.iter().find(|candidate| candidate.name == entry);
    let entry =
        found.ok_or_else(|| Failure::Arguments(format!("the program has no entry point `{entry}`")))?;
    let mut machine = Machine::new(program, &entry.vars, options, describe);
    for (&var, &size) in entry.sizes.iter().zip(sizes) {
        machine.bind(var, Lanes::Uniform(Cell::Scalar(PrimValue::I64(size))));
    }
    let mut borrowed = Vec::new();
    for (param, arg) in entry.params.iter().zip(args) {
        let cell = match arg {
            Value::Scalar(value) => Cell::Scalar(*value),
            Value::Array(array) => {
                let elements = elements(&array.data);
                let block = machine.memory.allocate_filled(array.data.elem(), elements.into_iter())?;
                if !param.consumed {
                    borrowed.push((block, array));
                }
                Cell::Block(block)
            }
        };
        machine.bind(param.var, Lanes::Uniform(cell));
    }
    let results = machine.body(&entry.body, &vec![true]).map_err(|failure| machine.add_place(failure))?;
    for &(block, array) in &borrowed {
        let now = machine.memory.elements(block);
        if elements(&array.data).into_iter().zip(now).any(|(then, now)| *now != Some(then)) {
            return fault("a parameter that is not consumed was overwritten");
        }
    }
    let results =
        values(&machine, entry, results, &borrowed.iter().map(|&(block, _)| block).collect::<Vec<_>>())?;
    let allocated = machine.memory.allocated();
    let (versions, bins) = (machine.versions, machine.bins);
    let segments = machine.segments.into_iter().map(|(_, counts)| counts).collect();
    Ok(Outcome { results, segments, allocated, versions, bins })
}

/// The results as values. No two may share a block, and none may be a borrowed parameter.
fn values(machine: &Machine<'_>, entry: &Entry, results: Vec<Lanes>, borrowed: &[usize]) -> Run<Vec<Value>> {
    let mut owned = borrowed.to_vec();
    for result in &results {
        if let Lanes::Uniform(Cell::Block(block)) = result {
            if owned.contains(block) {
                return fault("a result whose block belongs to something else");
            }
            owned.push(*block);
        }
    }
    fetch(machine, &entry.results, results)
}

/// Values of these types, which are passed as the results of an entry point are.
pub fn fetch(machine: &Machine<'_>, types: &[ResultType], passed: Vec<Lanes>) -> Run<Vec<Value>> {
    let mut cells = passed.into_iter().map(|result| match result {
        Lanes::Uniform(cell) => Ok(cell),
        Lanes::Varying(_) => fault("a result that differs between lanes"),
    });
    let mut next = || cells.next().unwrap_or_else(|| fault("a result is missing"));
    let mut values = Vec::new();
    for result in types {
        let mut shape = Vec::new();
        for _ in 0..result.rank {
            match next()? {
                Cell::Scalar(PrimValue::I64(size)) => match usize::try_from(size) {
                    Ok(size) => shape.push(size),
                    Err(_) => return fault("a negative size of a result"),
                },
                other => return fault(&format!("{other:?} as a size")),
            }
        }
        values.push(match next()? {
            Cell::Scalar(value) => Value::Scalar(value),
            Cell::Block(block) => {
                let count: usize = shape.iter().product();
                let mut data = Data::zeros(result.elem, count as u128)?;
                for (at, element) in machine.memory.elements(block).iter().take(count).enumerate() {
                    match element {
                        Some(element) => data.set(at, *element),
                        None => return fault("a result with elements that were never written"),
                    };
                }
                Value::Array(Array { shape, data })
            }
        });
    }
    Ok(values)
}

fn elements(data: &Data) -> Vec<PrimValue> {
    (0..data.len()).filter_map(|at| data.get(at)).collect()
}
