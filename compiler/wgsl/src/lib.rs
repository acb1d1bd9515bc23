//! # wgsl: kernel IR to WGSL and a launch plan
//!
//! Each segment becomes one or a few kernels, each kernel one WGSL module, validated here; the host program becomes the
//! steps of a [`Plan`], which a runtime executes.
//!
//! * `host`: the host program
//! * `shader`: WGSL as a tree, with its printer
//! * `segment`, `reduce`, `scan`: kernels of the three kinds of segments whose points are threads
//! * `stretch`: the points of a workgroup in a reduction or scan, and how its threads combine them
//! * `values`: the struct of the values that a reduction or scan combines, and the functions that combine two of them;
//!   `exchange`: how the threads of a workgroup combine such structs, and how they leave together after a failure
//! * `workgroups`: kernels of segments of workgroups
//! * `kernel`: a kernel under construction; `function`: a function of its module; `statement`: the statements that
//!   workgroups and threads share; `thread`: those that only threads have
//! * `operators`: an operator as an expression of WGSL; `scalar`: the WGSL types of scalars; `helpers`: WGSL functions
//!   for operators that WGSL lacks or defines differently
//! * `validate`: the validation of modules; `text`: a plan as text
//!
//! ## Failure
//!
//! A failing thread of a map stores the number of its point by an atomic minimum, sets the status of the program and a
//! private flag, and leaves the function of its point. It skips its remaining points. In a reduction, a scan and a segment
//! of workgroups, the thread first reaches the next barrier, where the threads determine the least point that failed; then
//! the whole workgroup fails in this way. Every kernel first tests whether an earlier launch has failed, and if so does
//! nothing.
//!
//! This crate never links a GPU library, so plans can be made and tested on machines without a GPU.
#![forbid(unsafe_code)]

mod exchange;
mod function;
mod helpers;
mod host;
mod kernel;
mod operators;
mod reduce;
mod scalar;
mod scan;
mod segment;
mod shader;
mod statement;
mod stretch;
mod text;
mod thread;
mod validate;
mod values;
mod workgroups;

#[cfg(test)]
mod tests;

use ravel_abi::Machine;
use ravel_abi::plan::{self, Plan};
use ravel_base::{Diagnostic, Span};
use ravel_kernel as ir;
use ravel_kernel::{MemProgram, MemorySites, Target};

use crate::host::{HostBuilder, Kernels, Translator, slot_of};

pub use text::text;

/// Compiles a program; `describe` names a place of the source for a message.
///
/// # Errors
/// A bug: a program for another machine, or one that this crate cannot translate.
pub fn compile(program: &MemProgram, describe: &dyn Fn(Span) -> String) -> Result<Plan, Diagnostic> {
    let target = program.for_machine(Machine::Gpu, "wgsl")?;
    let memory_sites = MemorySites::of(program);
    let mut kernels = Kernels { parameters: program.parameters(), memory_sites, ..Kernels::default() };
    let entries = program
        .entries
        .iter()
        .map(|entry| compile_entry(program, entry, target, &mut kernels))
        .collect::<Result<_, _>>()?;
    validate::validate_all(&kernels.kernels)?;
    for (kernel, span) in kernels.kernels.iter_mut().zip(&kernels.spans) {
        kernel.place = span.map(describe);
    }
    Ok(Plan {
        entries,
        kernels: kernels.kernels,
        messages: program.described_messages(&kernels.memory_sites, describe),
        traces: kernels.traces.iter().map(|trace| trace.to_abi(describe)).collect(),
        versions: kernels.versions.iter().map(|(one, span)| one.to_abi(span.map(describe))).collect(),
        constants: kernels.constants,
        parameters: program.parameter_names(),
    })
}

fn compile_entry(
    program: &ir::Program,
    entry: &ir::Entry,
    target: &Target,
    kernels: &mut Kernels,
) -> Result<plan::Entry, Diagnostic> {
    let signature = program.signature(entry);
    let mut host = HostBuilder::new(u32::try_from(entry.vars.len()).unwrap_or(u32::MAX));
    let results = Translator { vars: &entry.vars, target, kernels }.body(&entry.body, &mut host)?;
    Ok(plan::Entry {
        signature,
        slots: host.slots(),
        sizes: entry.sizes.iter().map(|&size| slot_of(size)).collect(),
        params: entry.params.iter().map(|param| slot_of(param.var)).collect(),
        body: host.finish(results),
    })
}
