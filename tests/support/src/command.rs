//! Calls the release build of the command line, and parses its statistics.

use std::fmt;
use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use ravel_abi::Value;

use crate::cases::Case;
use crate::inputs;

/// The executable, relative to the root of the workspace.
pub const RAVEL: &str = "target/release/ravel";

/// The time limit of a run.
pub const LONGEST: Duration = Duration::from_secs(300);

/// The time limit on a GPU that is a software driver, which finishes only small sizes in this time.
const LONGEST_IN_SOFTWARE: Duration = Duration::from_secs(60);

/// The GPU's description by `ravel devices`, and the time limit of a run on it.
///
/// # Errors
/// There is no GPU.
pub fn gpu() -> Result<(String, Duration), String> {
    let devices = ravel(&["devices"], b"")?;
    let devices = String::from_utf8_lossy(&devices.stdout);
    let gpu = devices.lines().find(|line| line.starts_with("gpu: ")).ok_or("there is no GPU")?;
    Ok((gpu.to_owned(), if gpu.contains("(Software, ") { LONGEST_IN_SOFTWARE } else { LONGEST }))
}

/// The reason why there is no result.
#[derive(Debug)]
pub enum CallError {
    /// The run was stopped after this time.
    TooLong(Duration),
    /// A limitation of the compiler or the device.
    Limitation(String),
    /// A failure, or a wrong result.
    Wrong(String),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::TooLong(limit) => write!(f, "more than {} s", limit.as_secs()),
            CallError::Limitation(text) | CallError::Wrong(text) => f.write_str(text),
        }
    }
}

impl From<String> for CallError {
    fn from(text: String) -> CallError {
        CallError::Wrong(text)
    }
}

/// Runs `ravel` on this input; returns the output of a successful run.
pub fn ravel(args: &[&str], input: &[u8]) -> Result<Output, String> {
    ravel_within(Duration::MAX, args, input).map_err(|trouble| trouble.to_string())
}

/// [`ravel`] with a time limit. A run that exceeds it is stopped, and fails.
pub fn ravel_within(limit: Duration, args: &[&str], input: &[u8]) -> Result<Output, CallError> {
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
        None => Err(CallError::TooLong(limit)),
        Some(output) if output.status.success() => Ok(output),
        Some(output) => {
            let message = String::from_utf8_lossy(&output.stderr);
            Err(match message.split_once("limitation: ") {
                Some((_, message)) => {
                    CallError::Limitation(message.lines().next().unwrap_or_default().to_owned())
                }
                None => CallError::Wrong(format!("ravel {}: {message}", args.join(" "))),
            })
        }
    }
}

/// The contents of a pipe.
fn all_of(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    // After a read error, keep the bytes before it.
    let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
    bytes
}

/// The value that `--stats` reported under this name.
fn stat<'a>(report: &'a str, name: &str) -> Result<&'a str, String> {
    let line = report.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.ok_or_else(|| format!("no `{name}` in {report}"))
}

/// A time that `--stats` reported.
pub fn time(output: &Output, name: &str) -> Result<Duration, String> {
    let report = String::from_utf8_lossy(&output.stderr);
    let micros = stat(&report, name)?.strip_suffix(" us").and_then(|micros| micros.parse().ok());
    micros.map(Duration::from_micros).ok_or_else(|| format!("`{name}` is not a time in {report}"))
}

/// A number that `--stats` reported.
fn number(output: &Output, name: &str) -> Result<u64, String> {
    let report = String::from_utf8_lossy(&output.stderr);
    stat(&report, name)?.parse().map_err(|_| format!("`{name}` is not a number in {report}"))
}

/// The settings for the run of a case.
pub struct Call<'a> {
    /// The name of the backend.
    pub backend: &'a str,
    /// The number of threads, if not all.
    pub threads: Option<usize>,
    /// The number of runs.
    pub runs: usize,
    /// The time limit.
    pub limit: Duration,
}

/// The statistics of a successful call.
pub struct CallStatistics {
    /// The compile time, from text to loaded code.
    pub compile: Duration,
    /// The median time of the runs.
    pub run: Duration,
    /// The peak memory of arrays, in bytes.
    pub peak: u64,
    /// The number of kernel launches of a run.
    pub launches: u64,
}

impl Call<'_> {
    /// Runs a case on its input, and checks the result.
    ///
    /// # Errors
    /// The reason why it did not run, or the error in the results.
    pub fn of(&self, case: &Case, input: &[Value]) -> Result<CallStatistics, CallError> {
        let (ran, results) = self.run(&format!("programs/{}.dsl", case.program), case.entry, input)?;
        case.check(input, &results)?;
        Ok(ran)
    }

    /// Runs an entry point of a file, whose path is relative to the root of the workspace.
    ///
    /// # Errors
    /// The reason why it did not run.
    pub fn run(
        &self,
        file: &str,
        entry: &str,
        input: &[Value],
    ) -> Result<(CallStatistics, Vec<Value>), CallError> {
        let runs = self.runs.to_string();
        let threads = self.threads.map(|threads| threads.to_string());
        let mut args = vec!["run", "--binary", "--stats", "--runs", &runs];
        args.extend(["--backend", self.backend, "--entry", entry]);
        args.extend(threads.iter().flat_map(|threads| ["--threads", threads]));
        args.push(file);
        let output = ravel_within(self.limit, &args, &ravel_abi::write_binary(input))?;
        let results = ravel_abi::read_any(&output.stdout).map_err(|trouble| trouble.to_string())?;
        let ran = CallStatistics {
            compile: time(&output, "compile")?,
            run: time(&output, "run (median)")?,
            peak: number(&output, "peak bytes")?,
            launches: number(&output, "launches")?,
        };
        Ok((ran, results))
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
