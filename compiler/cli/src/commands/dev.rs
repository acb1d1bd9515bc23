//! `ravel dev`: runs chosen passes and prints any form of the program.

use std::fmt::Write as _;
use std::path::Path;

use ravel_abi::Machine;
use ravel_driver::dev::{self, Form};
use ravel_driver::{CoreProgram, Ir, KernelProgram, MemProgram, Options, PassReport, Passes, Replay, Source};
use ravel_program::files;

use crate::args::{Dev, Emit};
use crate::exit::{self, Exit};
use crate::terminal;

/// Runs the selected passes and prints the selected form.
pub fn dev(args: &Dev) -> Result<(), Exit> {
    if args.list_passes {
        return terminal::output(dev::list_passes().as_bytes());
    }
    let Some(file) = &args.file else { return Err(exit::usage("no file is named")) };
    let mut session = Session::new(args, file)?;
    let outcome = session.run(args.from.as_deref());
    if let Some(folder) = &args.dump_all {
        session.dump_all(folder, file)?;
    }
    if args.time_passes {
        terminal::error(&(pass_times(&session.over_core) + &pass_times(&session.over_kernel)));
    }
    outcome?;
    let prints = args.emit.is_some() || !(args.dump_all.is_some() || args.time_passes);
    let text = match (&args.trace, &args.dump_after) {
        (Some(rule), _) => session.trace(rule)?,
        (None, Some(pass)) => session.program_after(pass)?,
        (None, None) if prints => session.emit()?,
        (None, None) => return Ok(()),
    };
    terminal::output(text.as_bytes())
}

/// A program with the reports of its passes.
struct Session {
    source: Source,
    options: Options,
    machine: Machine,
    form: Form,
    /// Whether the command needs core IR with segments.
    needs_flat: bool,
    /// Whether the command needs kernel IR, or a form derived from it.
    needs_kernel: bool,
    /// The reports of the passes over core IR.
    over_core: Vec<PassReport>,
    /// The reports of the passes over kernel IR.
    over_kernel: Vec<PassReport<KernelProgram>>,
    core: Option<CoreProgram>,
    flat: Option<CoreProgram>,
    kernel: Option<MemProgram>,
}

impl Session {
    /// Reads the file and sets the options of the command line.
    fn new(args: &Dev, file: &Path) -> Result<Session, Exit> {
        let named = |names: &[String]| Passes::named(names).map_err(exit::usage);
        let is_kernel = |name: &Option<String>| match name {
            Some(name) => Ok(!named(std::slice::from_ref(name))?.kernel.is_empty()),
            None => Ok(false),
        };
        let resumes_kernel = is_kernel(&args.from)?;
        let dumps_kernel = is_kernel(&args.dump_after)?;
        let traces_kernel = match &args.trace {
            Some(rule) => !Passes::with_rule(rule).map_err(exit::usage)?.kernel.is_empty(),
            None => false,
        };
        let trimmed =
            |names: &[String]| named(&names.iter().map(|name| name.trim().to_owned()).collect::<Vec<_>>());
        let passes = args.passes.as_deref().map(trimmed).transpose()?;
        let only_memory =
            passes.as_ref().is_some_and(|passes| passes.core.is_empty() && !passes.kernel.is_empty());
        let is_flatten = ravel_driver::is_flattening;
        let flattens = |rule: &String| {
            Ok(Passes::with_rule(rule).map_err(exit::usage)?.core.iter().any(|pass| is_flatten(pass.name)))
        };
        let looks_flat = args.dump_after.as_deref().is_some_and(is_flatten)
            || args.from.as_deref().is_some_and(is_flatten)
            || args.trace.as_ref().map_or(Ok(false), flattens)?;
        let form = match args.emit {
            None if resumes_kernel || only_memory => Form::Kernel,
            None if passes.is_none() && args.from.as_deref().is_some_and(is_flatten) => Form::Flat,
            None | Some(Emit::Core) => Form::Core,
            Some(Emit::Flat) => Form::Flat,
            Some(Emit::Kernel) => Form::Kernel,
            Some(Emit::Wgsl) => Form::Wgsl,
            Some(Emit::Clif) => Form::Clif,
        };
        if resumes_kernel && matches!(form, Form::Core | Form::Flat) {
            return Err(exit::usage("kernel IR cannot be turned back into core IR: choose another --emit"));
        }
        let source = match &args.from {
            None => super::read_source(file)?,
            Some(_) => {
                let text = String::from_utf8_lossy(&files::read(file).map_err(exit::user)?).into_owned();
                Source::new(file.display().to_string(), text)
            }
        };
        let fuel = args.fuel.unwrap_or(u64::MAX);
        let without = args.without.rules.clone();
        let reports_all = args.dump_all.is_some() || args.time_passes;
        Ok(Session {
            source,
            options: Options { passes, from: args.from.clone(), fuel, without, ..Options::default() },
            machine: form.machine(args.backend.machine()),
            form,
            needs_flat: form != Form::Core || reports_all || looks_flat,
            needs_kernel: !matches!(form, Form::Core | Form::Flat)
                || reports_all
                || dumps_kernel
                || traces_kernel,
            over_core: Vec::new(),
            over_kernel: Vec::new(),
            core: None,
            flat: None,
            kernel: None,
        })
    }

