//! The devices on which programs can run.

use std::fmt;

use ravel_abi::{Hardware, Machine};

/// A graphics adapter.
#[derive(Clone, Debug)]
pub struct Device(ravel_gpu::DeviceInfo);

/// All graphics adapters, each checked by a small computation.
pub fn devices() -> Vec<Device> {
    ravel_gpu::devices().into_iter().map(Device).collect()
}

/// A machine that was found and can run programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceDescription {
    /// The machine for which programs are compiled to run on it.
    pub machine: Machine,
    /// Its name.
    pub name: String,
    /// Its figures.
    pub hardware: Hardware,
}

/// The CPU.
pub fn processor() -> DeviceDescription {
    let name = ravel_cpu::hardware::name().unwrap_or_else(|| format!("{} processor", std::env::consts::ARCH));
    DeviceDescription { machine: Machine::Cpu, name, hardware: ravel_cpu::hardware::hardware() }
}

/// The number of threads that the CPU runs at the same time.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The CPU and these adapters, one per line.
pub fn device_list(devices: &[Device]) -> String {
    let adapters = devices.iter().map(|device| format!("gpu: {device}\n"));
    let vectors = ravel_cpu::hardware::vectors();
    format!("cpu: {} threads; {vectors}\n{}", processors(), adapters.collect::<String>())
}

impl Device {
    /// Its name and its figures.
    pub fn description(&self) -> DeviceDescription {
        let Device(info) = self;
        DeviceDescription { machine: Machine::Gpu, name: info.name.clone(), hardware: info.hardware }
    }

    /// Whether it computes correctly.
    pub fn usable(&self) -> bool {
        self.0.probe.is_ok()
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Device(info) = self;
        let has = |known: bool| if known { "yes" } else { "no" };
        write!(
            f,
            "{} ({:?}, {}, {}); i64 {}, f64 {}, arrays up to {} MiB, {} arrays a kernel; {}",
            info.name,
            info.kind,
            info.backend,
            info.driver,
            has(info.has_i64),
            has(info.has_f64),
            info.max_array_bytes() >> 20,
            info.max_arrays(),
            match &info.probe {
                Ok(()) => "usable".to_owned(),
                Err(wrong) => format!("not usable: {wrong}"),
            }
        )
    }
}
