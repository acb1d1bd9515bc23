//! What `ravel dev` and the stage books look at: any stage, as text.

use std::collections::BTreeMap;

use ravel_base::{Code, Diagnostic, Span};
use ravel_core::Program as CoreProgram;
use ravel_kernel::{MemProgram, Program as KernelProgram, Target};

use crate::pipeline::{self, Ir, Options, PassReport, Passes};
use crate::source::{Problems, Source};
use crate::spec::{self, Input, Values};
use crate::stages;

/// The machines that code is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// The processor.
    Cpu,
    /// A graphics processor.
    Gpu,
}

impl Machine {
    /// The machine with these properties.
    pub fn of(target: &Target) -> Machine {
        if *target == Target::GPU { Machine::Gpu } else { Machine::Cpu }
    }

    /// Its properties.
    pub fn target(self) -> &'static Target {
        match self {
            Machine::Cpu => &Target::CPU,
            Machine::Gpu => &Target::GPU,
        }
    }
}

/// A form of the program, as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Core IR.
    Core,
    /// Kernel IR.
    Kernel,
    /// WGSL with the launch plan.
    Wgsl,
    /// Cranelift IR.
    Clif,
}

impl Form {
    /// The machine that code of this form is made for, if another one was asked for.
    pub fn machine(self, asked: Machine) -> Machine {
        match self {
            Form::Core | Form::Kernel => asked,
            Form::Wgsl => Machine::Gpu,
            Form::Clif => Machine::Cpu,
        }
    }
}

/// The passes in the order of the pipeline, each with its rules on the line after it.
pub fn list_passes() -> String {
    let Passes { core, memory } = Passes::all();
    let of_core = core.iter().map(|pass| (pass.name, pass.about, pass.rules));
    let all = of_core.chain(memory.iter().map(|pass| (pass.name, pass.about, pass.rules)));
    all.map(|(name, about, rules)| format!("{name:16} {about}\n{:16} {}\n", "", rules.join(", "))).collect()
}

/// What the rules of a pass did, one a line: `map-map fired (3)`.
pub fn events<P>(report: &PassReport<P>) -> String {
    counted(report.events.iter().map(|event| match event.refused {
        None => format!("{} fired", event.rule),
        Some(refusal) => format!("{} refused: {}", event.rule, refusal.premise.name),
    }))
}

/// What rules did before the first of these passes, in lowering, one a line: `F0 fired (4)`.
pub fn earlier<P: Ir>(reports: &[PassReport<P>]) -> String {
    let rules = reports.first().map(|first| first.before.rules()).unwrap_or_default();
    counted(rules.into_iter().map(|rule| format!("{rule} fired")))
}

fn counted(lines: impl Iterator<Item = String>) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    lines.for_each(|line| *counts.entry(line).or_default() += 1);
    counts.iter().map(|(line, count)| format!("{line} ({count})\n")).collect()
}

/// The optimised core IR of a program. `watch` sees what each pass did.
///
/// # Errors
/// What is wrong with the program.
pub fn optimised(
    source: &Source,
    options: &Options,
    machine: Machine,
    watch: &mut dyn FnMut(PassReport),
) -> Result<CoreProgram, Problems> {
    stages::optimised(source, options, machine.target(), Some(watch))
}

/// Core IR read from text, optimised further.
///
/// # Errors
/// Where the text is not lawful core IR.
pub fn resumed(
    source: &Source,
    options: &Options,
    machine: Machine,
    watch: &mut dyn FnMut(PassReport),
) -> Result<CoreProgram, Problems> {
    let read = |text: &str| {
        ravel_core::parse(text).map_err(|wrong| Misread::at(wrong.line, wrong.column, wrong.message))
    };
    let program = lawful(source, machine, read)?;
    pipeline::run(program, options, machine.target(), Some(watch)).map_err(|bug| source.problems(vec![bug]))
}

/// The kernel IR of an optimised program. `watch` sees what each pass over it did.
///
/// # Errors
/// What this compiler cannot do yet.
pub fn kernel(
    source: &Source,
    core: &CoreProgram,
    options: &Options,
    machine: Machine,
    watch: &mut dyn FnMut(PassReport<KernelProgram>),
) -> Result<MemProgram, Problems> {
    let program = stages::translated(source, core, machine.target())?;
    stages::memory(source, program, options, machine.target(), Some(watch))
}

