//! Runs test blocks on one backend.

use std::path::Path;

use ravel_abi::{Failure, Value, approx_equal, read_any, read_values};
use ravel_driver::{Diagnostic, Kind, Options, Problems, Source, Style, render};
use ravel_engine::{Engine, Error, Executable};
use regex_lite::Regex;

use ravel_driver::spec::{Case, Expected, Spec, Values};

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
    /// The compiler or the device cannot do it yet.
    Skipped(String),
}

/// A test with its name and outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    /// What was tested, such as `a.dsl:3 main on cpu`.
    pub name: String,
    /// How it ended.
    pub outcome: Outcome,
}

/// Runs all tests of a program on a backend. `name` is the backend's.
pub fn run(engine: &Engine, name: &str, file: &Path, source: &Source, spec: &Spec) -> Vec<Tested> {
    let compiled = engine.compile(source, &Options::default());
    let whole = |outcome| vec![Tested { name: format!("{} on {name}", file.display()), outcome }];
    let executable = match (compiled, &spec.compile_error) {
        (Ok(_), Some(regex)) => {
            return whole(Outcome::Failed(format!("compiles, but should fail with an error like `{regex}`")));
        }
        (Err(error), Some(regex)) => return whole(compile_error(&error, regex)),
        (Err(error), None) => return whole(trouble(&error)),
        (Ok(executable), None) => executable,
    };
    let case = |case: &Case| Tested {
        name: format!("{}:{} {} on {name}", file.display(), case.line, case.entry),
        outcome: run_case(&executable, file, case).unwrap_or_else(Outcome::Failed),
    };
    if spec.cases.is_empty() {
        return whole(Outcome::Passed);
    }
    spec.cases.iter().map(case).collect()
}

/// The outcome of a compilation that failed unexpectedly.
fn trouble(error: &Error) -> Outcome {
    match error {
        Error::Compile(problems) if only_limitations(&problems.diagnostics) => {
            Outcome::Skipped(plain(problems))
        }
        Error::Compile(problems) => Outcome::Failed(plain(problems)),
        Error::Load(Failure::Limitation(what)) => Outcome::Skipped(what.clone()),
        Error::Load(failure) => Outcome::Failed(failure.to_string()),
    }
}

/// The outcome of a compilation that should fail with a message like `regex`.
fn compile_error(error: &Error, regex: &str) -> Outcome {
    match error {
        Error::Compile(problems) if only_limitations(&problems.diagnostics) => {
            Outcome::Skipped(plain(problems))
        }
        Error::Compile(problems) => matches(regex, &plain(problems)),
        Error::Load(failure) => Outcome::Failed(format!("the compiler accepts it; loading fails: {failure}")),
    }
}

fn only_limitations(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().all(|diagnostic| matches!(diagnostic.kind, Kind::Limitation(_) | Kind::Warning(_)))
}

fn plain(problems: &Problems) -> String {
    render(&problems.sources, &problems.diagnostics, Style::Plain)
}

fn matches(regex: &str, message: &str) -> Outcome {
    match Regex::new(regex) {
        Err(wrong) => Outcome::Failed(format!("`{regex}` is no regular expression: {wrong}")),
        Ok(compiled) if compiled.is_match(message) => Outcome::Passed,
        Ok(_) => Outcome::Failed(format!("the error should be like `{regex}`, but is:\n{message}")),
    }
}

/// Runs one case. The error says what is wrong with the case itself.
fn run_case(executable: &Executable, file: &Path, case: &Case) -> Result<Outcome, String> {
    let signature =
        executable.signature(&case.entry).ok_or_else(|| format!("no entry point `{}`", case.entry))?;
    let bytes = values(file, &case.input)?;
    let args = read_values(&bytes, &signature.expected()).map_err(|wrong| format!("input: {wrong}"));
    let result = match (args, &case.expected) {
        (Err(wrong), Expected::Error(regex)) => return Ok(matches(regex, &wrong)),
        (Err(wrong), _) => return Err(wrong),
        (Ok(args), _) => executable.call(&case.entry, &args),
    };
    Ok(match (result, &case.expected) {
        (Err(Failure::Limitation(what)), _) => Outcome::Skipped(what),
        (Err(failure), Expected::Error(regex)) => matches(regex, &failure.to_string()),
        (Err(failure), _) => Outcome::Failed(failure.to_string()),
        (Ok(_), Expected::Error(regex)) => {
            Outcome::Failed(format!("succeeds, but should fail with an error like `{regex}`"))
        }
        (Ok(_), Expected::Anything) => Outcome::Passed,
        (Ok((results, _)), Expected::Output(output)) => compare(&values(file, output)?, &results)?,
    })
}

fn values(file: &Path, values: &Values) -> Result<Vec<u8>, String> {
    match values {
        Values::Text(text) => Ok(text.clone().into_bytes()),
        Values::File(name) => {
            let path = file.parent().unwrap_or(Path::new("")).join(name);
            std::fs::read(&path).map_err(|trouble| format!("cannot read {}: {trouble}", path.display()))
        }
    }
}

/// Compares results with the expected values, read as values of the results' types.
fn compare(expected: &[u8], actual: &[Value]) -> Result<Outcome, String> {
    let types: Vec<_> = actual
        .iter()
        .map(|value| ravel_abi::Expected { name: None, elem: value.elem(), rank: value.shape().len() })
        .collect();
    let expected = match read_values(expected, &types) {
        Ok(expected) => expected,
        Err(wrong) if read_any(expected).is_ok() => {
            return Ok(Outcome::Failed(format!("the result has another type than expected: {wrong}")));
        }
        Err(wrong) => return Err(format!("output: {wrong}")),
    };
    for (number, (expected, actual)) in expected.iter().zip(actual).enumerate() {
        if let Err(mismatch) = approx_equal(expected, actual, TOLERANCE) {
            return Ok(Outcome::Failed(format!("result {number}: {mismatch}")));
        }
    }
    Ok(Outcome::Passed)
}
