//! Tests `structure` clauses: the counts of forms in the compiled program.
//!
//! Without a stage, forms are counted in the optimised core IR for the CPU. The stage `flat` is the core IR with segments for
//! the CPU; the stages `cpu` and `gpu` are the kernel IR for each. A clause with a form or stage of another compiler counts as
//! skipped, with a note.

use std::time::Instant;

use ravel_abi::Machine;
use ravel_driver::spec::Structure;
use ravel_driver::{FormCounts, Options, Problems, Target};
use ravel_program::job;

use super::{Outcome, Suite, TestResult};

/// The stage of core IR with segments.
const FLAT: &str = "flat";

impl Suite<'_> {
    /// Tests the selected `structure` clauses.
    pub fn structures(&self) -> Vec<TestResult> {
        if self.excluding_tag(&self.spec.tags).is_some() {
            return Vec::new();
        }
        let mut all = Vec::new();
        for structure in &self.spec.structures {
            let name = format!("{}:{} structure", self.file.display(), structure.line);
            if self.is_selected(&name) {
                let before = Instant::now();
                let outcome = self.structure(structure);
                all.push(TestResult { name, outcome, time: before.elapsed() });
            }
        }
        all
    }

    fn structure(&self, structure: &Structure) -> Outcome {
        let entries = match &structure.entries[..] {
            [] => vec![None],
            entries => entries.iter().cloned().map(Some).collect(),
        };
        let outcomes = entries.into_iter().map(|entry| self.count(structure, entry));
        let outcomes: Vec<Outcome> = outcomes.collect();
        let failed = outcomes.iter().find(|outcome| matches!(outcome, Outcome::Failed(_)));
        let worst = failed.or_else(|| outcomes.iter().find(|outcome| **outcome != Outcome::Passed));
        worst.cloned().unwrap_or(Outcome::Passed)
    }

    /// Counts the forms in the program compiled for one entry point, or for all.
    fn count(&self, structure: &Structure, entry: Option<String>) -> Outcome {
        if let (Some(wanted), Ok(known)) = (&entry, ravel_driver::entry_names(self.source))
            && !known.contains(wanted)
        {
            return Outcome::Failed(job::no_entry(wanted, &known));
        }
        let of = entry.as_ref().map_or(String::new(), |entry| format!("`{entry}`: "));
        let counts = match self.counts(structure, entry) {
            Ok(Some(counts)) => counts,
            Ok(None) => {
                let stage = structure.stage.as_deref().unwrap_or_default();
                return Outcome::Skipped(format!(
                    "there is no stage `{stage}`; the stages are `{FLAT}`, `cpu` and `gpu`"
                ));
            }
            Err(problems) => return super::unexpected_failure(&ravel_engine::Error::Compile(problems)),
        };
        let (mut wrong, mut unknown) = (Vec::new(), Vec::new());
        for (form, wanted) in &structure.counts {
            match counts.count(form) {
                Some(count) if count == *wanted => {}
                Some(count) => wrong.push(format!("{of}{count} `{form}`, but there should be {wanted}")),
                None => unknown.push(format!("`{form}`")),
            }
        }
        let note = (!unknown.is_empty()).then(|| {
            let known: Vec<&str> = counts.forms().collect();
            format!("there is no form {}; the forms are {}", unknown.join(", "), known.join(" "))
        });
        match note {
            None if wrong.is_empty() => Outcome::Passed,
            Some(note) if wrong.is_empty() => Outcome::Skipped(note),
            note => Outcome::Failed(wrong.into_iter().chain(note).collect::<Vec<_>>().join("\n")),
        }
    }

    /// The forms of the program after the clause's stage; `None` if there is no such stage.
    fn counts(&self, structure: &Structure, entry: Option<String>) -> Result<Option<FormCounts>, Problems> {
        let options = Options { entry, ..self.backend.options.clone() };
        let stage = structure.stage.as_deref();
        let machine = match stage {
            None | Some(FLAT) => Some(Machine::Cpu),
            Some(name) => Machine::named(name),
        };
        let Some(target) = machine.map(Target::of) else { return Ok(None) };
        let core = ravel_driver::optimised_core(self.source, &options, target, None)?;
        Ok(Some(match stage {
            None => FormCounts::of_core(&core),
            Some(FLAT) => {
                FormCounts::of_core(&ravel_driver::flatten(self.source, core, &options, target, None)?)
            }
            Some(_) => {
                FormCounts::of_kernel(&ravel_driver::compile_optimised(self.source, core, &options, target)?)
            }
        }))
    }
}
