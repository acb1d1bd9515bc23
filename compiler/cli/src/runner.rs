//! Runs the test blocks of one program on one backend.

mod backend;
mod files;
mod promises;
mod properties;
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
use backend::TestProgram;

pub use backend::{Limit, TestBackend};
pub use files::read as read_data;

/// The tolerance for floating-point results. As in Futhark's test format, it is absolute near zero and relative
/// otherwise.
const TOLERANCE: f64 = 0.002;

/// The outcome of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As expected.
    Passed,
    /// Not as expected, for this reason.
    Failed(String),
    /// Not run, for this reason.
    Skipped(String),
    /// It met a limitation of the compiler or the device.
    Limited(String),
}

/// A test with its outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestResult {
    /// The name, such as `a.dsl:3 main #0 on cpu`.
    pub name: String,
    /// The outcome.
    pub outcome: Outcome,
    /// Its time.
    pub time: Duration,
}

/// Selects tests by name and tag.
#[derive(Clone, Debug, Default)]
pub struct TestFilter {
    /// Only tests with this text in their names.
    pub only: Option<String>,
    /// No tests with one of these tags.
    pub exclude: Vec<String>,
}

impl TestFilter {
    /// The filter of the command line, which also excludes these tags.
    pub fn new(selection: &Selection, excluded_tags: &[&str]) -> TestFilter {
        let excluded_tags = excluded_tags.iter().map(|&tag| tag.to_owned());
        TestFilter {
            only: selection.only.clone(),
            exclude: excluded_tags.chain(selection.exclude.iter().cloned()).collect(),
        }
    }
}

/// The tests of one program on one backend.
pub struct Suite<'a> {
    /// The backend.
    pub backend: &'a TestBackend,
    /// The time limit of a test.
    pub limit: &'a Limit,
    /// The seed of the arguments of properties.
    pub seed: u64,
    /// The tuning parameters.
    pub tunings: &'a Tunings,
    /// The tests to run.
    pub filter: &'a TestFilter,
    /// The path of the program.
    pub file: &'a Path,
    /// The program.
    pub source: &'a Source,
    /// Its tests.
    pub spec: &'a Spec,
}

