//! `ravel repl`: an interactive session.
//!
//! * `editor`: the line editor of a terminal; `input`: multi-line inputs from a terminal or a pipe
//! * `commands`: the commands that begin with a colon; `settings`: the settings of `:set`
//! * `interrupt`: work that Ctrl-C stops
//! * `show`: values as text
//!
//! The driver's `session` handles definitions and expressions. After an error the session continues. Without a terminal, the exit
//! code says whether there was an error. The session also ends when its output is closed.

mod commands;
mod editor;
mod input;
mod interrupt;
mod settings;
mod show;

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ravel_abi::Failure;
use ravel_driver::session::{
    CheckedExpression, DefinitionOutcome, EXPRESSION_ENTRY, InputKind, Session, input_kind,
};
use ravel_driver::{Options, Problems, Style, render};
use ravel_engine::{Backend, Engine, Executable};
use ravel_program::format_time;

use crate::args;
use crate::exit::{self, Exit};
use crate::terminal;
use editor::Editor;
use input::Lines;
use interrupt::{Abort, Interrupts, Stop};
use settings::Settings;
use show::ShownValue;

/// The number of bytes printed between checks for Ctrl-C.
const PART: usize = 1 << 16;

/// An event from the user.
enum Event {
    /// An input.
    Text(String),
    /// Ctrl-C, which discards the current line.
    Interrupted,
    /// A read error. The flag says whether no further input can be read.
    Broken(String, bool),
    /// The end of the input.
    End,
}

/// Whether the session continues after an input.
enum Step {
    Continue,
    End,
}

/// A session.
struct Repl {
    session: Session,
    backend: Backend,
    engine: Arc<Engine>,
    settings: Settings,
    interrupts: Interrupts,
}

/// A timed evaluation.
struct Evaluation {
    outcome: Result<String, Failure>,
    compiling: Duration,
    running: Duration,
}

/// Runs a session until its input ends.
pub fn run(args: &args::Repl) -> Result<(), Exit> {
    let settings = Settings { threads: args.threads.count(), ..Settings::default() };
    let at_terminal = std::io::stdin().is_terminal();
    let mut repl = Repl {
        session: Session::default(),
        backend: args.backend,
        engine: open(args.backend, &settings).map_err(|failure| exit::failure(&failure))?,
        settings,
        interrupts: if at_terminal { Interrupts::catch() } else { Interrupts::default() },
    };
    let mut failed = false;
    if let Some(file) = &args.file {
        match commands::load(&mut repl, file) {
            Ok(Step::Continue) => {}
            Ok(Step::End) => return Ok(()),
            Err(_) => failed = true,
        }
    }
    if !at_terminal {
        let mut lines = Lines::of(std::io::stdin());
        failed |= repl.process(|_| lines.next());
        return if failed { Err(Exit::User) } else { Ok(()) };
    }
    terminal::output(
        format!("ravel {}; type :help for a list of commands\n", env!("CARGO_PKG_VERSION")).as_bytes(),
    )?;
    let coloured = terminal::output_style() == Style::Colour;
    let mut editor = Editor::open(coloured).map_err(exit::user)?;
    repl.process(|session| editor.next(session));
    discard(repl.engine);
    Ok(())
}

/// Drops an engine. If an interrupted call still runs on it, leaks it, since dropping it would wait for the call.
fn discard(engine: Arc<Engine>) {
    if !engine.is_idle() {
        std::mem::forget(engine);
    }
}

/// Reports an interruption, on the line after the terminal's `^C`.
fn interrupted(message: &str) -> Exit {
    terminal::error("\n");
    exit::user(message)
}

/// Prints text; the session ends if the output is closed.
fn print_text(text: &[u8]) -> Result<Step, Exit> {
    Ok(if terminal::offer(text)? { Step::Continue } else { Step::End })
}

fn open(backend: Backend, settings: &Settings) -> Result<Arc<Engine>, Failure> {
    Engine::open(backend, settings.threads).map(Arc::new)
}

impl Repl {
    /// Processes every input. Returns whether there was an error.
    fn process(&mut self, mut next: impl FnMut(&Session) -> Event) -> bool {
        let mut failed = false;
        loop {
            let step = match next(&self.session) {
                Event::Text(text) => self.input(&text),
                Event::Interrupted => continue,
                Event::Broken(why, last) => {
                    let exit = exit::user(why);
                    if last { return true } else { Err(exit) }
                }
                Event::End => return failed,
            };
            match step {
                Ok(Step::Continue) => {}
                Ok(Step::End) => return failed,
                Err(_) => failed = true,
            }
        }
    }

    fn input(&mut self, text: &str) -> Result<Step, Exit> {
        if text.trim_start().starts_with(':') {
            return commands::run(self, text.trim());
        }
        let owned = text.to_owned();
        match self.in_session(move |_, _| input_kind(&owned))? {
            InputKind::Nothing => Ok(Step::Continue),
            InputKind::Definitions => {
                let text = text.to_owned();
                let defined = self.in_session(move |session, _| session.define(&text))?;
                self.report(defined)
            }
            InputKind::Expression => self.evaluate(text, self.settings.time),
        }
    }

