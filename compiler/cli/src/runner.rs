//! Runs the test blocks of one program on one backend.

mod files;
mod promises;
mod properties;
mod station;
mod structures;

use std::path::Path;
use std::time::{Duration, Instant};

use ravel_abi::{Bounds, Failure, Signature, Value, approx_equal, read_any, read_values};
use ravel_driver::spec::{Case, Expected, Input, Spec};
use ravel_driver::{Diagnostic, Kind, Options, Problems, Source, Style, render};
use ravel_engine::{Backend, Engine, Error, Executable};
use regex_lite::Regex;

use crate::args::Selection;
use crate::commands::Tunings;
use crate::script;
use station::Compiled;

pub use files::read as read_data;
pub use station::{Limit, Station};

/// How far floating-point results may lie from what is expected: the tolerance that Futhark's
/// test format states, absolute near zero and relative elsewhere.
const TOLERANCE: f64 = 0.002;

/// How one test ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did what was expected.
    Passed,
    /// It did something else.
    Failed(String),
    /// It was not asked for.
    Skipped(String),
    /// The compiler or the device cannot do it yet.
    Limited(String),
}

/// A test with its name and outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// What was tested, such as `a.dsl:3 main #0 on cpu`.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took.
    pub time: Duration,
}

/// Which tests are wanted.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Those with this text in their names.
    pub only: Option<String>,
    /// Not those with one of these tags.
    pub exclude: Vec<String>,
}

impl Wanted {
    /// What is selected, without what has one of these tags.
    pub fn new(selection: &Selection, left_out: &[&str]) -> Wanted {
        let left_out = left_out.iter().map(|&tag| tag.to_owned());
        Wanted {
            only: selection.only.clone(),
            exclude: left_out.chain(selection.exclude.iter().cloned()).collect(),
        }
    }
}

/// A program with its tests, and where to run them.
pub struct Bench<'a> {
    /// Where it runs.
    pub station: &'a Station,
    /// How long a test may take.
    pub limit: &'a Limit,
    /// How tuning parameters are set.
    pub tunings: &'a Tunings,
    /// Which tests are wanted.
    pub wanted: &'a Wanted,
    /// Where the program is.
    pub file: &'a Path,
    /// The program.
    pub source: &'a Source,
    /// Its tests.
    pub spec: &'a Spec,
}

