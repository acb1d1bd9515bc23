//! `ravel test`: run the test blocks of programs and count.
//!
//! Several programs are tested at once; what is told of them comes in the order of their names.

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
use crate::runner::{self, Bench, Limit, Outcome, Station, Tested, Wanted};
use crate::terminal;

/// Tags of what is not tested.
const LEFT_OUT: [&str; 2] = ["disable", "notest"];

/// How many tests ended how.
#[derive(Default)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
    limited: usize,
}

/// What all workers share.
struct Job {
    stations: Vec<Station>,
    /// How long a test may take.
    limit: Duration,
    wanted: Wanted,
    tunings: Tunings,
    files: Vec<(PathBuf, Source)>,
    /// Those that were asked for by name.
    named: BTreeSet<PathBuf>,
    /// The number of the next file to be tested.
    next: AtomicUsize,
}

/// Runs all test blocks. Every test that did not pass is printed; the last line counts them all.
pub fn test(args: &Test) -> Result<(), Exit> {
    args.junit.as_deref().map_or(Ok(()), files::writable).map_err(exit::user)?;
    let (mut paths, mut named) = (Vec::new(), BTreeSet::new());
    for path in &args.selection.paths {
        let before = paths.len();
        super::collect(path, &mut paths)?;
        named.extend(paths[before..].iter().filter(|found| *found == path).cloned());
    }
    let job = Job {
        stations: super::stations(&args.selection, Threads::default())?,
        limit: Duration::from_secs_f64(args.timeout),
        named,
        tunings: Tunings::new(&args.selection)?,
        wanted: Wanted::new(&args.selection, &LEFT_OUT),
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
        (0, ..) if args.selection.only.is_some() => Err(exit::user("no test in these files has such a name")),
        (0, ..) => Err(exit::user("these files have no test block: a comment that begins with `-- ==`")),
        (_, 0, 0) => Ok(()),
        (_, 0, _) if !args.no_limitations => Ok(()),
        _ => Err(Exit::User),
    }
}

/// Tests all files by so many workers; tells of each file once those before it are told of. Gives the
/// tests by file.
fn run(
    job: Job,
    workers: usize,
    mut tell: impl FnMut(&Tested) -> Result<(), Exit>,
) -> Result<Vec<(String, Vec<Tested>)>, Exit> {
    let job = Arc::new(job);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers.clamp(1, job.files.len().max(1)) {
            let (job, sender) = (job.clone(), sender.clone());
            scope.spawn(move || {
                ravel_driver::on_large_stack(move || {
                    while let Some(number) = job.take() {
                        if sender.send((number, job.test(number))).is_err() {
                            break;
                        }
                    }
                });
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut suites: Vec<(String, Vec<Tested>)> = Vec::new();
        for (done, (number, tested)) in receiver.iter().enumerate() {
            waiting.insert(number, tested);
            while let Some(tested) = waiting.remove(&suites.len()) {
                terminal::progress("");
                tested.iter().try_for_each(&mut tell)?;
                suites.push((job.files[suites.len()].0.display().to_string(), tested));
            }
            terminal::progress(&format!("[{}/{}]", done + 1, job.files.len()));
        }
        terminal::progress("");
        Ok(suites)
    })
}

impl Job {
    /// The number of a file that nobody has taken yet.
    fn take(&self) -> Option<usize> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.files.len()).then_some(number)
    }

    fn bench<'a>(
        &'a self,
        station: &'a Station,
        limit: &'a Limit,
        number: usize,
        spec: &'a spec::Spec,
    ) -> Bench<'a> {
        let (file, source) = &self.files[number];
        Bench { station, limit, tunings: &self.tunings, wanted: &self.wanted, file, source, spec }
    }

    /// Runs the tests of one file on every backend, and those of its structure and promises. A file
    /// without a block has none; but if it was asked for by name and is wrong, that is told.
    fn test(&self, number: usize) -> Vec<Tested> {
        let (file, source) = &self.files[number];
        let wrong = |name: String, message| {
            vec![Tested { name, outcome: Outcome::Failed(message), time: Duration::ZERO }]
        };
        let spec = match spec::parse(source.text()) {
            Ok(None) if self.named.contains(file) => {
                let told = ravel_driver::check(source).err().map(|problems| runner::plain(&problems));
                return told.map_or(Vec::new(), |told| wrong(file.display().to_string(), told));
            }
            Ok(None) => return Vec::new(),
            Ok(Some(spec)) => spec,
            Err(error) => return wrong(format!("{}:{}", file.display(), error.line), error.message),
        };
        let guarded = |name: String, run: &dyn Fn() -> Vec<Tested>| {
            ravel_driver::guarded("the test", run).unwrap_or_else(|problems| {
                let said = problems.diagnostics.iter().map(|bug| bug.message.clone());
                wrong(name, said.collect())
            })
        };
        let mut tested = Vec::new();
        let limit = Limit::new(self.limit);
        for station in &self.stations {
            tested.extend(guarded(format!("{} on {}", file.display(), station.backend.name()), &|| {
                self.bench(station, &limit, number, &spec).run()
            }));
        }
        if let Some(first) = self.stations.first() {
            let bench = self.bench(first, &limit, number, &spec);
            let name = file.display();
            tested.extend(guarded(format!("{name} and its structure"), &|| bench.structures()));
            tested.extend(guarded(format!("{name} and its promises"), &|| bench.promises()));
        }
        tested
    }
}

impl Counts {
    /// Counts a test, and tells why it did not pass.
    fn add(&mut self, tested: &Tested) -> Result<(), Exit> {
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