    /// Runs the passes; those over kernel IR get the remaining fuel.
    fn run(&mut self, from: Option<&str>) -> Result<(), Exit> {
        let Session { source, options, machine, over_core, over_kernel, .. } = self;
        let to_exit = |problems| exit::problems(&problems);
        let is_kernel = |pass: &&str| Passes::all().kernel.iter().any(|known| known.name == *pass);
        let mut watch = |report| over_kernel.push(report);
        if from.filter(is_kernel).is_some() {
            let kernel = dev::resume_kernel(source, options, *machine, &mut watch).map_err(to_exit)?;
            self.kernel = Some(kernel);
            return Ok(());
        }
        let mut watch_core = |report| over_core.push(report);
        let core = match from {
            None => dev::optimised_core(source, options, *machine, &mut watch_core),
            Some(_) => dev::resume_core(source, options, *machine, &mut watch_core),
        };
        let core = self.core.insert(core.map_err(to_exit)?);
        let left = |over_core: &[PassReport]| {
            let spent: u64 = over_core.iter().map(PassReport::fuel).sum();
            Options { fuel: options.fuel - spent, ..options.clone() }
        };
        if self.needs_flat || self.needs_kernel {
            let options = left(over_core);
            let mut watch = |report| over_core.push(report);
            let flat = dev::flatten(source, core, &options, *machine, &mut watch).map_err(to_exit)?;
            self.flat = Some(flat);
        }
        if let (true, Some(flat)) = (self.needs_kernel, &self.flat) {
            let options = left(over_core);
            let kernel = dev::kernelise(source, flat, &options, *machine, &mut watch).map_err(to_exit)?;
            self.kernel = Some(kernel);
        }
        Ok(())
    }

    /// The trace of a rule.
    fn trace(&self, rule: &str) -> Result<String, Exit> {
        if ravel_driver::RULES_OF_LOWERING.contains(&rule) {
            let lowered = self.over_core.first().map(|report| &*report.before).or(self.core.as_ref());
            let text = lowered.map(|program| ravel_driver::by_lowering(&self.source, rule, program));
            return text.ok_or_else(|| {
                exit::usage(format!("{rule} is a rule of lowering, which does not run on kernel IR"))
            });
        }
        let of_kernel = !Passes::with_rule(rule).map_err(exit::usage)?.kernel.is_empty();
        let without = &self.options.without;
        Ok(match of_kernel {
            false => ravel_driver::trace(&self.source, rule, (1, &self.over_core), without, self.machine),
            true => {
                let first = self.over_core.len() + 2;
                ravel_driver::trace(&self.source, rule, (first, &self.over_kernel), without, self.machine)
            }
        })
    }

    /// The program after the last run of a pass.
    fn program_after(&self, pass: &str) -> Result<String, Exit> {
        let core = self.over_core.iter().rev().find(|report| report.pass.name == pass);
        let kernel = self.over_kernel.iter().rev().find(|report| report.pass.name == pass);
        let text = core.map(|report| report.program.text());
        text.or_else(|| kernel.map(|report| report.program.text()))
            .ok_or_else(|| exit::usage(format!("the pass `{pass}` did not run")))
    }

    /// The selected form.
    fn emit(&self) -> Result<String, Exit> {
        match (&self.core, &self.kernel) {
            (Some(_), _) if self.form == Form::Flat => {
                Ok(self.flat.as_ref().map_or_else(String::new, Ir::text))
            }
            (Some(core), _) if self.form == Form::Core => Ok(core.text()),
            (_, Some(kernel)) => dev::emit_kernel(&self.source, kernel, self.form)
                .map_err(|problems| exit::problems(&problems)),
            _ => {
                let message = "the selected form of the program was not computed".to_owned();
                Err(exit::failure(&ravel_abi::Failure::Bug(message)))
            }
        }
    }

