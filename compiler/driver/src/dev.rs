//! What `ravel dev` and the stage books look at: any stage, as text.

use std::collections::BTreeMap;

use ravel_base::{Code, Diagnostic, Span};
use ravel_core::{Program as CoreProgram, print, renumber};
use ravel_kernel::Target;

use crate::pipeline::{self, Options, PassReport};
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

/// The passes, one a line, in the order of the pipeline.
pub fn list_passes() -> String {
    pipeline::all_passes().iter().map(|pass| format!("{:24} {}\n", pass.name, pass.about)).collect()
}

/// Core IR as text, binders numbered in order of appearance.
pub fn core_text(program: &CoreProgram) -> String {
    let mut program = program.clone();
    renumber(&mut program);
    print(&program)
}

/// What the rules of a pass did, one a line: `map-map fired 3 times`.
pub fn events(report: &PassReport) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for event in &report.events {
        let line = match event.refused {
            None => format!("{} fired", event.rule),
            Some(refusal) => format!("{} refused: {}", event.rule, refusal.premise.name),
        };
        *counts.entry(line).or_default() += 1;
    }
    counts.iter().map(|(line, count)| format!("{line} ({count})\n")).collect()
}

/// Kernel IR as text, behind the translation and behind each of the passes over it, with their names.
///
/// # Errors
/// What this compiler cannot do yet.
pub fn kernels(
    source: &Source,
    core: &CoreProgram,
    machine: Machine,
) -> Result<Vec<(&'static str, String)>, Problems> {
    let mut texts = Vec::new();
    stages::kernels(source, core, machine.target(), &mut |name, program| {
        texts.push((name, program.to_string()));
    })?;
    Ok(texts)
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
    stages::optimised(source, options, machine.target(), watch)
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
    let user = |diagnostic| source.problems(vec![diagnostic]);
    let program = ravel_core::parse(source.text()).map_err(|wrong| {
        let before = source.text().split_inclusive('\n').take(wrong.line.saturating_sub(1));
        let at = before.map(str::len).sum::<usize>() + wrong.column.saturating_sub(1);
        user(Diagnostic::error(Code::UnexpectedToken, Span::new(source.file(), at, at + 1), wrong.message))
    })?;
    ravel_core::verify(&program).map_err(|wrong| {
        let whole = Span::new(source.file(), 0, 1);
        user(Diagnostic::error(Code::TypeMismatch, whole, format!("this is no lawful core IR: {wrong}")))
    })?;
    pipeline::run(program, options, machine.target(), watch).map_err(user)
}

/// A form of an optimised program, as text.
///
/// # Errors
/// What this compiler cannot do yet.
pub fn emit(source: &Source, core: &CoreProgram, form: Form, machine: Machine) -> Result<String, Problems> {
    let problem = |diagnostic| source.problems(vec![diagnostic]);
    Ok(match form {
        Form::Core => core_text(core),
        Form::Kernel => {
            let mut program = stages::kernel(source, core, machine.target())?.into_program();
            program.renumber();
            program.to_string()
        }
        Form::Wgsl => {
            let program = stages::kernel(source, core, &Target::GPU)?;
            let plan =
                ravel_wgsl::compile(&program, &|span| source.sources().describe(span)).map_err(problem)?;
            ravel_wgsl::text(&plan)
        }
        Form::Clif => ravel_native::clif(&stages::kernel(source, core, &Target::CPU)?).map_err(problem)?,
    })
}

/// The way of a program through the stages, one page a stage; the last page is what the
/// interpreter makes of the inputs in its test block.
///
/// # Errors
/// What is wrong with the program, or what this compiler cannot do yet.
pub fn book(source: &Source) -> Result<String, Problems> {
    let (typed, _) = stages::typed(source)?;
    let trees = &source.files().parsed;
    let lowered = stages::lowered(source)?;
    let core = optimised(source, &Options::default(), Machine::Cpu, &mut |_| {})?;
    let pages = [
        ("SOURCE", source.text().to_owned()),
        ("AST", trees.last().map_or_else(String::new, |file| ravel_syntax::print::program(&file.program))),
        ("TYPES", ravel_types::program_text(&typed)),
        ("CORE", core_text(&lowered)),
        ("OPTIMISED", core_text(&core)),
        ("KERNEL", emit(source, &core, Form::Kernel, Machine::Cpu)?),
        ("WGSL", emit(source, &core, Form::Wgsl, Machine::Gpu)?),
        ("CLIF", emit(source, &core, Form::Clif, Machine::Cpu)?),
        ("RESULT", results(source, &core)),
    ];
    Ok(pages.iter().map(|(title, text)| format!("=== {title}\n{}\n\n", text.trim_end())).collect())
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