impl Bench<'_> {
    /// Runs all tests that are wanted.
    pub fn run(&self) -> Vec<Tested> {
        let whole = format!("{} on {}", self.file.display(), self.backend().name());
        let cases: Vec<(String, &Case)> = self
            .spec
            .cases
            .iter()
            .map(|case| (self.name(case), case))
            .filter(|(name, _)| self.is_named(name))
            .collect();
        let has_property =
            self.spec.properties.iter().any(|property| self.is_named(&self.property_name(property)));
        if cases.is_empty() && !has_property && !self.is_named(&whole) {
            return Vec::new();
        }
        let before = Instant::now();
        let tested = |name: String, outcome| Tested { name, outcome, time: before.elapsed() };
        if let Some(tag) = self.unwanted(&self.spec.tags) {
            return vec![tested(whole, Outcome::Skipped(format!("it is tagged `{tag}`")))];
        }
        let compiled = self.station.compile(self.source, self.limit.flag());
        let mut compiled = match (compiled, &self.spec.compile_error) {
            (Ok(_), Some(regex)) => {
                let said = format!("compiles, but should fail with an error like `{regex}`");
                return vec![tested(whole, Outcome::Failed(said))];
            }
            (Err(error), Some(regex)) => return vec![tested(whole, compile_error(&error, regex))],
            (Err(error), None) => return vec![tested(whole, trouble(&error))],
            (Ok(compiled), None) => compiled,
        };
        if let Err(wrong) = self.tunings.tune(self.file, &mut compiled.executable) {
            return vec![tested(whole, Outcome::Failed(wrong))];
        }
        let mut all = Vec::new();
        let states_more = !self.spec.cases.is_empty() || !self.spec.properties.is_empty();
        if !self.spec.warnings.is_empty() || !states_more {
            all.push(tested(whole, self.warnings()));
        }
        all.extend(self.properties(&mut compiled));
        for (name, case) in cases {
            let tested = match self.unwanted(&case.tags) {
                Some(tag) => {
                    let outcome = Outcome::Skipped(format!("it is tagged `{tag}`"));
                    Tested { name, outcome, time: Duration::ZERO }
                }
                None => self.limited(name, &mut compiled, |executable| {
                    self.case(executable, case).unwrap_or_else(Outcome::Failed)
                }),
            };
            all.push(tested);
        }
        all
    }

    /// Runs a test for as long as one may take.
    fn limited(
        &self,
        name: String,
        compiled: &mut Compiled,
        test: impl FnOnce(&Executable) -> Outcome,
    ) -> Tested {
        let _turn = self.station.turn();
        match self.station.refresh(compiled, self.source, self.limit.flag()) {
            Err(error) => return Tested { name, outcome: trouble(&error), time: Duration::ZERO },
            Ok(true) => {
                if let Err(wrong) = self.tunings.tune(self.file, &mut compiled.executable) {
                    return Tested { name, outcome: Outcome::Failed(wrong), time: Duration::ZERO };
                }
            }
            Ok(false) => {}
        }
        let before = Instant::now();
        let outcome = self.limit.watch(|| test(&compiled.executable)).unwrap_or_else(|late| {
            self.station.give_up();
            Outcome::Failed(late)
        });
        Tested { name, outcome, time: before.elapsed() }
    }

    /// The cases that may be timed: those that are wanted, and are to succeed.
    pub fn datasets(&self) -> Vec<&Case> {
        if self.unwanted(&self.spec.tags).is_some() || self.spec.compile_error.is_some() {
            return Vec::new();
        }
        let succeeds = |case: &&Case| !matches!(case.expected, Expected::Error(_));
        let wanted = |case: &&Case| self.is_named(&self.name(case)) && self.unwanted(&case.tags).is_none();
        self.spec.cases.iter().filter(succeeds).filter(wanted).collect()
    }

    /// What a case is called.
    pub fn name(&self, case: &Case) -> String {
        let Case { line, entry, name, .. } = case;
        format!("{}:{line} {entry} {name} on {}", self.file.display(), self.backend().name())
    }

    fn backend(&self) -> Backend {
        self.station.backend
    }

    fn is_named(&self, name: &str) -> bool {
        self.wanted.only.as_ref().is_none_or(|only| name.contains(only))
    }

    /// The tag for which a test is left out.
    fn unwanted<'t>(&self, tags: &'t [String]) -> Option<&'t String> {
        tags.iter().find(|tag| {
            self.wanted.exclude.contains(tag)
                || tag.strip_prefix("no_") == Some(self.backend().name())
                || *tag == "compiled" && self.backend() == Backend::Interp
        })
    }

    /// Does the compiler warn of what it should?
    fn warnings(&self) -> Outcome {
        let told = match ravel_driver::check(self.source) {
            Ok(warnings) => render(self.source.sources(), &warnings, Style::Plain),
            Err(problems) => return Outcome::Failed(plain(&problems)),
        };
        let mut outcomes = self.spec.warnings.iter().map(|regex| matches(regex, &told, "warning"));
        outcomes.find(|outcome| *outcome != Outcome::Passed).unwrap_or(Outcome::Passed)
    }

    /// What a case gives to its entry point.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn given(&self, executable: &Executable, case: &Case) -> Result<Vec<Value>, String> {
        let signature =
            executable.signature(&case.entry).ok_or_else(|| format!("no entry point `{}`", case.entry))?;
        self.arguments(executable, signature, &case.input)?
    }

    /// Runs one case.
    ///
    /// # Errors
    /// What is wrong with the case itself.
    pub fn case(&self, executable: &Executable, case: &Case) -> Result<Outcome, String> {
        let signature =
            executable.signature(&case.entry).ok_or_else(|| format!("no entry point `{}`", case.entry))?;
        let args = self.arguments(executable, signature, &case.input)?;
        let result = match (&args, &case.expected) {
            (Err(wrong), Expected::Error(regex)) => return Ok(matches(regex, wrong, "error")),
            (Err(wrong), _) => return Err(wrong.clone()),
            (Ok(args), _) => executable.call(&case.entry, args),
        };
        Ok(match (result, &case.expected) {
            (Err(Failure::Limitation(what)), _) => Outcome::Limited(what),
            (Err(failure), Expected::Error(regex)) => matches(regex, &failure.to_string(), "error"),
            (Err(failure), _) => Outcome::Failed(failure.to_string()),
            (Ok(_), Expected::Error(regex)) => {
                Outcome::Failed(format!("succeeds, but should fail with an error like `{regex}`"))
            }
            (Ok(_), Expected::Anything) => Outcome::Passed,
            (Ok((results, _)), Expected::Output(output)) => {
                compare(&files::values(self.file, output)?, &results)?
            }
            (Ok((results, _)), Expected::Auto) => {
                same(&self.elsewhere(&case.entry, &args.unwrap_or_default())?, &results)
            }
        })
    }

    /// The arguments that an input stands for, or what is wrong with them. The outer error says what is
    /// wrong with the input itself.
    fn arguments(
        &self,
        executable: &Executable,
        signature: &Signature,
        input: &Input,
    ) -> Result<Result<Vec<Value>, String>, String> {
        Ok(match input {
            Input::Values(values) => {
                let bytes = files::values(self.file, values)?;
                read_values(&bytes, &signature.expected()).map_err(|wrong| format!("input: {wrong}"))
            }
            Input::Random(types) => {
                let wanted =
                    ravel_abi::read_wanted(types).map_err(|wrong| format!("random input: {wrong}"))?;
                ravel_abi::generate(&wanted, &Bounds::default(), 1).map_err(|failure| failure.to_string())
            }
            Input::Script(script) => {
                let text = files::values(self.file, script)?;
                let text =
                    String::from_utf8(text).map_err(|_| "script input: it is not UTF-8 text".to_owned())?;
                let folder = self.file.parent().unwrap_or(Path::new(""));
                script::values(&text, executable, folder).map_err(|wrong| format!("script input: {wrong}"))
            }
        })
    }

    /// What the program answers on another backend: on the CPU, or if it was run there, on the interpreter.
    fn elsewhere(&self, entry: &str, args: &[Value]) -> Result<Vec<Value>, String> {
        let other = if self.backend() == Backend::Cpu { Backend::Interp } else { Backend::Cpu };
        let failed = |what: String| format!("auto output: on {}: {what}", other.name());
        let engine = Engine::open(other, Some(1)).map_err(|failure| failed(failure.to_string()))?;
        let mut executable =
            engine.compile(self.source, &Options::default()).map_err(|error| failed(error.to_string()))?;
        self.tunings.tune(self.file, &mut executable).map_err(failed)?;
        executable
            .stopped_by(self.limit.flag().clone())
            .call(entry, args)
            .map(|(results, _)| results)
            .map_err(|failure| failed(failure.to_string()))
    }
}

