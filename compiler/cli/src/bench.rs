//! `ravel bench`: how fast programs run on the datasets of their test blocks.
//!
//! * `rounds`: runs in turns; `record`: what was measured, in a file
//! * `report`: the table; `plot`: the picture; `compare`: what has become slower
//!
//! How well a time is known, and when to stop, `measure` decides.

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
use ravel_driver::{Options, Source};
use ravel_engine::{Backend, Engine, Error, Executable};

use crate::args;
use crate::commands::{collect, read_source};
use crate::exit::{self, Exit};
use crate::measure::{Aim, shown};
use crate::runner::{Bench, Outcome, Wanted};
use crate::terminal;
use record::{Measured, Record};
use rounds::Running;

/// The median shall be known within this part of it.
const PRECISION: f64 = 0.05;

/// Tags of what is not measured.
const LEFT_OUT: [&str; 2] = ["disable", "nobench"];

/// What all programs are measured with.
struct Job {
    engines: Vec<(Backend, Engine)>,
    wanted: Wanted,
    aim: Aim,
    profile: bool,
}

/// A program on a backend.
struct Compiled {
    backend: Backend,
    executable: Executable,
    seconds: f64,
}

/// Measures all datasets of the programs.
pub fn run(args: &args::Bench) -> Result<(), Exit> {
    let old = args.compare.as_ref().map(|file| Record::read(file).map_err(exit::user)).transpose()?;
    let mut paths = Vec::new();
    for path in &args.paths {
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
        return Err(exit::user(
            "these files have no dataset: a case of a test block, without the tag `nobench`",
        ));
    }
    if cases.iter().any(|case| !case.settled) {
        terminal::output(b"! not known within 5 % when the time was over; --limit gives more\n")?;
    }
    if let Some(file) = &args.plot {
        write(file, &plot::svg(&cases))?;
    }
    let new = Record::new(cases);
    if let Some(file) = &args.json {
        write(file, &new.text())?;
    }
    let mut slower = false;
    if let Some(old) = &old {
        let (text, found) = compare::report(old, &new);
        slower = found;
        terminal::output(format!("\n{text}").as_bytes())?;
    }
    if failed || slower { Err(Exit::User) } else { Ok(()) }
}

fn write(file: &Path, text: &str) -> Result<(), Exit> {
    std::fs::write(file, text)
        .map_err(|trouble| exit::user(format!("cannot write {}: {trouble}", file.display())))
}

impl Job {
    fn new(args: &args::Bench) -> Result<Job, Exit> {
        let threads = args.threads.map(usize::from);
        let open = |&backend: &args::Backend| {
            let backend = Backend::from(backend);
            Ok((backend, Engine::open(backend, threads).map_err(|no| exit::failure(&no))?))
        };
        let exclude = LEFT_OUT.iter().map(|&tag| tag.to_owned()).chain(args.exclude.iter().cloned());
        Ok(Job {
            engines: args.backend.iter().map(open).collect::<Result<_, Exit>>()?,
            wanted: Wanted { only: args.only.clone(), exclude: exclude.collect() },
            profile: args.profile,
            aim: Aim { precision: PRECISION, limit: Duration::from_secs_f64(args.limit) },
        })
    }

