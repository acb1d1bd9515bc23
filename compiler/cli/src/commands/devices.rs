//! `ravel devices`: lists the devices that programs can run on, or describes them.

mod description;

use ravel_program::DRIVER;

use crate::args::Devices;
use crate::exit::{self, Exit};
use crate::terminal;

/// Lists or describes the processor and the graphics adapters. If no adapter is usable, prints a note, or fails with --gpu.
pub fn devices(args: &Devices) -> Result<(), Exit> {
    if let Some(Some(target)) = args.target {
        return terminal::output(description::of_target(target, args.json).as_bytes());
    }
    let devices = ravel_engine::devices();
    let text = match args.target {
        Some(_) => {
            let adapters = devices.iter().filter(|device| device.usable()).map(|device| device.description());
            let machines: Vec<_> = std::iter::once(ravel_engine::processor()).chain(adapters).collect();
            description::of_machines(&machines, args.json)
        }
        None => ravel_engine::device_list(&devices),
    };
    terminal::output(text.as_bytes())?;
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
