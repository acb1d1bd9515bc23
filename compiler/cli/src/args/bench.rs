//! The arguments of `ravel bench`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser;

use super::{Selection, Threads, output};

/// Arguments of `ravel bench`.
#[derive(Args, Debug)]
#[command(after_help = "\
Every case of a test block is a dataset, but those that shall fail and those tagged `disable`, `nobench` or, \
on that backend, `no_BACKEND`. A run is a call: from arguments in memory to results in memory. Its result is \
checked once; then it is run until the median is known within 5 %, with a confidence of 95 %, or the time is \
over. The datasets and backends of a program take turns, so that what disturbs the machine disturbs them alike; \
the backends behind the first are compared with it.

  ravel bench --backend cpu,gpu --plot times.svg programs
  ravel bench --json old.json programs
  ravel bench --compare old.json programs

The exit code of --compare is 1 where something has become slower. What counts is for how long the processor \
worked, as far as programs run on it: that is the same however busy the machine is. A change has to be one of \
more than 10 %, in the fastest runs, and be seen in the others too; of more, where these runs differ much.")]
pub struct Bench {
    #[command(flatten)]
    pub selection: Selection,
    /// Tell what the parallel parts of each dataset took, in calls of their own behind the others.
    #[arg(short = 'P', long)]
    pub profile: bool,
    /// How many seconds the runs of one dataset may take on one backend.
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds)]
    pub limit: f64,
    #[command(flatten)]
    pub threads: Threads,
    /// Write everything that was measured to this file.
    #[arg(long, value_name = "FILE", value_parser = output())]
    pub json: Option<PathBuf>,
    /// Compare with what such a file says.
    #[arg(long, value_name = "FILE")]
    pub compare: Option<PathBuf>,
    /// Draw the medians and their intervals to this SVG file.
    #[arg(long, value_name = "FILE", value_parser = output().try_map(picture))]
    pub plot: Option<PathBuf>,
}

/// A file for a picture. A name that promises another format is refused.
fn picture(file: PathBuf) -> Result<PathBuf, &'static str> {
    match file.extension() {
        Some(other) if !other.eq_ignore_ascii_case("svg") => {
            Err("what is drawn is SVG: let the name end in .svg")
        }
        _ => Ok(file),
    }
}

/// A number of seconds, at most a day.
pub fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=86400.0).contains(seconds));
    seconds.ok_or_else(|| "a number of seconds, up to those of a day".to_owned())
}
