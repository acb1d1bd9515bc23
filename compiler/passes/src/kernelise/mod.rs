//! # kernelise: from arrays as values to blocks, views and segments
//!
//! Translates optimised core IR into kernel IR with the **naive allocator**: every array that an expression creates
//! gets a row-major block, allocated at that place; every other array is a view of such a block. Better allocators are
//! passes over kernel IR.
//!
//! | in core | in kernel |
//! | --- | --- |
//! | manifest | a copy of the array in a block with its dimensions in another order; if it is the only use of a result of a segment, the segment stores the result so (`view`) |
//! | slice, rearrange, reshape, another name | a view of the same block, by scalar arithmetic (`view`) |
//! | update, `write` and `combine` sinks | stores into the block of the consumed array |
//! | listed elements | a block, filled by stores, or from data of the program (`exp`) |
//! | copies, concatenations, results of sinks | a block, filled by copies or by the code of points (`exp`, `sinks`) |
//! | `segment` | a grid segment, or an inner segment in a workgroup (`parallel`) |
//! | `segment` of workgroups | a grid segment of workgroups, whose arrays lie in workgroup memory (`workgroup`) |
//! | `screma` | a loop of its thread (`sequential`) |
//! | arrays through `if` and `loop` | handles of blocks at host level (`handles`), places in memory in threads (`fixed_places`) |
//! | calls and functions | the same, for each level at which there are calls (`call`) |
//! | rows of a larger array | produced in their place in it if possible (`destinations`, `lineage`) |
//! | arrays of a thread | private if a small constant bounds their size, otherwise allocated by the thread (`level`) |
//! | `assert` | an assertion; the values are unchanged |
//! | a trace | also a statement that shows the values, at host level; nothing in a segment |
//!
//! ## Requires
//! The rules of core's verifier: an array is consumed only if it has no later use. So an update can store into the
//! consumed array without a copy. Only results are copied (see below).
//!
//! The program is as `flatten` leaves it. There are no streams, and nothing that fills an array with equal or evenly
//! spaced elements. Constructs without a level are in the code of threads only, and for a target whose host does not reach
//! elements, so are stores. Each segment does one thing with scalars: it stores, reduces or scans them. Values are combined
//! into arrays, and arrays are reduced and scanned, in the code of threads only.
//!
//! ## Decides
//! Where arrays lie, and nothing else. Every other segment than those of core IR serves memory: it copies an array to
//! another layout, or stores an element in the uniform code of a workgroup.
//!
//! ## Ensures
//! No point of a segment reads an element that another point stores. Counts of elements saturate instead of overflowing.
//! The runtime reports a negative or too large count as a lack of memory.
//!
//! The program is not yet complete: [`crate::fit`] gives threads only memory that the target has, and determines chunks.
//! It relies on this: directly after it allocates a block, code names the whole block as an array.
//!
//! ## Results
//! A result is copied at the end if it is a parameter that the caller keeps, if it shares a block with another result,
//! or if it is not row-major from the start of its block.

mod call;
mod destinations;
mod exp;
mod fixed_places;
mod handles;
mod level;
mod lineage;
mod parallel;
mod parameters;
mod scope;
mod segment;
mod sequential;
mod sinks;
#[cfg(test)]
mod tests;
mod view;
mod workgroup;

use std::collections::BTreeSet;

use ravel_base::{Diagnostic, Symbol};
use ravel_core as core;
use ravel_core::alias::{Aliases, Summaries};
use ravel_kernel::*;
use ravel_prim::{CmpOp, PrimType};

use self::scope::{Cx, Demands, Result, Scope, Value, array, scalar};
use crate::arithmetic::ZERO;

/// Translates a program for a target.
pub fn kernelise(program: &core::Program, target: &Target) -> Result<Program, Diagnostic> {
    let mut translation = Translation {
        source: program,
        target,
        summaries: Summaries::of(program),
        demands: Demands::default(),
    };
    let mut made = Program::default();
    for entry in &program.entries {
        made.entries.push(translation.of(entry.function, |cx| translate(cx, entry))?);
    }
    loop {
        let Demands { host_functions, thread_functions, .. } = &translation.demands;
        if let Some(&name) = host_functions.get(made.host_functions.len()) {
            made.host_functions.push(translation.of(name, call::function)?);
        } else if let Some(&name) = thread_functions.get(made.thread_functions.len()) {
            made.thread_functions.push(translation.of(name, call::function)?);
        } else {
            break;
        }
    }
    made.messages = translation.demands.messages;
    Ok(made)
}

/// The translation of a program.
struct Translation<'p> {
    source: &'p core::Program,
    target: &'p Target,
    summaries: Summaries,
    demands: Demands,
}

