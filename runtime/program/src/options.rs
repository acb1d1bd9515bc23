//! The command line of an executable; its comments are the help.
//!
//! The options are those of Futhark's executables, so that what starts these can start ours.

use std::path::PathBuf;

use clap::Parser;

/// A data-parallel program. Reads the arguments of its entry point from standard input, in Futhark's text
/// or binary format, and prints the results.
#[derive(Clone, Debug, Parser)]
#[command(
    version,
    after_help = "\
Exit codes: 0 fine, 1 an error in data or surroundings, 2 wrong usage,
3 something this machine cannot do, 4 a bug."
)]
pub struct Options {
    /// The entry point to run.
    #[arg(short, long, alias = "entry", value_name = "NAME", default_value = "main")]
    pub entry_point: String,
    /// Write the time of each run, in microseconds, to this file, one a line.
    #[arg(short = 't', long, value_name = "FILE")]
    pub write_runtime_to: Option<PathBuf>,
    /// Run this often after one warm-up run, and print the results once.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: Option<u32>,
    /// Print the results in the binary format.
    #[arg(short, long)]
    pub binary_output: bool,
    /// Do not print the results.
    #[arg(short, long, conflicts_with = "binary_output")]
    pub no_print_result: bool,
    /// Read the arguments from NumPy's files, one for each parameter, instead of standard input.
    #[arg(long, value_name = "FILE")]
    pub npy_in: Vec<PathBuf>,
    /// Write the results to NumPy's files, one for each, instead of standard output.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["binary_output", "no_print_result"])]
    pub npy_out: Vec<PathBuf>,
    /// Serve commands from standard input: the server protocol.
    #[arg(long)]
    pub server: bool,
    /// Tell on standard error what is going on, and more of it than --log does.
    #[arg(short = 'D', long)]
    pub debugging: bool,
    /// Tell on standard error what each call cost.
    #[arg(short = 'L', long)]
    pub log: bool,
    /// Tell on standard error at the end what the calls cost, and what their parallel parts took, each with its
    /// place in the program; the server's `report` tells the same. On a GPU the host then waits for each kernel.
    #[arg(short = 'P', long)]
    pub profile: bool,
    /// List the tuning parameters, with their classes.
    #[arg(long, alias = "print-sizes")]
    pub print_params: bool,
    /// Set a tuning parameter.
    #[arg(long, alias = "size", value_name = "NAME=INT")]
    pub param: Vec<String>,
    /// Set the tuning parameters that stand in this file, NAME=INT, one a line.
    #[arg(long, value_name = "FILE")]
    pub tuning: Option<PathBuf>,
    /// Taken for compatibility: there is nothing that a second start could use.
    #[arg(long, value_name = "FILE")]
    pub cache_file: Option<PathBuf>,
    /// How many threads to use, up to 1024; all processors by default.
    #[arg(long, alias = "threads", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub num_threads: Option<u16>,
    /// Use the first graphics adapter whose name contains this text.
    #[arg(short, long, value_name = "NAME")]
    pub device: Option<String>,
    /// List the devices of this machine.
    #[arg(long)]
    pub list_devices: bool,
}
