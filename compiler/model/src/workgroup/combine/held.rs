//! Reductions and scans of a workgroup whose threads hold the values of their points, as in the WGSL backend.
//!
//! The threads of a team that are in one subgroup are a *stripe*. It takes the points of its threads in rounds: in each round,
//! its threads run as many neighbouring points. Then they shuffle the values, so that each thread has those of its chunk.

use crate::machine::{Machine, Run};
use crate::segment::indices;
use crate::values::{Values, Workers, cells, gather, mask_of, nested};

use super::Rows;

/// For each place in a chunk, the value of each thread.
type Held = Vec<Vec<Values>>;

impl<'a> Machine<'a> {
    /// Reduces or scans rows, where each thread holds this number of values.
    pub(super) fn combine_held(&mut self, this: &Rows<'a, '_>, workers: &mut Workers, count: usize) -> Run {
        let can_fail = this.operators.can_fail;
        let mut held: Held = vec![vec![this.operators.neutral.clone(); this.width]; count];
        self.phase(this.width, |machine, first| {
            machine.hold(this, first, &mut held)?;
            machine.fold_held(this, workers, first, &mut held, false)
        })?;
        self.test_for_failures(can_fail || this.threads.body.can_fail());
        if self.failed.is_some() {
            return Ok(());
        }
        self.exchange_in_team(this, workers)?;
        if self.failed.is_some() {
            return Ok(());
        }
        if !this.scans {
            return self.store_rows(this, &workers.sums);
        }
        self.counts.barriers += 1;
        self.load_starts(this, workers)?;
        if !can_fail {
            return self.phase(this.width, |machine, first| {
                machine.fold_held(this, workers, first, &mut held, true)?;
                machine.store_held(this, first, &held)
            });
        }
        self.phase(this.width, |machine, first| machine.fold_held(this, workers, first, &mut held, true))?;
        self.test_for_failures(can_fail);
        if self.failed.is_some() {
            return Ok(());
        }
        self.phase(this.width, |machine, first| machine.store_held(this, first, &held))
    }

    /// The number of threads of a stripe.
    fn stripe(&self, this: &Rows<'a, '_>) -> usize {
        self.span().min(this.team)
    }

    /// The points that the threads of the subgroup run in a round.
    fn round(&self, this: &Rows<'a, '_>, first: usize, count: usize, round: usize) -> Vec<Option<usize>> {
        let stripe = self.stripe(this);
        let point = |thread: Option<usize>| {
            let (member, at) = (thread? % this.team, thread? % stripe);
            let index = (member - at) * count + round * stripe + at;
            Some(this.row(thread?, 0)? * this.n + Some(index).filter(|&index| index < this.n)?)
        };
        let points: Vec<_> = self.threads_from(first, this.width).into_iter().map(point).collect();
        self.of_living(&points)
    }

    /// Counts the shuffles by which the threads of a subgroup exchange the values that they hold.
    fn count_exchange(&mut self, this: &Rows<'a, '_>, first: usize, count: usize) {
        if count > 1 && self.stripe(this) > 1 {
            let threads = self.threads_from(first, this.width);
            for _ in 0..count * count {
                self.count_shuffles(&this.operators, &threads);
            }
        }
    }

    /// The threads of a subgroup run their points, and pass the values on.
    fn hold(&mut self, this: &Rows<'a, '_>, first: usize, held: &mut Held) -> Run {
        let (count, stripe) = (held.len(), self.stripe(this));
        for round in 0..count {
            self.points = self.round(this, first, count, round);
            if self.points.iter().all(Option::is_none) {
                continue;
            }
            self.bind_counters(this.threads, this.shape);
            let results = self.body(this.threads.body, &mask_of(&self.points))?;
            for (lane, point) in self.of_living(&self.points).into_iter().enumerate() {
                if point.is_some() {
                    let thread = first + lane;
                    let position = round * stripe + thread % stripe;
                    held[position % count][thread - thread % stripe + position / count] =
                        cells(&results, lane)?;
                }
            }
        }
        self.count_exchange(this, first, count);
        Ok(())
    }

    /// The threads of a subgroup combine their sums with the values that they hold. With `keeps`, these become the combined
    /// values.
    fn fold_held(
        &mut self,
        this: &Rows<'a, '_>,
        workers: &mut Workers,
        first: usize,
        held: &mut Held,
        keeps: bool,
    ) -> Run {
        let combiners = this.operators.combiners;
        let threads = self.threads_from(first, this.width);
        let rows: Vec<_> = threads.iter().map(|thread| this.row((*thread)?, 0)).collect();
        let mut sums = nested(combiners, gather(&workers.sums, &threads));
        for (k, held) in held.iter_mut().enumerate() {
            let point = |lane: usize| Some(rows[lane]? * this.n + this.index(threads[lane]?, k)?);
            let points: Vec<_> = (0..threads.len()).map(point).collect();
            self.points = self.of_living(&points);
            let right = gather(held, &threads);
            sums = self.fold(combiners, &sums, right, &mask_of(&self.points))?;
            let flat = sums.concat();
            for (lane, point) in self.of_living(&self.points).into_iter().enumerate() {
                if keeps && point.is_some() {
                    held[first + lane] = cells(&flat, lane)?;
                }
            }
        }
        let flat = sums.concat();
        for (lane, row) in self.of_living(&rows).into_iter().enumerate() {
            if let Some(row) = row {
                workers.sums[first + lane] = cells(&flat, lane)?;
                workers.places[first + lane] = this.last(first + lane, row);
            }
        }
        Ok(())
    }

    /// The threads of a subgroup get the combined values of the points that they have run, and store them.
    fn store_held(&mut self, this: &Rows<'a, '_>, first: usize, held: &Held) -> Run {
        let (count, stripe) = (held.len(), self.stripe(this));
        self.count_exchange(this, first, count);
        for round in 0..count {
            self.points = self.round(this, first, count, round);
            let at = self.points.clone();
            let value = |lane: usize| {
                let thread = first + lane;
                let position = round * stripe + thread % stripe;
                let source = thread - thread % stripe + position / count;
                held[position % count].get(source).unwrap_or(&this.operators.neutral).clone()
            };
            let values: Vec<Values> = (0..at.len()).map(value).collect();
            let lanes: Vec<_> = (0..at.len()).map(Some).collect();
            let combiners = this.operators.combiners;
            self.keep(combiners, &nested(combiners, gather(&values, &lanes)), &mask_of(&at), &|lane| {
                at[lane].map(|point| indices(this.shape, point)).unwrap_or_default()
            })?;
        }
        Ok(())
    }
}
