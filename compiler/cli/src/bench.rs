//! `ravel bench`: measures programs on the datasets of their test blocks.
//!
//! * `rounds`: interleaved runs of all datasets; `record`: the file of measurements
//! * `report`: the table; `plot`: the SVG plot; `compare`: comparison with an earlier record
//! * `clock`: processor time; `profile`: times of parallel segments
//!
//! `measure` has the statistics and the stopping rule.

mod clock;
mod compare;
mod plot;
mod profile;
mod record;
mod report;
mod rounds;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ravel_driver::spec::{self, Case};
use ravel_engine::{Backend, Executable};
use ravel_program::{files, format_time};

use crate::args;
use crate::commands::{Tunings, collect, read_source, test_backends};
use crate::exit::{self, Exit};
use crate::measure::Aim;
use crate::runner::{Limit, Outcome, Suite, TestBackend, TestFilter};
use crate::terminal;
use record::{Measurement, Record, Segment};
use rounds::Sampler;

/// The relative precision of the median at which runs stop.
const PRECISION: f64 = 0.05;

/// The exit code after Ctrl-C, as shells use it.
const INTERRUPTED: i32 = 130;

/// The tags of cases that are not measured.
const SKIPPED: [&str; 2] = ["disable", "nobench"];

/// The settings for all programs.
struct Job {
    backends: Vec<TestBackend>,
    /// The time limit of a run: none, since long runs are measured too.
    limit: Limit,
    tunings: Tunings,
    filter: TestFilter,
    aim: Aim,
    profile: bool,
}

/// A program compiled for a backend.
struct BenchProgram {
    backend: Backend,
    executable: Executable,
    seconds: f64,
}

/// Measures all datasets of the programs.
pub fn run(args: &args::Bench) -> Result<(), Exit> {
    let old = args.compare.as_ref().map(|file| Record::read(file).map_err(exit::user)).transpose()?;
    let written: Vec<&Path> = args.json.iter().chain(&args.plot).map(PathBuf::as_path).collect();
    if let Some(duplicate) = files::duplicate(&written) {
        return Err(exit::usage(format!("{} would be written twice", duplicate.display())));
    }
    written.iter().try_for_each(|file| files::writable(file)).map_err(exit::user)?;
    report_interruption(&written);
    let mut paths = Vec::new();
    for path in &args.selection.paths {
        collect(path, &mut paths)?;
    }
    let job = Job::new(args)?;
    let mut cases = Vec::new();
    let mut failed = false;
    for (number, path) in paths.iter().enumerate() {
        let place = format!("[{}/{}] {}", number + 1, paths.len(), path.display());
        failed |= job.program(path, &place, &mut cases)?;
    }
    if cases.is_empty() && !failed {
        return Err(exit::user(match &args.selection.only {
            Some(text) => {
                format!("no dataset of these files has the text `{text}` of --only in its name")
            }
            None => "these files have no dataset, that is a case of a test block without the tag `nobench`"
                .to_owned(),
        }));
    }
    if cases.iter().any(|case| !case.settled) {
        terminal::output(b"! not known within 5 % at the time limit; --limit raises it\n")?;
    }
    if cases.is_empty() && !written.is_empty() {
        return Err(exit::user(format!(
            "nothing was measured, and nothing is written to {}",
            list_files(&written)
        )));
    }
    if let Some(file) = &args.plot {
        files::write(file, plot::svg(&cases)).map_err(exit::user)?;
    }
    let new = Record::new(cases, args.threads.count());
    if let Some(file) = &args.json {
        files::write(file, new.text()).map_err(exit::user)?;
    }
    let mut slower = false;
    if let Some(old) = &old {
        let (text, any_slower) = compare::report(old, &new);
        slower = any_slower;
        terminal::output(format!("\n{text}").as_bytes())?;
    }
    if failed || slower { Err(Exit::User) } else { Ok(()) }
}

/// On Ctrl-C, reports which files are not written, then ends the process.
fn report_interruption(files: &[&Path]) {
    if files.is_empty() {
        return;
    }
    let files = list_files(files);
    // If the system does not allow a handler, Ctrl-C ends the process without a message.
    let _ = ctrlc::set_handler(move || {
        terminal::error("\n");
        exit::user(format!("interrupted; the measurements are not written to {files}"));
        std::process::exit(INTERRUPTED);
    });
}

fn list_files(files: &[&Path]) -> String {
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    files.join(" and ")
}

impl Job {
    fn new(args: &args::Bench) -> Result<Job, Exit> {
        Ok(Job {
            backends: test_backends(&args.selection, args.threads)?,
            limit: Limit::new(Duration::MAX),
            tunings: Tunings::new(&args.selection)?,
            filter: TestFilter::new(&args.selection, &SKIPPED),
            profile: args.profile,
            aim: Aim { precision: PRECISION, limit: Duration::from_secs_f64(args.limit) },
        })
    }

