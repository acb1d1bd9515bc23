//! The arguments of `ravel profile`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use ravel_engine::{DEVICES, ModelDevice};
use ravel_program::TuningOptions;

use super::DisabledRules;

/// Arguments of `ravel profile`.
#[derive(Args, Debug)]
#[command(after_help = "\
The program runs on a model of the device, slowly and exactly; no GPU is needed. Each parallel segment gets a row: how \
often it is launched, which share of the issued lane operations is useful, which share of the memory traffic is needed, and a lower \
bound on its time. Small inputs are enough to see divergence and accesses that are not coalesced:
  echo 1000 | ravel profile --device a100 programs/sobol/pi.dsl

docs/model.md says what the model counts and what it leaves out.")]
pub struct Profile {
    /// The program, a .dsl or .fut file.
    pub file: PathBuf,
    /// The entry point to call.
    #[arg(short, long, default_value = "main")]
    pub entry: String,
    /// The device to model.
    #[arg(long, default_value = "a100", value_parser = names())]
    device: String,
    /// Read the arguments from this file instead of standard input.
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Print the counts as JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub without: DisabledRules,
    #[command(flatten)]
    pub tuning: TuningOptions,
}

impl Profile {
    /// The device to model.
    pub fn device(&self) -> &'static ModelDevice {
        ModelDevice::named(&self.device).unwrap_or(&DEVICES[0])
    }
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(DEVICES.iter().map(|device| device.target.name))
}
