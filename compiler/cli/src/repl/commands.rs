//! The commands of a session: one table, from which `:help`, completion and the session itself go.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ravel_driver::dev::{self, Form};
use ravel_driver::session::{ANSWER, Question};
use ravel_driver::{Options, Problems, Source};
use ravel_engine::Backend;
use ravel_program::shown;
use rustyline::completion::unescape;

use super::{Repl, Step, said};
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
    Command { name: ":help", args: "", about: "this list", run: |_, _| help() },
    Command {
        name: ":type",
        args: "EXPRESSION",
        about: "the type of an expression",
        run: |repl, text| {
            let Question { ty, .. } = repl.ask(text)?;
            said(format!("{ty}\n").as_bytes())
        },
    },
    Command {
        name: ":load",
        args: "FILE",
        about: "forget all, and load a program",
        run: |repl, text| load(repl, &file(text)),
    },
    Command {
        name: ":reload",
        args: "",
        about: "read the loaded program again, and say all definitions again",
        run: reload,
    },
    Command {
        name: ":core",
        args: "[EXPRESSION]",
        about: "its optimised core IR; without it, that of the loaded program, as below",
        run: |repl, text| emit(repl, text, Form::Core),
    },
    Command {
        name: ":kernel",
        args: "[EXPRESSION]",
        about: "the kernel IR for the backend",
        run: |repl, text| emit(repl, text, Form::Kernel),
    },
    Command {
        name: ":wgsl",
        args: "[EXPRESSION]",
        about: "the GPU's kernels",
        run: |repl, text| emit(repl, text, Form::Wgsl),
    },
    Command {
        name: ":clif",
        args: "[EXPRESSION]",
        about: "the CPU's functions, before Cranelift compiles them",
        run: |repl, text| emit(repl, text, Form::Clif),
    },
    Command {
        name: ":explain",
        args: "[EXPRESSION]",
        about: "what became of its parallel operators",
        run: explain,
    },
    Command {
        name: ":passes",
        args: "[EXPRESSION]",
        about: "what each pass took, and which rules fired",
        run: passes,
    },
    Command {
        name: ":time",
        args: "EXPRESSION",
        about: "its value, and how long it took to compile and run",
        run: |repl, text| repl.answer(text, true),
    },
    Command {
        name: ":bench",
        args: "EXPRESSION",
        about: "run it until its time is known within 5 %, for two seconds at most",
        run: bench,
    },
    Command { name: ":backend", args: "[NAME]", about: "run on `cpu`, `gpu` or `interp`", run: backend },
    Command {
        name: ":set",
        args: "[NAME VALUE]",
        about: "change a setting; without a name, show them",
        run: set,
    },
    Command { name: ":forget", args: "", about: "forget all definitions", run: |repl, _| repl.forget() },
    Command { name: ":quit", args: "", about: "end the session, as Ctrl-D does", run: |_, _| Ok(Step::End) },
];

/// The names of the commands, each with a blank where something follows.
pub fn names() -> Vec<String> {
    let blank = |args: &str| if args.is_empty() { "" } else { " " };
    COMMANDS.iter().map(|Command { name, args, .. }| format!("{name}{}", blank(args))).collect()
}

/// Runs the command that begins with the first word of this text; the first one, if several do.
pub fn run(repl: &mut Repl, text: &str) -> Result<Step, Exit> {
    let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let command = COMMANDS.iter().find(|command| name.len() > 1 && command.name.starts_with(name));
    let Some(command) = command else {
        return Err(exit::user(format!("there is no command `{name}`; `:help` lists them")));
    };
    let rest = rest.trim();
    let wants = !command.args.is_empty();
    match (rest.is_empty(), wants) {
        (false, false) => Err(exit::user(format!("`{}` stands alone", command.name))),
        (true, true) if !command.args.starts_with('[') => {
            Err(exit::user(format!("`{}` is followed by {}", command.name, command.args)))
        }
        _ => (command.run)(repl, rest),
    }
}

fn help() -> Result<Step, Exit> {
    let mut text = "Type an expression, or definitions; an input goes on until it is finished.\n\
                    The last value is called `it`.\n"
        .to_owned();
    for Command { name, args, about, .. } in &COMMANDS {
        let _ = writeln!(text, "{:24} {about}", format!("{name} {args}"));
    }
    text.push_str("Commands may be shortened: `:t 1 + 2`.\n");
    said(text.as_bytes())
}

/// The file that is named so: in quotes, or with a backslash before its blanks, as completion writes it.
fn file(text: &str) -> PathBuf {
    let bare = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    PathBuf::from(unescape(bare, cfg!(unix).then_some('\\')).as_ref())
}

