//! Descriptions of devices.
//!
//! The figures come from the vendors' publications named at each device. Rates are peak rates, so a bound computed
//! from them is never too high.

use crate::count::{Bound, Counts, Limit};

/// The bytes of a sector, the unit in which devices move memory.
pub const SECTOR: u64 = 32;

/// A GPU as the model sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Device {
    /// The name on the command line.
    pub name: &'static str,
    /// The vendor's name.
    pub title: &'static str,
    /// Where the figures were published.
    pub source: &'static str,
    /// The lanes of a subgroup, which run in lockstep.
    pub subgroup: usize,
    /// The threads of a workgroup.
    pub workgroup: usize,
    /// The lanes of the whole device: how many 32-bit operations it starts in a cycle.
    pub lanes: u64,
    /// Cycles per second.
    pub clock: f64,
    /// The slots that an operation on `f64` takes, in slots of one on `f32`; `None` if the device has no `f64`.
    pub f64_slots: Option<u64>,
    /// The bandwidth of device memory, in bytes per second.
    pub bandwidth: f64,
    /// The bytes of device memory.
    pub memory: u64,
    /// The seconds that a launch takes when it has nothing to do.
    pub launch: f64,
}

/// The devices that the model knows.
///
/// No vendor publishes the cost of a launch. 5 µs is what microbenchmarks commonly find for queued launches.
pub const DEVICES: &[Device] = &[
    Device {
        name: "iris-xe",
        title: "Intel Iris Xe (96 execution units)",
        source: "Intel, Processor Graphics Xe-LP API Developer and Optimization Guide, 2021",
        subgroup: 16,
        workgroup: 256,
        lanes: 96 * 8,
        clock: 1.35e9,
        f64_slots: None,
        bandwidth: 68.3e9,
        memory: 8 << 30,
        launch: 5e-6,
    },
    Device {
        name: "rtx3080",
        title: "NVIDIA GeForce RTX 3080",
        source: "NVIDIA, Ampere GA102 GPU Architecture, whitepaper, 2021",
        subgroup: 32,
        workgroup: 256,
        lanes: 68 * 128,
        clock: 1.71e9,
        f64_slots: Some(64),
        bandwidth: 760e9,
        memory: 10 << 30,
        launch: 5e-6,
    },
    Device {
        name: "a100",
        title: "NVIDIA A100 SXM4 40 GB",
        source: "NVIDIA, A100 Tensor Core GPU Architecture, whitepaper, 2020",
        subgroup: 32,
        workgroup: 256,
        lanes: 108 * 64,
        clock: 1.41e9,
        f64_slots: Some(2),
        bandwidth: 1555e9,
        memory: 40 << 30,
        launch: 5e-6,
    },
    Device {
        name: "h100",
        title: "NVIDIA H100 SXM5",
        source: "NVIDIA, H100 Tensor Core GPU Architecture, whitepaper, 2022",
        subgroup: 32,
        workgroup: 256,
        lanes: 132 * 128,
        clock: 1.98e9,
        f64_slots: Some(2),
        bandwidth: 3352e9,
        memory: 80 << 30,
        launch: 5e-6,
    },
];

impl Device {
    /// The device of this name.
    pub fn named(name: &str) -> Option<&'static Device> {
        DEVICES.iter().find(|device| device.name == name)
    }

    /// A lower bound on the time of these launches, one after the other.
    ///
    /// Each launch costs its overhead. Then all lanes are busy, or the longest thread runs alone, or memory is: every
    /// sector must be moved at least once.
    pub fn bound(&self, counts: &Counts) -> Bound {
        let cycles = counts.slots as f64 / self.lanes as f64;
        let parts = [
            (Limit::Launch, counts.launches as f64 * self.launch),
            (Limit::Lanes, cycles / self.clock),
            (Limit::Thread, counts.longest as f64 / self.clock),
            (Limit::Memory, (counts.distinct_sectors * SECTOR) as f64 / self.bandwidth),
        ];
        let overhead = parts[0].1;
        let (work_limit, work) = parts[1..]
            .iter()
            .copied()
            .fold((Limit::Lanes, 0.0), |most, part| if part.1 > most.1 { part } else { most });
        Bound {
            seconds: overhead + work,
            limit: if overhead > work { Limit::Launch } else { work_limit },
            without_cache: overhead + work.max((counts.sectors * SECTOR) as f64 / self.bandwidth),
        }
    }
}