    /// Measures one program. Returns whether one of its cases failed.
    fn program(&self, path: &PathBuf, place: &str, cases: &mut Vec<Measurement>) -> Result<bool, Exit> {
        let first = cases.len();
        let source = read_source(path)?;
        let spec = match spec::parse(source.text()) {
            Ok(Some(spec)) => spec,
            Ok(None) => return Ok(false),
            Err(wrong) => {
                exit::user(format!("{}:{}: {}", path.display(), wrong.line, wrong.message));
                return Ok(true);
            }
        };
        let suite = |backend| Suite {
            backend,
            limit: &self.limit,
            seed: 0,
            tunings: &self.tunings,
            filter: &self.filter,
            file: path,
            source: &source,
            spec: &spec,
        };
        let suites: Vec<Suite<'_>> = self.backends.iter().map(suite).collect();
        if suites.iter().all(|suite| suite.datasets().is_empty()) {
            return Ok(false);
        }
        let mut failed = false;
        let mut compiled = Vec::new();
        for suite in &suites {
            terminal::progress(&format!("{place}: compiling for {}", suite.backend.kind.name()));
            let program = self.compile(suite);
            terminal::progress("");
            failed |= matches!(program, Err(Exit::User | Exit::Bug));
            compiled.push(program.ok());
        }
        let times = compiled
            .iter()
            .flatten()
            .map(|program| format!("{} ({})", format_time(program.seconds), program.backend.name()));
        let times: Vec<String> = times.collect();
        if !times.is_empty() {
            terminal::output(format!("{}: compiled in {}\n", path.display(), times.join(", ")).as_bytes())?;
        }
        // Ordered by dataset, then by backend.
        let mut running: Vec<(&BenchProgram, &Case, Sampler<'_>)> = Vec::new();
        for case in &spec.cases {
            for (suite, program) in suites.iter().zip(&compiled) {
                let Some(program) = program else { continue };
                if !suite.datasets().iter().any(|wanted| std::ptr::eq(*wanted, case)) {
                    continue;
                }
                terminal::progress(&format!("{place}: checking {}", suite.name(case)));
                let checked = check(suite, &program.executable, case);
                terminal::progress("");
                match checked {
                    Ok(ready) => running.push((program, case, ready)),
                    Err(exit) => failed |= exit != Exit::Limitation,
                }
            }
        }
        let (names, mut running): (Vec<_>, Vec<_>) =
            running.into_iter().map(|(program, case, running)| ((program, case), running)).unzip();
        rounds::run(&mut running, self.aim, |all| {
            let done = all.iter().filter(|one| one.times.is_precise(self.aim)).count();
            let spreads: Option<Vec<f64>> = all.iter().map(|one| one.times.spread()).collect();
            let others = spreads.map_or("the others unknown".to_owned(), |spreads| {
                format!("the others within {:.0} %", spreads.into_iter().fold(0.0, f64::max) * 100.0)
            });
            terminal::progress(&format!("{place}: {done} of {} known, {others}", all.len()));
        });
        terminal::progress("");
        let mut profiles = Vec::new();
        for ((program, case), running) in names.into_iter().zip(running) {
            if let Some(failure) = &running.failure {
                exit::failure(failure);
                failed = true;
                continue;
            }
            let mut measured = measured(path, program, case, &running, self.aim);
            if self.profile {
                let profiled = running.profile();
                let name = format!("{} {}", case.entry, case.name);
                profiles.push(profile::text(&profiled, running.backend(), &source, &name));
                let segments = profiled.into_iter().flat_map(|(segments, _)| segments);
                measured.segments = segments.map(Segment::from).collect();
            }
            cases.push(measured);
        }
        terminal::output((report::table(&cases[first..]) + &profiles.concat()).as_bytes())?;
        Ok(failed)
    }

    fn compile(&self, suite: &Suite<'_>) -> Result<BenchProgram, Exit> {
        let before = Instant::now();
        let executable = suite.backend.engine().compile(suite.source, &suite.backend.options);
        let mut executable = executable.map_err(|error| exit::error(&error))?;
        let seconds = before.elapsed().as_secs_f64();
        self.tunings.tune(suite.file, &mut executable).map_err(exit::user)?;
        Ok(BenchProgram { backend: suite.backend.kind, executable, seconds })
    }
}

/// Runs a case once, as `ravel test` does, and prints its failure.
fn check<'e>(suite: &Suite<'_>, executable: &'e Executable, case: &'e Case) -> Result<Sampler<'e>, Exit> {
    let report = |word: &str, why: &str| {
        exit::user(format!("{word} {}\n    {}", suite.name(case), why.trim_end().replace('\n', "\n    ")))
    };
    match suite.case(executable, case).unwrap_or_else(Outcome::Failed) {
        Outcome::Passed => {}
        Outcome::Failed(why) => return Err(report("FAILED", &why)),
        Outcome::Limited(why) | Outcome::Skipped(why) => {
            terminal::error(&format!("limited {}\n    {why}\n", suite.name(case)));
            return Err(Exit::Limitation);
        }
    }
    let args = suite.arguments_of(executable, case).map_err(|why| report("FAILED", &why))?;
    Ok(Sampler::new(executable, &case.entry, args))
}

fn measured(
    path: &Path,
    program: &BenchProgram,
    case: &Case,
    running: &Sampler<'_>,
    aim: Aim,
) -> Measurement {
    let mut measured = Measurement {
        program: path.display().to_string(),
        entry: case.entry.clone(),
        dataset: case.name.clone(),
        backend: program.backend.name().to_owned(),
        compile_seconds: program.seconds,
        run_seconds: running.times.runs().to_vec(),
        work_seconds: running.work.clone(),
        input: running.input(),
        settled: running.times.is_precise(aim),
        peak_bytes: 0,
        bytes_up: 0,
        bytes_down: 0,
        bytes_read_back: 0,
        launches: 0,
        segments: Vec::new(),
    };
    measured.cost(&running.stats);
    measured
}
