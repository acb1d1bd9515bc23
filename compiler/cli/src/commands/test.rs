//! `ravel test`: runs the test blocks of programs and counts the outcomes.
//!
//! Several programs are tested in parallel; results are printed in the order of the programs' names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use ravel_driver::Source;
use ravel_driver::spec;
use ravel_program::files;

use crate::args::{Test, Threads};
use crate::commands::Tunings;
use crate::exit::{self, Exit};
use crate::junit;
use crate::runner::{self, Limit, Outcome, Suite, TestBackend, TestFilter, TestResult};
use crate::terminal;

/// The tags of tests that are skipped.
const SKIPPED: [&str; 2] = ["disable", "notest"];

/// The number of tests with each outcome.
#[derive(Default)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
    limited: usize,
}

/// The state that all workers share.
struct Job {
    backends: Vec<TestBackend>,
    /// The time limit of a test.
    limit: Duration,
    /// The seed of the arguments of properties.
    seed: u64,
    filter: TestFilter,
    tunings: Tunings,
    files: Vec<(PathBuf, Source)>,
    /// The files that the command line names one by one, not as part of a folder.
    named: BTreeSet<PathBuf>,
    /// The number of the next file to test.
    next: AtomicUsize,
}

/// Runs all test blocks. Every test that did not pass is printed; the last line counts them all.
pub fn test(args: &Test) -> Result<(), Exit> {
    args.junit.as_deref().map_or(Ok(()), files::writable).map_err(exit::user)?;
    let (mut paths, mut named) = (Vec::new(), BTreeSet::new());
    for path in &args.selection.paths {
        let before = paths.len();
        super::collect(path, &mut paths)?;
        named.extend(paths[before..].iter().filter(|file| *file == path).cloned());
    }
    let job = Job {
        backends: super::test_backends(&args.selection, Threads::default())?,
        limit: Duration::from_secs_f64(args.timeout),
        seed: args.seed,
        named,
        tunings: Tunings::new(&args.selection)?,
        filter: TestFilter::new(&args.selection, &SKIPPED),
        files: paths
            .into_iter()
            .map(|path| super::read_source(&path).map(|source| (path, source)))
            .collect::<Result<_, Exit>>()?,
        next: AtomicUsize::new(0),
    };
    let workers = args.jobs.map_or_else(ravel_engine::processors, usize::from);
    let mut counts = Counts::default();
    let suites = run(job, workers, |tested| counts.add(tested))?;
    if let Some(file) = &args.junit {
        files::write(file, junit::report(&suites)).map_err(exit::user)?;
    }
    let Counts { passed, failed, skipped, limited } = counts;
    let summary = format!("{passed} passed, {failed} failed, {skipped} skipped, {limited} limited\n");
    terminal::output(summary.as_bytes())?;
    match (passed + failed + skipped + limited, failed, limited) {
        (0, ..) if args.selection.only.is_some() => {
            Err(exit::user("no test in these files has the text of --only in its name"))
        }
        (0, ..) => Err(exit::user("these files have no test block: a comment that begins with `-- ==`")),
        (_, 0, 0) => Ok(()),
        (_, 0, _) if !args.no_limitations => Ok(()),
        _ => Err(Exit::User),
    }
}

