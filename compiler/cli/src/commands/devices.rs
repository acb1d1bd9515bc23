//! `ravel devices`: what programs can run on.

use ravel_program::DRIVER;

use crate::args::Devices;
use crate::exit::{self, Exit};
use crate::terminal;

/// Lists the processor and the graphics adapters. That none of these can be trusted is worth a note, and
/// a failure only on demand.
pub fn devices(args: &Devices) -> Result<(), Exit> {
    let devices = ravel_engine::devices();
    terminal::output(ravel_engine::listed(&devices).as_bytes())?;
    match devices.iter().any(|device| device.usable()) {
        true => Ok(()),
        false if args.gpu => Err(exit::user(no_gpu())),
        false => {
            terminal::error(&format!("note: {}\n", no_gpu()));
            Ok(())
        }
    }
}

/// Why there is no GPU, and what to do.
fn no_gpu() -> String {
    format!("no graphics adapter passes the check, so programs run on the CPU only; install {DRIVER}")
}
