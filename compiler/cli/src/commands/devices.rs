//! `ravel devices`: what programs can run on.

use crate::args::Devices;
use crate::exit::{self, Exit};
use crate::terminal;

/// Why there is no GPU, and what to do.
pub const NO_GPU: &str = "no graphics adapter passes the check, so programs run on the CPU only; install a Vulkan driver \
                      (Mesa's lavapipe computes on the processor)";

/// Lists the processor and the graphics adapters. That none of these can be trusted is worth a note, and
/// a failure only on demand.
pub fn devices(args: &Devices) -> Result<(), Exit> {
    let mut text = format!("cpu: {} threads\n", ravel_engine::processors());
    let devices = ravel_engine::devices();
    for device in &devices {
        text.push_str(&format!("gpu: {device}\n"));
    }
    terminal::output(text.as_bytes())?;
    match devices.iter().any(|device| device.usable()) {
        true => Ok(()),
        false if args.gpu => Err(exit::user(NO_GPU)),
        false => {
            terminal::error(&format!("note: {NO_GPU}\n"));
            Ok(())
        }
    }
}
