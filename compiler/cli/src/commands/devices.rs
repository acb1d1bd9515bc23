//! `ravel devices`: lists the devices that programs can run on.

use ravel_program::DRIVER;

use crate::args::Devices;
use crate::exit::{self, Exit};
use crate::terminal;

/// Lists the processor and the graphics adapters. If no adapter is usable, prints a note, or fails with --gpu.
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

/// The message for a machine without a usable GPU.
fn no_gpu() -> String {
    format!("no graphics adapter passes the check, so programs run on the CPU only; install {DRIVER}")
}
