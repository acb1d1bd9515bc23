//! Tests the promises of a program: its results do not depend on the chunking of streams, and its definitions satisfy their
//! stated recurrences.
//!
//! Only the interpreter can choose the chunks. So promises are tested there, once for each program, for any selection
//! of backends.

mod recurrences;

use std::time::Instant;

use ravel_abi::approx_equal;
use ravel_driver::Options;
use ravel_driver::spec::Case;
use ravel_engine::{Backend, BrokenPromise, CallOutcome, Engine, Executable};

use super::{Outcome, Suite, TOLERANCE, TestResult};

impl Suite<'_> {
    /// Tests the promises; returns no test if there are none.
    pub fn promises(&self) -> Vec<TestResult> {
        let before = Instant::now();
        let name = format!("{} keeps its promises", self.file.display());
        if !self.is_selected(&name) || self.excluding_tag(&self.spec.tags).is_some() {
            return Vec::new();
        }
        let outcomes = self.limit.run(|| {
            let recurrences = recurrences::test(self.source, self.limit.flag());
            self.streams().into_iter().chain(recurrences).collect()
        });
        let outcomes: Vec<Outcome> = outcomes.unwrap_or_else(|late| vec![Outcome::Failed(late)]);
        let broken: Vec<&str> = outcomes
            .iter()
            .filter_map(|outcome| match outcome {
                Outcome::Failed(reason) => Some(reason.as_str()),
                _ => None,
            })
            .collect();
        let outcome = match (&broken[..], &outcomes[..]) {
            (_, []) => return Vec::new(),
            ([], [first, rest @ ..]) => {
                rest.iter().find(|other| **other != Outcome::Passed).unwrap_or(first).clone()
            }
            (broken, _) => Outcome::Failed(broken.join("\n")),
        };
        vec![TestResult { name, outcome, time: before.elapsed() }]
    }

    /// Runs the selected cases with several chunk sizes.
    fn streams(&self) -> Option<Outcome> {
        let wanted = |case: &&Case| self.excluding_tag(&case.tags).is_none();
        let cases: Vec<&Case> = self.spec.cases.iter().filter(wanted).collect();
        let compiled = Engine::open(Backend::Interp, None)
            .ok()
            .and_then(|engine| engine.compile(self.source, &Options::default()).ok())
            .filter(Executable::makes_promises);
        let executable = compiled.filter(|_| !cases.is_empty())?.stopped_by(self.limit.flag().clone());
        let broken = cases.into_iter().find_map(|case| {
            let reason = self.broken(&executable, case)?;
            Some(Outcome::Failed(format!("{} {}: {reason}", case.entry, case.name)))
        });
        Some(broken.unwrap_or(Outcome::Passed))
    }

    /// The way in which a case breaks a promise. Other errors of the case are reported by its own test.
    fn broken(&self, executable: &Executable, case: &Case) -> Option<String> {
        let signature = executable.signature(&case.entry)?;
        let args = self.arguments(executable, signature, &case.input).ok()?.ok()?;
        let usual = executable.call(&case.entry, &args).map(|(results, _)| results);
        let agrees = |other: &CallOutcome| difference(&usual, other).is_none();
        let BrokenPromise { place, size, outcome } =
            executable.broken_promise(&case.entry, &args, &agrees)?;
        let chunks = match size {
            1 => "chunks of 1 element".to_owned(),
            usize::MAX => "one chunk".to_owned(),
            size => format!("chunks of {size} elements"),
        };
        let difference = difference(&usual, &outcome).unwrap_or_default();
        Some(format!("{place}: the result depends on the chunk size: with {chunks}, {difference}"))
    }
}

/// The difference of the outcome of a call from the usual one. All failures count as equal, since a message may mention
/// a chunk.
fn difference(usual: &CallOutcome, other: &CallOutcome) -> Option<String> {
    match (usual, other) {
        (Err(_), Err(_)) => None,
        (Ok(_), Err(failure)) => Some(format!("it fails: {failure}")),
        (Err(failure), Ok(_)) => Some(format!("it does not fail, as it usually does: {failure}")),
        (Ok(usual), Ok(other)) => {
            let results = (1..).zip(usual.iter().zip(other));
            results.into_iter().find_map(|(number, (usual, other))| {
                let mismatch = approx_equal(usual, other, TOLERANCE).err()?;
                Some(format!("result {number}: {mismatch}"))
            })
        }
    }
}
