//! Descriptions of the machines for which code is compiled.
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
    /// The source of the hardware figures.
    pub source: &'static str,
    /// The machine, which determines the backend.
    pub machine: Machine,

    /// The threads of a workgroup.
    pub workgroup: u32,
    /// The maximum size in bytes of all blocks in workgroup memory of a grid segment. An element takes [`BlockType::workgroup_bytes`].
    /// With a maximum, the numbers of elements are constants. `None`: there is no maximum, and the numbers may be scalars.
    ///
    /// [`BlockType::workgroup_bytes`]: crate::BlockType::workgroup_bytes
    pub workgroup_bytes: Option<i64>,
    /// The maximum size in bytes of the values that the threads of a workgroup combine in a reduction or scan of the grid.
    /// `None`: there is no maximum.
    pub combined_bytes: Option<i64>,
    /// Whether the host reads and writes elements of device blocks as cheaply as the device does. If it does not,
    /// host-level stores and copies become segments.
    pub host_elements: bool,
    /// Whether a grid segment may reduce or scan several rows. If it may not, workgroups combine the rows.
    pub grid_rows: bool,
    /// Whether a thread may allocate device memory of a size that it computes.
    pub thread_allocation: bool,
    /// Whether functions may call each other and themselves. If they may not, all calls are inlined.
    pub calls: bool,
    /// The largest number of elements of a private block.
    pub private_capacity: i64,
    /// The minimum number of statements that the points of a chunk run, so that the chunk is worth a worker.
    pub min_chunk: i64,
    /// The maximum number of chunks of a segment.
    pub max_chunks: i64,
    /// The number of points of a nest from which its inner constructs are loops of the threads, because the points alone keep
    /// the machine busy; 0 if inner constructs are always loops. A default, which a tuning parameter replaces.
    pub outer_points: i64,
    /// The minimum number of points inside of each, so that inner constructs run in parallel. A default, which a tuning
    /// parameter replaces.
    pub inner_points: i64,
    /// The number of elements of a chunk of a stream. The last chunk may be smaller.
    pub stream_chunk: i64,
    /// The minimum number of points in each part of an array reduction or scan.
    pub part_points: i64,
    /// The maximum number of parts of a histogram's points. Each part has a private histogram.
    pub histogram_parts: i64,
    /// The minimum number of points in a part that has a private histogram.
    pub histogram_points: i64,
    /// The maximum number of elements that all private histograms together have for each point.
    pub histogram_spread: i64,
    /// The maximum number of passes over the points of a histogram in which workgroups combine them in their memory, each pass
    /// into some of the bins; 0 if threads do not combine into one element of that memory.
    pub histogram_passes: i64,
    /// Whether the histogram of a part is in memory of its own until it is complete, to avoid false sharing of cache lines.
    pub own_histograms: bool,
    /// The number of rows of a product that one point computes; 0 if products are not computed in tiles.
    pub tile_rows: i64,
    /// The number of neighbouring columns whose shared elements are copied to a panel.
    pub tile_columns: i64,
    /// The maximum number of statements in an iteration of a product that is computed in tiles.
    pub max_tiled: i64,
    /// The maximum number of statements of a point whose code is copied to replace divisions of its index by counters; 0 if
    /// divisions are not replaced.
    pub max_divided: i64,
    /// Whether neighbouring threads access memory together, so that they should access neighbouring elements.
    pub coalesces: bool,
    /// The minimum number of bytes of an array that is transposed so that neighbouring threads access neighbouring elements. A
    /// default, which a tuning parameter replaces.
    pub transposed_bytes: i64,
    /// The maximum number of statements of a point that accesses a transposed array and is computed in tiles; 0 if none is.
    pub max_transposed: i64,
    /// The maximum number of statements of a branch whose two sides are both computed and then selected; 0 if a later
    /// compiler decides.
    pub max_selected: i64,
    /// The maximum number of statements in all iterations of an unrolled loop; 0 if a later compiler decides.
    pub max_unrolled: i64,
    /// The maximum number of statements that all copies of an unswitched loop have together (the loop is copied for
    /// each value of an invariant condition); 0 if a later compiler decides.
    pub max_unswitched: i64,
    /// The maximum number of statements in an iteration of a loop whose range is split where a condition on the counter
    /// changes; 0 if no loops are split.
    pub max_split: i64,
    /// Whether loads of memory that a loop never writes are moved before the loop.
    pub hoists_loads: bool,
    /// Whether one call computes the sine and the cosine of an angle.
    pub sine_with_cosine: bool,
    /// The bytes of all strands of the widest value of a reduction in strands. Point `i` of such a reduction goes into strand
    /// `i` modulo the number of strands.
    pub strand_bytes: i64,
    /// The maximum number of statements of the operators of a reduction in strands. They run again for each strand at the
    /// end.
    pub max_strand_statements: i64,
    /// The maximum number of values that a reduction in strands combines, so that all strands fit into registers.
    pub max_strand_values: i64,
    /// The maximum size in bytes of a block on the stack of a worker.
    pub stack_block_bytes: i64,
    /// The maximum total size in bytes of the blocks of a function on the stack of a worker.
    pub stack_bytes: i64,
    /// The maximum number of statements of a strip that has a second form for the interior of a row; 0 if none has.
    pub max_interior: i64,
    /// The maximum number of statements of a loop along rows that is unrolled in vector code; 0 if none is.
    pub max_row_loop: i64,
    /// The bits of the largest vectors in which neighbouring points of a segment are computed; 1 if the backend computes them
    /// one by one. A processor without such vectors computes in the largest that it has.
    pub vector_bits: u32,

    /// The number of threads of a subgroup. The machine model assumes that they run in lockstep.
    pub subgroup: u32,
    /// The figures of the hardware.
    pub hardware: Hardware,
}

