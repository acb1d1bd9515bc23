//! A session at a prompt: read, evaluate, print, and never give up.
//!
//! * `editor`: the line editor of a terminal; `input`: inputs of several lines, from there or from a pipe
//! * `commands`: what begins with a colon; `settings`: what `:set` sets
//! * `interrupt`: work that Ctrl-C ends
//! * `show`: values as text
//!
//! What definitions and expressions are, the driver knows (`session`). An error is told and the session
//! goes on; a session that nobody types ends with an exit code that says whether there was one. Where nobody reads
//! the answers any more, it ends too.

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
use ravel_driver::session::{ANSWER, Defined, Question, Reading, Session, reading};
use ravel_driver::{Options, Problems, Style, render};
use ravel_engine::{Backend, Engine, Executable};
use ravel_program::shown;

use crate::args;
use crate::exit::{self, Exit};
use crate::terminal;
use editor::Editor;
use input::Lines;
use interrupt::{Broken, Interrupts, Stop};
use settings::Settings;
use show::Shown;

/// So many bytes are printed at once.
const PART: usize = 1 << 16;

/// What came from the user.
enum Said {
    /// An input.
    Text(String),
    /// Ctrl-C: away with what was typed.
    Interrupted,
    /// Something that is no input, and whether nothing can follow it.
    Broken(String, bool),
    /// No more.
    End,
}

/// Does the session go on?
enum Step {
    On,
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

/// A call that was timed.
struct Answered {
    outcome: Result<String, Failure>,
    compiling: Duration,
    running: Duration,
}

/// Holds a session until its input ends.
pub fn run(args: &args::Repl) -> Result<(), Exit> {
    let settings = Settings { threads: args.threads.count(), ..Settings::default() };
    let at_terminal = std::io::stdin().is_terminal();
    let mut repl = Repl {
        session: Session::default(),
        backend: args.backend.into(),
        engine: open(args.backend.into(), &settings).map_err(|failure| exit::failure(&failure))?,
        settings,
        interrupts: if at_terminal { Interrupts::catch() } else { Interrupts::default() },
    };
    let mut failed = false;
    if let Some(file) = &args.file {
        match commands::load(&mut repl, file) {
            Ok(Step::On) => {}
            Ok(Step::End) => return Ok(()),
            Err(_) => failed = true,
        }
    }
    if !at_terminal {
        let mut lines = Lines::of(std::io::stdin());
        failed |= repl.converse(|_| lines.next());
        return if failed { Err(Exit::User) } else { Ok(()) };
    }
    terminal::output(format!("ravel {}; :help says what there is\n", env!("CARGO_PKG_VERSION")).as_bytes())?;
    let coloured = terminal::output_style() == Style::Colour;
    let mut editor = Editor::open(coloured).map_err(exit::user)?;
    repl.converse(|session| editor.next(session));
    leave(repl.engine);
    Ok(())
}

/// Lets an engine go, without waiting for what was interrupted there and goes on.
fn leave(engine: Arc<Engine>) {
    if !engine.is_idle() {
        std::mem::forget(engine);
    }
}

/// Says that somebody interrupted what was going on: behind the line in which the terminal has shown `^C`.
fn interrupted(message: &str) -> Exit {
    terminal::error("\n");
    exit::user(message)
}

/// Says this, as long as somebody reads it.
fn said(text: &[u8]) -> Result<Step, Exit> {
    Ok(if terminal::offer(text)? { Step::On } else { Step::End })
}

fn open(backend: Backend, settings: &Settings) -> Result<Arc<Engine>, Failure> {
    Engine::open(backend, settings.threads).map(Arc::new)
}

impl Repl {
    /// Answers every input; gives whether something was wrong.
    fn converse(&mut self, mut next: impl FnMut(&Session) -> Said) -> bool {
        let mut failed = false;
        loop {
            let step = match next(&self.session) {
                Said::Text(text) => self.input(&text),
                Said::Interrupted => continue,
                Said::Broken(why, last) => {
                    let exit = exit::user(why);
                    if last { return true } else { Err(exit) }
                }
                Said::End => return failed,
            };
            match step {
                Ok(Step::On) => {}
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
        match self.in_session(move |_, _| reading(&owned))? {
            Reading::Nothing => Ok(Step::On),
            Reading::Definitions => {
                let text = text.to_owned();
                let defined = self.in_session(move |session, _| session.define(&text))?;
                self.tell(defined)
            }
            Reading::Expression => self.answer(text, self.settings.time),
        }
    }

    /// Does something with the session, which may be interrupted and then leaves it as it was.
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
            Err(Broken::Bug(problems)) => Err(exit::problems(&problems)),
            Err(Broken::Interrupted { goes_on: false }) => Err(interrupted("interrupted")),
            Err(Broken::Interrupted { goes_on: true }) => Err(interrupted(
                "interrupted; what ran goes on in the background until it comes to where it can stop",
            )),
        }
    }

