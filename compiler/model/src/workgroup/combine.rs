//! Reductions and scans of a workgroup, along the innermost dimension of their index space, as in the WGSL backend.
//!
//! A *row* is the points with the same outer indices. A *team* of threads combines a row: one thread, if there are enough
//! rows for all threads. Each thread of a team combines a chunk of neighbouring points in order; in a reduction whose
//! operators commute, it takes points that are one team apart instead. Then the team combines the values of its threads as a
//! tree, or scans them. In a scan, each thread then combines its points again, beginning with the value of the threads before
//! it. It runs them a second time if it does not hold their values ([`InnerSegment::held_values`], `held.rs`).

mod held;

#[cfg(test)]
mod tests;

use ravel_abi::DeviceLimitation;
use ravel_kernel::*;

use crate::machine::{Machine, Mask, Run, lanes_of};
use crate::memory::fault;
use crate::segment::{Threads, count, indices};
use crate::values::{Exchange, Operators, Step, Values, Workers, cells, gather, mask_of, nested};

/// A reduction or scan, and its division among the threads.
struct Rows<'a, 's> {
    threads: Threads<'a>,
    shape: &'s [i64],
    operators: Operators<'a>,
    scans: bool,
    /// The number of rows, and of points in each.
    rows: usize,
    n: usize,
    /// The number of threads of the workgroup.
    width: usize,
    /// The number of threads in a team.
    team: usize,
    /// Whether a thread takes points that are one team apart, rather than neighbouring points.
    strided: bool,
}

impl Rows<'_, '_> {
    /// The row that a thread combines in a turn.
    fn row(&self, thread: usize, turn: usize) -> Option<usize> {
        Some(thread / self.team + turn * self.width).filter(|&row| row < self.rows)
    }

    /// The number of neighbouring points that a thread of a team takes.
    fn chunk(&self) -> usize {
        self.n.div_ceil(self.team)
    }

    /// The index in its row of the point that a thread takes in a round.
    fn index(&self, thread: usize, round: usize) -> Option<usize> {
        let member = thread % self.team;
        let index = match self.strided {
            true => member + round * self.team,
            false => member * self.chunk() + round,
        };
        (index < self.n && round < self.chunk()).then_some(index)
    }

    /// The position of a thread's last point of a row.
    fn last(&self, thread: usize, row: usize) -> Option<usize> {
        (0..self.chunk()).rev().find_map(|round| self.index(thread, round)).map(|index| row * self.n + index)
    }
}

impl<'a> Machine<'a> {
    /// Reduces or scans along the innermost dimension.
    pub fn combine_in_workgroup(&mut self, segment: &'a InnerSegment, shape: &[i64]) -> Run {
        let threads = Threads { space: &segment.space, body: &segment.body };
        let (combiners, scans) = (segment.kind.combiners(), matches!(segment.kind, SegmentKind::Scan(..)));
        let (&n, outer) = shape.split_last().map_or_else(|| fault("a scan of no dimensions"), Ok)?;
        // As in `count`, a negative size counts as 0.
        let n = n.max(0) as usize;
        let rows = count(outer, 1).ok_or_else(|| DeviceLimitation::LargeOperation.failure())?;
        let width = self.workgroup_threads;
        let team = team_size(rows as u64, n as u64, width as u64) as usize;
        let strided = !scans && combiners.iter().all(|combiner| combiner.commutative);
        let operators = self.operators(combiners)?;
        let this = Rows { threads, shape, operators, scans, rows, n, width, team, strided };
        let fails = this.operators.can_fail || threads.body.can_fail();

        let mut workers =
            Workers { sums: vec![this.operators.neutral.clone(); width], places: vec![None; width] };
        if let Some(count) = segment.held_values(width as u32) {
            return self.combine_held(&this, &mut workers, count as usize);
        }
        self.walk(&this, &mut workers, team == 1)?;
        self.test_for_failures(fails);
        if team == 1 || self.failed.is_some() {
            return Ok(());
        }
        self.exchange_in_team(&this, &mut workers)?;
        if self.failed.is_some() {
            return Ok(());
        }
        if !scans {
            return self.store_rows(&this, &workers.sums);
        }
        self.counts.barriers += 1;
        self.load_starts(&this, &mut workers)?;
        self.walk(&this, &mut workers, true)?;
        self.test_for_failures(fails);
        Ok(())
    }

