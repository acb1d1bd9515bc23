//! The arguments of `ravel bench`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser;

use super::{Selection, Threads, output};

/// Arguments of `ravel bench`.
#[derive(Args, Debug)]
#[command(after_help = "\
Every case of a test block is a dataset, except cases that expect an error and cases tagged `disable`, `nobench` or, \
on that backend, `no_BACKEND`. A run is one call, from arguments in memory to results in memory. The result is checked \
once. Then runs are repeated until the median is known within 5 % with a confidence of 95 %, or the time limit is \
reached. The datasets and backends of a program run in turn for some milliseconds each, so that disturbances of the \
machine affect all of them equally. Each backend after the first is compared with the first.

  ravel bench --backend cpu,gpu --plot times.svg programs
  ravel bench --json old.json programs
  ravel bench --compare old.json programs

The exit code of --compare is 1 if a dataset has become slower. For programs on the CPU it compares the processor \
time, which does not depend on how busy the machine is. A change counts if it exceeds 10 % in the fastest runs and is \
visible in the other runs too; if the runs vary much, it must be larger.")]
pub struct Bench {
    #[command(flatten)]
    pub selection: Selection,
    /// Print the times of the parallel segments of each dataset, measured in separate calls.
    #[arg(short = 'P', long)]
    pub profile: bool,
    /// The time limit for the runs of one dataset on one backend, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds)]
    pub limit: f64,
    #[command(flatten)]
    pub threads: Threads,
    /// Write all measurements to this file, as JSON.
    #[arg(long, value_name = "FILE", value_parser = output())]
    pub json: Option<PathBuf>,
    /// Compare with the measurements in a file that --json wrote.
    #[arg(long, value_name = "FILE")]
    pub compare: Option<PathBuf>,
    /// Plot the medians and their confidence intervals to this SVG file.
    #[arg(long, value_name = "FILE", value_parser = output().try_map(svg_file))]
    pub plot: Option<PathBuf>,
}

/// A file for the plot; a name with the extension of another format is refused.
fn svg_file(file: PathBuf) -> Result<PathBuf, &'static str> {
    match file.extension() {
        Some(other) if !other.eq_ignore_ascii_case("svg") => {
            Err("the plot is an SVG file: its name must end in .svg")
        }
        _ => Ok(file),
    }
}

/// Parses a number of seconds, at most a day.
pub fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=86400.0).contains(seconds));
    seconds.ok_or_else(|| "it must be a number of seconds from 0 to 86400, which is a day".to_owned())
}
