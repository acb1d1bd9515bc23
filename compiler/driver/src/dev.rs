//! The program after any stage, as text: for `ravel dev` and for the snapshots of the tests.

use std::collections::BTreeMap;

use ravel_abi::Machine;
use ravel_base::{Code, Diagnostic, Span};
use ravel_core::Program as CoreProgram;
use ravel_kernel::{MemProgram, Program as KernelProgram, Target};

use crate::ir::Ir;
use crate::pipeline::{self, Options, PassReport, Passes};
use crate::source::{Problems, Source};
use crate::spec::{self, Input, Values};
use crate::stages;

/// A form of the program, as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Core IR.
    Core,
    /// Core IR with segments.
    Flat,
    /// Kernel IR.
    Kernel,
    /// WGSL with the launch plan.
    Wgsl,
    /// Cranelift IR.
    Clif,
}

impl Form {
    /// The machine of this form, which may override the selected one.
    pub fn machine(self, selected: Machine) -> Machine {
        match self {
            Form::Core | Form::Flat | Form::Kernel => selected,
            Form::Wgsl => Machine::Gpu,
            Form::Clif => Machine::Cpu,
        }
    }
}

/// The passes in the order of the pipeline, each with its rules on the line after it, and then the rewrites of vector code.
pub fn list_passes() -> String {
    let Passes { core, kernel } = Passes::all();
    let of_core = core.iter().map(|pass| (pass.name, pass.about, pass.rules));
    let all = of_core.chain(kernel.iter().map(|pass| (pass.name, pass.about, pass.rules)));
    let passes =
        all.map(|(name, about, rules)| format!("{name:16} {about}\n{:16} {}\n", "", rules.join(", ")));
    let rewrites =
        ravel_native::REWRITES.iter().map(|rewrite| format!("{:16} {}\n", rewrite.name, rewrite.about));
    let heading = "\nRewrites of vector code, which only --without names:\n".to_owned();
    passes.chain([heading]).chain(rewrites).collect()
}

/// The events of a pass with their counts, one per line: `map-map fired (3)`.
pub fn event_counts<P>(report: &PassReport<P>) -> String {
    count_lines(report.events.iter().map(|event| match event.refused {
        None => format!("{} fired", event.rule),
        Some(refusal) => format!("{} refused: {}", event.rule, refusal.premise.name),
    }))
}

/// The rules that fired in lowering, before the first of these passes, with their counts: `scatter-construct fired (4)`.
pub fn lowering_counts<P: Ir>(reports: &[PassReport<P>]) -> String {
    let rules = reports.first().map(|first| first.before.rules()).unwrap_or_default();
    count_lines(rules.into_iter().map(|rule| format!("{rule} fired")))
}

fn count_lines(lines: impl Iterator<Item = String>) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    lines.for_each(|line| *counts.entry(line).or_default() += 1);
    counts.iter().map(|(line, count)| format!("{line} ({count})\n")).collect()
}

/// The optimised core IR of a program. `watch` receives a report of each pass.
///
/// # Errors
/// Errors in the program.
pub fn optimised_core(
    source: &Source,
    options: &Options,
    machine: Machine,
    watch: &mut dyn FnMut(PassReport),
) -> Result<CoreProgram, Problems> {
    stages::optimised_core(source, options, Target::of(machine), Some(watch))
}

/// Parses core IR and runs the rest of the passes over core IR.
///
/// # Errors
/// The text is not valid core IR.
pub fn resume_core(
    source: &Source,
    options: &Options,
    machine: Machine,
    watch: &mut dyn FnMut(PassReport),
) -> Result<CoreProgram, Problems> {
    let program = parse_lawful(source, Target::of(machine))?;
    pipeline::run_core_passes(program, options, Target::of(machine), Some(watch))
        .map_err(|bug| source.problems(vec![bug]))
}

/// Turns optimised core IR into core IR with segments. `watch` receives a report of each pass.
///
/// # Errors
/// A bug of a pass.
pub fn flatten(
    source: &Source,
    core: &CoreProgram,
    options: &Options,
    machine: Machine,
    watch: &mut dyn FnMut(PassReport),
) -> Result<CoreProgram, Problems> {
    stages::flatten(source, core.clone(), options, Target::of(machine), Some(watch))
}

/// Translates core IR with segments to kernel IR, and optimises it. `watch` receives a report of each pass over kernel IR.
///
/// # Errors
/// Limitations of this compiler.
pub fn kernelise(
    source: &Source,
    flat: &CoreProgram,
    options: &Options,
    machine: Machine,
    watch: &mut dyn FnMut(PassReport<KernelProgram>),
) -> Result<MemProgram, Problems> {
    let program = stages::kernelise(source, flat, &options.target(machine))?;
    stages::optimise_kernel(source, program, options, Some(watch))
}

