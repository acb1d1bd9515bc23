//! The commands of a session: one table for `:help`, completion and dispatch.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ravel_driver::dev::{self, Form};
use ravel_driver::session::{CheckedExpression, EXPRESSION_ENTRY};
use ravel_driver::{Options, Problems, Source};
use ravel_engine::Backend;
use ravel_program::format_time;
use rustyline::completion::unescape;

use super::{Repl, Step, print_text};
use crate::commands::{pass_times, read_source};
use crate::exit::{self, Exit};
use crate::measure::{Aim, measure};
use crate::terminal;

/// A command.
struct Command {
    name: &'static str,
    args: &'static str,
    about: &'static str,
    run: fn(&mut Repl, &str) -> Result<Step, Exit>,
}

const COMMANDS: [Command; 16] = [
    Command { name: ":help", args: "", about: "show this list", run: |_, _| help() },
    Command {
        name: ":type",
        args: "EXPRESSION",
        about: "show the type of an expression",
        run: |repl, text| {
            let CheckedExpression { ty, .. } = repl.check_expression(text)?;
            print_text(format!("{ty}\n").as_bytes())
        },
    },
    Command {
        name: ":load",
        args: "FILE",
        about: "load a program into a new session",
        run: |repl, text| load(repl, &file(text)),
    },
    Command {
        name: ":reload",
        args: "",
        about: "read the loaded program again, and repeat all definitions",
        run: reload,
    },
    Command {
        name: ":core",
        args: "[EXPRESSION]",
        about: "show the optimised core IR of an expression, or of the loaded program",
        run: |repl, text| emit(repl, text, Form::Core),
    },
    Command {
        name: ":kernel",
        args: "[EXPRESSION]",
        about: "show the kernel IR for the backend",
        run: |repl, text| emit(repl, text, Form::Kernel),
    },
    Command {
        name: ":wgsl",
        args: "[EXPRESSION]",
        about: "show the GPU kernels",
        run: |repl, text| emit(repl, text, Form::Wgsl),
    },
    Command {
        name: ":clif",
        args: "[EXPRESSION]",
        about: "show the CPU functions in Cranelift's intermediate language",
        run: |repl, text| emit(repl, text, Form::Clif),
    },
    Command {
        name: ":explain",
        args: "[EXPRESSION]",
        about: "show which parallel operators were fused, and why others were not",
        run: explain,
    },
    Command {
        name: ":passes",
        args: "[EXPRESSION]",
        about: "show the time of each pass and the rules that fired",
        run: passes,
    },
    Command {
        name: ":time",
        args: "EXPRESSION",
        about: "show the value, the compile time and the run time",
        run: |repl, text| repl.evaluate(text, true),
    },
    Command {
        name: ":bench",
        args: "EXPRESSION",
        about: "measure the run time to within 5 %, for at most two seconds",
        run: bench,
    },
    Command {
        name: ":backend",
        args: "[NAME]",
        about: "show or set the backend: `cpu`, `gpu`, `interp` (interpreter), `model` (of a GPU)",
        run: backend,
    },
    Command {
        name: ":set",
        args: "[NAME VALUE]",
        about: "change a setting; without a name, show all settings",
        run: set,
    },
    Command { name: ":forget", args: "", about: "remove all definitions", run: |repl, _| repl.forget() },
    Command { name: ":quit", args: "", about: "end the session, as Ctrl-D does", run: |_, _| Ok(Step::End) },
];

/// The names of the commands, with a blank after those that take an argument.
pub fn names() -> Vec<String> {
    let blank = |args: &str| if args.is_empty() { "" } else { " " };
    COMMANDS.iter().map(|Command { name, args, .. }| format!("{name}{}", blank(args))).collect()
}

/// Runs the first command whose name begins with the first word of the text.
pub fn run(repl: &mut Repl, text: &str) -> Result<Step, Exit> {
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let command = COMMANDS.iter().find(|command| name.len() > 1 && command.name.starts_with(name));
    let Some(command) = command else {
        return Err(exit::user(format!("there is no command `{name}`; `:help` lists them")));
    };
    let rest = rest.trim();
    let takes_argument = !command.args.is_empty();
    match (rest.is_empty(), takes_argument) {
        (false, false) => Err(exit::user(format!("`{}` takes no argument", command.name))),
        (true, true) if !command.args.starts_with('[') => {
            Err(exit::user(format!("`{}` needs an argument: {}", command.name, command.args)))
        }
        _ => (command.run)(repl, rest),
    }
}

fn help() -> Result<Step, Exit> {
    let mut text =
        "Type an expression or definitions; an input ends when it is complete. `it` is the last value.\n"
            .to_owned();
    for Command { name, args, about, .. } in &COMMANDS {
        let _ = writeln!(text, "{:24} {about}", format!("{name} {args}"));
    }
    text.push_str("Commands may be abbreviated: `:t 1 + 2`.\n");
    print_text(text.as_bytes())
}

/// The file of a command's argument, which may be quoted or, as completion writes it, have backslashes before blanks.
fn file(text: &str) -> PathBuf {
    let bare = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    PathBuf::from(unescape(bare, cfg!(unix).then_some('\\')).as_ref())
}

