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
    /// How many statements both sides of a branch may have together if both are computed whatever the condition is; 0
    /// where a later compiler decides.
    pub most_selected: i64,
    /// How many statements all iterations of an unrolled loop may have together; 0 where a later compiler decides.
    pub most_unrolled: i64,
    /// One call computes the sine and the cosine of an angle.
    pub sine_with_cosine: bool,

    /// The threads of a subgroup, which run in lockstep, as the machine model assumes.
    pub subgroup: u32,
    /// What the machine has.
    pub hardware: Hardware,
}

/// A property that steers code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name. Names of numbers of bytes end with `_bytes`.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// Its value.
    pub value: SettingValue,
}

/// The value of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingValue {
    /// Whether the machine can do something.
    Ability(bool),
    /// A number; `None` if there is no limit.
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

    /// The settings, for lists.
    pub fn settings(&self) -> [Setting; 19] {
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
            most_selected,
            most_unrolled,
            sine_with_cosine,
            subgroup: _,
            hardware: _,
        } = *self;
        let setting = |name, about, value| Setting { name, about, value };
        let ability = |name, about, can| setting(name, about, SettingValue::Ability(can));
        let number =
            |name, about, number: i64| setting(name, about, SettingValue::Number(u64::try_from(number).ok()));
        let limit = |name, about, limit: Option<i64>| {
            setting(name, about, SettingValue::Number(limit.and_then(|limit| u64::try_from(limit).ok())))
        };
        [
            number("workgroup", "threads of a workgroup", i64::from(workgroup)),
            limit("workgroup_bytes", "the most memory that the arrays of a block take", workgroup_bytes),
            limit(
                "combined_bytes",
                "the most memory that a workgroup's values of a reduction or scan take",
                combined_bytes,
            ),
            ability("host_elements", "the host reads and writes elements", host_elements),
            ability(
                "thread_allocation",
                "a thread allocates arrays of sizes that only it knows",
                thread_allocation,
            ),
            ability("calls", "functions call each other", calls),
            number(
                "private_capacity",
                "the most elements of an array that lies in a thread's own memory",
                private_capacity,
            ),
            number("least_chunk", "the fewest points for which it pays to start a worker", least_chunk),
            number("most_chunks", "the most chunks of a parallel segment", most_chunks),
            number("stream_chunk", "elements in a chunk of a stream", stream_chunk),
            number("part_points", "the fewest points in a part of an array reduction or scan", part_points),
            number("histogram_parts", "the most parts of a histogram's points", histogram_parts),
            number("histogram_points", "the fewest points in such a part", histogram_points),
            number(
                "histogram_spread",
                "the most elements of all parts' histograms, for each point",
                histogram_spread,
            ),
            number(
                "write_distance",
                "bytes between the memory of two threads that write at the same time",
                write_distance,
            ),
            limit("dimensions", "the most nested maps that are one segment", i64::try_from(dimensions).ok()),
            number(
                "most_selected",
                "the most statements of a branch whose sides are both computed",
                most_selected,
            ),
            number(
                "most_unrolled",
                "the most statements of all iterations of an unrolled loop",
                most_unrolled,
            ),
            ability("sine_with_cosine", "one call computes a sine and a cosine", sine_with_cosine),
        ]
    }
}