    /// Writes the program after every pass that changed it.
    fn dump_all(&self, folder: &Path, file: &Path) -> Result<(), Exit> {
        std::fs::create_dir_all(folder).map_err(|trouble| exit::user(files::unwritable(folder, &trouble)))?;
        let fuel = (self.options.fuel != u64::MAX).then_some(self.options.fuel);
        let passes = self.options.passes.as_ref();
        let of_kernel = passes.map(|passes| passes.kernel.iter().map(|pass| pass.name).collect());
        let without = &self.options.without;
        let mut dump = Dump { folder, file, machine: self.machine, fuel, without, later: of_kernel };
        let listing = dump.write(0, &self.over_core).map_err(exit::user)?;
        terminal::error(&listing);
        dump.later = passes.map(|_| Vec::new());
        let listing = dump.write(self.over_core.len() + 1, &self.over_kernel).map_err(exit::user)?;
        terminal::error(&listing);
        Ok(())
    }
}

/// A folder of dumps, with the options that their replay commands need.
struct Dump<'a> {
    folder: &'a Path,
    file: &'a Path,
    machine: Machine,
    /// The remaining fuel, if it is limited.
    fuel: Option<u64>,
    /// The rules that are switched off.
    without: &'a [&'static str],
    /// The passes after the dumped ones, if --passes selects them.
    later: Option<Vec<&'static str>>,
}

impl Dump<'_> {
    /// Writes the program before these passes, under this number, and the program after every pass that changed it. A
    /// header lists the firings, and the commands that run this pass or the rest of the passes again. Returns the list
    /// of files.
    fn write<P: Ir>(&mut self, number: usize, reports: &[PassReport<P>]) -> Result<String, String> {
        let Some(first) = reports.first() else { return Ok(String::new()) };
        let kind = P::NAME;
        let mut last = self.folder.join(format!("{number:02}-before.{kind}"));
        let mut before = first.before.text();
        let mut head = format!("-- {} before {}\n", self.file.display(), first.pass.name);
        for line in dev::lowering_counts(reports).lines() {
            let _ = writeln!(head, "-- {line}");
        }
        files::write(&last, head + &before)?;
        let mut listing = String::new();
        for (at, report) in reports.iter().enumerate() {
            let (text, pass) = (report.program.text(), report.pass.name);
            let name = format!("{:02}-{pass}.{kind}", number + at + 1);
            let reproduce = self.replay(pass, Some(&[pass]), &last);
            self.fuel = self.fuel.map(|fuel| fuel - report.fuel());
            if text == before {
                let _ = writeln!(listing, "{name}: unchanged");
                continue;
            }
            let path = self.folder.join(&name);
            let mut head = format!("-- {} after {pass}\n", self.file.display());
            for line in dev::event_counts(report).lines() {
                let _ = writeln!(head, "-- {line}");
            }
            let _ = writeln!(head, "-- to reproduce: {reproduce}");
            if let Some(next) = reports.get(at + 1) {
                let later_here = reports[at + 1..].iter().map(|report| report.pass.name);
                let passes = self.later.clone().map(|later| later_here.chain(later).collect::<Vec<_>>());
                let resume = self.replay(next.pass.name, passes.as_deref(), &path);
                let _ = writeln!(head, "-- to resume: {resume}");
            }
            files::write(&path, head + &text)?;
            let _ = writeln!(listing, "{name}: changed");
            (before, last) = (text, path);
        }
        Ok(listing)
    }

    /// The command that runs passes on a dump with the remaining fuel.
    fn replay(&self, from: &str, passes: Option<&[&str]>, file: &Path) -> String {
        let Dump { fuel, without, machine, .. } = *self;
        Replay { from, passes, fuel, without, machine, file }.to_string()
    }
}

/// The time of each pass and the rules that fired, in lowering too.
pub fn pass_times<P: Ir>(reports: &[PassReport<P>]) -> String {
    let mut text = dev::lowering_counts(reports);
    for report in reports {
        let _ = writeln!(text, "{:24} {:>8} us", report.pass.name, report.time.as_micros());
        for line in dev::event_counts(report).lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}
