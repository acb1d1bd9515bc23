//! Runs in turns: each round gives every dataset that is not known well enough a few milliseconds.

use std::time::{Duration, Instant};

use ravel_abi::{Failure, Spent, Value};
use ravel_engine::{Backend, Executable, Stats};

use super::clock;
use crate::measure::{Aim, Times};

/// How long the runs of a dataset go on in one round; it is run at least once.
const TURN: Duration = Duration::from_millis(20);

/// So long a dataset is run, however soon its median seems to be known: what disturbs a machine comes and goes within a
/// second or so, and the fastest runs shall be undisturbed ones.
const LEAST: Duration = Duration::from_millis(1000);

/// So many runs say enough of anything.
const MOST_RUNS: usize = 20_000;

/// A dataset that is being measured.
pub struct Running<'e> {
    executable: &'e Executable,
    entry: &'e str,
    args: Vec<Value>,
    spent: Duration,
    /// The times so far.
    pub times: Times,
    /// For each of them, how long the processor worked; empty where that says nothing of the program.
    pub work: Vec<f64>,
    on_processor: bool,
    /// What the last run cost.
    pub stats: Stats,
    /// How a run failed.
    pub failure: Option<Failure>,
}

impl<'e> Running<'e> {
    /// Calls of an entry point with these arguments.
    pub fn new(executable: &'e Executable, entry: &'e str, args: Vec<Value>) -> Running<'e> {
        Running {
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

    /// What it runs on.
    pub fn backend(&self) -> Backend {
        self.executable.backend()
    }

    /// The checksum of what it is called with.
    pub fn input(&self) -> u32 {
        let mut bytes = Vec::new();
        for arg in &self.args {
            bytes.extend(arg.type_text().bytes());
            arg.write_bytes(&mut bytes);
        }
        crc32fast::hash(&bytes)
    }

    /// What the parallel parts of a call took, and all of it. Of calls in a row it is the one that took least: the
    /// first wakes threads and fetches memory that others have used meanwhile.
    ///
    /// # Errors
    /// How one failed.
    pub fn profile(&self) -> Result<(Vec<Spent>, Duration), Failure> {
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
        let known = self.times.settled(aim) && self.spent >= LEAST;
        let runs = self.times.runs().len();
        let over = runs > 0 && self.spent >= aim.limit || runs >= MOST_RUNS;
        known || over || self.failure.is_some()
    }

    fn turn(&mut self) {
        let begin = Instant::now();
        while self.failure.is_none() {
            let worked = if self.on_processor { clock::worked() } else { None };
            let before = Instant::now();
            let outcome = self.executable.call(self.entry, &self.args);
            let (took, behind) = (before.elapsed(), clock::worked());
            match outcome {
                Ok((_, stats)) => self.stats = stats,
                Err(failure) => self.failure = Some(failure),
            }
            self.times.add(took.as_secs_f64());
            if let (Some(before), Some(behind)) = (worked, behind) {
                self.work.push(behind - before);
            }
            if begin.elapsed() >= TURN {
                break;
            }
        }
        self.spent += begin.elapsed();
    }
}

/// Runs all of them until each is known well enough or its time is over. `tell` sees them after every round.
pub fn run(all: &mut [Running<'_>], aim: Aim, mut tell: impl FnMut(&[Running<'_>])) {
    // What is made at the first call is not timed.
    for running in all.iter_mut() {
        running.turn();
        (running.times, running.work, running.spent) = (Times::default(), Vec::new(), Duration::ZERO);
    }
    while all.iter().any(|running| !running.is_done(aim)) {
        for running in all.iter_mut().filter(|running| !running.is_done(aim)) {
            running.turn();
        }
        tell(all);
    }
}
