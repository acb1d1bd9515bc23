//! `ravel run`: compile, read the arguments, call, print the results.

use std::io::Read;
use std::time::{Duration, Instant};

use ravel_abi::{Expected, InputError, Value};
use ravel_driver::Options;
use ravel_engine::{Engine, Error, Executable, Stats};

use crate::args::Run;
use crate::exit::{self, Exit};
use crate::terminal;

/// Runs the program. Nothing is written to standard output unless all went well.
pub fn run(args: &Run) -> Result<(), Exit> {
    if args.timing.is_some() && args.runs.is_none() {
        return Err(exit::usage("--timing needs --runs: it is the timed runs whose times are written"));
    }
    let source = super::read_source(&args.file)?;
    let engine =
        Engine::open(args.backend.into(), args.threads.map(usize::from)).map_err(|no| exit::failure(&no))?;
    let before = Instant::now();
    let options = Options { entry: Some(args.entry.clone()), ..Options::default() };
    let executable = engine.compile(&source, &options).map_err(|error| match error {
        Error::Compile(problems) => exit::problems(&problems),
        Error::Load(failure) => exit::failure(&failure),
    })?;
    let executable = executable.telling_traces(terminal::error);
    let compiling = before.elapsed();
    let signature = executable
        .signature(&args.entry)
        .ok_or_else(|| exit::user(unknown_entry(&args.entry, executable.entries())))?;
    let values = read_inputs(args, &signature.expected())?;

    let call = || executable.call(&args.entry, &values).map_err(|failed| exit::failure(&failed));
    let before = Instant::now();
    let (results, stats) = call()?;
    let mut running = vec![before.elapsed()];
    if let Some(runs) = args.runs {
        running = timed(runs, || call().map(drop))?;
    }
    if let Some(file) = &args.timing {
        let lines: String = running.iter().map(|time| format!("{}\n", time.as_micros())).collect();
        std::fs::write(file, lines)
            .map_err(|trouble| exit::user(format!("cannot write {}: {trouble}", file.display())))?;
    }
    terminal::output(&encode(&results, args.binary))?;
    if args.stats {
        terminal::error(&report(&executable, &stats, compiling, &running));
    }
    Ok(())
}

fn timed(runs: u32, mut call: impl FnMut() -> Result<(), Exit>) -> Result<Vec<Duration>, Exit> {
    (0..runs)
        .map(|_| {
            let before = Instant::now();
            call().map(|()| before.elapsed())
        })
        .collect()
}

fn unknown_entry(wanted: &str, known: Vec<&str>) -> String {
    match known.as_slice() {
        [] => format!("there is no entry point `{wanted}`: write `entry {wanted} … = …` to make one"),
        known => format!("there is no entry point `{wanted}`; there is `{}`", known.join("`, `")),
    }
}

/// The arguments. Of an entry point without parameters standard input is left alone.
fn read_inputs(args: &Run, expected: &[Expected]) -> Result<Vec<Value>, Exit> {
    let name = args.input.as_ref().map_or("standard input".to_owned(), |file| file.display().to_string());
    let mut input: Box<dyn Read> = match &args.input {
        Some(file) => Box::new(super::open(file)?),
        None if expected.is_empty() => return Ok(Vec::new()),
        None => Box::new(std::io::stdin().lock()),
    };
    ravel_abi::read_values_from(&mut input, expected).map_err(|wrong| match wrong {
        InputError::Read(trouble) => super::unreadable(&name, &trouble),
        wrong => exit::user(format!("{name}: {wrong}")),
    })
}

fn encode(results: &[Value], binary: bool) -> Vec<u8> {
    if binary { ravel_abi::write_binary(results) } else { ravel_abi::write_text(results).into_bytes() }
}

/// The report of `--stats`, one `name: value` a line.
fn report(executable: &Executable, stats: &Stats, compiling: Duration, running: &[Duration]) -> String {
    let mut sorted = running.to_vec();
    sorted.sort_unstable();
    let micros = |time: Duration| format!("{} us", time.as_micros());
    let lines = [
        ("backend", executable.backend().name().to_owned()),
        ("launches", stats.launches.to_string()),
        ("submits", stats.submits.to_string()),
        ("read-backs", stats.read_backs.to_string()),
        ("bytes read back", stats.bytes_read_back.to_string()),
        ("bytes up", stats.bytes_up.to_string()),
        ("bytes down", stats.bytes_down.to_string()),
        ("peak bytes", stats.peak_bytes.to_string()),
        ("compile", micros(compiling)),
        ("run (median)", micros(sorted[sorted.len() / 2])),
    ];
    lines.iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
}