/// Loads a program into a new session.
pub fn load(repl: &mut Repl, file: &Path) -> Result<Step, Exit> {
    let source = read_source(file)?;
    let defined = repl.in_session(move |session, _| session.load(source))?;
    repl.report(defined)
}

fn reload(repl: &mut Repl, _: &str) -> Result<Step, Exit> {
    let file = loaded_source(repl)?.name().to_owned();
    let source = read_source(Path::new(&file))?;
    let reloaded = repl.in_session(move |session, _| session.reload(source))?;
    let (defined, dropped) = reloaded.map_err(|problems| exit::problems_at_prompt(&problems))?;
    repl.report(Ok(defined))?;
    let exits: Vec<Exit> = dropped.iter().map(exit::problems_at_prompt).collect();
    exits.first().map_or(Ok(Step::Continue), |&exit| Err(exit))
}

fn loaded_source(repl: &Repl) -> Result<Source, Exit> {
    repl.session.loaded().cloned().ok_or_else(|| {
        exit::user("no program is loaded: add an expression, or load a program with `:load FILE`")
    })
}

/// The program that a command inspects: an expression, or without one the loaded program.
fn program_to_inspect(repl: &mut Repl, text: &str) -> Result<(Source, Options), Exit> {
    if text.is_empty() {
        return Ok((loaded_source(repl)?, Options::default()));
    }
    let checked = repl.check_expression(text)?;
    Ok((checked.source, Options { entry: Some(EXPRESSION_ENTRY.to_owned()), ..Options::default() }))
}

fn emit(repl: &mut Repl, text: &str, form: Form) -> Result<Step, Exit> {
    let (source, options) = program_to_inspect(repl, text)?;
    let machine = form.machine(repl.backend.machine());
    view(repl, move || {
        let core = dev::optimised_core(&source, &options, machine, &mut |_| {})?;
        dev::emit(&source, &core, form, machine)
    })
}

fn explain(repl: &mut Repl, text: &str) -> Result<Step, Exit> {
    let (source, options) = program_to_inspect(repl, text)?;
    let machine = repl.backend.machine();
    view(repl, move || {
        let explanation = ravel_driver::explain(&source, &options, machine)?;
        Ok(explanation.text(&source, terminal::output_style()))
    })
}

fn passes(repl: &mut Repl, text: &str) -> Result<Step, Exit> {
    let (source, options) = program_to_inspect(repl, text)?;
    let machine = repl.backend.machine();
    view(repl, move || {
        let (mut over_core, mut over_kernel) = (Vec::new(), Vec::new());
        let core = dev::optimised_core(&source, &options, machine, &mut |report| over_core.push(report))?;
        let flat = dev::flatten(&source, &core, &options, machine, &mut |report| over_core.push(report))?;
        dev::kernelise(&source, &flat, &options, machine, &mut |report| over_kernel.push(report))?;
        Ok(pass_times(&over_core) + &pass_times(&over_kernel))
    })
}

/// Computes a text from the compiler and prints it.
fn view(
    repl: &mut Repl,
    text: impl FnOnce() -> Result<String, Problems> + Send + 'static,
) -> Result<Step, Exit> {
    match repl.in_session(move |_, _| text())? {
        Ok(text) => print_text(text.as_bytes()),
        Err(problems) => Err(exit::problems_at_prompt(&problems)),
    }
}

fn bench(repl: &mut Repl, text: &str) -> Result<Step, Exit> {
    const AIM: Aim = Aim { precision: 0.05, limit: Duration::from_secs(2) };
    let checked = repl.check_expression(text)?;
    let times = repl.with_value(checked, |executable, _| {
        measure(AIM, || executable.call(EXPRESSION_ENTRY, &[]).map(drop))
    })?;
    let times = times.map_err(|failure| exit::failure(&failure))?;
    let (median, runs) = (format_time(times.median()), times.runs().len());
    let confidence = match times.interval() {
        Some((low, high)) => {
            format!(", between {} and {} with 95 % confidence", format_time(low), format_time(high))
        }
        None => ", too few for a confidence interval".to_owned(),
    };
    print_text(format!("{median} (median of {runs} runs{confidence})\n").as_bytes())
}

fn backend(repl: &mut Repl, name: &str) -> Result<Step, Exit> {
    if name.is_empty() {
        return print_text(format!("{}\n", repl.backend.name()).as_bytes());
    }
    match Backend::ALL.into_iter().find(|backend| backend.name() == name) {
        Some(backend) => repl.open(backend).map(|()| Step::Continue),
        None => {
            let names = Backend::ALL.map(Backend::name).join("`, `");
            Err(exit::user(format!("there is no backend `{name}`; the backends are `{names}`")))
        }
    }
}

fn set(repl: &mut Repl, text: &str) -> Result<Step, Exit> {
    if text.is_empty() {
        return print_text(repl.settings.text().as_bytes());
    }
    repl.settings.set(text).map_err(exit::user)?;
    repl.open(repl.backend).map(|()| Step::Continue)
}
