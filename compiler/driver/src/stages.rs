//! The stages of the compiler, from source text to code.
//!
//! A function named by a noun makes that form of the program from the source text. One named by a verb runs stages on the form
//! that it takes beside the source, or on the source text if it takes none.

use std::collections::BTreeMap;

use ravel_abi::native::Blob;
use ravel_abi::plan::Plan;
use ravel_abi::{Machine, Signature};
use ravel_base::Diagnostic;
use ravel_core::{Program as CoreProgram, verify};
use ravel_kernel::{MemProgram, Target};
use ravel_types::{Checked, Mode, tast};

use crate::guard::guard;
use crate::image::PRELUDE;
use crate::library::Library;
use crate::pipeline::{self, Options, Watch};
use crate::source::{Problems, Source};

/// Checks a program for errors and for constructs that lowering does not support. Returns its warnings.
///
/// # Errors
/// Errors in the program, or constructs that lowering does not support.
pub fn check(source: &Source) -> Result<Vec<Diagnostic>, Problems> {
    let (program, mut warnings) = typed_program(source)?;
    warnings.extend(lower(source, &program)?.1);
    Ok(warnings)
}

/// The typed tree of a program, with warnings.
///
/// # Errors
/// Errors in the program.
pub fn typed_program(source: &Source) -> Result<(tast::Program, Vec<Diagnostic>), Problems> {
    let (checked, diagnostics) = type_check(source)?;
    Ok((checked.program, diagnostics))
}

/// Parses and type-checks a program. Returns the full result of the checker, with warnings.
pub(crate) fn type_check(source: &Source) -> Result<(Checked, Vec<Diagnostic>), Problems> {
    let files = stage(source, "the parser", || source.files())?;
    let mut diagnostics = files.diagnostics.clone();
    if diagnostics.iter().any(Diagnostic::is_fatal) {
        return Err(source.problems(diagnostics));
    }
    let mut checked = stage(source, "the checker", || {
        ravel_types::check(&files.to_check(), Library::get().env(), Mode::Program)
    })?;
    diagnostics.append(&mut checked.diagnostics);
    if diagnostics.iter().any(Diagnostic::is_fatal) {
        return Err(source.problems(diagnostics));
    }
    Ok((checked, diagnostics))
}

/// The names of a program's entry points, in the order of the source.
///
/// # Errors
/// Errors in the program.
pub fn entry_names(source: &Source) -> Result<Vec<String>, Problems> {
    let (typed, _) = typed_program(source)?;
    let entries = typed.definitions.iter().filter(|definition| definition.entry);
    Ok(entries.map(|definition| definition.name.to_string()).collect())
}

/// Makes the entry point of this name the only one; without such an entry point, changes nothing.
fn keep_entry(program: &mut tast::Program, wanted: &str) {
    let is_wanted = |definition: &tast::Definition| definition.entry && definition.name.as_str() == wanted;
    if program.definitions.iter().any(is_wanted) {
        for definition in &mut program.definitions {
            definition.entry = is_wanted(definition);
        }
    }
}

/// Lowers a typed tree to core IR, with the warnings of lowering.
pub(crate) fn lower(
    source: &Source,
    typed: &tast::Program,
) -> Result<(CoreProgram, Vec<Diagnostic>), Problems> {
    let (core, warnings) = stage(source, "lowering", || {
        ravel_lower::lower(typed, &|id| Library::get().definition(id), PRELUDE)
    })?
    .map_err(|diagnostics| source.problems(diagnostics))?;
    verify(&core).map_err(|wrong| {
        let bug = Diagnostic::bug(format!("lowering made an invalid program: {wrong}"));
        source.problems(vec![bug])
    })?;
    Ok((core, warnings))
}

/// The core IR of a program before any pass, with the entry points that the options select. The interpreter runs this form,
/// so that it also tests the passes.
///
/// # Errors
/// Errors in the program, or limitations of lowering.
pub fn lowered_core(source: &Source, options: &Options) -> Result<CoreProgram, Problems> {
    front_end(source, options).map(|front_end| front_end.core)
}

/// The results of the front end.
pub struct FrontEnd {
    /// The typed tree, with the selected entry points.
    pub typed: tast::Program,
    /// Its core IR, before any pass.
    pub core: CoreProgram,
}

/// The typed tree and the core IR of a program, with the entry points that the options select.
///
/// # Errors
/// As [`lowered_core`].
pub fn front_end(source: &Source, options: &Options) -> Result<FrontEnd, Problems> {
    let (mut typed, _) = typed_program(source)?;
    if let Some(entry) = &options.entry {
        keep_entry(&mut typed, entry);
    }
    let (core, _) = lower(source, &typed)?;
    Ok(FrontEnd { typed, core })
}

/// The optimised core IR of a program for a machine.
///
/// # Errors
/// As [`lowered_core`].
pub fn optimised_core(
    source: &Source,
    options: &Options,
    target: &Target,
    watch: Watch<CoreProgram>,
) -> Result<CoreProgram, Problems> {
    optimise(source, lowered_core(source, options)?, options, target, watch)
}

/// Runs the passes over core IR.
///
/// # Errors
/// A bug of a pass.
pub(crate) fn optimise(
    source: &Source,
    lowered: CoreProgram,
    options: &Options,
    target: &Target,
    watch: Watch<CoreProgram>,
) -> Result<CoreProgram, Problems> {
    pipeline::run_core_passes(lowered, options, target, watch).map_err(|bug| source.problems(vec![bug]))
}

/// Turns optimised core IR into core IR with segments.
///
/// # Errors
/// A bug of a pass.
pub fn flatten(
    source: &Source,
    core: CoreProgram,
    options: &Options,
    target: &Target,
    watch: Watch<CoreProgram>,
) -> Result<CoreProgram, Problems> {
    pipeline::run_flattening(core, options, target, watch).map_err(|bug| source.problems(vec![bug]))
}