impl Translation<'_> {
    /// Translates the function of this name.
    fn of<T>(&mut self, name: Symbol, translate: impl FnOnce(Cx<'_>) -> Result<T>) -> Result<T> {
        let Some(function) = self.source.functions.iter().find(|function| function.name == name) else {
            return Err(Diagnostic::bug(format!("kernelise: there is no function `{name}`")));
        };
        let uses = core::Uses::of(function);
        let aliases = Aliases::of(function, &self.summaries);
        translate(Cx::new(self.target, function, &uses, &aliases, &self.summaries, &mut self.demands))
    }
}

fn translate(mut cx: Cx<'_>, entry: &core::Entry) -> Result<Entry> {
    let function = cx.function;
    let mut sizes = Vec::new();
    let mut params = Vec::new();
    for param in &function.params {
        let core::VarInfo { hint, ty } = &function.vars[param.var];
        let scalar = Type::Scalar(ty.elem);
        let block = Type::Block(BlockType { elem: ty.elem, space: Space::Device });
        let kernel = if ty.is_scalar() { scalar } else { block };
        let var = cx.vars.push(VarInfo { hint: *hint, ty: kernel });
        if ty.is_scalar() {
            cx.values.insert(param.var, Value::Scalar(Atom::Var(var)));
        }
        match entry.params.iter().find(|value| value.var == param.var) {
            None => sizes.push(var),
            Some(value) => {
                let shape = cx.shape(ty)?;
                let (name, constructors) = (value.name, value.constructors);
                params.push((param.var, Param { name, shape, var, consumed: param.consumed, constructors }));
            }
        }
    }
    let (stms, (result, results)) = cx.body::<Host, _>(|scope| {
        scope.parameters();
        scope.name_sizes(&mut sizes, &mut params);
        for (var, param) in params.iter().filter(|(_, param)| !param.shape.is_empty()) {
            let (hint, elem) = (scope.cx.hint(*var), scope.cx.ty(*var).elem);
            let array = scope.contiguous(hint, elem, &param.shape, param.var, ZERO);
            scope.bind(*var, Value::Array(array))?;
        }
        let values = scope.body(&function.body)?;
        let kept = params.iter().filter(|(_, param)| !param.consumed).map(|(_, param)| param.var).collect();
        scope.results(entry, values, kept)
    })?;
    let body = Body { stms, result };
    let params = params.into_iter().map(|(_, param)| param).collect();
    let (name, origin) = (entry.name, entry.origin.clone());
    Ok(Entry { name, vars: cx.vars, sizes, params, results, body, origin })
}

impl Scope<'_, '_, Host> {
    /// If a size of a parameter is itself a parameter, names it among the sizes, and checks that the two agree.
    fn name_sizes(&mut self, sizes: &mut Vec<Var>, params: &mut [(core::Var, Param)]) {
        let mut named: Vec<(Atom, Atom)> = Vec::new();
        for size in params.iter_mut().flat_map(|(_, param)| &mut param.shape) {
            let Some(var) = size.var().filter(|var| !sizes.contains(var)) else { continue };
            if let Some(&(_, name)) = named.iter().find(|(known, _)| known == size) {
                *size = name;
                continue;
            }
            let name = self.fresh(self.cx.vars[var].hint, PrimType::I64);
            named.push((*size, Atom::Var(name)));
            *size = Atom::Var(name);
        }
        for (value, size) in named {
            sizes.extend(size.var());
            let exp = ScalarExp::Compare(CmpOp::Eq, value, size);
            let cond = self.scalar(None, PrimType::Bool, exp);
            let parts = vec![
                MessagePart::Text("Entry point arguments have invalid sizes: a size is ".into()),
                MessagePart::Value(PrimType::I64),
                MessagePart::Text(", but must be ".into()),
                MessagePart::Value(PrimType::I64),
            ];
            let message = self.cx.message(Message { parts, cause: Cause::Program, path: None });
            self.push(Stm::Assert { cond, message, args: vec![size, value] });
        }
    }

    /// The results of an entry point, each array in a block that only the caller owns. `taken` are the blocks with
    /// other owners.
    fn results(
        &mut self,
        entry: &core::Entry,
        values: Vec<Value>,
        mut taken: BTreeSet<Var>,
    ) -> Result<(Vec<Atom>, Vec<ResultType>)> {
        let function = self.cx.function;
        for (&binder, value) in function.results.iter().zip(values) {
            self.bind(binder, value)?;
        }
        let (mut result, mut types) = (Vec::new(), Vec::new());
        for value in &entry.results {
            let ty = self.cx.ty(value.var);
            types.push(ResultType { elem: ty.elem, rank: ty.rank() });
            let made = self.cx.value(core::Atom::Var(value.var))?;
            if ty.is_scalar() {
                result.push(scalar(made)?);
                continue;
            }
            let made = array(made)?;
            let block = self.owned_block(&made, &mut taken)?;
            result.extend(made.view.shape);
            result.push(Atom::Var(block));
        }
        Ok((result, types))
    }
}
