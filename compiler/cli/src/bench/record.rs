//! The file format of measurements.

use std::path::Path;

use ravel_abi::SegmentTime;
use ravel_engine::Stats;
use ravel_program::files;
use serde::{Deserialize, Serialize};

use crate::measure::Times;

/// The version of the file format; files of other versions are refused.
const FORMAT: u32 = 2;

/// The measurements of one run of `ravel bench`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    format: u32,
    /// The version of Ravel.
    pub ravel: String,
    /// The machine that it was compiled for.
    pub target: String,
    /// The number of processors of the machine.
    pub processors: usize,
    /// The number of threads of the CPU backend.
    pub threads: usize,
    /// The measurements, one for each dataset and backend.
    pub cases: Vec<Measurement>,
}

/// The measurement of a dataset on a backend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The file of the program, as on the command line.
    pub program: String,
    /// The entry point.
    pub entry: String,
    /// The dataset: its name in quotes, or `#` and its number among the datasets of the entry point.
    pub dataset: String,
    /// The backend.
    pub backend: String,
    /// The checksum of the arguments.
    pub input: u32,
    /// The time from the source text of the whole program to loaded code.
    pub compile_seconds: f64,
    /// The elapsed time of each run, in order.
    pub run_seconds: Vec<f64>,
    /// The processor time of each run; empty for programs on a GPU.
    pub work_seconds: Vec<f64>,
    /// Whether the median reached the precision.
    pub settled: bool,
    /// The peak number of bytes of device memory.
    pub peak_bytes: u64,
    /// Bytes of arguments moved to the device.
    pub bytes_up: u64,
    /// Bytes of results moved from the device.
    pub bytes_down: u64,
    /// Bytes that the host read from the device while the program ran.
    pub bytes_read_back: u64,
    /// Parallel segments started.
    pub launches: u64,
    /// With `--profile`, the times of the parallel segments of one call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub segments: Vec<Segment>,
}

/// The time of a parallel segment in one call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Segment {
    /// A short name, such as `reduce`.
    pub name: String,
    /// The place in the source.
    pub place: Option<String>,
    /// The number of times it was started.
    pub launches: u64,
    /// The total time. On a GPU with a clock of its own it has no part of the host's.
    pub seconds: f64,
}

impl From<SegmentTime> for Segment {
    fn from(SegmentTime { segment, launches, time }: SegmentTime) -> Segment {
        Segment { name: segment.name, place: segment.place, launches, seconds: time.as_secs_f64() }
    }
}

impl Record {
    /// A record of these measurements, on this machine.
    pub fn new(cases: Vec<Measurement>, threads: Option<usize>) -> Record {
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
    /// The file cannot be read, or is not a valid record.
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
                return Err(wrong("a time is not a positive number"));
            }
            if runs.is_empty() || !work.is_empty() && work.len() != runs.len() {
                return Err(wrong(&format!("the times of {} are incomplete", case.name())));
            }
        }
        Ok(record)
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and strings serialise") + "\n"
    }
}

impl Measurement {
    /// Whether both are measurements of the same dataset on the same backend.
    pub fn is_of(&self, other: &Measurement) -> bool {
        let key = |of: &Measurement| [&of.program, &of.entry, &of.dataset, &of.backend].map(String::clone);
        key(self) == key(other)
    }

    /// The name: program, entry point, dataset and backend.
    pub fn name(&self) -> String {
        let Measurement { program, entry, dataset, backend, .. } = self;
        format!("{program} {entry} {dataset} on {backend}")
    }

    /// Its times.
    pub fn times(&self) -> Times {
        self.run_seconds.iter().copied().collect()
    }

    /// The processor times of its runs, if they are known and above the resolution of the system's clock.
    pub fn work(&self) -> Option<Times> {
        let known = !self.work_seconds.is_empty() && self.work_seconds.iter().all(|seconds| *seconds > 0.0);
        known.then(|| self.work_seconds.iter().copied().collect())
    }

    /// Sets the costs of a call.
    pub fn cost(&mut self, stats: &Stats) {
        self.peak_bytes = stats.peak_bytes;
        self.bytes_up = stats.bytes_up;
        self.bytes_down = stats.bytes_down;
        self.bytes_read_back = stats.bytes_read_back;
        self.launches = stats.launches;
    }

    /// The bytes moved between the host and the device.
    pub fn moved_bytes(&self) -> u64 {
        self.bytes_up.saturating_add(self.bytes_down).saturating_add(self.bytes_read_back)
    }
}

#[cfg(test)]
impl Measurement {
    /// A dataset of `main` in `a.dsl` with these times.
    pub fn example(dataset: &str, backend: &str, seconds: &[f64]) -> Measurement {
        Measurement {
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
            segments: Vec::new(),
        }
    }
}
