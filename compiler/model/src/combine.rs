//! Reductions and scans of the grid, as the launches of the WGSL backend.
//!
//! * The first launch folds the points of each thread, and combines the values of the threads of each workgroup.
//! * If there are several workgroups, a launch of one workgroup combines their values.
//! * In a scan, the last launch runs the points again. Each thread begins with the values of all threads before it.
//!
//! Launches pass values to each other in scratch memory; its traffic counts, the operators applied to the values do not. The
//! points of a reduction run a second time, without counting, because a runtime may repeat them.
//!
//! Only programs for a CPU have several rows. The launches of the model then have the rows of all threads.

use ravel_abi::{DeviceLimitation, plan};
use ravel_kernel::*;

use crate::machine::{Lanes, Machine, Run};
use crate::segment::{Grid, Threads, count, gather, indices, of_lane};

/// The values of each combiner.
type Combined = Vec<Vec<Lanes>>;

/// An array of scratch memory, with a member for each value that is combined.
#[derive(Clone, Copy)]
enum Scratch {
    /// For each thread, the combined values of the threads of its workgroup up to this one.
    Prefixes,
    /// For each workgroup, its combined value.
    Sums,
    /// For each workgroup, the combined value of the workgroups up to this one.
    Offsets,
}

/// The threads of a launch, and the bytes of the values that each combines.
#[derive(Clone)]
struct Combining {
    threads: usize,
    /// The maximum number of threads of a workgroup.
    workgroup: usize,
    /// The bytes of each member.
    widths: Vec<usize>,
}

impl Combining {
    fn groups(&self) -> usize {
        self.threads.div_ceil(self.workgroup)
    }

    fn is_last_of_group(&self, thread: usize) -> bool {
        (thread + 1).is_multiple_of(self.workgroup) || thread + 1 == self.threads
    }
}

impl<'a> Machine<'a> {
    /// Reduces or scans along the innermost dimension.
    pub fn combine(
        &mut self,
        threads: Threads<'a>,
        shape: &[i64],
        grid: Grid,
        combiners: &'a [Combiner],
        scans: bool,
    ) -> Run {
        let outer = &shape[..shape.len().saturating_sub(1)];
        let rows = count(outer, 1).ok_or_else(|| DeviceLimitation::LargeOperation.failure())?;
        let neutral = self.neutral(combiners)?;
        let folded = self.fold_chunks(threads, shape, grid, combiners, &neutral)?;
        if self.failed.is_some() {
            return Ok(());
        }
        let widths = self.widths(combiners);
        let workgroup = self.options.device.target.combining_threads(widths.iter().sum(), 0) as usize;
        let launch = Combining { threads: grid.threads(), workgroup, widths };
        if scans {
            self.pass(&launch, Scratch::Prefixes, &Some);
            self.pass_sums(&launch);
            if launch.threads > 0 {
                self.end_launch();
            }
            if launch.groups() > 1 {
                self.combine_sums(&launch, scans);
                self.end_launch();
            }
            let mut starts = Vec::new();
            for row in folded.chunks(grid.parts().max(1)) {
                starts.extend(self.prefixes(combiners, &neutral, row)?.0);
            }
            return self.spread(threads, shape, grid, combiners, &starts, &launch);
        }
        let counted = self.counts;
        self.subgroups(grid, |machine, first| {
            machine.rounds(threads, shape, grid, first, &mut |_, _, _| Ok(()))
        })?;
        self.counts = counted;
        if launch.groups() > 1 {
            self.pass_sums(&launch);
            self.end_launch();
            self.combine_sums(&launch, scans);
        }
        // A row without points has no parts, and so no results to combine.
        let mut folded = folded.chunks(grid.parts().max(1));
        for row in 0..rows {
            let (_, total) = self.prefixes(combiners, &neutral, folded.next().unwrap_or_default())?;
            self.keep(combiners, &total, &vec![true], &|_| indices(outer, row))?;
        }
        Ok(())
    }

    /// The bytes of each value that the combiners combine.
    fn widths(&self, combiners: &[Combiner]) -> Vec<usize> {
        let bytes = |&var: &Var| match self.vars[var].ty {
            Type::Scalar(ty) => plan::device_bytes(ty),
            _ => 0,
        };
        combiners.iter().flat_map(|combiner| &combiner.left).map(bytes).collect()
    }