    /// Runs work on a copy of the session; if it is interrupted, the session does not change.
    fn in_session<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut Session, &Stop) -> T + Send + 'static,
    ) -> Result<T, Exit> {
        let mut session = self.session.clone();
        let outcome = self.interrupts.run(move |stop| {
            let result = work(&mut session, stop);
            (session, result)
        });
        match outcome {
            Ok((session, result)) => {
                self.session = session;
                Ok(result)
            }
            Err(Abort::Bug(problems)) => Err(exit::problems_at_prompt(&problems)),
            Err(Abort::NoThread(error)) => Err(exit::user(format!("cannot start a thread: {error}"))),
            Err(Abort::Interrupted { still_running: false }) => Err(interrupted("interrupted")),
            Err(Abort::Interrupted { still_running: true }) => Err(interrupted(
                "interrupted; the computation continues in the background until it can be stopped",
            )),
        }
    }

    /// Prints definitions with their types, or diagnostics.
    fn report(&mut self, defined: Result<DefinitionOutcome, Problems>) -> Result<Step, Exit> {
        let defined = defined.map_err(|problems| exit::problems_at_prompt(&problems))?;
        let warnings = render(defined.source.sources(), &defined.warnings, terminal::style());
        terminal::error(&warnings);
        let lines: String = defined.values.iter().map(|value| format!("{value}\n")).collect();
        print_text(lines.as_bytes())
    }

    /// Parses and type-checks an expression, and prints its warnings.
    fn check_expression(&mut self, text: &str) -> Result<CheckedExpression, Exit> {
        let text = text.to_owned();
        let checked = self.in_session(move |session, _| session.check_expression(&text))?;
        let checked = checked.map_err(|problems| exit::problems_at_prompt(&problems))?;
        terminal::error(&render(checked.source.sources(), &checked.warnings, terminal::style()));
        Ok(checked)
    }

    /// Compiles an expression, and runs work with the executable.
    fn with_value<T: Send + 'static>(
        &mut self,
        checked: CheckedExpression,
        work: impl FnOnce(&Executable, Duration) -> T + Send + 'static,
    ) -> Result<T, Exit> {
        if checked.layout.is_none() {
            return Err(exit::user(format!(
                "the value of this expression cannot be shown: its type is {}",
                checked.ty
            )));
        }
        if !self.engine.is_idle() {
            self.open(self.backend)?;
        }
        let engine = self.engine.clone();
        let outcome = self.in_session(move |_, stop| {
            let before = Instant::now();
            let options = Options { entry: Some(EXPRESSION_ENTRY.to_owned()), ..Options::default() };
            let executable = engine.compile(&checked.source, &options)?.with_trace_listener(terminal::error);
            stop.register(executable.stop());
            Ok(work(&executable, before.elapsed()))
        })?;
        outcome.map_err(|error| exit::error(&error))
    }

    /// Prints the value of an expression, or its type if the value cannot be shown.
    fn evaluate(&mut self, text: &str, timed: bool) -> Result<Step, Exit> {
        let checked = self.check_expression(text)?;
        let expression = checked.source.clone();
        let Some(layout) = checked.layout.clone() else {
            self.session.set_last(&expression);
            return print_text(format!(": {}\n", checked.ty).as_bytes());
        };
        let max_elements = self.settings.elements;
        let Evaluation { outcome, compiling, running } =
            self.with_value(checked, move |executable, compiling| {
                let before = Instant::now();
                let outcome = executable.call(EXPRESSION_ENTRY, &[]);
                let running = before.elapsed();
                let outcome = outcome
                    .map(|(leaves, _)| ShownValue { layout: &layout, leaves: &leaves, max_elements }.text());
                Evaluation { outcome, compiling, running }
            })?;
        let mut text = outcome.map_err(|failure| exit::failure(&failure))?;
        self.session.set_last(&expression);
        text.push('\n');
        if timed {
            let [compiling, running] = [compiling, running].map(|time| format_time(time.as_secs_f64()));
            text += &format!("compiled in {compiling}, ran in {running}\n");
        }
        self.print(&text)
    }

    /// Prints a text, which may be long, until Ctrl-C.
    fn print(&self, text: &str) -> Result<Step, Exit> {
        let before = self.interrupts.count();
        for part in text.as_bytes().chunks(PART) {
            if self.interrupts.count() != before {
                return Err(interrupted("interrupted"));
            }
            if let Step::End = print_text(part)? {
                return Ok(Step::End);
            }
        }
        Ok(Step::Continue)
    }

    /// Switches to another backend or other settings.
    fn open(&mut self, backend: Backend) -> Result<(), Exit> {
        let settings = self.settings.clone();
        let opened = self.in_session(move |_, _| open(backend, &settings))?;
        let engine = opened.map_err(|failure| exit::failure(&failure))?;
        discard(std::mem::replace(&mut self.engine, engine));
        self.backend = backend;
        Ok(())
    }

    fn forget(&mut self) -> Result<Step, Exit> {
        self.session = Session::default();
        Ok(Step::Continue)
    }
}
