//! The devices of the model: descriptions of real GPUs, with their rates.
//!
//! The figures come from the vendors' publications named in each description. Rates are peak rates, so a bound computed
//! from them is never too high.

use ravel_kernel::Target;

use crate::count::{Bound, Counts, Limit};

/// The bytes of a sector, the unit in which devices move memory.
pub const SECTOR: u64 = 32;

/// The banks of workgroup memory. Each gives one word at a time.
pub const BANKS: u64 = 32;

/// The bytes of a word of a bank.
pub const WORD: u64 = 4;

/// A GPU as the model sees it: a description, and how fast it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Device {
    /// The description, which code is compiled for.
    pub target: &'static Target,
    /// Cycles per second.
    pub clock: f64,
    /// The slots that an operation on `f64` takes, in slots of one on `f32`; `None` if the device has no `f64`.
    pub f64_slots: Option<u64>,
    /// The bandwidth of device memory, in bytes per second.
    pub bandwidth: f64,
    /// The seconds that a launch takes when it has nothing to do.
    pub launch: f64,
}

/// The devices that the model knows.
///
/// No vendor publishes the cost of a launch. 5 µs is what microbenchmarks commonly find for queued launches.
pub const DEVICES: &[Device] = &[
    Device { target: &Target::IRIS_XE, clock: 1.35e9, f64_slots: None, bandwidth: 68.3e9, launch: 5e-6 },
    Device { target: &Target::RTX_3080, clock: 1.71e9, f64_slots: Some(64), bandwidth: 760e9, launch: 5e-6 },
    Device { target: &Target::A100, clock: 1.41e9, f64_slots: Some(2), bandwidth: 1555e9, launch: 5e-6 },
    Device { target: &Target::H100, clock: 1.98e9, f64_slots: Some(2), bandwidth: 3352e9, launch: 5e-6 },
];

impl Device {
    /// The device of this name.
    pub fn named(name: &str) -> Option<&'static Device> {
        DEVICES.iter().find(|device| device.target.name == name)
    }

    /// The lanes of a subgroup, which run in lockstep.
    pub(crate) fn subgroup(&self) -> usize {
        self.target.subgroup as usize
    }

    /// The threads of a workgroup.
    pub(crate) fn workgroup(&self) -> usize {
        self.target.workgroup as usize
    }

    /// The lanes of the whole device: how many 32-bit operations it starts in a cycle.
    fn lanes(&self) -> u64 {
        let hardware = &self.target.hardware;
        hardware.cores.unwrap_or(1) * hardware.lanes.unwrap_or(1)
    }

    /// The bytes of device memory.
    pub fn memory(&self) -> u64 {
        self.target.hardware.memory_bytes.unwrap_or(u64::MAX)
    }

    /// A lower bound on the time of these launches, one after the other.
    ///
    /// Each launch costs its overhead. Then all lanes are busy, or the longest thread runs alone, or memory is: every
    /// sector must be moved at least once.
    pub fn bound(&self, counts: &Counts) -> Bound {
        let cycles = counts.slots as f64 / self.lanes() as f64;
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
