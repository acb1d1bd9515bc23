//! # wgsl: kernel IR to WGSL and a launch plan
//!
//! Each segment becomes one or a few kernels, each kernel one WGSL module, validated here; the host
//! program becomes the steps of a [`Plan`], which a runtime follows.
//!
//! * `host`: the host program; `copies`: its copies, made segments
//! * `segment`, `reduce`, `scan`: kernels of the three kinds of segment; `values`: what the last two share
//! * `thread`: the code of one thread; `operators`, `helpers`, `scalar`: its expressions
//! * `module`: what a module declares; `validate`: its check; `text`: a plan as text
//!
//! ## Failure
//!
//! A failing thread lowers the least failing number, sets the status and a private flag, and leaves
//! the function of its point; its remaining points and all combining with it are skipped, while it still
//! meets every barrier. Every kernel first looks whether an earlier launch has failed, and if so does nothing.
//!
//! This room never links a GPU library: plans are made and tested on machines without a GPU.
#![forbid(unsafe_code)]

mod copies;
mod helpers;
mod host;
mod module;
mod operators;
mod reduce;
mod scalar;
mod scan;
mod segment;
mod text;
mod thread;
mod validate;
mod values;

#[cfg(test)]
mod tests;

use ravel_abi::plan::{self, Plan};
use ravel_abi::signature::{Dim, ParamType, ResultType, Signature};
use ravel_abi::{MessagePart, Messages, Trace};
use ravel_base::{CallPath, Diagnostic, Span, Symbol};
use ravel_kernel as ir;
use ravel_kernel::{Atom, MemProgram, Type};

use crate::host::{HostBuilder, Kernels, Translator, slot_of};

pub use text::text;

/// Compiles a program; `describe` says how to name a place of the source in a message.
pub fn compile(program: &MemProgram, describe: &dyn Fn(Span) -> String) -> Result<Plan, Diagnostic> {
    let mut kernels = Kernels { parameters: program.parameters(), ..Kernels::default() };
    let entries = program
        .entries
        .iter()
        .map(|entry| compile_entry(entry, program.parameters_of(entry), &mut kernels))
        .collect::<Result<_, _>>()?;
    validate::validate_all(&kernels.kernels)?;
    let messages =
        Messages::new(program.messages.iter().map(|(_, message)| translate_message(message)), describe);
    for (kernel, span) in kernels.kernels.iter_mut().zip(&kernels.spans) {
        kernel.place = span.map(describe);
    }
    let traces = kernels.traces.iter().map(|trace| Trace {
        label: trace.label.as_str().to_owned(),
        place: trace.span.map(describe),
        values: trace.values.iter().map(result).collect(),
    });
    let traces = traces.collect();
    let parameters = names(&kernels.parameters);
    Ok(Plan { entries, kernels: kernels.kernels, messages, traces, constants: kernels.constants, parameters })
}

fn names(symbols: &[Symbol]) -> Vec<String> {
    symbols.iter().map(ToString::to_string).collect()
}

fn compile_entry(
    entry: &ir::Entry,
    parameters: Vec<Symbol>,
    kernels: &mut Kernels,
) -> Result<plan::Entry, Diagnostic> {
    let signature = Signature { parameters: names(&parameters), ..signature(entry) };
    let entry = copies::without_copies(entry);
    let mut host = HostBuilder::new(u32::try_from(entry.vars.len()).unwrap_or(u32::MAX));
    let results = Translator { vars: &entry.vars, kernels }.body(&entry.body, &mut host)?;
    Ok(plan::Entry {
        signature,
        slots: host.slots(),
        sizes: entry.sizes.iter().map(|&size| slot_of(size)).collect(),
        params: entry.params.iter().map(|param| slot_of(param.var)).collect(),
        body: host.finish(results),
    })
}

fn signature(entry: &ir::Entry) -> Signature {
    let dim = |&size: &Atom| match size {
        Atom::Const(value) => Dim::Const(value.as_i64().unwrap_or_default()),
        Atom::Var(var) => Dim::Size(entry.sizes.iter().position(|&size| size == var).unwrap_or_default()),
    };
    let mut params = Vec::new();
    for param in &entry.params {
        let elem = match &entry.vars[param.var].ty {
            Type::Scalar(ty) => *ty,
            Type::Block(block) => block.elem,
            Type::Array(view) => view.elem,
        };
        params.push(ParamType {
            name: param.name.map(|name| name.as_str().to_owned()),
            elem,
            dims: param.shape.iter().map(dim).collect(),
            consumed: param.consumed,
            constructors: param.constructors,
        });
    }
    Signature {
        name: entry.name.as_str().to_owned(),
        sizes: entry.sizes.len(),
        params,
        results: entry.results.iter().map(result).collect(),
        parameters: Vec::new(),
    }
}

fn result(result: &ir::ResultType) -> ResultType {
    ResultType { elem: result.elem, rank: result.rank }
}

/// The parts of a message, and the places that lead to its assertion.
fn translate_message(message: &ir::Message) -> (Vec<MessagePart>, impl Iterator<Item = Span> + use<>) {
    let part = |part: &ir::MessagePart| match part {
        ir::MessagePart::Text(text) => MessagePart::Text(text.clone()),
        ir::MessagePart::Value(ty) => MessagePart::Value(*ty),
    };
    (message.parts.iter().map(part).collect(), message.path.into_iter().flat_map(CallPath::spans))
}