/// A property that steers code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name. Names of numbers of bytes end with `_bytes`.
    pub name: &'static str,
    /// Its meaning.
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

/// The values of a reduction or scan that are in workgroup memory at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The number of threads of the workgroup.
    pub threads: u32,
    /// The maximum number of values that each thread combines.
    pub items: u32,
}

/// The number of threads of a workgroup whose values one thread combines, before the results of all of these are combined. It is
/// odd, so that the threads access different banks of the memory. Of 256 threads, so few remain that they are in one subgroup,
/// or in two small ones.
pub const RAKED: u32 = 9;

impl Target {
    /// The description of this name.
    pub fn named(name: &str) -> Option<&'static Target> {
        Target::ALL.into_iter().find(|target| target.name == name)
    }

    /// The description for which programs are compiled if no other one is named. Every machine of this kind can run the
    /// code.
    pub fn of(machine: Machine) -> &'static Target {
        match machine {
            Machine::Cpu => &Target::CPU,
            Machine::Gpu => &Target::GPU,
        }
    }

    /// The maximum number of threads of a workgroup that can keep `bytes` each in its memory for a reduction or scan.
    /// `taken` bytes of the memory are in use.
    pub fn combining_threads(&self, bytes: usize, taken: i64) -> u32 {
        /// Fewer threads would leave most lanes of large subgroups idle.
        const FEWEST: u32 = 32;
        let too_much =
            |bytes: i64| self.combined_bytes.is_some_and(|most| bytes > most.saturating_sub(taken));
        let mut threads = self.workgroup;
        while threads > FEWEST && too_much(i64::from(threads).saturating_mul(bytes as i64)) {
            threads /= 2;
        }
        threads
    }

    /// The tile of a reduction or scan that combines `bytes` for each point. Its values and a value of each thread fit into
    /// the memory of a workgroup.
    pub fn tile(&self, bytes: usize) -> Tile {
        /// More values of a thread would save few steps of the combination of its workgroup, and leave a core with too
        /// few threads to hide latency.
        const MOST: u32 = 7;
        let threads = self.combining_threads(2 * bytes, 0);
        let fits = |items: &u32| {
            let most = self.combined_bytes.unwrap_or(i64::MAX);
            i64::from(threads * (items + 1)).saturating_mul(bytes as i64) <= most
        };
        // The number is odd: so threads that take neighbouring values access different banks of the memory.
        let items = (1..=MOST).rev().step_by(2).find(fits).unwrap_or(1);
        Tile { threads, items }
    }

    /// The settings, for lists.
    pub fn settings(&self) -> [Setting; 40] {
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
            grid_rows,
            thread_allocation,
            calls,
            private_capacity,
            min_chunk,
            max_chunks,
            outer_points,
            inner_points,
            stream_chunk,
            part_points,
            histogram_parts,
            histogram_points,
            histogram_spread,
            histogram_passes,
            own_histograms,
            tile_rows,
            tile_columns,
            max_tiled,
            max_divided,
            coalesces,
            transposed_bytes,
            max_transposed,
            max_selected,
            max_unrolled,
            max_unswitched,
            max_split,
            hoists_loads,
            sine_with_cosine,
            strand_bytes,
            max_strand_statements,
            max_strand_values,
            stack_block_bytes,
            stack_bytes,
            max_interior,
            max_row_loop,
            vector_bits,
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
            limit("workgroup_bytes", "the most memory that the arrays of a workgroup take", workgroup_bytes),
            limit(
                "combined_bytes",
                "the most memory that a workgroup's values of a reduction or scan take",
                combined_bytes,
            ),
            ability("host_elements", "the host reads and writes elements", host_elements),
            ability("grid_rows", "a grid segment reduces and scans several rows", grid_rows),
            ability(
                "thread_allocation",
                "a thread allocates arrays of sizes that only it knows",
                thread_allocation,
            ),
            ability("calls", "functions call each other", calls),
            number(
                "private_capacity",
                "the most elements of an array in the private memory of a thread; the stack of a CPU thread does not count",
                private_capacity,
            ),
            number("min_chunk", "the fewest statements for which it pays to start a worker", min_chunk),
            number("max_chunks", "the most chunks of a parallel segment", max_chunks),
            number(
                "outer_points",
                "points from which the inner constructs of a nest are loops of the threads; 0: they always are",
                outer_points,
            ),
            number(
                "inner_points",
                "the fewest points inside of each for which inner constructs run in parallel",
                inner_points,
            ),
            number("stream_chunk", "elements in a chunk of a stream", stream_chunk),
            number(
                "part_points",
                "the fewest points in a part of a reduction or scan whose elements are arrays",
                part_points,
            ),
            number("histogram_parts", "the most parts of a histogram", histogram_parts),
            number("histogram_points", "the fewest points in a part of a histogram", histogram_points),
            number(
                "histogram_spread",
                "the most elements that the histograms of all parts have together, as a multiple of the number of points",
                histogram_spread,
            ),
            number(
                "histogram_passes",
                "the most passes over the points of a histogram that workgroups combine in their memory; 0: they do not",
                histogram_passes,
            ),
            ability(
                "own_histograms",
                "the histogram of a part is in memory of its own until it is complete",
                own_histograms,
            ),
            number("tile_rows", "rows of a product of matrices that one point computes", tile_rows),
            number(
                "tile_columns",
                "columns of a product of matrices that are copied to a panel",
                tile_columns,
            ),
            number(
                "max_tiled",
                "the most statements in an iteration of a product that is computed in tiles",
                max_tiled,
            ),
            number(
                "max_divided",
                "the most statements of a point whose code is copied to replace divisions of its index by counters",
                max_divided,
            ),
            ability("coalesces", "neighbouring threads access memory together", coalesces),
            number(
                "transposed_bytes",
                "the fewest bytes of an array that is transposed so that neighbouring threads access neighbouring elements",
                transposed_bytes,
            ),
            number(
                "max_transposed",
                "the most statements of a point that is computed in tiles because it accesses a transposed array",
                max_transposed,
            ),
            number(
                "max_selected",
                "the most statements of a branch whose sides are both computed",
                max_selected,
            ),
            number("max_unrolled", "the most statements of all iterations of an unrolled loop", max_unrolled),
            number(
                "max_unswitched",
                "the most statements of both copies of a loop, one for each value of an invariant condition",
                max_unswitched,
            ),
            number(
                "max_split",
                "the most statements in the body of a loop that is split where a condition on its counter changes",
                max_split,
            ),
            ability(
                "hoists_loads",
                "loads of memory that a loop does not change are moved before it",
                hoists_loads,
            ),
            ability("sine_with_cosine", "one call computes a sine and a cosine", sine_with_cosine),
            number("strand_bytes", "bytes of the strands of the widest value of a reduction", strand_bytes),
            number(
                "max_strand_statements",
                "the most statements of the operators of a reduction in strands",
                max_strand_statements,
            ),
            number(
                "max_strand_values",
                "the most values that a reduction in strands combines",
                max_strand_values,
            ),
            number(
                "stack_block_bytes",
                "the most memory of an array on the stack of a worker",
                stack_block_bytes,
            ),
            number(
                "stack_bytes",
                "the most memory of all arrays of a function on the stack of a worker",
                stack_bytes,
            ),
            number(
                "max_interior",
                "the most statements of vector code for which there is a second form without the tests of borders",
                max_interior,
            ),
            number(
                "max_row_loop",
                "the most statements of a loop along rows that is unrolled in vector code",
                max_row_loop,
            ),
            number(
                "vector_bits",
                "the size in bits of the largest vectors in which neighbouring points are computed; 1: without vectors",
                i64::from(vector_bits),
            ),
        ]
    }
}