/// The outcome of a compilation that failed unexpectedly.
fn trouble(error: &Error) -> Outcome {
    match error {
        Error::Compile(problems) if only_limitations(&problems.diagnostics) => {
            Outcome::Limited(plain(problems))
        }
        Error::Compile(problems) => Outcome::Failed(plain(problems)),
        Error::Load(Failure::Limitation(what)) => Outcome::Limited(what.clone()),
        Error::Load(failure) => Outcome::Failed(failure.to_string()),
    }
}

/// The outcome of a compilation that should fail with a message like `regex`.
fn compile_error(error: &Error, regex: &str) -> Outcome {
    match error {
        Error::Compile(problems) if only_limitations(&problems.diagnostics) => {
            Outcome::Limited(plain(problems))
        }
        Error::Compile(problems) => matches(regex, &plain(problems), "error"),
        Error::Load(failure) => Outcome::Failed(format!("the compiler accepts it; loading fails: {failure}")),
    }
}

fn only_limitations(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().all(|diagnostic| matches!(diagnostic.kind, Kind::Limitation(_) | Kind::Warning(_)))
}

/// What is wrong with a program, without colours.
pub fn plain(problems: &Problems) -> String {
    render(&problems.sources, &problems.diagnostics, Style::Plain)
}

fn matches(regex: &str, message: &str, what: &str) -> Outcome {
    match Regex::new(regex) {
        Err(wrong) => Outcome::Failed(format!("`{regex}` is no regular expression: {wrong}")),
        Ok(compiled) if compiled.is_match(message) => Outcome::Passed,
        Ok(_) if message.is_empty() => Outcome::Failed(format!("there should be a {what} like `{regex}`")),
        Ok(_) => Outcome::Failed(format!("the {what} should be like `{regex}`, but is:\n{message}")),
    }
}

/// Compares results with the expected values, read as values of the results' types.
fn compare(expected: &[u8], actual: &[Value]) -> Result<Outcome, String> {
    let types: Vec<_> = actual
        .iter()
        .map(|value| ravel_abi::Expected { name: None, elem: value.elem(), rank: value.shape().len() })
        .collect();
    match read_values(expected, &types) {
        Ok(expected) => Ok(same(&expected, actual)),
        Err(wrong) if read_any(expected).is_ok() => {
            Ok(Outcome::Failed(format!("the result has another type than expected: {wrong}")))
        }
        Err(wrong) => Err(format!("output: {wrong}")),
    }
}

/// Compares results with values of the same types.
fn same(expected: &[Value], actual: &[Value]) -> Outcome {
    for (number, (expected, actual)) in (1..).zip(expected.iter().zip(actual)) {
        if let Err(mismatch) = approx_equal(expected, actual, TOLERANCE) {
            return Outcome::Failed(format!("result {number}: {mismatch}"));
        }
    }
    Outcome::Passed
}
