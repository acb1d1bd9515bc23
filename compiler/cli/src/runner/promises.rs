//! What a program promises beside its results: that these do not hang on where streams are cut, and
//! that definitions are what their recurrences say.
//!
//! No backend can see a promise broken but the interpreter, which cuts as it is told. So promises are
//! tested there, once a program, wherever else it is tested.

mod recurrences;

use std::time::Instant;

use ravel_abi::approx_equal;
use ravel_driver::Options;
use ravel_driver::spec::Case;
use ravel_engine::{Backend, BrokenPromise, Called, Engine, Executable};

use super::{Bench, Outcome, TOLERANCE, Tested};

impl Bench<'_> {
    /// Tests what the program promises; nothing if it makes no promise.
    pub fn promises(&self) -> Vec<Tested> {
        let before = Instant::now();
        let name = format!("{} keeps its promises", self.file.display());
        if !self.is_named(&name) || self.unwanted(&self.spec.tags).is_some() {
            return Vec::new();
        }
        let found = self.limit.watch(|| {
            let recurrences = recurrences::test(self.source, self.limit.flag());
            self.streams().into_iter().chain(recurrences).collect()
        });
        let found: Vec<Outcome> = found.unwrap_or_else(|late| vec![Outcome::Failed(late)]);
        let broken: Vec<&str> = found
            .iter()
            .filter_map(|outcome| match outcome {
                Outcome::Failed(said) => Some(said.as_str()),
                _ => None,
            })
            .collect();
        let outcome = match (&broken[..], &found[..]) {
            (_, []) => return Vec::new(),
            ([], [first, rest @ ..]) => {
                rest.iter().find(|other| **other != Outcome::Passed).unwrap_or(first).clone()
            }
            (broken, _) => Outcome::Failed(broken.join("\n")),
        };
        vec![Tested { name, outcome, time: before.elapsed() }]
    }

    /// Runs the wanted tests once more, with streams cut in several ways.
    fn streams(&self) -> Option<Outcome> {
        let wanted = |case: &&Case| self.unwanted(&case.tags).is_none();
        let cases: Vec<&Case> = self.spec.cases.iter().filter(wanted).collect();
        let compiled = Engine::open(Backend::Interp, None)
            .ok()
            .and_then(|engine| engine.compile(self.source, &Options::default()).ok())
            .filter(Executable::makes_promises);
        let executable = compiled.filter(|_| !cases.is_empty())?.stopped_by(self.limit.flag().clone());
        let broken = cases.into_iter().find_map(|case| {
            let said = self.broken(&executable, case)?;
            Some(Outcome::Failed(format!("{} {}: {said}", case.entry, case.name)))
        });
        Some(broken.unwrap_or(Outcome::Passed))
    }

    /// How a case breaks a promise. Whatever else is wrong with it is for the test itself to say.
    fn broken(&self, executable: &Executable, case: &Case) -> Option<String> {
        let signature = executable.signature(&case.entry)?;
        let args = self.arguments(executable, signature, &case.input).ok()?.ok()?;
        let usual = executable.call(&case.entry, &args).map(|(results, _)| results);
        let agrees = |other: &Called| difference(&usual, other).is_none();
        let BrokenPromise { place, size, called } = executable.broken_promise(&case.entry, &args, &agrees)?;
        let chunks = match size {
            1 => "chunks of 1 element".to_owned(),
            usize::MAX => "one chunk".to_owned(),
            size => format!("chunks of {size} elements"),
        };
        let difference = difference(&usual, &called).unwrap_or_default();
        Some(format!("{place}: the result depends on where the array is cut: with {chunks}, {difference}"))
    }
}

/// How what a call came to differs from what it usually comes to. All failures are alike: what they
/// say may speak of a chunk.
fn difference(usual: &Called, other: &Called) -> Option<String> {
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