/// Parses kernel IR and runs the rest of the passes over kernel IR.
///
/// # Errors
/// The text is not valid kernel IR.
pub fn resume_kernel(
    source: &Source,
    options: &Options,
    machine: Machine,
    watch: &mut dyn FnMut(PassReport<KernelProgram>),
) -> Result<MemProgram, Problems> {
    let target = options.target(machine);
    let program = MemProgram::verify(parse_lawful(source, &target)?, &target)
        .map_err(|wrong| source.problems(vec![Diagnostic::bug(wrong.to_string())]))?;
    stages::optimise_kernel(source, program, options, Some(watch))
}

/// Parses a program and verifies it for a target.
fn parse_lawful<P: Ir>(source: &Source, target: &Target) -> Result<P, Problems> {
    let user = |code, span, message| source.problems(vec![Diagnostic::error(code, span, message)]);
    let (text, file) = (source.text(), source.file());
    let program = P::parse(text, file).map_err(|wrong| {
        let span = Span::new(file, wrong.at, wrong.at + 1);
        user(Code::UnexpectedToken, span, wrong.message)
    })?;
    if program.fault(target).is_none() {
        return Ok(program);
    }
    let fault = P::fault_in_text(text, file, target).expect("a fault does not depend on names and origins");
    let span = fault.span.expect("every statement of a text has a place");
    Err(user(Code::TypeMismatch, span, format!("invalid {} IR: {}", P::NAME, fault.message)))
}

/// A form of an optimised program, as text.
///
/// # Errors
/// Limitations of this compiler.
pub fn emit(source: &Source, core: &CoreProgram, form: Form, machine: Machine) -> Result<String, Problems> {
    match form {
        Form::Core => Ok(core.text()),
        Form::Flat => Ok(flatten(source, core, &Options::default(), machine, &mut |_| {})?.text()),
        form => {
            let target = Target::of(form.machine(machine));
            let program = stages::compile_optimised(source, core.clone(), &Options::default(), target)?;
            emit_kernel(source, &program, form)
        }
    }
}

/// A program in kernel IR as text, in the given form. For the forms before kernel IR, this is kernel IR too.
///
/// # Errors
/// Limitations of this compiler.
pub fn emit_kernel(source: &Source, program: &MemProgram, form: Form) -> Result<String, Problems> {
    let problem = |diagnostic| source.problems(vec![diagnostic]);
    Ok(match form {
        Form::Core | Form::Flat | Form::Kernel => program.text(),
        Form::Wgsl => {
            let described = |span| source.sources().describe(span);
            ravel_wgsl::text(&ravel_wgsl::compile(program, &described).map_err(problem)?)
        }
        Form::Clif => ravel_native::clif(program).map_err(problem)?,
    })
}

/// A stage of the compiler and the text of a program after it.
pub struct Page {
    /// The stage, in capitals.
    pub title: &'static str,
    /// The program after this stage.
    pub text: String,
}

/// A program after each stage of the compiler, in the order of the stages. The last page shows the
/// interpreter's results for the inputs in the program's test block.
///
/// # Errors
/// Errors in the program, or limitations of this compiler.
pub fn stage_pages(source: &Source) -> Result<Vec<Page>, Problems> {
    let (typed, _) = stages::typed_program(source)?;
    let trees = &source.files().parsed;
    let lowered = stages::lowered_core(source, &Options::default())?;
    let core = optimised_core(source, &Options::default(), Machine::Cpu, &mut |_| {})?;
    let pages = [
        ("SOURCE", source.text().to_owned()),
        ("AST", trees.last().map_or_else(String::new, |file| ravel_syntax::print::program(&file.program))),
        ("TYPES", ravel_types::program_text(&typed)),
        ("CORE", lowered.text()),
        ("OPTIMISED", core.text()),
        ("FLAT", emit(source, &core, Form::Flat, Machine::Cpu)?),
        ("KERNEL", emit(source, &core, Form::Kernel, Machine::Cpu)?),
        ("WGSL", emit(source, &core, Form::Wgsl, Machine::Gpu)?),
        ("CLIF", emit(source, &core, Form::Clif, Machine::Cpu)?),
        ("RESULT", results(source, &core)),
    ];
    Ok(pages.map(|(title, text)| Page { title, text }).into())
}

/// The interpreter's results for every test case whose input is in the block.
fn results(source: &Source, core: &CoreProgram) -> String {
    let mut text = String::new();
    for case in spec::parse(source.text()).ok().flatten().unwrap_or_default().cases {
        let Input::Values(Values::Text(input)) = case.input else { continue };
        let entry = case.entry.as_str().into();
        let Some(signature) = ravel_interp::signature(core, entry) else { continue };
        let described = |span| source.sources().describe(span);
        let outcome = match ravel_abi::read_values(input.as_bytes(), &signature.expected()) {
            Ok(args) => {
                match ravel_interp::run(core, entry, &args, ravel_interp::Options::default(), &described) {
                    Ok(results) => ravel_abi::write_text(&results),
                    Err(failure) => format!("{failure}\n"),
                }
            }
            Err(wrong) => format!("{wrong}\n"),
        };
        text.push_str(&format!("{} {{{input}}}\n{outcome}", case.entry));
    }
    text
}
