//! One job: arguments come in, an entry point is run, once or often, its results go out.
//!
//! `ravel run` and built executables do the same here; they differ in what they call.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ravel_abi::{Expected, InputError, Signature, Value};

use crate::exit::{self, Exit};
use crate::{Outcome, Stats, executable, terminal};

/// What to do with an entry point.
#[derive(Clone, Debug, Default)]
pub struct Job {
    /// Where the arguments come from.
    pub input: Input,
    /// Where the results go.
    pub output: Output,
    /// How often it runs behind a warm-up run; once and without one, if `None`.
    pub runs: Option<u32>,
    /// A file for the time of each run, in microseconds.
    pub timing: Option<PathBuf>,
}

/// Where arguments come from.
#[derive(Clone, Debug, Default)]
pub enum Input {
    /// Text or binary values from standard input.
    #[default]
    Standard,
    /// Text or binary values from a file.
    File(PathBuf),
    /// A file of NumPy's for each argument.
    Npy(Vec<PathBuf>),
}

/// Where results go.
#[derive(Clone, Debug, Default)]
pub enum Output {
    /// To standard output, as text.
    #[default]
    Text,
    /// To standard output, in binary.
    Binary,
    /// A file of NumPy's for each result.
    Npy(Vec<PathBuf>),
    /// Nowhere.
    Nowhere,
}

/// What it took.
#[derive(Clone, Debug)]
pub struct Done {
    /// What the first call cost.
    pub stats: Stats,
    /// The times of the runs that count, at least one.
    pub times: Vec<Duration>,
}

impl Done {
    /// The median of the times.
    pub fn median(&self) -> Duration {
        let mut sorted = self.times.clone();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }
}

impl Job {
    /// Does it. Nothing is written unless all went well.
    ///
    /// # Errors
    /// The exit code, when the trouble has been told.
    pub fn run(&self, signature: &Signature, call: &dyn Fn(&[Value]) -> Outcome) -> Result<Done, Exit> {
        if let Output::Npy(files) = &self.output
            && files.len() != signature.results.len()
        {
            let (name, wanted, got) = (&signature.name, signature.results.len(), files.len());
            return Err(exit::user(format!("`{name}` gives {wanted} values, but is to write {got} files")));
        }
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
            std::fs::write(file, lines).map_err(|trouble| unwritable(file, &trouble))?;
        }
        self.output.write(&results)?;
        Ok(Done { stats, times })
    }
}

impl Input {
    /// The arguments. Of an entry point without parameters standard input is left alone.
    fn read(&self, signature: &Signature) -> Result<Vec<Value>, Exit> {
        let expected = signature.expected();
        match self {
            Input::Standard if expected.is_empty() => Ok(Vec::new()),
            Input::Standard => values("standard input", &mut std::io::stdin().lock(), &expected),
            Input::File(file) => values(&file.display().to_string(), &mut open(file)?, &expected),
            Input::Npy(files) => files.iter().map(|file| array(file)).collect(),
        }
    }
}

impl Output {
    fn write(&self, results: &[Value]) -> Result<(), Exit> {
        match self {
            Output::Text => terminal::output(ravel_abi::write_text(results).as_bytes()),
            Output::Binary => terminal::output(&ravel_abi::write_binary(results)),
            Output::Npy(files) => {
                for (file, result) in files.iter().zip(results) {
                    executable::replace(file, &[&ravel_abi::write_npy(result)], false)
                        .map_err(|trouble| unwritable(file, &trouble))?;
                }
                Ok(())
            }
            Output::Nowhere => Ok(()),
        }
    }
}

fn values(name: &str, input: &mut dyn Read, expected: &[Expected]) -> Result<Vec<Value>, Exit> {
    ravel_abi::read_values_from(input, expected).map_err(|wrong| match wrong {
        InputError::Read(trouble) => unreadable(name, &trouble),
        wrong => exit::user(format!("{name}: {wrong}")),
    })
}

fn array(file: &Path) -> Result<Value, Exit> {
    let mut bytes = Vec::new();
    open(file)?.read_to_end(&mut bytes).map_err(|trouble| unreadable(file.display(), &trouble))?;
    ravel_abi::read_npy(&bytes).map_err(|wrong| exit::user(format!("{}: {wrong}", file.display())))
}

/// Opens a file for reading.
///
/// # Errors
/// The exit code, when the trouble has been told.
pub fn open(file: &Path) -> Result<File, Exit> {
    File::open(file).map_err(|trouble| unreadable(file.display(), &trouble))
}

/// Says that something cannot be read.
pub fn unreadable(name: impl std::fmt::Display, trouble: &std::io::Error) -> Exit {
    exit::user(format!("cannot read {name}: {trouble}"))
}

/// Says that a file cannot be written.
pub fn unwritable(file: &Path, trouble: &dyn std::fmt::Display) -> Exit {
    exit::user(format!("cannot write {}: {trouble}", file.display()))
}