    /// Folds the points of each thread.
    fn fold_chunks(
        &mut self,
        threads: Threads<'a>,
        shape: &[i64],
        grid: Grid,
        combiners: &'a [Combiner],
        neutral: &Combined,
    ) -> Run<Vec<Combined>> {
        let mut chunks = vec![neutral.clone(); grid.threads()];
        self.counts.longest += self.subgroups(grid, |machine, first| {
            let mut folded = neutral.clone();
            machine.rounds(threads, shape, grid, first, &mut |machine, mask, results| {
                folded = machine.fold(combiners, &folded, results, mask)?;
                Ok(())
            })?;
            for (lane, chunk) in chunks.iter_mut().skip(first).take(machine.dead.len()).enumerate() {
                *chunk = folded
                    .iter()
                    .map(|values| values.iter().map(|value| of_lane(value, lane)).collect())
                    .collect();
            }
            Ok(())
        })?;
        Ok(chunks)
    }

    /// For each thread that shares a row, the combined value of the threads before it; and the combined value of the row.
    fn prefixes(
        &mut self,
        combiners: &'a [Combiner],
        neutral: &Combined,
        chunks: &[Combined],
    ) -> Run<(Vec<Combined>, Combined)> {
        (self.points, self.dead) = (vec![None], vec![false]);
        let mut before = neutral.clone();
        let mut starts = Vec::with_capacity(chunks.len());
        for chunk in chunks {
            let next = self.fold(combiners, &before, chunk.concat(), &vec![true])?;
            starts.push(std::mem::replace(&mut before, next));
        }
        Ok((starts, before))
    }

    /// Runs the points of a scan again. Each thread begins with the combined value of the threads before it.
    fn spread(
        &mut self,
        threads: Threads<'a>,
        shape: &[i64],
        grid: Grid,
        combiners: &'a [Combiner],
        starts: &[Combined],
        launch: &Combining,
    ) -> Run {
        let Combining { workgroup, .. } = *launch;
        self.pass(launch, Scratch::Prefixes, &|thread| {
            (!thread.is_multiple_of(workgroup)).then(|| thread - 1)
        });
        self.pass(launch, Scratch::Offsets, &|thread| (thread / workgroup).checked_sub(1));
        self.counts.longest += self.subgroups(grid, |machine, first| {
            let lanes = machine.dead.len();
            let mut folded = gather(starts, first, lanes);
            machine.rounds(threads, shape, grid, first, &mut |machine, mask, results| {
                folded = machine.fold(combiners, &folded, results, mask)?;
                let at = machine.points.clone();
                machine.keep(combiners, &folded, mask, &|lane| {
                    at[lane].map(|point| indices(shape, point)).unwrap_or_default()
                })
            })
        })?;
        Ok(())
    }

    /// Counts how the last thread of each workgroup passes the combined value on.
    fn pass_sums(&mut self, launch: &Combining) {
        self.pass(launch, Scratch::Sums, &|thread| {
            launch.is_last_of_group(thread).then_some(thread / launch.workgroup)
        });
    }

    /// Counts the accesses of the workgroup that combines the values of the workgroups of `launch`. Each of its threads
    /// takes consecutive ones.
    fn combine_sums(&mut self, launch: &Combining, scans: bool) {
        let groups = launch.groups();
        let chunk = groups.div_ceil(launch.workgroup);
        let second = Combining { threads: groups.div_ceil(chunk), ..launch.clone() };
        for round in 0..chunk {
            let at = |thread: usize| Some(thread * chunk + round).filter(|&group| group < groups);
            self.pass(&second, Scratch::Sums, &at);
            if scans {
                // Each thread folds its values twice: first for their total, then for the offset of each.
                self.pass(&second, Scratch::Sums, &at);
                self.pass(&second, Scratch::Offsets, &at);
            }
        }
    }

    /// Counts an access of each thread of a launch to scratch memory: of `thread` to the value at position `at(thread)`.
    fn pass(&mut self, launch: &Combining, array: Scratch, at: &dyn Fn(usize) -> Option<usize>) {
        let lanes = self.options.device.subgroup();
        for first in (0..launch.threads).step_by(lanes) {
            let positions: Vec<usize> = (first..launch.threads.min(first + lanes)).filter_map(at).collect();
            for (member, &width) in launch.widths.iter().enumerate() {
                let array = array as usize + 3 * member;
                let traffic = self.memory.scratch_traffic(array, width as u64, &positions);
                self.counts.add_traffic(traffic);
            }
        }
    }
}
