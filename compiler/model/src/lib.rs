//! # model: a machine model for kernel IR
//!
//! [`run`] executes a [`MemProgram`](ravel_kernel::MemProgram) as a GPU of a given [`Device`] description would: threads run in subgroups, in
//! lockstep and under masks. It is slow, exact and deterministic, so that tests and benchmarks can hold its counts on
//! any machine.
//!
//! * It stops with [`Failure::Bug`](ravel_abi::Failure::Bug) at what a device would only suffer from: accesses out of bounds, reads of elements
//!   that were never written, and points of a segment that touch each other's elements.
//! * It counts, for each segment, what performance depends on ([`Counts`]): launches, lane operations issued and
//!   useful, bytes used, 32-byte sectors moved, words and bank conflicts of workgroup memory, barriers. [`Device::bound`] turns the counts into a lower bound on the time.
//!
//! * `device`: descriptions of devices; `count`: counts and bounds
//! * `machine`: the interpreter of bodies, one value for each lane; `access`: accesses to elements
//! * `segment`: launches; `block`: blocks and their segments
//! * `memory`: blocks, and the check for races
//!
//! ## Assumptions
//! A map's thread takes points that are one workgroup apart; a thread of a reduction or scan takes neighbouring
//! points, and a scan runs its points twice. This is how the WGSL backend cuts segments. Combining the threads' values
//! costs nothing, and neither does private memory. A thread of a block's segment takes points that are one workgroup apart,
//! in reductions and scans too, whose combinations are spread evenly over the threads. Each lane operation costs one slot, one in `f64` as many as
//! the device needs. There are no caches: the sectors of one access of a subgroup are merged, nothing else.
//!
//! This crate knows no backend and no core IR.
#![forbid(unsafe_code)]

mod access;
mod block;
mod count;
mod device;
mod entry;
mod machine;
mod memory;
mod segment;
#[cfg(test)]
mod tests;

use std::sync::atomic::AtomicBool;

use ravel_abi::{Tuning, Value};

pub use count::{Bound, Counts, Limit, SegmentCounts};
pub use device::{DEVICES, Device};
pub use entry::run;

/// How to run a program.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The device to imitate.
    pub device: &'a Device,
    /// The tuning parameters that are set.
    pub tuning: &'a Tuning,
    /// Set to true to stop the run.
    pub stop: Option<&'a AtomicBool>,
    /// How many bytes the private arrays of concurrent threads may take together.
    pub room: i64,
}

/// The results of a run, and its counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The results of the entry point.
    pub results: Vec<Value>,
    /// The counts of each segment, in the order of first launch.
    pub segments: Vec<SegmentCounts>,
}
