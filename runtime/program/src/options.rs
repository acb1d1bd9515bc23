//! The command line of an executable; the doc comments are its help.
//!
//! The executables that Futhark builds have the same options, except for --max-memory. So scripts for them also work here.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args, Parser};
use ravel_abi::Tuning;

use crate::exit::{self, Exit};
use crate::files;

/// A data-parallel program. Reads the arguments of its entry point from standard input, in Futhark's text
/// or binary format, and prints the results.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "made by ravel",
    version,
    after_help = "\
Exit codes: 0 success, 1 an error in the data or the environment, 2 wrong usage, \
3 something this machine cannot do, 4 a bug."
)]
pub struct Options {
    /// The entry point to run.
    #[arg(short, long, alias = "entry", value_name = "NAME", default_value = "main")]
    pub entry_point: String,
    /// Write the time of each run, in microseconds, to this file, one per line.
    #[arg(short = 't', long, value_name = "FILE", value_parser = output())]
    pub write_runtime_to: Option<PathBuf>,
    /// Run this often after one warm-up run, and print the results once.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: Option<u32>,
    /// Print the results in the binary format.
    #[arg(short, long)]
    pub binary_output: bool,
    /// Do not print the results.
    #[arg(short, long)]
    pub no_print_result: bool,
    /// Read the arguments from NumPy files, one for each parameter, instead of standard input.
    #[arg(long, value_name = "FILE")]
    pub npy_in: Vec<PathBuf>,
    /// Write the results to NumPy files, one for each, instead of standard output.
    #[arg(long, value_name = "FILE", value_parser = output(), conflicts_with_all = ["binary_output", "no_print_result"])]
    pub npy_out: Vec<PathBuf>,
    /// Serve commands from standard input: the server protocol.
    #[arg(long)]
    pub server: bool,
    /// Print progress on standard error, with more detail than --log.
    #[arg(short = 'D', long)]
    pub debugging: bool,
    /// Print the cost of each call on standard error.
    #[arg(short = 'L', long)]
    pub log: bool,
    /// Print on standard error, at the end, the cost of the calls and the times of their parallel segments, each with its
    /// place in the program; the server's `report` gives the same. On a GPU the host then waits for each kernel.
    #[arg(short = 'P', long)]
    pub profile: bool,
    /// List the tuning parameters, each with its class, `user` or `threshold`.
    #[arg(long, alias = "print-sizes")]
    pub print_params: bool,
    #[command(flatten)]
    pub tuning: TuningOptions,
    /// Accepted for compatibility; has no effect.
    #[arg(long, value_name = "FILE")]
    pub cache_file: Option<PathBuf>,
    /// How many threads to use, up to 1024; all processors by default.
    #[arg(long, alias = "threads", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub num_threads: Option<u16>,
    /// Use the first graphics adapter whose name contains this text.
    #[arg(short, long, value_name = "NAME")]
    pub device: Option<String>,
    /// Limit the memory that the private arrays of all GPU threads take together, such as 512M or 2G. The default, which is
    /// also the maximum, is the size of the largest array of the device, or half of the machine's memory if that is less.
    /// If there is no room for the arrays of a thread, it waits for other threads. If one thread alone needs more than the
    /// limit, the program fails. The results of threads are not counted.
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    pub max_memory: Option<u64>,
    /// List the devices of this machine.
    #[arg(long)]
    pub list_devices: bool,
}

/// The tuning options of a command line.
#[derive(Args, Clone, Debug, Default)]
pub struct TuningOptions {
    /// Set a tuning parameter, `#[param(NAME)]` in the program; may be given several times.
    #[arg(long, alias = "size", value_name = "NAME=INT")]
    param: Vec<String>,
    /// Set the tuning parameters listed in this file, NAME=INT, one per line; --param takes precedence.
    #[arg(long, value_name = "FILE")]
    tuning: Option<PathBuf>,
}

impl TuningOptions {
    /// The settings of these options.
    ///
    /// # Errors
    /// The exit code, after the message was printed.
    pub fn read(&self) -> Result<Tuning, Exit> {
        let mut tuning = match &self.tuning {
            Some(file) => tuning_file(file).map_err(exit::user)?,
            None => Tuning::default(),
        };
        self.param.iter().try_for_each(|setting| tuning.read_setting(setting)).map_err(exit::usage)?;
        Ok(tuning)
    }
}

/// The settings of a tuning file.
///
/// # Errors
/// The message for the user.
pub fn tuning_file(file: &Path) -> Result<Tuning, String> {
    let mut text = String::new();
    let read = files::open_regular(file)?.take(MAX_TUNING).read_to_string(&mut text);
    match read.map_err(|trouble| files::unreadable(file.display(), &trouble))? as u64 {
        MAX_TUNING => Err(format!("{}: this is not a tuning file: it is too long", file.display())),
        _ => Tuning::read(&text).map_err(|wrong| format!("{}: {wrong}", file.display())),
    }
}

/// The maximum size of a tuning file in bytes.
const MAX_TUNING: u64 = 1 << 24;

/// Parses the name of an output file, which may not be a program.
pub fn output() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(files::output_file)
}

/// Parses a number of bytes: `1000`, `64K`, `512M`, `2G`.
///
/// # Errors
/// A message that shows the form.
pub fn memory_size(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(number) if text.ends_with('K') => (number, 1 << 10),
        Some(number) if text.ends_with('M') => (number, 1 << 20),
        Some(number) => (number, 1 << 30),
        None => (text, 1),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    bytes
        .filter(|&bytes| bytes > 0)
        .ok_or_else(|| "a number of bytes, such as 4096, 64K, 512M or 2G".to_owned())
}

#[cfg(test)]
mod tests {
    use super::memory_size;

    #[test]
    fn sizes_of_memory_have_units_of_powers_of_two() {
        assert_eq!(memory_size("4096"), Ok(4096));
        assert_eq!(memory_size("64K"), Ok(65_536));
        assert_eq!(memory_size("3G"), Ok(3 << 30));
        for wrong in ["", "0", "0M", "K", "-1", "1.5G", "12m", "1T", "99999999999G", "1 M"] {
            assert!(memory_size(wrong).is_err(), "{wrong}");
        }
    }
}