    /// Each thread combines its value with its points. With `finishes`, it stores the combined values: in a scan after each
    /// point, in a reduction after each row.
    fn walk(&mut self, this: &Rows<'a, '_>, workers: &mut Workers, finishes: bool) -> Run {
        let Rows { operators, .. } = this;
        let (starts, combiners) = (workers.sums.clone(), operators.combiners);
        self.phase(this.width, |machine, first| {
            let threads = machine.threads_from(first, this.width);
            for turn in 0.. {
                let rows: Vec<Option<usize>> =
                    threads.iter().map(|thread| this.row((*thread)?, turn)).collect();
                if machine.of_living(&rows).iter().all(Option::is_none) {
                    break;
                }
                let mut sums = nested(combiners, gather(&starts, &threads));
                for round in 0..this.chunk() {
                    let index = |lane: usize| Some(rows[lane]? * this.n + this.index(threads[lane]?, round)?);
                    let points: Vec<_> = (0..threads.len()).map(index).collect();
                    machine.points = machine.of_living(&points);
                    if machine.points.iter().all(Option::is_none) {
                        break;
                    }
                    machine.bind_counters(this.threads, this.shape);
                    let results = machine.body(this.threads.body, &mask_of(&machine.points))?;
                    let mask = mask_of(&machine.of_living(&machine.points));
                    sums = machine.fold(combiners, &sums, results, &mask)?;
                    if finishes && this.scans {
                        let at = machine.of_living(&machine.points);
                        machine.keep(combiners, &sums, &mask_of(&at), &|lane| {
                            at[lane].map(|point| indices(this.shape, point)).unwrap_or_default()
                        })?;
                    }
                }
                let mask = mask_of(&machine.of_living(&rows));
                let flat = sums.concat();
                for lane in lanes_of(&mask) {
                    if let (Some(thread), Some(row)) = (threads[lane], rows[lane]) {
                        workers.sums[thread] = cells(&flat, lane)?;
                        workers.places[thread] = this.last(thread, row);
                    }
                }
                if finishes && !this.scans {
                    machine.store_row(this, &rows, &workers.sums, &threads, &mask)?;
                }
            }
            Ok(())
        })
    }

    /// The teams combine or scan the values of their threads.
    fn exchange_in_team(&mut self, this: &Rows<'a, '_>, workers: &mut Workers) -> Run {
        let exchange = if this.scans { Exchange::Scan } else { Exchange::Tree };
        let has_points = |thread: usize| this.row(thread, 0).is_some() && this.index(thread, 0).is_some();
        // The later thread has points if its first one exists. In a scan that is the thread itself.
        let takes_part = |thread: usize, stride: usize| match exchange {
            Exchange::Tree => has_points(thread + stride),
            Exchange::Scan => has_points(thread),
        };
        let span = self.span();
        let steps = |machine: &mut Machine<'a>, workers: &mut Workers, shuffles: bool| {
            let (from, end) = if shuffles { (1, span.min(this.team)) } else { (span, this.team) };
            let own = |thread: usize| thread;
            let first = Step { exchange, stride: from, shared: if shuffles { None } else { Some(&own) } };
            machine.exchange(&this.operators, workers, first, end, &takes_part)
        };
        steps(self, workers, true)?;
        if self.failed.is_some() {
            return Ok(());
        }
        self.put(&this.operators, this.width)?;
        steps(self, workers, false)
    }

    /// How many neighbouring threads exchange values without workgroup memory.
    fn span(&self) -> usize {
        let lanes = self.options.device.subgroup();
        let full = self.workgroup_threads.is_multiple_of(lanes);
        if self.options.device.shuffles && full { lanes } else { 1 }
    }

    /// After a scan of a team: each thread loads the value of the threads before it.
    fn load_starts(&mut self, this: &Rows<'a, '_>, workers: &mut Workers) -> Run {
        let mut starts = vec![this.operators.neutral.clone(); this.width];
        self.phase(this.width, |machine, first| {
            let before = |thread: Option<usize>| {
                thread.filter(|&at| at % this.team > 0 && this.row(at, 0).is_some()).map(|at| at - 1)
            };
            let before: Vec<_> = machine.threads_from(first, this.width).into_iter().map(before).collect();
            machine.points = vec![Some(0); before.len()];
            machine.shared_access(&this.operators, &before);
            for at in before.into_iter().flatten() {
                starts[at + 1] = workers.sums[at].clone();
            }
            Ok(())
        })?;
        workers.sums = starts;
        Ok(())
    }

    /// The first thread of each team stores the value of the row.
    fn store_rows(&mut self, this: &Rows<'a, '_>, sums: &[Values]) -> Run {
        self.phase(this.width, |machine, first| {
            let threads = machine.threads_from(first, this.width);
            let row = |thread: &Option<usize>| this.row(thread.filter(|at| at % this.team == 0)?, 0);
            let rows: Vec<Option<usize>> = threads.iter().map(row).collect();
            machine.store_row(this, &rows, sums, &threads, &mask_of(&rows))
        })
    }

    /// In the lanes of a mask, stores the value of a thread as that of a row. For the check for races, a store counts as one of
    /// the last point of the row.
    fn store_row(
        &mut self,
        this: &Rows<'a, '_>,
        rows: &[Option<usize>],
        sums: &[Values],
        threads: &[Option<usize>],
        mask: &Mask,
    ) -> Run {
        if !mask.contains(&true) {
            return Ok(());
        }
        let outer = &this.shape[..this.shape.len().saturating_sub(1)];
        self.points = rows.iter().map(|row| row.map(|row| ((row + 1) * this.n).max(1) - 1)).collect();
        let combiners = this.operators.combiners;
        self.keep(combiners, &nested(combiners, gather(sums, threads)), mask, &|lane| {
            rows[lane].map(|row| indices(outer, row)).unwrap_or_default()
        })
    }
}
