//! Runs workgroups sequentially, in reverse order, each on fresh workgroup memory.
//!
//! The code of a workgroup runs in a single lane that represents all its threads. The threads of its segments run in
//! subgroups. A workgroup stops after the first segment in which a thread fails. The model then runs it a second time,
//! without counting: a runtime may repeat a failed workgroup, and the workgroup must fail in the same way.

mod combine;
#[cfg(test)]
mod tests;

use ravel_abi::DeviceLimitation;
use ravel_kernel::*;
use ravel_prim::PrimValue;

use crate::count::{Counts, SegmentCounts};
use crate::device::WORD;
use crate::machine::{Cell, FailedPoint, Lanes, Machine, Run};
use crate::memory::{Place, Traffic, fault};
use crate::segment::{Grid, Threads, count, index};
use crate::values::UNIFORM_LOAD;

impl<'a> Machine<'a> {
    /// Runs a workgroup for each point of the grid segment.
    pub fn workgroups(
        &mut self,
        segment: &'a GridSegment,
        shape: &[i64],
        points: usize,
        body: &'a Body<Workgroup>,
    ) -> Run {
        let space = &segment.space;
        let target = self.options.device.target;
        self.workgroup_threads = WorkgroupMemory::of(body, self.vars).threads(target) as usize;
        let in_device =
            |block: Var| matches!(self.vars[block].ty, Type::Block(ty) if ty.space == Space::Device);
        let blocks = Uses::of_segment(segment, self.vars).blocks.into_iter();
        let reread = blocks.filter(|used| used.read && used.written && in_device(used.block));
        self.reread = reread.map(|used| used.block).collect();
        let mut failed: Option<FailedPoint> = None;
        let mut longest = 0;
        for point in (0..points).rev() {
            self.workgroup(space, shape, point, body)?;
            longest = self.slots_used.max(longest);
            let Some(first) = self.failed.take() else { continue };
            let counts = (self.counts, self.inner.clone());
            self.workgroup(space, shape, point, body)?;
            (self.counts, self.inner) = counts;
            if self.failed.take().is_none_or(|again| again.failure != first.failure) {
                return fault("a workgroup does not fail in the same way when it runs again");
            }
            failed = Some(first);
        }
        self.failed = failed;
        self.counts.longest += longest;
        Ok(())
    }

    fn workgroup(
        &mut self,
        space: &'a [(Var, Atom)],
        shape: &[i64],
        point: usize,
        body: &'a Body<Workgroup>,
    ) -> Run {
        self.memory.begin_workgroup(point);
        (self.points, self.dead, self.slots_used) = (vec![Some(point)], vec![false], 0);
        self.threads_per_lane = self.workgroup_threads as u64;
        self.needs_barrier = false;
        for (dimension, &(counter, _)) in space.iter().enumerate() {
            let value = PrimValue::I64(index(shape, point, dimension));
            self.bind(counter, Lanes::Uniform(Cell::Scalar(value)));
        }
        self.body(body, &vec![true])?;
        self.threads_per_lane = 1;
        self.memory.release_points();
        Ok(())
    }

    /// The barrier before a segment or a load, unless there was one after the last segment.
    fn barrier_if_needed(&mut self) {
        if self.needs_barrier {
            // Barriers for workgroup memory and for device memory are separate.
            self.counts.barriers += if self.reread.is_empty() { 1 } else { 2 };
            self.needs_barrier = false;
        }
    }

    /// Records a barrier for workgroup memory.
    fn record_barrier(&mut self) {
        self.needs_barrier &= !self.reread.is_empty();
    }

