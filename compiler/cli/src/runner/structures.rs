//! `structure` clauses: how often forms stand in the compiled program.
//!
//! Without a stage it is the optimised core IR for the processor that is counted; `cpu` and `gpu` name the
//! kernel IR made for each. Forms and stages that other compilers have and this one has not are left out,
//! and the clause says so.

use std::time::Instant;

use ravel_driver::dev::Machine;
use ravel_driver::spec::Structure;
use ravel_driver::{Census, Options, Problems};
use ravel_program::job;

use super::{Bench, Outcome, Tested};

impl Bench<'_> {
    /// Tests what the program looks like, once compiled.
    pub fn structures(&self) -> Vec<Tested> {
        if self.unwanted(&self.spec.tags).is_some() {
            return Vec::new();
        }
        let mut all = Vec::new();
        for structure in &self.spec.structures {
            let name = format!("{}:{} structure", self.file.display(), structure.line);
            if self.is_named(&name) {
                let before = Instant::now();
                let outcome = self.structure(structure);
                all.push(Tested { name, outcome, time: before.elapsed() });
            }
        }
        all
    }

    fn structure(&self, structure: &Structure) -> Outcome {
        let entries = match &structure.entries[..] {
            [] => vec![None],
            entries => entries.iter().cloned().map(Some).collect(),
        };
        let outcomes = entries.into_iter().map(|entry| self.counted(structure, entry));
        let outcomes: Vec<Outcome> = outcomes.collect();
        let failed = outcomes.iter().find(|outcome| matches!(outcome, Outcome::Failed(_)));
        let worst = failed.or_else(|| outcomes.iter().find(|outcome| **outcome != Outcome::Passed));
        worst.cloned().unwrap_or(Outcome::Passed)
    }

    /// Counts in what is compiled for one entry point, or for all of them.
    fn counted(&self, structure: &Structure, entry: Option<String>) -> Outcome {
        if let (Some(wanted), Ok(known)) = (&entry, ravel_driver::entries(self.source))
            && !known.contains(wanted)
        {
            return Outcome::Failed(job::no_entry(wanted, &known));
        }
        let of = entry.as_ref().map_or(String::new(), |entry| format!("`{entry}`: "));
        let census = match self.census(structure, entry) {
            Ok(Some(census)) => census,
            Ok(None) => {
                let stage = structure.stage.as_deref().unwrap_or_default();
                return Outcome::Skipped(format!("there is no stage `{stage}`; there are `cpu` and `gpu`"));
            }
            Err(problems) => return super::trouble(&ravel_engine::Error::Compile(problems)),
        };
        let (mut wrong, mut unknown) = (Vec::new(), Vec::new());
        for (form, wanted) in &structure.counts {
            match census.count(form) {
                Some(count) if count == *wanted => {}
                Some(count) => wrong.push(format!("{of}{count} `{form}`, but there should be {wanted}")),
                None => unknown.push(format!("`{form}`")),
            }
        }
        let note = (!unknown.is_empty()).then(|| {
            let known: Vec<&str> = census.forms().collect();
            format!("there is no form {}; there are {}", unknown.join(", "), known.join(" "))
        });
        match note {
            None if wrong.is_empty() => Outcome::Passed,
            Some(note) if wrong.is_empty() => Outcome::Skipped(note),
            note => Outcome::Failed(wrong.into_iter().chain(note).collect::<Vec<_>>().join("\n")),
        }
    }

    /// The forms of the stage that is asked for; `None` if there is no such stage.
    fn census(&self, structure: &Structure, entry: Option<String>) -> Result<Option<Census>, Problems> {
        let options = Options { entry, ..Options::default() };
        let kernel = |machine: Machine| {
            let core = ravel_driver::optimised_core(self.source, &options, machine.target(), None)?;
            Ok(Some(Census::of_kernel(&ravel_driver::kernel_program(self.source, &core, machine.target())?)))
        };
        match structure.stage.as_deref() {
            None => Ok(Some(Census::of_core(&ravel_driver::optimised_core(
                self.source,
                &options,
                Machine::Cpu.target(),
                None,
            )?))),
            Some("cpu") => kernel(Machine::Cpu),
            Some("gpu") => kernel(Machine::Gpu),
            Some(_) => Ok(None),
        }
    }
}