    /// Tells what was defined.
    fn tell(&mut self, defined: Result<Defined, Problems>) -> Result<Step, Exit> {
        let defined = defined.map_err(|problems| exit::problems(&problems))?;
        let told = render(defined.source.sources(), &defined.warnings, terminal::style());
        terminal::error(&told);
        let lines: String = defined.values.iter().map(|value| format!("{value}\n")).collect();
        said(lines.as_bytes())
    }

    /// Checks an expression.
    fn ask(&mut self, text: &str) -> Result<Question, Exit> {
        let text = text.to_owned();
        let question = self.in_session(move |session, _| session.ask(&text))?;
        let question = question.map_err(|problems| exit::problems(&problems))?;
        terminal::error(&render(question.source.sources(), &question.warnings, terminal::style()));
        Ok(question)
    }

    /// Compiles an expression, and does something with the code.
    fn with_answer<T: Send + 'static>(
        &mut self,
        question: Question,
        work: impl FnOnce(&Executable, Duration) -> T + Send + 'static,
    ) -> Result<T, Exit> {
        if question.layout.is_none() {
            return Err(exit::user(format!(
                "this has no value that could be shown: its type is {}",
                question.ty
            )));
        }
        if !self.engine.is_idle() {
            self.open(self.backend)?;
        }
        let engine = self.engine.clone();
        let outcome = self.in_session(move |_, stop| {
            let before = Instant::now();
            let options = Options { entry: Some(ANSWER.to_owned()), ..Options::default() };
            let executable = engine.compile(&question.source, &options)?.with_trace_listener(terminal::error);
            stop.sets(executable.stop());
            Ok(work(&executable, before.elapsed()))
        })?;
        outcome.map_err(|error| exit::uncompiled(&error))
    }

    /// Prints the value of an expression; of what has none, its type.
    fn answer(&mut self, text: &str, timed: bool) -> Result<Step, Exit> {
        let question = self.ask(text)?;
        let expression = question.source.clone();
        let Some(layout) = question.layout.clone() else {
            self.session.set_last(&expression);
            return said(format!(": {}\n", question.ty).as_bytes());
        };
        let most = self.settings.elements;
        let Answered { outcome, compiling, running } =
            self.with_answer(question, move |executable, compiling| {
                let before = Instant::now();
                let outcome = executable.call(ANSWER, &[]);
                let running = before.elapsed();
                let outcome =
                    outcome.map(|(leaves, _)| Shown { layout: &layout, leaves: &leaves, most }.text());
                Answered { outcome, compiling, running }
            })?;
        let mut text = outcome.map_err(|failure| exit::failure(&failure))?;
        self.session.set_last(&expression);
        text.push('\n');
        if timed {
            let [compiling, running] = [compiling, running].map(|time| shown(time.as_secs_f64()));
            text += &format!("compiled in {compiling}, ran in {running}\n");
        }
        self.print(&text)
    }

    /// Prints a text that may be long, until somebody interrupts it.
    fn print(&self, text: &str) -> Result<Step, Exit> {
        let before = self.interrupts.so_far();
        for part in text.as_bytes().chunks(PART) {
            if self.interrupts.so_far() != before {
                return Err(interrupted("interrupted"));
            }
            if let Step::End = said(part)? {
                return Ok(Step::End);
            }
        }
        Ok(Step::On)
    }

    /// Runs on another backend, or with other settings, from now on.
    fn open(&mut self, backend: Backend) -> Result<(), Exit> {
        let settings = self.settings.clone();
        let opened = self.in_session(move |_, _| open(backend, &settings))?;
        let engine = opened.map_err(|failure| exit::failure(&failure))?;
        leave(std::mem::replace(&mut self.engine, engine));
        self.backend = backend;
        Ok(())
    }

    fn forget(&mut self) -> Result<Step, Exit> {
        self.session = Session::default();
        Ok(Step::On)
    }
}