/// Forgets all, and loads a program.
pub fn load(repl: &mut Repl, file: &Path) -> Result<Step, Exit> {
    let source = read_source(file)?;
    let defined = repl.in_session(move |session, _| session.load(source))?;
    repl.tell(defined)
}

fn reload(repl: &mut Repl, _: &str) -> Result<Step, Exit> {
    let file = loaded(repl)?.name().to_owned();
    let source = read_source(Path::new(&file))?;
    let again = repl.in_session(move |session, _| session.reload(source))?;
    let (defined, dropped) = again.map_err(|problems| exit::problems(&problems))?;
    repl.tell(Ok(defined))?;
    let told: Vec<Exit> = dropped.iter().map(exit::problems).collect();
    told.first().map_or(Ok(Step::On), |&exit| Err(exit))
}

fn loaded(repl: &Repl) -> Result<Source, Exit> {
    repl.session
        .loaded()
        .cloned()
        .ok_or_else(|| exit::user("no program is loaded: `:load FILE` loads one, or add an expression"))
}

/// What a view of the compiler looks at: an expression, or the loaded program.
fn viewed(repl: &mut Repl, text: &str) -> Result<(Source, Options), Exit> {
    if text.is_empty() {
        return Ok((loaded(repl)?, Options::default()));
    }
    let question = repl.ask(text)?;
    Ok((question.source, Options { entry: Some(ANSWER.to_owned()), ..Options::default() }))
}

fn emit(repl: &mut Repl, text: &str, form: Form) -> Result<Step, Exit> {
    let (source, options) = viewed(repl, text)?;
    let machine = form.machine(repl.backend.machine());
    view(repl, move || {
        let core = dev::optimised_core(&source, &options, machine, &mut |_| {})?;
        dev::emit(&source, &core, form, machine)
    })
}

fn explain(repl: &mut Repl, text: &str) -> Result<Step, Exit> {
    let (source, options) = viewed(repl, text)?;
    let machine = repl.backend.machine();
    view(repl, move || {
        let explanation = ravel_driver::explain(&source, &options, machine)?;
        Ok(explanation.text(&source, terminal::output_style()))
    })
}

fn passes(repl: &mut Repl, text: &str) -> Result<Step, Exit> {
    let (source, options) = viewed(repl, text)?;
    let machine = repl.backend.machine();
    view(repl, move || {
        let (mut over_core, mut over_kernel) = (Vec::new(), Vec::new());
        let core = dev::optimised_core(&source, &options, machine, &mut |report| over_core.push(report))?;
        dev::kernel_program(&source, &core, &options, machine, &mut |report| over_kernel.push(report))?;
        Ok(pass_times(&over_core) + &pass_times(&over_kernel))
    })
}

/// Shows what a view of the compiler says.
fn view(
    repl: &mut Repl,
    look: impl FnOnce() -> Result<String, Problems> + Send + 'static,
) -> Result<Step, Exit> {
    match repl.in_session(move |_, _| look())? {
        Ok(text) => said(text.as_bytes()),
        Err(problems) => Err(exit::problems(&problems)),
    }
}

fn bench(repl: &mut Repl, text: &str) -> Result<Step, Exit> {
    const AIM: Aim = Aim { precision: 0.05, limit: Duration::from_secs(2) };
    let question = repl.ask(text)?;
    let times =
        repl.with_answer(question, |executable, _| measure(AIM, || executable.call(ANSWER, &[]).map(drop)))?;
    let times = times.map_err(|failure| exit::failure(&failure))?;
    let (median, runs) = (shown(times.median()), times.runs().len());
    let known = match times.interval() {
        Some((low, high)) => format!(", between {} and {} with 95 % confidence", shown(low), shown(high)),
        None => ", too few to say how well it is known".to_owned(),
    };
    said(format!("{median} (median of {runs} runs{known})\n").as_bytes())
}

fn backend(repl: &mut Repl, name: &str) -> Result<Step, Exit> {
    if name.is_empty() {
        return said(format!("{}\n", repl.backend.name()).as_bytes());
    }
    match Backend::ALL.into_iter().find(|backend| backend.name() == name) {
        Some(backend) => repl.open(backend).map(|()| Step::On),
        None => {
            let names = Backend::ALL.map(Backend::name).join("`, `");
            Err(exit::user(format!("there is no backend `{name}`; there is `{names}`")))
        }
    }
}

fn set(repl: &mut Repl, text: &str) -> Result<Step, Exit> {
    if text.is_empty() {
        return said(repl.settings.text().as_bytes());
    }
    repl.settings.set(text).map_err(exit::user)?;
    repl.open(repl.backend).map(|()| Step::On)
}
