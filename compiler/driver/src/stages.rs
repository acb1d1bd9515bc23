//! The stages, from text to code, one function each.

use std::collections::{BTreeMap, BTreeSet};

use ravel_abi::Signature;
use ravel_abi::native::Blob;
use ravel_abi::plan::Plan;
use ravel_base::Diagnostic;
use ravel_core::{Program as CoreProgram, verify};
use ravel_kernel::{MemProgram, Target};
use ravel_types::{Checked, Mode, tast};

use crate::guard::guard;
use crate::image::PRELUDE;
use crate::library::Library;
use crate::pipeline::{self, Options, Watch};
use crate::source::{Problems, Source};

/// Checks a program as far as errors and limitations of the language go. What comes back are warnings.
///
/// # Errors
/// What is wrong with it, or what lowering cannot do.
pub fn check(source: &Source) -> Result<Vec<Diagnostic>, Problems> {
    let (program, warnings) = typed(source)?;
    lower(source, &program)?;
    Ok(warnings)
}

/// The typed tree of a program, with warnings.
///
/// # Errors
/// What is wrong with the program.
pub fn typed(source: &Source) -> Result<(tast::Program, Vec<Diagnostic>), Problems> {
    let (checked, diagnostics) = checked(source)?;
    Ok((checked.program, diagnostics))
}