    /// Counts a load of the code of the workgroup, which gives all threads the element at this place.
    pub fn uniform_access(&mut self, array: Var, places: &[(usize, Place)]) -> Run {
        let block = match &self.vars[array].ty {
            Type::Array(view) => view.block,
            _ => return fault("a load from something that is not an array"),
        };
        let places = places.iter().map(|&(_, place)| place);
        let in_workgroup = matches!(self.vars[block].ty, Type::Block(ty) if ty.space == Space::Workgroup);
        let shared = if in_workgroup {
            self.counts.barriers += UNIFORM_LOAD;
            self.record_barrier();
            self.memory.traffic(places)
        } else if self.reread.contains(&block) {
            // The first thread loads the element, and passes it on in workgroup memory.
            self.barrier_if_needed();
            let loaded = self.memory.traffic(places);
            let shared = Traffic { words: loaded.bytes / WORD, ..Traffic::default() };
            for traffic in [loaded, shared] {
                self.count_single();
                self.count_traffic(traffic);
            }
            self.counts.barriers += UNIFORM_LOAD;
            shared
        } else {
            self.memory.traffic(places)
        };
        // All threads load the element; those of a subgroup at the same time.
        self.count(&vec![true], None);
        let (threads, lanes) = (self.workgroup_threads as u64, self.options.device.subgroup());
        let accesses = self.workgroup_threads.div_ceil(lanes) as u64;
        self.count_traffic(Traffic {
            bytes: shared.bytes * threads,
            sectors: shared.sectors * accesses,
            needed_sectors: shared.needed_sectors * accesses,
            words: shared.words * threads,
            bank_conflicts: 0,
        });
        Ok(())
    }

    /// Counts an operation of the first thread of the workgroup.
    fn count_single(&mut self) {
        let lanes = self.options.device.subgroup() as u64;
        self.counts.issued += lanes;
        self.counts.useful += 1;
        self.counts.slots += lanes;
        self.slots_used += 1;
    }

    /// Runs a segment of a workgroup and records its counts, which are part of those of the launch.
    pub fn inner_segment(&mut self, segment: &'a InnerSegment) -> Run {
        let outer = std::mem::take(&mut self.counts);
        let outcome = self.run_inner_segment(segment);
        self.counts.launches = 1;
        let counts = self.counts_of(segment.hint, self.counts);
        self.counts = Counts { launches: 0, points: 0, longest: 0, ..self.counts };
        self.counts += outer;
        SegmentCounts::add(&mut self.inner, counts);
        outcome
    }

    fn run_inner_segment(&mut self, segment: &'a InnerSegment) -> Run {
        self.barrier_if_needed();
        self.needs_barrier = true;
        let shape = segment.space.iter().map(|&(_, size)| self.host_number(size)).collect::<Run<Vec<_>>>()?;
        let points = count(&shape, 1).ok_or_else(|| DeviceLimitation::LargeOperation.failure())?;
        self.counts.points = points as u64;
        let threads = Threads { space: &segment.space, body: &segment.body };
        let outer = (std::mem::take(&mut self.points), std::mem::take(&mut self.dead));
        let (slots_used, threads_per_lane) =
            (self.slots_used, std::mem::replace(&mut self.threads_per_lane, 1));
        self.memory.begin_segment();
        self.slots_used = 0;
        match &segment.kind {
            SegmentKind::Map => {
                let grid = self.strided(points);
                self.phase(self.workgroup_threads, |machine, first| {
                    machine.rounds(threads, &shape, grid, first, &mut |_, _, _| Ok(()))
                })?;
                if segment.can_fail() {
                    self.test_for_failures(true);
                    self.record_barrier();
                }
            }
            SegmentKind::Reduce(_) | SegmentKind::Scan(..) => self.combine_in_workgroup(segment, &shape)?,
        }
        let spent = self.slots_used;
        self.memory.end_segment();
        (self.points, self.dead) = outer;
        (self.slots_used, self.threads_per_lane) = (slots_used + spent, threads_per_lane);
        self.counts.longest = spent;
        self.dead = vec![self.failed.is_some()];
        Ok(())
    }

    /// The distribution of points over the threads of one workgroup: thread `i` takes the points `i`, `i + workgroup`, ….
    fn strided(&self, points: usize) -> Grid {
        let workgroup = self.workgroup_threads;
        Grid { points, row: points, chunk: points.div_ceil(workgroup).max(1), workgroup, interleaved: true }
    }
}
