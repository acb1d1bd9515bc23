//! Descriptions of the machines that code is made for.
//!
//! A description has two halves. The first half **steers code**: passes and backends read it, so it is the same wherever the
//! compiler runs, and equal programs become equal code. The second half, the [`Hardware`] and the subgroup, **informs**: the
//! machine model, the documentation and `ravel devices` show it, and no generated code depends on it.
//!
//! Passes read properties, never the name of a description. `descriptions` is the table of all of them.

mod descriptions;
#[cfg(test)]
mod tests;

use ravel_abi::{Hardware, Machine};

/// A description of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The name on the command line.
    pub name: &'static str,
    /// The machine, in words.
    pub title: &'static str,
    /// Where the figures of the hardware come from.
    pub source: &'static str,
    /// Which backend makes the code.
    pub machine: Machine,

    /// The threads of a workgroup.
    pub workgroup: u32,
    /// How many bytes the workgroup blocks of a grid segment may take together, at [`BlockType::workgroup_bytes`] an
    /// element; their counts are constants then. `None`: blocks of any size, also of one that a scalar says.
    ///
    /// [`BlockType::workgroup_bytes`]: crate::BlockType::workgroup_bytes
    pub workgroup_bytes: Option<i64>,
    /// How many bytes the values may take that the threads of a workgroup combine in a reduction or scan of the grid; `None`:
    /// any number.
    pub combined_bytes: Option<i64>,
    /// The host reads and writes elements of device blocks as cheaply as the device does. Where
    /// it does not, host-level stores and copies of parts become segments.
    pub host_elements: bool,
    /// A thread may allocate device memory of a size that only it knows.
    pub thread_allocation: bool,
    /// Functions may call each other, and themselves. Where they may not, calls are put in place.
    pub calls: bool,
    /// The largest number of elements of a private block.
    pub private_capacity: i64,
    /// The least number of points worth a worker's while.
    pub least_chunk: i64,
    /// How many chunks a segment is cut into at most.
    pub most_chunks: i64,
    /// How many elements a chunk of a stream has, but for the last.
    pub stream_chunk: i64,
    /// The least number of points in each part of an array reduction or scan.
    pub part_points: i64,
    /// How many parts of the points of a histogram have one of their own at most.
    pub histogram_parts: i64,
    /// The least number of points that are worth it.
    pub histogram_points: i64,
    /// How many elements such histograms may have together, for each point.
    pub histogram_spread: i64,
    /// Memory of threads that write at the same time begins a multiple of so many bytes apart, lest one
    /// waits for a line of the cache that the other has; 0 where it does not matter.
    pub write_distance: i64,
    /// How many maps, perfectly nested in each other, are one index space at most.
    pub dimensions: usize,

    /// The threads of a subgroup, which run in lockstep, as the machine model assumes.
    pub subgroup: u32,
    /// What the machine has.
    pub hardware: Hardware,
}

/// A figure that steers code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Whether the machine can do something.
    Ability(bool),
    /// A number or a threshold; `None` if there is no bound.
    Number(Option<u64>),
}

impl Target {
    /// The description of this name.
    pub fn named(name: &str) -> Option<&'static Target> {
        Target::ALL.into_iter().find(|target| target.name == name)
    }

    /// The description that programs for a machine are compiled for, unless another one is named. Every such machine can run
    /// the code.
    pub fn of(machine: Machine) -> &'static Target {
        match machine {
            Machine::Cpu => &Target::CPU,
            Machine::Gpu => &Target::GPU,
        }
    }

    /// The settings, which steer code, with their names, for lists.
    pub fn settings(&self) -> [(&'static str, Setting); 16] {
        // Without `..`, so that no field can be forgotten.
        let Target {
            name: _,
            title: _,
            source: _,
            machine: _,
            workgroup,
            workgroup_bytes,
            combined_bytes,
            host_elements,
            thread_allocation,
            calls,
            private_capacity,
            least_chunk,
            most_chunks,
            stream_chunk,
            part_points,
            histogram_parts,
            histogram_points,
            histogram_spread,
            write_distance,
            dimensions,
            subgroup: _,
            hardware: _,
        } = *self;
        let ability = Setting::Ability;
        let number = |number: i64| Setting::Number(u64::try_from(number).ok());
        let bytes = |bytes: Option<i64>| Setting::Number(bytes.and_then(|bytes| u64::try_from(bytes).ok()));
        [
            ("workgroup", Setting::Number(Some(u64::from(workgroup)))),
            ("workgroup_bytes", bytes(workgroup_bytes)),
            ("combined_bytes", bytes(combined_bytes)),
            ("host_elements", ability(host_elements)),
            ("thread_allocation", ability(thread_allocation)),
            ("calls", ability(calls)),
            ("private_capacity", number(private_capacity)),
            ("least_chunk", number(least_chunk)),
            ("most_chunks", number(most_chunks)),
            ("stream_chunk", number(stream_chunk)),
            ("part_points", number(part_points)),
            ("histogram_parts", number(histogram_parts)),
            ("histogram_points", number(histogram_points)),
            ("histogram_spread", number(histogram_spread)),
            ("write_distance", number(write_distance)),
            ("dimensions", Setting::Number((dimensions < usize::MAX).then_some(dimensions as u64))),
        ]
    }
}
