//! Runs workgroups sequentially, in reverse order, each on fresh workgroup memory.
//!
//! The code of a workgroup runs in a single lane that represents all its threads. The threads of its segments run in
//! subgroups. A workgroup stops after the first segment in which a thread fails. The model then runs it a second time,
//! without counting: a runtime may repeat a failed workgroup, and the workgroup must fail in the same way.

#[cfg(test)]
mod tests;

use ravel_abi::DeviceLimitation;
use ravel_kernel::*;
use ravel_prim::PrimValue;

use crate::count::{Counts, SegmentCounts};
use crate::machine::{Cell, FailedPoint, Lanes, Machine, Mask, Run, lanes_of};
use crate::memory::fault;
use crate::segment::{Grid, Threads, count, gather, index, of_lane};

/// What a workgroup has done since the last barrier; this decides where barriers are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessSinceBarrier {
    /// Nothing that other threads could see.
    Nothing,
    /// The uniform code of the workgroup has loaded an element.
    Load,
    /// A segment has run.
    Segment,
}

/// The values of each combiner.
type Row = Vec<Vec<Lanes>>;

impl<'a> Machine<'a> {
    /// Runs a workgroup for each point of the grid segment.
    pub fn workgroups(
        &mut self,
        space: &'a [(Var, Atom)],
        shape: &[i64],
        points: usize,
        body: &'a Body<Workgroup>,
    ) -> Run {
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
        self.threads_per_lane = self.options.device.workgroup() as u64;
        self.since_barrier = AccessSinceBarrier::Nothing;
        for (dimension, &(counter, _)) in space.iter().enumerate() {
            let value = PrimValue::I64(index(shape, point, dimension));
            self.bind(counter, Lanes::Uniform(Cell::Scalar(value)));
        }
        self.body(body, &vec![true])?;
        self.threads_per_lane = 1;
        self.memory.release_points();
        Ok(())
    }

    /// Called before the code of the workgroup loads an element. Counts a barrier if a segment has run since the last one.
    pub fn barrier_before_load(&mut self) {
        if self.since_barrier == AccessSinceBarrier::Segment {
            self.counts.barriers += 1;
        }
        self.since_barrier = AccessSinceBarrier::Load;
    }

    /// Called before a segment runs. Counts a barrier if the workgroup has accessed memory since the last one.
    fn barrier_before_segment(&mut self) {
        if self.since_barrier != AccessSinceBarrier::Nothing {
            self.counts.barriers += 1;
        }
        self.since_barrier = AccessSinceBarrier::Segment;
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
        self.barrier_before_segment();
        let shape = segment.space.iter().map(|&(_, size)| self.host_number(size)).collect::<Run<Vec<_>>>()?;
        let points = count(&shape, 1).ok_or_else(|| DeviceLimitation::LargeOperation.failure())?;
        self.counts.points = points as u64;
        let grid = self.strided(points);
        let threads = Threads { space: &segment.space, body: &segment.body };
        let outer = (std::mem::take(&mut self.points), std::mem::take(&mut self.dead));
        let (slots_used, threads_per_lane) =
            (self.slots_used, std::mem::replace(&mut self.threads_per_lane, 1));
        self.memory.begin_segment();
        let spent = match &segment.kind {
            SegmentKind::Map => self.subgroups(grid, |machine, first| {
                machine.rounds(threads, &shape, grid, first, &mut |_, _, _| Ok(()))
            })?,
            SegmentKind::Reduce(combiners) => {
                self.combine_in_workgroup(threads, &shape, grid, combiners, false)?
            }
            SegmentKind::Scan(combiners, _) => {
                self.combine_in_workgroup(threads, &shape, grid, combiners, true)?
            }
        };
        self.memory.end_segment();
        (self.points, self.dead) = outer;
        (self.slots_used, self.threads_per_lane) = (slots_used + spent, threads_per_lane);
        self.counts.longest = spent;
        if segment.can_fail() {
            // After the segment, the workgroup loads the flag that says whether a thread has failed.
            self.barrier_before_load();
            self.dead = vec![self.failed.is_some()];
        }
        Ok(())
    }

    /// The distribution of points over the threads of one workgroup: thread `i` takes the points `i`, `i + workgroup`, ….
    fn strided(&self, points: usize) -> Grid {
        let workgroup = self.options.device.workgroup();
        Grid { points, row: points, chunk: points.div_ceil(workgroup).max(1), workgroup, interleaved: true }
    }

    /// Reduces or scans along the innermost dimension. Returns the number of slots used.
    fn combine_in_workgroup(
        &mut self,
        threads: Threads<'a>,
        shape: &[i64],
        grid: Grid,
        combiners: &'a [Combiner],
        scans: bool,
    ) -> Run<u64> {
        let neutral = self.neutral(combiners)?;
        let mut elements: Vec<Vec<Lanes>> = vec![Vec::new(); grid.points];
        let mut spent = self.subgroups(grid, |machine, first| {
            machine.rounds(threads, shape, grid, first, &mut |machine, mask, results| {
                for lane in lanes_of(mask) {
                    let Some(point) = machine.points[lane] else { continue };
                    elements[point] = results.iter().map(|value| of_lane(value, lane)).collect();
                }
                Ok(())
            })
        })?;
        if self.failed.is_some() {
            return Ok(spent);
        }
        let (&inner, outer) = shape.split_last().map_or_else(|| fault("a scan of no dimensions"), Ok)?;
        // As in `count`, a negative size counts as 0.
        let inner = inner.max(0) as usize;
        let rows = count(outer, 1).ok_or_else(|| DeviceLimitation::LargeOperation.failure())?;
        let mut elements = elements.into_iter();
        let mut outs = Vec::new();
        self.slots_used = 0;
        for row in 0..rows {
            let mut folded = neutral.clone();
            for at in 0..inner {
                (self.points, self.dead) = (vec![Some(row * inner + at)], vec![false]);
                let Some(element) = elements.next() else { return fault("a scan with too few elements") };
                folded = self.fold(combiners, &folded, element, &vec![true])?;
                if self.failed.is_some() {
                    return Ok(spent);
                }
                if scans {
                    outs.push(folded.clone());
                }
            }
            if !scans {
                outs.push(folded);
            }
        }
        spent += self.slots_used.div_ceil(grid.workgroup as u64);
        Ok(spent
            + self.keep_in_workgroup(combiners, &outs, if scans { shape } else { outer }, grid.points)?)
    }

    /// Stores combined values at all indices of a shape. Returns the number of slots used. For the check for races, a
    /// store counts as one of the last point that was combined into the value.
    fn keep_in_workgroup(
        &mut self,
        combiners: &'a [Combiner],
        outs: &[Row],
        shape: &[i64],
        points: usize,
    ) -> Run<u64> {
        let grid = self.strided(outs.len());
        let share = points.checked_div(outs.len()).unwrap_or(0);
        self.subgroups(grid, |machine, first| {
            let lanes = machine.dead.len();
            for round in 0..grid.chunk {
                let start = round * grid.workgroup + first;
                let at = |lane: usize| (start + lane < outs.len()).then_some(start + lane);
                let mask: Mask = (0..lanes).map(|lane| at(lane).is_some()).collect();
                if !mask.contains(&true) {
                    break;
                }
                machine.points = (0..lanes)
                    .map(|lane| at(lane).map(|at| (at + 1) * share).map(|end| end.max(1) - 1))
                    .collect();
                machine.keep(combiners, &gather(outs, start, lanes), &mask, &|lane| {
                    (0..shape.len()).map(|dimension| index(shape, start + lane, dimension)).collect()
                })?;
            }
            Ok(())
        })
    }
}
