//! `ravel dev`: run half the compiler by hand.

use std::fmt::Write as _;
use std::path::Path;

use ravel_driver::dev::{self, Form};
use ravel_driver::{Options, PassReport, Source};

use crate::args::{Backend, Dev, Emit};
use crate::exit::{self, Exit};
use crate::terminal;

/// Runs the wanted passes on the program and prints the wanted form.
pub fn dev(args: &Dev) -> Result<(), Exit> {
    if args.list_passes {
        return terminal::output(dev::list_passes().as_bytes());
    }
    let Some(file) = &args.file else { return Err(exit::usage("which file?")) };
    let target = match args.backend {
        Backend::Gpu => dev::Machine::Gpu,
        Backend::Cpu | Backend::Interp => dev::Machine::Cpu,
    };
    let options = options(args)?;
    let mut reports = Vec::new();
    let mut watch = |report: PassReport| reports.push(report);
    let (source, core) = match &args.from {
        None => {
            let source = super::read_source(file)?;
            let core = dev::optimised(&source, &options, target, &mut watch);
            (source, core)
        }
        Some(_) => {
            let text = String::from_utf8_lossy(&super::read_file(file)?).into_owned();
            let source = Source::new(file.display().to_string(), text);
            let core = dev::resumed(&source, &options, target, &mut watch);
            (source, core)
        }
    };
    let finished = core.map_err(|problems| exit::problems(&problems));
    if let Some(folder) = &args.dump_all {
        dump_all(folder, file, &reports)?;
    }
    if args.time_passes {
        terminal::error(&times(&reports));
    }
    let core = finished?;
    if let Some(folder) = &args.dump_all {
        let kernels = dev::kernels(&source, &core, target).map_err(|problems| exit::problems(&problems))?;
        dump_kernels(folder, file, reports.len(), &kernels)?;
    }
    if let Some(rule) = &args.trace {
        return terminal::output(ravel_driver::trace(&source, rule, &reports, target).as_bytes());
    }
    if let Some(name) = &args.dump_after {
        return match reports.iter().rev().find(|report| report.pass.name == *name) {
            Some(report) => terminal::output(dev::core_text(&report.program).as_bytes()),
            None => Err(exit::usage(format!("the pass `{name}` did not run"))),
        };
    }
    let form = match args.emit {
        None if args.dump_all.is_some() || args.time_passes => return Ok(()),
        None | Some(Emit::Core) => Form::Core,
        Some(Emit::Kernel) => Form::Kernel,
        Some(Emit::Wgsl) => Form::Wgsl,
        Some(Emit::Clif) => Form::Clif,
    };
    let text = dev::emit(&source, &core, form, target).map_err(|problems| exit::problems(&problems))?;
    terminal::output(text.as_bytes())
}

/// Which passes to run, and with how much fuel.
fn options(args: &Dev) -> Result<Options, Exit> {
    let named = |names: &[String]| ravel_driver::passes_named(names).map_err(exit::usage);
    for name in [&args.from, &args.dump_after].into_iter().flatten() {
        named(std::slice::from_ref(name))?;
    }
    if let Some(rule) = &args.trace {
        ravel_driver::pass_with_rule(rule).map_err(exit::usage)?;
    }
    let passes = args.passes.as_deref().map(named).transpose()?;
    let fuel = args.fuel.unwrap_or(u64::MAX);
    Ok(Options { passes, from: args.from.clone(), fuel, ..Options::default() })
}

/// Writes the program that the passes were given and what every pass that changed it made of it,
/// each with a header that says what fired, and how to run this pass or those behind it again.
fn dump_all(folder: &Path, file: &Path, reports: &[PassReport]) -> Result<(), Exit> {
    let cannot =
        |trouble: std::io::Error| exit::user(format!("cannot write {}: {trouble}", folder.display()));
    std::fs::create_dir_all(folder).map_err(cannot)?;
    let Some(first) = reports.first() else { return Ok(()) };
    let mut last = folder.join("00-before.core");
    let mut before = dev::core_text(&first.before);
    let head = format!("-- {} before {}\n", file.display(), first.pass.name);
    std::fs::write(&last, head + &before).map_err(cannot)?;
    let mut listing = String::new();
    for (number, report) in reports.iter().enumerate() {
        let (text, pass) = (dev::core_text(&report.program), report.pass.name);
        let name = format!("{:02}-{pass}.core", number + 1);
        if text == before {
            let _ = writeln!(listing, "{name}: unchanged");
            continue;
        }
        let path = folder.join(&name);
        let mut head = format!("-- {} behind {pass}\n", file.display());
        for line in dev::events(report).lines() {
            let _ = writeln!(head, "-- {line}");
        }
        let _ =
            writeln!(head, "-- to see it again: ravel dev --from {pass} --passes {pass} {}", last.display());
        if let Some(next) = reports.get(number + 1) {
            let _ = writeln!(
                head,
                "-- to go on from here: ravel dev --from {} {}",
                next.pass.name,
                path.display()
            );
        }
        std::fs::write(&path, head + &text).map_err(cannot)?;
        let _ = writeln!(listing, "{name}: changed");
        (before, last) = (text, path);
    }
    terminal::error(&listing);
    Ok(())
}

/// Writes kernel IR behind the translation and behind each of its passes that changed it, numbered
/// behind the passes over core IR.
fn dump_kernels(
    folder: &Path,
    file: &Path,
    passes: usize,
    kernels: &[(&'static str, String)],
) -> Result<(), Exit> {
    let cannot =
        |trouble: std::io::Error| exit::user(format!("cannot write {}: {trouble}", folder.display()));
    let mut before = "";
    let mut listing = String::new();
    for (number, (pass, text)) in (passes + 1..).zip(kernels) {
        let name = format!("{number:02}-{pass}.kernel");
        let changed = text != before;
        if changed {
            let header = format!("-- {} behind {pass}\n", file.display());
            std::fs::write(folder.join(&name), header + text).map_err(cannot)?;
        }
        let _ = writeln!(listing, "{name}: {}", if changed { "changed" } else { "unchanged" });
        before = text;
    }
    terminal::error(&listing);
    Ok(())
}

/// What each pass took, and which rules fired.
fn times(reports: &[PassReport]) -> String {
    let mut text = String::new();
    for report in reports {
        let _ = writeln!(text, "{:24} {:>8} us", report.pass.name, report.time.as_micros());
        for line in dev::events(report).lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}
