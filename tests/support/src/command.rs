//! The release build of the command line, called as its users call it, and what it reports of a run.

use std::fmt;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use ravel_abi::Value;

use crate::cases::Case;
use crate::inputs;

/// The program, from the root of the workspace.
pub const RAVEL: &str = "target/release/ravel";

/// How long a run may take.
pub const LONGEST: Duration = Duration::from_secs(300);

/// How long it may take on a GPU that is a software driver, which finishes no more than small sizes in good time.
const LONGEST_IN_SOFTWARE: Duration = Duration::from_secs(60);

/// The GPU, as `ravel devices` describes it, and how long a run there may take.
///
/// # Errors
/// There is none.
pub fn gpu() -> Result<(String, Duration), String> {
    let devices = ravel(&["devices"], b"")?;
    let devices = String::from_utf8_lossy(&devices.stdout);
    let gpu = devices.lines().find(|line| line.starts_with("gpu: ")).ok_or("there is no GPU")?;
    Ok((gpu.to_owned(), if gpu.contains("(Software, ") { LONGEST_IN_SOFTWARE } else { LONGEST }))
}

/// Why there is no result.
#[derive(Debug)]
pub enum Trouble {
    /// The run was ended after this time.
    TooLong(Duration),
    /// What the compiler or the device cannot do.
    Limitation(String),
    /// What went wrong.
    Wrong(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::TooLong(limit) => write!(f, "more than {} s", limit.as_secs()),
            Trouble::Limitation(text) | Trouble::Wrong(text) => f.write_str(text),
        }
    }
}

impl From<String> for Trouble {
    fn from(text: String) -> Trouble {
        Trouble::Wrong(text)
    }
}

/// Runs `ravel` on this input; the output of a run that went well.
pub fn ravel(args: &[&str], input: &[u8]) -> Result<Output, String> {
    ravel_within(Duration::MAX, args, input).map_err(|trouble| trouble.to_string())
}

/// The same; a run that takes longer is ended, and fails.
pub fn ravel_within(limit: Duration, args: &[&str], input: &[u8]) -> Result<Output, Trouble> {
    let failed = |trouble: std::io::Error| format!("cannot run {RAVEL}: {trouble}");
    let mut child = Command::new(RAVEL)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let output = std::thread::scope(|scope| {
        let stdout = scope.spawn(|| all_of(stdout));
        let stderr = scope.spawn(|| all_of(stderr));
        // A run that fails early need not read its input.
        scope.spawn(|| stdin.map(|mut stdin| stdin.write_all(input)));
        let begin = Instant::now();
        let status = loop {
            match child.try_wait()? {
                Some(status) => break Some(status),
                None if begin.elapsed() > limit => break None,
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        let Some(status) = status else {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        };
        let [stdout, stderr] = [stdout, stderr].map(|reader| reader.join().unwrap_or_default());
        Ok(Some(Output { status, stdout, stderr }))
    });
    match output.map_err(failed)? {
        None => Err(Trouble::TooLong(limit)),
        Some(output) if output.status.success() => Ok(output),
        Some(output) => {
            let message = String::from_utf8_lossy(&output.stderr);
            Err(match message.split_once("limitation: ") {
                Some((_, message)) => {
                    Trouble::Limitation(message.lines().next().unwrap_or_default().to_owned())
                }
                None => Trouble::Wrong(format!("ravel {}: {message}", args.join(" "))),
            })
        }
    }
}

/// All that comes out of a pipe.
fn all_of(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What came before a fault is all there is.
    let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
    bytes
}

/// What `--stats` reported under this name.
fn stat<'a>(report: &'a str, name: &str) -> Result<&'a str, String> {
    let line = report.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.ok_or_else(|| format!("no `{name}` in {report}"))
}

/// A time that `--stats` reported.
pub fn time(output: &Output, name: &str) -> Result<Duration, String> {
    let report = String::from_utf8_lossy(&output.stderr);
    let micros = stat(&report, name)?.strip_suffix(" us").and_then(|micros| micros.parse().ok());
    micros.map(Duration::from_micros).ok_or_else(|| format!("`{name}` is no time in {report}"))
}

/// A number that `--stats` reported.
fn number(output: &Output, name: &str) -> Result<u64, String> {
    let report = String::from_utf8_lossy(&output.stderr);
    stat(&report, name)?.parse().map_err(|_| format!("`{name}` is no number in {report}"))
}

/// How a case is run.
pub struct Call<'a> {
    /// The name of the backend.
    pub backend: &'a str,
    /// How many threads it has, if not all.
    pub threads: Option<usize>,
    /// How often it is run.
    pub runs: usize,
    /// What takes longer is ended.
    pub limit: Duration,
}

/// What was reported of a case that gave what it must.
pub struct Ran {
    /// From text to loaded code.
    pub compile: Duration,
    /// The median of the runs.
    pub run: Duration,
    /// The most bytes of arrays that there were at once.
    pub peak: u64,
    /// How many kernels a run launched.
    pub launches: u64,
}

impl Call<'_> {
    /// Runs a case on its input.
    ///
    /// # Errors
    /// Why it did not run, or what is wrong with the results.
    pub fn of(&self, case: &Case, input: &[Value]) -> Result<Ran, Trouble> {
        let (program, runs) = (format!("programs/{}.dsl", case.program), self.runs.to_string());
        let threads = self.threads.map(|threads| threads.to_string());
        let mut args = vec!["run", "--binary", "--stats", "--runs", &runs];
        args.extend(["--backend", self.backend, "--entry", case.entry]);
        args.extend(threads.iter().flat_map(|threads| ["--threads", threads]));
        args.push(&program);
        let output = ravel_within(self.limit, &args, &ravel_abi::write_binary(input))?;
        let results = ravel_abi::read_any(&output.stdout).map_err(|trouble| trouble.to_string())?;
        case.check(input, &results)?;
        Ok(Ran {
            compile: time(&output, "compile")?,
            run: time(&output, "run (median)")?,
            peak: number(&output, "peak bytes")?,
            launches: number(&output, "launches")?,
        })
    }
}

/// The input of an entry point of a program at a size.
///
/// # Errors
/// As [`inputs::input`].
pub fn input(program: &str, entry: &str, size: &str) -> Result<Vec<Value>, String> {
    inputs::input(program, entry, size, &|file, entry, args| {
        let args_of_ravel = ["run", "--binary", "--entry", entry, &format!("programs/{file}")];
        let made = ravel(&args_of_ravel, &ravel_abi::write_binary(args))?;
        ravel_abi::read_any(&made.stdout).map_err(|trouble| trouble.to_string())
    })
}
