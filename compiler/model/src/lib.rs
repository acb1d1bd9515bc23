//! # model: a machine model for kernel IR
//!
//! [`run`] executes a [`MemProgram`](ravel_kernel::MemProgram) as a GPU of a given [`Device`] description would:
//! threads run in subgroups, in lockstep and under masks. The model is slow, exact and deterministic, so that tests can
//! compare its counts on any machine.
//!
//! * It stops with [`Failure::Bug`](ravel_abi::Failure::Bug) at errors that a device does not report: accesses out of
//!   bounds, reads of elements that were never written, and races between the points of a segment.
//! * It counts, for each segment, the events that determine performance ([`Counts`]): launches, lane operations
//!   (one count of all lanes, another of the active lanes only), bytes, sectors moved and needed, words and bank
//!   conflicts of workgroup memory, barriers. [`Device::bound`] computes a lower bound on the time from the counts.
//!
//! * `device`: descriptions of devices; `count`: counts and bounds
//! * `machine`: the interpreter of bodies, one value for each lane; `access`: accesses to elements
//! * `segment`: launches; `combine`: the launches of reductions and scans; `rows`: reductions and scans of several rows
//! * `workgroup`: workgroups and their inner segments; `values`: the exchange of values between threads of a workgroup
//! * `memory`: memory blocks, and the check for races
//!
//! ## Assumptions
//! Points are distributed over threads as in the WGSL backend. A thread of a grid segment takes points that are one
//! workgroup apart. A scan of several workgroups runs its points twice. A thread of an inner segment takes points whose
//! distance is the number of threads of the workgroup, except in scans and in reductions whose operators do not commute.
//!
//! Where threads combine their values, each step counts as in the WGSL backend. Private memory costs nothing. Each lane
//! operation costs one slot; an operation on `f64` costs as many as the device needs. Without caches, a sector is moved once for each
//! access of a subgroup that touches it; with perfect caches, once for each launch. Both bounds are computed.
//!
//! This crate does not depend on a backend or on core IR.
#![forbid(unsafe_code)]

mod access;
mod combine;
mod count;
mod device;
mod entry;
mod machine;
mod memory;
mod rows;
mod segment;
#[cfg(test)]
mod tests;
mod values;
mod workgroup;

use std::sync::atomic::AtomicBool;

use ravel_abi::{BinCounts, Tuning, Value, VersionCounts};

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
    /// The maximum number of bytes of the private arrays of all concurrent threads.
    pub private_limit: i64,
}

/// The results of a run, and its counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The results of the entry point.
    pub results: Vec<Value>,
    /// The counts of each segment, in the order of first launch.
    pub segments: Vec<SegmentCounts>,
    /// The bytes of device memory of the arguments, and of all arrays that host code allocated.
    pub allocated: u64,
    /// Which versions ran.
    pub versions: Vec<VersionCounts>,
    /// The bins of nests, if the program counts them.
    pub bins: Vec<BinCounts>,
}
