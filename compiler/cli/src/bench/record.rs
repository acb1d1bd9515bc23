//! What was measured, as it is kept in a file.

use std::path::Path;

use ravel_engine::Stats;
use ravel_program::files;
use serde::{Deserialize, Serialize};

use crate::measure::Times;

/// The form of the file. A file of another form is refused.
const FORMAT: u32 = 2;

/// All that was measured at one time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    format: u32,
    /// The version of Ravel.
    pub ravel: String,
    /// The machine that it was compiled for.
    pub target: String,
    /// How many threads that machine runs at one time.
    pub processors: usize,
    /// How many of them programs on the CPU used.
    pub threads: usize,
    /// The datasets.
    pub cases: Vec<Measured>,
}

/// A dataset on a backend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The file of the program, as it was named.
    pub program: String,
    /// The entry point.
    pub entry: String,
    /// The dataset: its name in quotes, or `#` and its number among those of the entry point.
    pub dataset: String,
    /// The backend.
    pub backend: String,
    /// The checksum of what the entry point was given.
    pub input: u32,
    /// How long the whole program took from text to loaded code.
    pub compile_seconds: f64,
    /// How long each run took, in order.
    pub run_seconds: Vec<f64>,
    /// How long the processor worked for each run; none where that says nothing of the program.
    pub work_seconds: Vec<f64>,
    /// Was the median known well enough when the runs ended?
    pub settled: bool,
    /// The most bytes of device memory held at one time.
    pub peak_bytes: u64,
    /// Bytes of arguments moved to the device.
    pub bytes_up: u64,
    /// Bytes of results moved from the device.
    pub bytes_down: u64,
    /// Bytes that the host read of the device while the program ran.
    pub bytes_read_back: u64,
    /// Parallel segments started.
    pub launches: u64,
}

impl Record {
    /// What was measured here and now.
    pub fn new(cases: Vec<Measured>, threads: Option<usize>) -> Record {
        Record {
            format: FORMAT,
            ravel: env!("CARGO_PKG_VERSION").to_owned(),
            target: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
            processors: ravel_engine::processors(),
            threads: threads.unwrap_or_else(ravel_engine::processors),
            cases,
        }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn read(file: &Path) -> Result<Record, String> {
        let text = files::read(file)?;
        let wrong = |why: &str| format!("{} was not written by `ravel bench --json`: {why}", file.display());
        let record: Record = serde_json::from_slice(&text).map_err(|trouble| wrong(&trouble.to_string()))?;
        if record.format != FORMAT {
            return Err(wrong(&format!("its format is {}, not {FORMAT}", record.format)));
        }
        for case in &record.cases {
            let is_work = |seconds: &f64| seconds.is_finite() && *seconds >= 0.0;
            let (runs, work) = (&case.run_seconds, &case.work_seconds);
            if !runs.iter().all(|seconds| is_work(seconds) && *seconds > 0.0) || !work.iter().all(is_work) {
                return Err(wrong("a time is no time"));
            }
            if runs.is_empty() || !work.is_empty() && work.len() != runs.len() {
                return Err(wrong(&format!("{} was not run as often as it should", case.name())));
            }
        }
        Ok(record)
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).map_or(String::new(), |text| text + "\n")
    }
}

impl Measured {
    /// The same dataset on the same backend?
    pub fn is_of(&self, other: &Measured) -> bool {
        let key = |of: &Measured| [&of.program, &of.entry, &of.dataset, &of.backend].map(String::clone);
        key(self) == key(other)
    }

    /// What it is called.
    pub fn name(&self) -> String {
        let Measured { program, entry, dataset, backend, .. } = self;
        format!("{program} {entry} {dataset} on {backend}")
    }

    /// Its times.
    pub fn times(&self) -> Times {
        self.run_seconds.iter().copied().collect()
    }

    /// The work of its runs, where it is known, and not so little that the system counts none.
    pub fn work(&self) -> Option<Times> {
        let known = !self.work_seconds.is_empty() && self.work_seconds.iter().all(|seconds| *seconds > 0.0);
        known.then(|| self.work_seconds.iter().copied().collect())
    }

    /// Takes over what a call cost.
    pub fn cost(&mut self, stats: &Stats) {
        self.peak_bytes = stats.peak_bytes;
        self.bytes_up = stats.bytes_up;
        self.bytes_down = stats.bytes_down;
        self.bytes_read_back = stats.bytes_read_back;
        self.launches = stats.launches;
    }

    /// Bytes that were moved between the program's memory and its surroundings.
    pub fn moved_bytes(&self) -> u64 {
        self.bytes_up.saturating_add(self.bytes_down).saturating_add(self.bytes_read_back)
    }
}

#[cfg(test)]
impl Measured {
    /// A dataset of `main` in `a.dsl` with these times.
    pub fn example(dataset: &str, backend: &str, seconds: &[f64]) -> Measured {
        Measured {
            program: "a.dsl".to_owned(),
            entry: "main".to_owned(),
            dataset: dataset.to_owned(),
            backend: backend.to_owned(),
            input: 0,
            compile_seconds: 0.0,
            run_seconds: seconds.to_vec(),
            work_seconds: Vec::new(),
            settled: true,
            peak_bytes: 0,
            bytes_up: 0,
            bytes_down: 0,
            bytes_read_back: 0,
            launches: 0,
        }
    }
}
