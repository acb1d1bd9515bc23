//! The devices of the model: descriptions of real GPUs, with their rates.
//!
//! The figures come from the vendors' publications that each description names. The rates are peak rates, so a
//! lower bound on the time that is computed from them is never too high.

use ravel_kernel::Target;

use crate::count::{Bound, Counts, Limit};

/// The number of banks of workgroup memory. A bank delivers one word in each issue slot.
pub const BANKS: u64 = 32;

/// The bytes of a word of workgroup memory.
pub const WORD: u64 = 4;

/// A modelled GPU: its description and its rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Device {
    /// The description, for which code is compiled.
    pub target: &'static Target,
    /// Cycles per second.
    pub clock: f64,
    /// The number of issue slots that an operation on `f64` takes. (A slot is one cycle of one lane; an operation
    /// on `f32` takes one.) `None` if the device has no `f64`.
    pub f64_slots: Option<u64>,
    /// Whether threads of a subgroup can exchange values without workgroup memory.
    pub shuffles: bool,
    /// The bytes of a sector, the unit in which the device moves memory.
    pub sector: u64,
    /// The bandwidth of device memory, in bytes per second.
    pub bandwidth: f64,
    /// The overhead of a launch, in seconds.
    pub launch: f64,
}

/// The modelled devices.
///
/// No vendor publishes the cost of a launch. Microbenchmarks of queued launches commonly measure 5 µs. The M2090 loads
/// through its first-level cache, in lines of 128 bytes; the other devices move sectors of 32 bytes. Its threads cannot
/// exchange values within a subgroup.
pub const DEVICES: &[Device] = &[
    Device { clock: 1.35e9, f64_slots: None, bandwidth: 68.3e9, ..base(&Target::IRIS_XE) },
    Device { clock: 1.71e9, f64_slots: Some(64), bandwidth: 760e9, ..base(&Target::RTX_3080) },
    Device { clock: 1.41e9, bandwidth: 1555e9, ..base(&Target::A100) },
    Device { clock: 1.98e9, bandwidth: 3352e9, ..base(&Target::H100) },
    Device { clock: 1.3e9, shuffles: false, sector: 128, bandwidth: 177e9, ..base(&Target::M2090) },
];

/// A device with the values of `f64_slots`, `shuffles`, `sector` and `launch` that most devices have. The clock and the
/// bandwidth are 0 and must be replaced.
const fn base(target: &'static Target) -> Device {
    Device {
        target,
        clock: 0.0,
        f64_slots: Some(2),
        shuffles: true,
        sector: 32,
        bandwidth: 0.0,
        launch: 5e-6,
    }
}

impl Device {
    /// The device of this name.
    pub fn named(name: &str) -> Option<&'static Device> {
        DEVICES.iter().find(|device| device.target.name == name)
    }

    /// The number of lanes of a subgroup. They run in lockstep.
    pub(crate) fn subgroup(&self) -> usize {
        self.target.subgroup as usize
    }

    /// The threads of a workgroup.
    pub(crate) fn workgroup(&self) -> usize {
        self.target.workgroup as usize
    }

    /// The lanes of the whole device, which is the number of 32-bit operations that it starts in a cycle.
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
    /// Each launch costs its overhead plus the longest of three times: the time of all issue slots, divided evenly
    /// among all lanes; the time of the issue slots of the subgroup that has the most; and the time to move each
    /// sector once.
    pub fn bound(&self, counts: &Counts) -> Bound {
        let cycles = counts.slots as f64 / self.lanes() as f64;
        let parts = [
            (Limit::Launch, counts.launches as f64 * self.launch),
            (Limit::Lanes, cycles / self.clock),
            (Limit::Thread, counts.longest as f64 / self.clock),
            (Limit::Memory, (counts.distinct_sectors * self.sector) as f64 / self.bandwidth),
        ];
        let overhead = parts[0].1;
        let (work_limit, work) = parts[1..]
            .iter()
            .copied()
            .fold((Limit::Lanes, 0.0), |most, part| if part.1 > most.1 { part } else { most });
        Bound {
            seconds: overhead + work,
            limit: if overhead > work { Limit::Launch } else { work_limit },
            without_cache: overhead + work.max((counts.sectors * self.sector) as f64 / self.bandwidth),
        }
    }
}