impl Suite<'_> {
    /// Runs the selected cases, properties and checks of warnings.
    pub fn run(&self) -> Vec<TestResult> {
        let whole = format!("{} on {}", self.file.display(), self.backend().name());
        let cases: Vec<(String, &Case)> = self
            .spec
            .cases
            .iter()
            .map(|case| (self.name(case), case))
            .filter(|(name, _)| self.is_selected(name))
            .collect();
        let has_property =
            self.spec.properties.iter().any(|property| self.is_selected(&self.property_name(property)));
        if cases.is_empty() && !has_property && !self.is_selected(&whole) {
            return Vec::new();
        }
        let before = Instant::now();
        let result = |name: String, outcome| TestResult { name, outcome, time: before.elapsed() };
        if let Some(tag) = self.excluding_tag(&self.spec.tags) {
            return vec![result(whole, Outcome::Skipped(format!("it is tagged `{tag}`")))];
        }
        let compiled = self.backend.compile(self.source, self.limit.flag());
        let mut compiled = match (compiled, &self.spec.compile_error) {
            (Ok(_), Some(regex)) => {
                let reason = format!("compiles, but should fail with an error like `{regex}`");
                return vec![result(whole, Outcome::Failed(reason))];
            }
            (Err(error), Some(regex)) => return vec![result(whole, compile_error(&error, regex))],
            (Err(error), None) => return vec![result(whole, unexpected_failure(&error))],
            (Ok(compiled), None) => compiled,
        };
        if let Err(wrong) = self.tunings.tune(self.file, &mut compiled.executable) {
            return vec![result(whole, Outcome::Failed(wrong))];
        }
        let mut all = Vec::new();
        let states_more = !self.spec.cases.is_empty() || !self.spec.properties.is_empty();
        if !self.spec.warnings.is_empty() || !states_more {
            all.push(result(whole, self.warnings()));
        }
        all.extend(self.properties(&mut compiled));
        for (name, case) in cases {
            let tested = match self.excluding_tag(&case.tags) {
                Some(tag) => {
                    let outcome = Outcome::Skipped(format!("it is tagged `{tag}`"));
                    TestResult { name, outcome, time: Duration::ZERO }
                }
                None => self.run_limited(name, &mut compiled, |executable| {
                    self.case(executable, case).unwrap_or_else(Outcome::Failed)
                }),
            };
            all.push(tested);
        }
        all
    }

    /// Runs a test within the time limit.
    fn run_limited(
        &self,
        name: String,
        compiled: &mut TestProgram,
        test: impl FnOnce(&Executable) -> Outcome,
    ) -> TestResult {
        let _turn = self.backend.device_lock();
        match self.backend.refresh(compiled, self.source, self.limit.flag()) {
            Err(error) => {
                return TestResult { name, outcome: unexpected_failure(&error), time: Duration::ZERO };
            }
            Ok(true) => {
                if let Err(wrong) = self.tunings.tune(self.file, &mut compiled.executable) {
                    return TestResult { name, outcome: Outcome::Failed(wrong), time: Duration::ZERO };
                }
            }
            Ok(false) => {}
        }
        let before = Instant::now();
        let outcome = self.limit.run(|| test(&compiled.executable)).unwrap_or_else(|late| {
            self.backend.replace_busy_engine();
            Outcome::Failed(late)
        });
        TestResult { name, outcome, time: before.elapsed() }
    }

    /// The cases to measure: the selected ones that expect success.
    pub fn datasets(&self) -> Vec<&Case> {
        if self.excluding_tag(&self.spec.tags).is_some() || self.spec.compile_error.is_some() {
            return Vec::new();
        }
        let succeeds = |case: &&Case| !matches!(case.expected, Expected::Error(_));
        let wanted =
            |case: &&Case| self.is_selected(&self.name(case)) && self.excluding_tag(&case.tags).is_none();
        self.spec.cases.iter().filter(succeeds).filter(wanted).collect()
    }

    /// The name of a case.
    pub fn name(&self, case: &Case) -> String {
        let Case { line, entry, name, .. } = case;
        format!("{}:{line} {entry} {name} on {}", self.file.display(), self.backend().name())
    }

    fn backend(&self) -> Backend {
        self.backend.kind
    }

    fn is_selected(&self, name: &str) -> bool {
        self.filter.only.as_ref().is_none_or(|only| name.contains(only))
    }

    /// The tag that excludes a test.
    fn excluding_tag<'t>(&self, tags: &'t [String]) -> Option<&'t String> {
        tags.iter().find(|tag| {
            self.filter.exclude.contains(tag)
                || tag.strip_prefix("no_") == Some(self.backend().name())
                || tag.as_str() == "no_gpu" && self.backend() == Backend::Model
                || *tag == "compiled" && self.backend() == Backend::Interp
        })
    }

    /// Checks that the compiler reports the expected warnings.
    fn warnings(&self) -> Outcome {
        let text = match ravel_driver::check(self.source) {
            Ok(warnings) => render(self.source.sources(), &warnings, Style::Plain),
            Err(problems) => return Outcome::Failed(plain(&problems)),
        };
        let mut outcomes = self.spec.warnings.iter().map(|regex| matches(regex, &text, "warning"));
        outcomes.find(|outcome| *outcome != Outcome::Passed).unwrap_or(Outcome::Passed)
    }

    /// The arguments of a case.
    ///
    /// # Errors
    /// An error in its input.
    pub fn arguments_of(&self, executable: &Executable, case: &Case) -> Result<Vec<Value>, String> {
        let signature =
            executable.signature(&case.entry).ok_or_else(|| format!("no entry point `{}`", case.entry))?;
        self.arguments(executable, signature, &case.input)?
    }

    /// Runs one case.
    ///
    /// # Errors
    /// An error in the case itself.
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
            (Err(Failure::Limitation(what)), expected) => limited(what, expected),
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
                same_values(&self.reference_results(&case.entry, &args.unwrap_or_default())?, &results)
            }
        })
    }

    /// The arguments of an input. The inner error is one that the test may expect, such as arguments of wrong types. The
    /// outer error is a fault in the test itself.
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
                    ravel_abi::read_requests(types).map_err(|wrong| format!("random input: {wrong}"))?;
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

    /// The results on another backend: on the CPU, or for a test on the CPU, on the interpreter.
    fn reference_results(&self, entry: &str, args: &[Value]) -> Result<Vec<Value>, String> {
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

/// The outcome of a case that met a limitation: a case may expect its message.
fn limited(what: String, expected: &Expected) -> Outcome {
    match expected {
        Expected::Error(regex) if matches(regex, &what, "error") == Outcome::Passed => Outcome::Passed,
        _ => Outcome::Limited(what),
    }
}

/// The outcome of a compilation that failed unexpectedly.
fn unexpected_failure(error: &Error) -> Outcome {
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

/// Diagnostics as text without colours.
pub fn plain(problems: &Problems) -> String {
    render(&problems.sources, &problems.diagnostics, Style::Plain)
}

fn matches(regex: &str, message: &str, what: &str) -> Outcome {
    match Regex::new(regex) {
        Err(wrong) => Outcome::Failed(format!("`{regex}` is not a regular expression: {wrong}")),
        Ok(compiled) if compiled.is_match(message) => Outcome::Passed,
        Ok(_) if message.is_empty() => Outcome::Failed(format!("there should be a {what} like `{regex}`")),
        Ok(_) => Outcome::Failed(format!("the {what} should be like `{regex}`, but is:\n{message}")),
    }
}

/// Compares results with the expected values, which are read with the types of the results.
fn compare(expected: &[u8], actual: &[Value]) -> Result<Outcome, String> {
    let types: Vec<_> = actual
        .iter()
        .map(|value| ravel_abi::Expected { name: None, elem: value.elem(), rank: value.shape().len() })
        .collect();
    match read_values(expected, &types) {
        Ok(expected) => Ok(same_values(&expected, actual)),
        Err(wrong) if read_any(expected).is_ok() => {
            Ok(Outcome::Failed(format!("the result does not have the expected type: {wrong}")))
        }
        Err(wrong) => Err(format!("output: {wrong}")),
    }
}

/// Compares results with values of the same types.
fn same_values(expected: &[Value], actual: &[Value]) -> Outcome {
    for (number, (expected, actual)) in (1..).zip(expected.iter().zip(actual)) {
        if let Err(mismatch) = approx_equal(expected, actual, TOLERANCE) {
            return Outcome::Failed(format!("result {number}: {mismatch}"));
        }
    }
    Outcome::Passed
}
