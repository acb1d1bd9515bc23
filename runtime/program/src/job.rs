//! A job: reads arguments, calls an entry point once or several times, and writes its results.
//!
//! `ravel run` and built executables share this.

use std::borrow::Borrow;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ravel_abi::{Expected, InputError, Signature, Value};

use crate::exit::{self, Exit};
use crate::{Outcome, Stats, files, terminal};

/// The options of a job.
#[derive(Clone, Debug, Default)]
pub struct Job {
    /// The source of the arguments.
    pub input: Input,
    /// The destination of the results.
    pub output: Output,
    /// The number of runs after a warm-up run; `None` for a single run without warm-up.
    pub runs: Option<u32>,
    /// A file for the time of each run, in microseconds.
    pub timing: Option<PathBuf>,
}

/// The source of arguments.
#[derive(Clone, Debug, Default)]
pub enum Input {
    /// Text or binary values from standard input.
    #[default]
    Standard,
    /// Text or binary values from a file.
    File(PathBuf),
    /// A NumPy file for each argument.
    Npy(Vec<PathBuf>),
}

/// The destination of results.
#[derive(Clone, Debug, Default)]
pub enum Output {
    /// Standard output, as text.
    #[default]
    Text,
    /// Standard output, in binary.
    Binary,
    /// A NumPy file for each result.
    Npy(Vec<PathBuf>),
    /// No output.
    Nowhere,
}

/// The cost of a finished job.
#[derive(Clone, Debug)]
pub struct JobCost {
    /// The cost of the first call.
    pub stats: Stats,
    /// The times of the runs after the warm-up, at least one.
    pub times: Vec<Duration>,
}

impl JobCost {
    /// The median of the times.
    pub fn median(&self) -> Duration {
        let mut sorted = self.times.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }
}

impl Job {
    /// Runs the job. Nothing is written unless all runs succeed.
    ///
    /// # Errors
    /// The exit code, after the message was printed.
    pub fn run(&self, signature: &Signature, call: &dyn Fn(&[Value]) -> Outcome) -> Result<JobCost, Exit> {
        if let Output::Npy(files) = &self.output
            && files.len() != signature.results.len()
        {
            let (name, wanted, got) = (&signature.name, signature.results.len(), files.len());
            return Err(exit::user(format!("`{name}` gives {wanted} values, but is to write {got} files")));
        }
        let written: &[PathBuf] = if let Output::Npy(files) = &self.output { files } else { &[] };
        let written: Vec<&Path> = written.iter().chain(&self.timing).map(PathBuf::as_path).collect();
        if let Some(duplicate) = files::duplicate(&written) {
            return Err(exit::usage(format!("{} would be written twice", duplicate.display())));
        }
        written.iter().try_for_each(|file| files::writable(file)).map_err(exit::user)?;
        let args = self.input.read(signature)?;
        let timed = || {
            let before = Instant::now();
            let done = call(&args).map_err(|failed| exit::failure(&failed))?;
            Ok((before.elapsed(), done))
        };
        let (first, (results, stats)) = timed()?;
        let times = match self.runs {
            None => vec![first],
            Some(runs) => {
                (0..runs).map(|_| timed().map(|(time, _)| time)).collect::<Result<Vec<_>, Exit>>()?
            }
        };
        if let Some(file) = &self.timing {
            let lines: String = times.iter().map(|time| format!("{}\n", time.as_micros())).collect();
            files::write(file, lines).map_err(exit::user)?;
        }
        self.output.write(&results)?;
        Ok(JobCost { stats, times })
    }
}

/// The entry point of this name.
///
/// # Errors
/// The exit code, after a message that lists the entry points.
pub fn entry<'s>(entries: &'s [Signature], wanted: &str) -> Result<&'s Signature, Exit> {
    entries.iter().find(|entry| entry.name == wanted).ok_or_else(|| {
        let known: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        exit::user(no_entry(wanted, &known))
    })
}

/// The message about an unknown entry point.
pub fn no_entry(wanted: &str, known: &[impl Borrow<str>]) -> String {
    match known {
        [] => format!("there is no entry point `{wanted}`: write `entry {wanted} … = …` to make one"),
        [only] => format!("there is no entry point `{wanted}`; the only one is `{}`", only.borrow()),
        known => {
            format!("there is no entry point `{wanted}`\n  The entry points are: `{}`", known.join("`, `"))
        }
    }
}

impl Input {
    /// Reads the arguments. If the entry point has no parameters, standard input is not read.
    ///
    /// # Errors
    /// The exit code, after the message was printed.
    pub fn read(&self, signature: &Signature) -> Result<Vec<Value>, Exit> {
        let expected = signature.expected();
        match self {
            Input::Standard if expected.is_empty() => Ok(Vec::new()),
            Input::Standard => values("standard input", &mut std::io::stdin().lock(), &expected),
            Input::File(file) => {
                let mut bytes = files::open(file).map_err(exit::user)?;
                values(&file.display().to_string(), &mut bytes, &expected)
            }
            Input::Npy(names) => names.iter().map(|name| array(name)).collect(),
        }
    }
}

impl Output {
    fn write(&self, results: &[Value]) -> Result<(), Exit> {
        match self {
            Output::Text => terminal::output_from(|out| ravel_abi::write_text_to(results, out)),
            Output::Binary => terminal::output_from(|out| ravel_abi::write_binary_to(results, out)),
            Output::Npy(names) => {
                for (name, result) in names.iter().zip(results) {
                    files::write_from(name, |mut out| ravel_abi::write_npy(result, &mut out))
                        .map_err(exit::user)?;
                }
                Ok(())
            }
            Output::Nowhere => Ok(()),
        }
    }
}

fn values(name: &str, input: &mut dyn Read, expected: &[Expected]) -> Result<Vec<Value>, Exit> {
    ravel_abi::read_values_from(input, expected).map_err(|wrong| {
        exit::user(match wrong {
            InputError::Read(trouble) => files::unreadable(name, &trouble),
            wrong => format!("{name}: {wrong}"),
        })
    })
}

fn array(file: &Path) -> Result<Value, Exit> {
    let mut opened = files::open(file).map_err(exit::user)?;
    ravel_abi::read_npy(&mut opened).map_err(|wrong| exit::user(format!("{}: {wrong}", file.display())))
}