/// Flattens optimised core IR, translates it to kernel IR, and runs the passes over kernel IR.
///
/// # Errors
/// Limitations of this compiler.
pub fn compile_optimised(
    source: &Source,
    core: CoreProgram,
    options: &Options,
    target: &Target,
) -> Result<MemProgram, Problems> {
    let flat = flatten(source, core, options, target, None)?;
    optimise_kernel(source, kernelise(source, &flat, target)?, options, None)
}

/// Translates core IR with segments to kernel IR.
///
/// # Errors
/// Limitations of this compiler.
pub fn kernelise(source: &Source, core: &CoreProgram, target: &Target) -> Result<MemProgram, Problems> {
    let program = stage(source, "the translation to kernel IR", || ravel_passes::to_kernel(core, target))?
        .map_err(|diagnostic| source.problems(vec![diagnostic]))?;
    MemProgram::verify(program, target).map_err(|wrong| {
        let bug = Diagnostic::bug(format!("the translation to kernel IR made an invalid program: {wrong}"));
        source.problems(vec![bug])
    })
}

/// Runs the passes over kernel IR.
///
/// # Errors
/// A bug of a pass.
pub fn optimise_kernel(
    source: &Source,
    program: MemProgram,
    options: &Options,
    watch: Watch<ravel_kernel::Program>,
) -> Result<MemProgram, Problems> {
    pipeline::run_kernel_passes(program, options, watch).map_err(|bug| source.problems(vec![bug]))
}

/// Compiles lowered core IR to native code for the CPU.
///
/// # Errors
/// Limitations of this compiler.
pub fn compile_to_native(source: &Source, lowered: CoreProgram, options: &Options) -> Result<Blob, Problems> {
    let parameters = parameters_by_entry(&lowered);
    let target = options.target(Machine::Cpu);
    let target = Target { vector_bits: options.vector_bits.unwrap_or(target.vector_bits), ..target };
    let program = compile_to_kernel(source, lowered, options, &target)?;
    let mut blob = stage(source, "native code generation", || {
        let settings = ravel_native::Settings { processors: options.processors, ..Default::default() };
        ravel_native::compile(&program, settings, &|span| source.sources().describe(span))
    })?
    .map_err(|diagnostic| source.problems(vec![diagnostic]))?;
    add_parameters(blob.entries.iter_mut().map(|entry| &mut entry.signature), &parameters);
    Ok(blob)
}

/// Compiles lowered core IR to optimised kernel IR for a target.
///
/// # Errors
/// As [`compile_to_native`].
pub fn compile_to_kernel(
    source: &Source,
    lowered: CoreProgram,
    options: &Options,
    target: &Target,
) -> Result<MemProgram, Problems> {
    let core = optimise(source, lowered, options, target, None)?;
    compile_optimised(source, core, options, target)
}

/// Compiles lowered core IR to WGSL and a launch plan for the GPU.
///
/// # Errors
/// As [`compile_to_native`].
pub fn compile_to_plan(source: &Source, lowered: CoreProgram, options: &Options) -> Result<Plan, Problems> {
    let parameters = parameters_by_entry(&lowered);
    let program = compile_to_kernel(source, lowered, options, &Target::GPU)?;
    let mut plan = stage(source, "WGSL generation", || {
        ravel_wgsl::compile(&program, &|span| source.sources().describe(span))
    })?
    .map_err(|diagnostic| source.problems(vec![diagnostic]))?;
    add_parameters(plan.entries.iter_mut().map(|entry| &mut entry.signature), &parameters);
    Ok(plan)
}

/// The tuning parameters that a program declares, by entry point: of all of them, not only of those that are compiled.
///
/// # Errors
/// As [`lowered_core`].
pub fn tuning_parameters(source: &Source) -> Result<BTreeMap<String, Vec<String>>, Problems> {
    Ok(parameters_by_entry(&lowered_core(source, &Options::default())?))
}

/// Adds the tuning parameters that the compiler added for a target, such as the limits between versions of a nest.
pub fn add_tuning_parameters(signatures: &mut [Signature], program: &MemProgram) {
    let named = |entry: &ravel_kernel::Entry| {
        let names = program.parameters_of(entry);
        (entry.name.to_string(), names.iter().map(ToString::to_string).collect())
    };
    add_parameters(signatures.iter_mut(), &program.entries.iter().map(named).collect());
}

/// The tuning parameters of each entry point before optimisation, by the name of the entry point.
fn parameters_by_entry(lowered: &CoreProgram) -> BTreeMap<String, Vec<String>> {
    let named = |entry: &ravel_core::Entry| {
        let names = ravel_core::parameters_of(lowered, entry.function);
        (entry.name.to_string(), names.iter().map(ToString::to_string).collect())
    };
    lowered.entries.iter().map(named).collect()
}

/// Adds the tuning parameters that optimisation removed. So the tuning parameters of an entry point do not depend on
/// optimisation.
fn add_parameters<'s>(
    entries: impl Iterator<Item = &'s mut Signature>,
    parameters: &BTreeMap<String, Vec<String>>,
) {
    for entry in entries {
        entry.tuning_params.extend(parameters.get(&entry.name).into_iter().flatten().cloned());
        entry.tuning_params.sort();
        entry.tuning_params.dedup();
    }
}

/// Runs one stage; a panic in it becomes a bug diagnostic with the source.
fn stage<T>(source: &Source, name: &str, work: impl FnOnce() -> T) -> Result<T, Problems> {
    guard(name, work).map_err(|bug| source.problems(vec![bug]))
}