/// Tests all files with this number of workers; `report` gets the results of each file in order. Returns the tests by
/// file.
fn run(
    job: Job,
    workers: usize,
    mut report: impl FnMut(&TestResult) -> Result<(), Exit>,
) -> Result<Vec<(String, Vec<TestResult>)>, Exit> {
    let workers = workers.clamp(1, job.files.len().max(1));
    let job = Arc::new(job);
    let mut waiting = BTreeMap::new();
    let mut suites: Vec<(String, Vec<TestResult>)> = Vec::new();
    let mut record = |number: usize, tested: Vec<TestResult>| {
        waiting.insert(number, tested);
        while let Some(tested) = waiting.remove(&suites.len()) {
            terminal::progress("");
            tested.iter().try_for_each(&mut report)?;
            suites.push((job.files[suites.len()].0.display().to_string(), tested));
        }
        terminal::progress(&format!("[{}/{}]", suites.len() + waiting.len(), job.files.len()));
        Ok(())
    };
    // Several workers take a limited address space from each other. A single one works in this thread.
    if workers == 1 || !ravel_driver::has_room_for_stacks(workers) {
        while let Some(number) = job.take() {
            record(number, job.test(number))?;
        }
    } else {
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            let start = || {
                let (job, sender) = (job.clone(), sender.clone());
                let work = move || {
                    ravel_driver::on_large_stack(move || {
                        while let Some(number) = job.take() {
                            if sender.send((number, job.test(number))).is_err() {
                                break;
                            }
                        }
                    });
                };
                std::thread::Builder::new().spawn_scoped(scope, work)
            };
            // The tests need only one worker.
            let (started, refused): (Vec<_>, Vec<_>) = (0..workers).map(|_| start()).partition(Result::is_ok);
            if let ([], [Err(error), ..]) = (&started[..], &refused[..]) {
                return Err(exit::user(format!("cannot start a thread: {error}")));
            }
            drop(sender);
            receiver.iter().try_for_each(|(number, tested)| record(number, tested))
        })?;
    }
    terminal::progress("");
    Ok(suites)
}

impl Job {
    /// The number of the next file that no worker has taken.
    fn take(&self) -> Option<usize> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.files.len()).then_some(number)
    }

    fn suite<'a>(
        &'a self,
        backend: &'a TestBackend,
        limit: &'a Limit,
        number: usize,
        spec: &'a spec::Spec,
    ) -> Suite<'a> {
        let (file, source) = &self.files[number];
        let Job { seed, tunings, filter, .. } = self;
        Suite { backend, limit, seed: *seed, tunings, filter, file, source, spec }
    }

    /// Runs the tests of one file on every backend, and tests its structure and its promises. A file without a test block
    /// has no tests; but if the command line names it, errors in it are a failed test.
    fn test(&self, number: usize) -> Vec<TestResult> {
        let (file, source) = &self.files[number];
        let wrong = |name: String, message| {
            vec![TestResult { name, outcome: Outcome::Failed(message), time: Duration::ZERO }]
        };
        let spec = match spec::parse(source.text()) {
            Ok(None) if self.named.contains(file) => {
                let error = ravel_driver::check(source).err().map(|problems| runner::plain(&problems));
                return error.map_or(Vec::new(), |error| wrong(file.display().to_string(), error));
            }
            Ok(None) => return Vec::new(),
            Ok(Some(spec)) => spec,
            Err(error) => return wrong(format!("{}:{}", file.display(), error.line), error.message),
        };
        let guarded = |name: String, run: &dyn Fn() -> Vec<TestResult>| {
            ravel_driver::guarded("the test", run).unwrap_or_else(|problems| {
                let messages = problems.diagnostics.iter().map(|bug| bug.message.clone());
                wrong(name, messages.collect())
            })
        };
        let mut tested = Vec::new();
        let limit = Limit::new(self.limit);
        for backend in &self.backends {
            tested.extend(guarded(format!("{} on {}", file.display(), backend.kind.name()), &|| {
                self.suite(backend, &limit, number, &spec).run()
            }));
        }
        if let Some(first) = self.backends.first() {
            let suite = self.suite(first, &limit, number, &spec);
            let name = file.display();
            tested.extend(guarded(format!("{name} and its structure"), &|| suite.structures()));
            tested.extend(guarded(format!("{name} and its promises"), &|| suite.promises()));
        }
        tested
    }
}

impl Counts {
    /// Counts a test, and prints the reason if it did not pass.
    fn add(&mut self, tested: &TestResult) -> Result<(), Exit> {
        let (count, word, reason) = match &tested.outcome {
            Outcome::Passed => {
                self.passed += 1;
                return Ok(());
            }
            Outcome::Failed(reason) => (&mut self.failed, "FAILED", reason),
            Outcome::Skipped(reason) => (&mut self.skipped, "skipped", reason),
            Outcome::Limited(reason) => (&mut self.limited, "limited", reason),
        };
        *count += 1;
        let indented = reason.trim_end().replace('\n', "\n    ");
        terminal::output(format!("{word} {}\n    {indented}\n", tested.name).as_bytes())
    }
}
