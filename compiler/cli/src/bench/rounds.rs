//! Interleaved runs: in each round, every dataset that is not yet measured precisely runs for [`TURN`], and at least
//! once.

use std::time::{Duration, Instant};

use ravel_abi::{Failure, SegmentTime, Value};
use ravel_engine::{Backend, Executable, Stats};

use super::clock;
use crate::measure::{Aim, Times};

/// The time of a dataset in one round; it runs at least once.
const TURN: Duration = Duration::from_millis(20);

/// The minimum total time of a dataset. Disturbances last up to about a second, and the fastest runs should be
/// undisturbed.
const LEAST: Duration = Duration::from_millis(1000);

/// The maximum number of runs of a dataset.
const MAX_RUNS: usize = 20_000;

/// The ongoing measurement of a dataset.
pub struct Sampler<'e> {
    executable: &'e Executable,
    entry: &'e str,
    args: Vec<Value>,
    spent: Duration,
    /// The times so far.
    pub times: Times,
    /// The processor time of each run; empty for programs on a GPU.
    pub work: Vec<f64>,
    on_processor: bool,
    /// The costs of the last run.
    pub stats: Stats,
    /// The failure that ended the measurement.
    pub failure: Option<Failure>,
}

impl<'e> Sampler<'e> {
    /// Prepares calls of an entry point with these arguments.
    pub fn new(executable: &'e Executable, entry: &'e str, args: Vec<Value>) -> Sampler<'e> {
        Sampler {
            executable,
            entry,
            args,
            spent: Duration::ZERO,
            work: Vec::new(),
            on_processor: executable.is_on_processor(),
            times: Times::default(),
            stats: Stats::default(),
            failure: None,
        }
    }

    /// The backend.
    pub fn backend(&self) -> Backend {
        self.executable.backend()
    }

    /// The checksum of the arguments.
    pub fn input(&self) -> u32 {
        let mut bytes = Vec::new();
        for arg in &self.args {
            bytes.extend(arg.type_text().bytes());
            arg.write_bytes(&mut bytes);
        }
        crc32fast::hash(&bytes)
    }

    /// The times of the parallel segments of a call and of the whole call. Several calls run, and the fastest counts: the first
    /// one wakes threads and refills caches.
    ///
    /// # Errors
    /// The failure of a call.
    pub fn profile(&self) -> Result<(Vec<SegmentTime>, Duration), Failure> {
        let profiled = || {
            let begin = Instant::now();
            let spent = self.executable.profile(self.entry, &self.args)?;
            Ok((spent, begin.elapsed()))
        };
        let begin = Instant::now();
        profiled()?;
        let mut least = profiled()?;
        while begin.elapsed() < TURN {
            let next = profiled()?;
            if next.1 < least.1 {
                least = next;
            }
        }
        Ok(least)
    }

    fn is_done(&self, aim: Aim) -> bool {
        let known = self.times.is_precise(aim) && self.spent >= LEAST;
        let runs = self.times.runs().len();
        let over = runs > 0 && self.spent >= aim.limit || runs >= MAX_RUNS;
        known || over || self.failure.is_some()
    }

    fn turn(&mut self) {
        let begin = Instant::now();
        while self.failure.is_none() {
            let start = if self.on_processor { clock::processor_time() } else { None };
            let before = Instant::now();
            let outcome = self.executable.call(self.entry, &self.args);
            let (took, end) = (before.elapsed(), clock::processor_time());
            match outcome {
                Ok((_, stats)) => self.stats = stats,
                Err(failure) => self.failure = Some(failure),
            }
            self.times.add(took.as_secs_f64());
            if let (Some(start), Some(end)) = (start, end) {
                self.work.push(end - start);
            }
            if begin.elapsed() >= TURN {
                break;
            }
        }
        self.spent += begin.elapsed();
    }
}

/// Runs all datasets until each reaches the precision or its time limit; calls `progress` after every round.
pub fn run(all: &mut [Sampler<'_>], aim: Aim, mut progress: impl FnMut(&[Sampler<'_>])) {
    // A first round warms up and is not counted.
    for running in all.iter_mut() {
        running.turn();
        (running.times, running.work, running.spent) = (Times::default(), Vec::new(), Duration::ZERO);
    }
    while all.iter().any(|running| !running.is_done(aim)) {
        for running in all.iter_mut().filter(|running| !running.is_done(aim)) {
            running.turn();
        }
        progress(all);
    }
}