/// All that the check of a program gives, and the warnings.
pub(crate) fn checked(source: &Source) -> Result<(Checked, Vec<Diagnostic>), Problems> {
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
/// What is wrong with the program.
pub fn entries(source: &Source) -> Result<Vec<String>, Problems> {
    let (typed, _) = typed(source)?;
    let entries = typed.definitions.iter().filter(|definition| definition.entry);
    Ok(entries.map(|definition| definition.name.to_string()).collect())
}

/// The core IR of a program as lowering makes it.
///
/// # Errors
/// What is wrong with the program, or what lowering cannot do.
pub fn lowered(source: &Source) -> Result<CoreProgram, Problems> {
    unoptimised(source, &Options::default())
}

/// Leaves the entry point of this name the only one, if there is one.
fn keep_entry(program: &mut tast::Program, wanted: &str) {
    let is_wanted = |definition: &tast::Definition| definition.entry && definition.name.as_str() == wanted;
    if program.definitions.iter().any(is_wanted) {
        for definition in &mut program.definitions {
            definition.entry = is_wanted(definition);
        }
    }
}

pub(crate) fn lower(source: &Source, typed: &tast::Program) -> Result<CoreProgram, Problems> {
    let core = stage(source, "lowering", || {
        ravel_lower::lower(typed, &|id| Library::get().definition(id), PRELUDE)
    })?
    .map_err(|diagnostics| source.problems(diagnostics))?;
    verify(&core).map_err(|wrong| {
        let bug = Diagnostic::bug(format!("lowering made an unlawful program: {wrong}"));
        source.problems(vec![bug])
    })?;
    Ok(core)
}

/// The core IR of a program as lowering makes it, with the entry point of the options alone: what
/// the interpreter runs, so that it is an oracle of the passes too.
///
/// # Errors
/// As [`lowered`].
pub fn unoptimised(source: &Source, options: &Options) -> Result<CoreProgram, Problems> {
    front(source, options).map(|front| front.core)
}

/// A program as the front end leaves it.
pub struct Front {
    /// The typed tree; of the entry points, those that are wanted.
    pub typed: tast::Program,
    /// The core IR that lowering makes of it.
    pub core: CoreProgram,
}

/// The front end's part of the way: typed tree and core IR, with the entry point of the options alone.
///
/// # Errors
/// As [`lowered`].
pub fn front(source: &Source, options: &Options) -> Result<Front, Problems> {
    let (mut typed, _) = typed(source)?;
    if let Some(entry) = &options.entry {
        keep_entry(&mut typed, entry);
    }
    let core = lower(source, &typed)?;
    Ok(Front { typed, core })
}

/// The optimised core IR of a program.
///
/// # Errors
/// As [`lowered`].
pub fn core(source: &Source, options: &Options) -> Result<CoreProgram, Problems> {
    optimised(source, options, &Target::CPU, None)
}

/// The optimised core IR of a program for a machine.
///
/// # Errors
/// As [`lowered`].
pub fn optimised(
    source: &Source,
    options: &Options,
    target: &Target,
    watch: Watch<CoreProgram>,
) -> Result<CoreProgram, Problems> {
    passed(source, unoptimised(source, options)?, options, target, watch)
}

/// Core IR behind the passes over it.
///
/// # Errors
/// A bug of a pass.
pub(crate) fn passed(
    source: &Source,
    lowered: CoreProgram,
    options: &Options,
    target: &Target,
    watch: Watch<CoreProgram>,
) -> Result<CoreProgram, Problems> {
    pipeline::run(lowered, options, target, watch).map_err(|bug| source.problems(vec![bug]))
}

/// The kernel IR of optimised core IR.
///
/// # Errors
/// What this compiler cannot do yet.
pub fn kernel(source: &Source, core: &CoreProgram, target: &Target) -> Result<MemProgram, Problems> {
    memory(source, translated(source, core, target)?, &Options::default(), target, None)
}

/// The kernel IR of optimised core IR, as the translation makes it.
///
/// # Errors
/// What this compiler cannot do yet.
pub fn translated(source: &Source, core: &CoreProgram, target: &Target) -> Result<MemProgram, Problems> {
    let program =
        stage(source, "the translation to kernel IR", || ravel_passes::kernelise::kernelise(core, target))?
            .map_err(|diagnostic| source.problems(vec![diagnostic]))?;
    MemProgram::verify(program, target).map_err(|wrong| {
        let bug = Diagnostic::bug(format!("the translation to kernel IR made an unlawful program: {wrong}"));
        source.problems(vec![bug])
    })
}

/// Kernel IR behind the passes over it.
///
/// # Errors
/// A bug of a pass.
pub fn memory(
    source: &Source,
    program: MemProgram,
    options: &Options,
    target: &Target,
    watch: Watch<ravel_kernel::Program>,
) -> Result<MemProgram, Problems> {
    pipeline::memory(program, options, target, watch).map_err(|bug| source.problems(vec![bug]))
}

/// Native code for the CPU, of what lowering has made.
///
/// # Errors
/// What this compiler cannot do yet.
pub fn native(source: &Source, lowered: CoreProgram, options: &Options) -> Result<Blob, Problems> {
    let parameters = parameters(&lowered);
    let core = passed(source, lowered, options, &Target::CPU, None)?;
    let program = memory(source, translated(source, &core, &Target::CPU)?, options, &Target::CPU, None)?;
    let mut blob = stage(source, "native code generation", || {
        ravel_native::compile(&program, &|span| source.sources().describe(span))
    })?
    .map_err(|diagnostic| source.problems(vec![diagnostic]))?;
    add_parameters(blob.entries.iter_mut().map(|entry| &mut entry.signature), &parameters);
    Ok(blob)
}

/// WGSL and a launch plan for the GPU, of what lowering has made.
///
/// # Errors
/// As [`native`].
pub fn gpu(source: &Source, lowered: CoreProgram, options: &Options) -> Result<Plan, Problems> {
    let parameters = parameters(&lowered);
    let core = passed(source, lowered, options, &Target::GPU, None)?;
    let program = memory(source, translated(source, &core, &Target::GPU)?, options, &Target::GPU, None)?;
    let mut plan = stage(source, "WGSL generation", || {
        ravel_wgsl::compile(&program, &|span| source.sources().describe(span))
    })?
    .map_err(|diagnostic| source.problems(vec![diagnostic]))?;
    add_parameters(plan.entries.iter_mut().map(|entry| &mut entry.signature), &parameters);
    Ok(plan)
}

/// The tuning parameters of all entry points of a program, whichever of these is compiled.
///
/// # Errors
/// As [`lowered`].
pub fn tuning_parameters(source: &Source) -> Result<BTreeSet<String>, Problems> {
    Ok(parameters(&lowered(source)?).into_values().flatten().collect())
}

/// The tuning parameters that entry points have as they are written, by the names of these.
fn parameters(lowered: &CoreProgram) -> BTreeMap<String, Vec<String>> {
    let named = |entry: &ravel_core::Entry| {
        let names = ravel_core::parameters_of(lowered, entry.function);
        (entry.name.to_string(), names.iter().map(ToString::to_string).collect())
    };
    lowered.entries.iter().map(named).collect()
}

/// Lets entry points have also those parameters that no code needs any more: which there are does not depend on what
/// optimisation makes of them.
fn add_parameters<'s>(
    entries: impl Iterator<Item = &'s mut Signature>,
    parameters: &BTreeMap<String, Vec<String>>,
) {
    for entry in entries {
        entry.parameters.extend(parameters.get(&entry.name).into_iter().flatten().cloned());
        entry.parameters.sort();
        entry.parameters.dedup();
    }
}

/// Runs one stage; a panic in it is a bug, told with the source it happened on.
fn stage<T>(source: &Source, name: &str, work: impl FnOnce() -> T) -> Result<T, Problems> {
    guard(name, work).map_err(|bug| source.problems(vec![bug]))
}