    /// Measures one program; gives whether something of it does not do what it should.
    fn program(&self, path: &PathBuf, place: &str, cases: &mut Vec<Measured>) -> Result<bool, Exit> {
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
        let bench = |&(backend, ref engine)| Bench {
            engine,
            backend,
            wanted: &self.wanted,
            file: path,
            source: &source,
            spec: &spec,
        };
        let benches: Vec<Bench<'_>> = self.engines.iter().map(bench).collect();
        if benches.iter().all(|bench| bench.datasets().is_empty()) {
            return Ok(false);
        }
        let mut failed = false;
        let mut compiled = Vec::new();
        for bench in &benches {
            terminal::progress(&format!("{place}: compiling for {}", bench.backend.name()));
            let program = compile(bench.engine, bench.backend, &source);
            terminal::progress("");
            failed |= matches!(program, Err(Exit::User | Exit::Bug));
            compiled.push(program.ok());
        }
        let times = compiled
            .iter()
            .flatten()
            .map(|program| format!("{} ({})", shown(program.seconds), program.backend.name()));
        let times: Vec<String> = times.collect();
        if !times.is_empty() {
            terminal::output(format!("{}: compiled in {}\n", path.display(), times.join(", ")).as_bytes())?;
        }
        // Each dataset on every backend, then the next one.
        let mut running: Vec<(&Compiled, &Case, Running<'_>)> = Vec::new();
        for case in &spec.cases {
            for (bench, program) in benches.iter().zip(&compiled) {
                let Some(program) = program else { continue };
                if !bench.datasets().iter().any(|wanted| std::ptr::eq(*wanted, case)) {
                    continue;
                }
                terminal::progress(&format!("{place}: checking {}", bench.name(case)));
                let checked = check(bench, &program.executable, case);
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
            let done = all.iter().filter(|one| one.times.settled(self.aim)).count();
            let spreads = all.iter().filter_map(|one| one.times.spread());
            let widest = spreads.fold(0.0, f64::max) * 100.0;
            let known = format!("{done} of {} known, the others within {widest:.0} %", all.len());
            terminal::progress(&format!("{place}: {known}"));
        });
        terminal::progress("");
        let mut profiles = Vec::new();
        for ((program, case), running) in names.into_iter().zip(running) {
            if let Some(failure) = &running.failure {
                exit::failure(failure);
                failed = true;
                continue;
            }
            cases.push(measured(path, program, case, &running, self.aim));
            if self.profile {
                profiles.push(profile::of(&running, &source, &format!("{} {}", case.entry, case.name)));
            }
        }
        terminal::output((report::table(&cases[first..]) + &profiles.concat()).as_bytes())?;
        Ok(failed)
    }
}

fn compile(engine: &Engine, backend: Backend, source: &Source) -> Result<Compiled, Exit> {
    let before = Instant::now();
    let executable = engine.compile(source, &Options::default()).map_err(|error| match error {
        Error::Compile(problems) => exit::problems(&problems),
        Error::Load(failure) => exit::failure(&failure),
    })?;
    Ok(Compiled { backend, executable, seconds: before.elapsed().as_secs_f64() })
}

/// Runs a case once, as `ravel test` does, and says what is wrong with it.
fn check<'e>(bench: &Bench<'_>, executable: &'e Executable, case: &'e Case) -> Result<Running<'e>, Exit> {
    let told = |word: &str, why: &str| {
        exit::user(format!("{word} {}\n    {}", bench.name(case), why.trim_end().replace('\n', "\n    ")))
    };
    match bench.case(executable, case).unwrap_or_else(Outcome::Failed) {
        Outcome::Passed => {}
        Outcome::Failed(why) => return Err(told("FAILED", &why)),
        Outcome::Limited(why) | Outcome::Skipped(why) => {
            terminal::error(&format!("limited {}\n    {why}\n", bench.name(case)));
            return Err(Exit::Limitation);
        }
    }
    let args = bench.given(executable, case).map_err(|why| told("FAILED", &why))?;
    Ok(Running::new(executable, &case.entry, args))
}

fn measured(path: &Path, program: &Compiled, case: &Case, running: &Running<'_>, aim: Aim) -> Measured {
    let mut measured = Measured {
        program: path.display().to_string(),
        entry: case.entry.clone(),
        dataset: case.name.clone(),
        backend: program.backend.name().to_owned(),
        compile_seconds: program.seconds,
        run_seconds: running.times.runs().to_vec(),
        work_seconds: running.work.clone(),
        settled: running.times.settled(aim),
        peak_bytes: 0,
        bytes_up: 0,
        bytes_down: 0,
        bytes_read_back: 0,
        launches: 0,
    };
    measured.cost(&running.stats);
    measured
}
