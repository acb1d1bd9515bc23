//! `ravel devices`: what programs can run on.

use crate::exit::{self, Exit};
use crate::terminal;

/// Lists the processor and the graphics adapters; fails when no adapter can be trusted.
pub fn devices() -> Result<(), Exit> {
    let mut text = format!("cpu: {} threads\n", ravel_engine::processors());
    let devices = ravel_engine::devices();
    for device in &devices {
        text.push_str(&format!("gpu: {device}\n"));
    }
    terminal::output(text.as_bytes())?;
    if devices.iter().any(|device| device.usable()) {
        Ok(())
    } else {
        Err(exit::user("no graphics adapter passes the check; programs run on the CPU only"))
    }
}