/// Kernel IR read from text, with the passes over it from some on.
///
/// # Errors
/// Where the text is not lawful kernel IR.
pub fn resumed_kernel(
    source: &Source,
    options: &Options,
    machine: Machine,
    watch: &mut dyn FnMut(PassReport<KernelProgram>),
) -> Result<MemProgram, Problems> {
    let read = |text: &str| {
        ravel_kernel::parse(text).map_err(|wrong| Misread::at(wrong.line, wrong.column, wrong.message))
    };
    let bug = |wrong: ravel_kernel::VerifyError| source.problems(vec![Diagnostic::bug(wrong.to_string())]);
    let program = MemProgram::verify(lawful(source, machine, read)?, machine.target()).map_err(bug)?;
    stages::memory(source, program, options, machine.target(), Some(watch))
}

/// Where a text is no program, and why.
struct Misread {
    line: usize,
    column: usize,
    message: String,
}

impl Misread {
    fn at(line: usize, column: usize, message: String) -> Misread {
        Misread { line, column, message }
    }
}

/// A program read from text, if it keeps the laws.
fn lawful<P: Ir>(
    source: &Source,
    machine: Machine,
    read: impl FnOnce(&str) -> Result<P, Misread>,
) -> Result<P, Problems> {
    let user = |code, span, message| source.problems(vec![Diagnostic::error(code, span, message)]);
    let program = read(source.text()).map_err(|wrong| {
        let before = source.text().split_inclusive('\n').take(wrong.line.saturating_sub(1));
        let at = before.map(str::len).sum::<usize>() + wrong.column.saturating_sub(1);
        user(Code::UnexpectedToken, Span::new(source.file(), at, at + 1), wrong.message)
    })?;
    match program.fault(machine.target()) {
        None => Ok(program),
        Some(wrong) => {
            let whole = Span::new(source.file(), 0, 1);
            Err(user(Code::TypeMismatch, whole, format!("this is no lawful {} IR: {wrong}", P::NAME)))
        }
    }
}

/// A form of an optimised program, as text.
///
/// # Errors
/// What this compiler cannot do yet.
pub fn emit(source: &Source, core: &CoreProgram, form: Form, machine: Machine) -> Result<String, Problems> {
    match form {
        Form::Core => Ok(core.text()),
        form => emit_kernel(source, &stages::kernel(source, core, form.machine(machine).target())?, form),
    }
}

/// A form of a program in kernel IR, as text.
///
/// # Errors
/// What this compiler cannot do yet.
pub fn emit_kernel(source: &Source, program: &MemProgram, form: Form) -> Result<String, Problems> {
    let problem = |diagnostic| source.problems(vec![diagnostic]);
    Ok(match form {
        Form::Core | Form::Kernel => program.text(),
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
/// What is wrong with the program, or what this compiler cannot do yet.
pub fn book(source: &Source) -> Result<Vec<Page>, Problems> {
    let (typed, _) = stages::typed(source)?;
    let trees = &source.files().parsed;
    let lowered = stages::lowered(source)?;
    let core = optimised(source, &Options::default(), Machine::Cpu, &mut |_| {})?;
    let pages = [
        ("SOURCE", source.text().to_owned()),
        ("AST", trees.last().map_or_else(String::new, |file| ravel_syntax::print::program(&file.program))),
        ("TYPES", ravel_types::program_text(&typed)),
        ("CORE", lowered.text()),
        ("OPTIMISED", core.text()),
        ("KERNEL", emit(source, &core, Form::Kernel, Machine::Cpu)?),
        ("WGSL", emit(source, &core, Form::Wgsl, Machine::Gpu)?),
        ("CLIF", emit(source, &core, Form::Clif, Machine::Cpu)?),
        ("RESULT", results(source, &core)),
    ];
    Ok(pages.map(|(title, text)| Page { title, text }).into())
}

/// What the interpreter makes of every case with written input.
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
