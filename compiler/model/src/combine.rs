//! Reductions and scans of the grid, as the launches of the WGSL backend.
//!
//! A workgroup combines consecutive points, its *stretch*. Its threads take them in stripes. If the operators commute, each
//! thread of a reduction folds its stripe, and a tree combines the values of the threads. Otherwise the values of a *tile*,
//! a part of the stretch, are in workgroup memory at the same time. Each thread folds neighbouring ones, and a tree combines
//! the values of the threads, in order. Before the tree, a *raker*, one of the first threads, folds the values of its *members*:
//! a few neighbouring threads. If there are several workgroups, another launch, of one workgroup, combines or
//! scans their values in the same way. The last launch of a scan runs the points again; it scans each tile, beginning with
//! the value of the points before the tile.
//!
//! Launches pass values to each other in scratch memory. The points of a reduction run a second time, without counting,
//! because a runtime may repeat them.

use std::ops::Range;

use ravel_kernel::*;

use crate::machine::{Cell, Lanes, Machine, Mask, Run, lanes_of};
use crate::memory::fault;
use crate::segment::{Grid, Threads};
use crate::values::{Exchange, Operators, Step, Values, Workers, cells, gather, mask_of, nested};

/// An array of scratch memory, with a member for each value that is combined.
#[derive(Clone, Copy)]
enum Scratch {
    /// For each workgroup, its combined value.
    Sums,
    /// For each workgroup, the combined value of the workgroups up to this one.
    Offsets,
}

/// The number of members of a raker.
const RAKED: usize = ravel_kernel::RAKED as usize;

/// A reduction or scan.
struct Combining<'a, 's> {
    threads: Threads<'a>,
    shape: &'s [i64],
    grid: Grid,
    operators: Operators<'a>,
    /// The code that takes the prefixes of a scan.
    finish: Option<&'a Finish>,
    /// The most values that a thread takes from a tile; `None` if there are no tiles.
    items: Option<usize>,
}

/// The values of a workgroup's points, or of a tile of them.
#[derive(Clone, Copy)]
struct Stretch<'t> {
    /// The first point.
    start: usize,
    values: &'t [Values],
    /// The number of values that a thread takes.
    items: usize,
    /// Whether a point can fail.
    can_fail: bool,
}

impl Combining<'_, '_> {
    /// The number of workgroups.
    fn groups(&self) -> usize {
        (self.grid.threads() / self.grid.workgroup).max(1)
    }

    /// The points of a workgroup.
    fn stretch(&self, group: usize) -> Range<usize> {
        let Grid { points, chunk, workgroup, .. } = self.grid;
        let span = chunk * workgroup;
        (group * span).min(points)..((group + 1) * span).min(points)
    }

    /// The number of values of a tile that a thread takes, in a launch in which each thread has this number of points.
    fn items(&self, chunk: usize) -> usize {
        self.items.map_or(chunk, |items| items.min(chunk))
    }

    /// The stretch of a workgroup, given the values of all points.
    fn loaded<'t>(&self, group: usize, values: &'t [Values]) -> Stretch<'t> {
        let stretch = self.stretch(group);
        let can_fail = self.threads.body.can_fail();
        Stretch {
            start: stretch.start,
            values: &values[stretch],
            items: self.items(self.grid.chunk),
            can_fail,
        }
    }

    /// The division of the values of all workgroups among the threads of one.
    fn grid_of_sums(&self, sums: &[Values]) -> Grid {
        let (points, workgroup) = (sums.len(), self.grid.workgroup);
        Grid { points, row: points, chunk: points.div_ceil(workgroup), ..self.grid }
    }

    /// The values of all workgroups, as the stretch of one.
    fn stretch_of_sums<'t>(&self, sums: &'t [Values]) -> Stretch<'t> {
        let items = self.items(self.grid_of_sums(sums).chunk);
        Stretch { start: 0, values: sums, items, can_fail: false }
    }
}

impl<'t> Stretch<'t> {
    /// The tiles of which a stretch consists.
    fn tiles(self, workgroup: usize) -> impl Iterator<Item = Stretch<'t>> {
        let tiles = self.values.chunks(self.items * workgroup).enumerate();
        tiles.map(move |(number, values)| Stretch {
            start: self.start + number * self.items * workgroup,
            values,
            ..self
        })
    }

    /// The number of threads that take values of a tile.
    fn members(self) -> usize {
        self.values.len().div_ceil(self.items)
    }
}

impl<'a> Machine<'a> {
    /// Reduces or scans an index space of one dimension, or of none.
    pub fn combine(
        &mut self,
        threads: Threads<'a>,
        shape: &[i64],
        (points, chunk): (usize, usize),
        kind: &'a SegmentKind,
    ) -> Run {
        let (combiners, finish) = (kind.combiners(), kind.finish());
        let scans = matches!(kind, SegmentKind::Scan(..));
        let operators = self.operators(combiners)?;
        let bytes = operators.widths.iter().sum();
        let target = self.options.device.target;
        let tile = target.tile(bytes);
        let (workgroup, items) = match !scans && combiners.iter().all(|combiner| combiner.commutative) {
            true => (target.combining_threads(bytes, 0), None),
            false => (tile.threads, Some(tile.items as usize)),
        };
        let workgroup = workgroup as usize;
        let grid = Grid { points, row: points, chunk, workgroup, interleaved: true };
        let this = Combining { threads, shape, grid, operators, finish, items };
        if scans { self.scan(&this) } else { self.reduce(&this) }
    }

    fn reduce(&mut self, this: &Combining<'a, '_>) -> Run {
        let totals = self.totals(this)?;
        if self.failed.is_some() {
            return Ok(());
        }
        let counted = self.counts;
        self.subgroups(this.grid, |machine, first| {
            machine.rounds(this.threads, this.shape, this.grid, first, &mut |_, _, _| Ok(()))
        })?;
        self.counts = counted;
        let total = match &totals[..] {
            [total] => total.clone(),
            _ => {
                self.store_sums(this)?;
                self.end_launch();
                self.total_of_sums(this, &totals)?
            }
        };
        if self.failed.is_some() {
            return Ok(());
        }
        self.store_total(this, total)
    }

    fn scan(&mut self, this: &Combining<'a, '_>) -> Run {
        let mut before = vec![this.operators.neutral.clone()];
        if this.groups() > 1 {
            let totals = self.totals(this)?;
            if self.failed.is_some() {
                return Ok(());
            }
            self.store_sums(this)?;
            self.end_launch();
            before.extend(self.scan_of_sums(this, &totals)?);
            self.end_launch();
        }
        if self.failed.is_some() {
            return Ok(());
        }
        self.spread(this, &before)
    }

    /// Runs the points of all workgroups. Returns the combined values of each workgroup.
    fn totals(&mut self, this: &Combining<'a, '_>) -> Run<Vec<Values>> {
        let mut totals = Vec::with_capacity(this.groups());
        if this.items.is_none() {
            let stripes = self.fold_stripes(this)?;
            let can_fail = this.operators.can_fail || this.threads.body.can_fail();
            self.each_group(this, |machine, group| {
                let points = this.stretch(group).len();
                machine.test_for_failures(can_fail && points > 0);
                if machine.failed.is_none() {
                    let stripes = stripes.iter().skip(group * this.grid.workgroup);
                    let members = stripes.take(points.min(this.grid.workgroup)).cloned().collect();
                    totals.push(machine.tree(this, members)?);
                }
                Ok(())
            })?;
        } else {
            let values = self.load(this)?;
            self.each_group(this, |machine, group| {
                totals.push(machine.total_in_tiles(this, this.loaded(group, &values))?);
                Ok(())
            })?;
        }
        Ok(totals)
    }

    /// Runs code of each workgroup, until one fails.
    fn each_group(
        &mut self,
        this: &Combining<'a, '_>,
        mut run: impl FnMut(&mut Machine<'a>, usize) -> Run,
    ) -> Run {
        let mut longest = 0;
        for group in 0..this.groups() {
            if self.failed.is_some() {
                break;
            }
            self.slots_used = 0;
            run(self, group)?;
            longest = self.slots_used.max(longest);
        }
        self.counts.longest += longest;
        Ok(())
    }

    /// Combines the values of the workgroups in one workgroup.
    fn total_of_sums(&mut self, this: &Combining<'a, '_>, sums: &[Values]) -> Run<Values> {
        let (operators, workgroup) = (&this.operators, this.grid.workgroup);
        if this.items.is_some() {
            self.load_sums(this, sums)?;
            self.slots_used = 0;
            let total = self.total_in_tiles(this, this.stretch_of_sums(sums));
            self.counts.longest += self.slots_used;
            return total;
        }
        let mut stripes = vec![operators.neutral.clone(); workgroup.min(sums.len())];
        self.each_sum(this, sums, |machine, first, positions| {
            machine.scratch_access(this, Scratch::Sums, positions);
            let own: Vec<_> = machine.threads_from(first, stripes.len());
            let mask = mask_of(positions);
            let (left, right) = (gather(&stripes, &own), gather(sums, positions));
            let folded = machine.combine_lanes(operators, left, right, &mask)?;
            for lane in lanes_of(&mask).filter(|&lane| !machine.dead[lane]) {
                stripes[first + lane] = cells(&folded, lane)?;
            }
            Ok(())
        })?;
        self.test_for_failures(operators.can_fail);
        self.slots_used = 0;
        let total = if self.failed.is_none() { self.tree(this, stripes) } else { Ok(Vec::new()) };
        self.counts.longest += self.slots_used;
        total
    }

    /// Scans the values of the workgroups in one workgroup.
    fn scan_of_sums(&mut self, this: &Combining<'a, '_>, sums: &[Values]) -> Run<Vec<Values>> {
        self.load_sums(this, sums)?;
        self.slots_used = 0;
        let scanned = self.scan_in_tiles(this, this.stretch_of_sums(sums), &this.operators.neutral)?;
        self.counts.longest += self.slots_used;
        self.each_sum(this, sums, |machine, _, positions| {
            machine.shared_access(&this.operators, positions);
            machine.scratch_access(this, Scratch::Offsets, positions);
            Ok(())
        })?;
        Ok(scanned)
    }

    /// Combines the values of a stretch in tiles.
    fn total_in_tiles(&mut self, this: &Combining<'a, '_>, stretch: Stretch<'_>) -> Run<Values> {
        let operators = &this.operators;
        let mut total = operators.neutral.clone();
        for tile in stretch.tiles(this.grid.workgroup) {
            self.barrier_or_test(tile.can_fail);
            let sums = self.own_sums(this, &tile)?;
            if self.failed.is_some() {
                break;
            }
            let sum = self.tree(this, sums)?;
            if self.failed.is_some() {
                break;
            }
            let (first, start) = (first_thread(self.options.device.subgroup()), tile.start);
            self.phase(1, |machine, _| {
                machine.points = first.iter().map(|&first| first.then_some(start)).collect();
                let [left, right] = [&total, &sum].map(|values| uniform(values));
                let combined = machine.combine_lanes(operators, left, right, &first)?;
                if machine.failed.is_none() {
                    total = cells(&combined, 0)?;
                }
                Ok(())
            })?;
            self.test_for_failures(operators.can_fail);
        }
        Ok(total)
    }

    /// Scans the values of a stretch in tiles. `before` is the value of the points before it.
    fn scan_in_tiles(
        &mut self,
        this: &Combining<'a, '_>,
        stretch: Stretch<'_>,
        before: &Values,
    ) -> Run<Vec<Values>> {
        let (operators, workgroup) = (&this.operators, this.grid.workgroup);
        let mut scanned: Vec<Values> = Vec::with_capacity(stretch.values.len());
        for tile in stretch.tiles(workgroup) {
            let carry = scanned.last().unwrap_or(before).clone();
            self.barrier_or_test(tile.can_fail);
            let sums = self.own_sums(this, &tile)?;
            if self.failed.is_some() {
                break;
            }
            let members = tile.members();
            let sums = self.scan_of_threads(this, sums)?;
            if self.failed.is_some() {
                break;
            }
            let mut starts = vec![carry.clone(); members];
            self.phase(workgroup, |machine, first| {
                let own: Vec<_> = machine
                    .threads_from(first, members)
                    .into_iter()
                    .map(|thread| thread.filter(|&thread| thread > 0))
                    .collect();
                let before: Vec<_> = own.iter().map(|thread| thread.map(|thread| thread - 1)).collect();
                let mask = mask_of(&own);
                machine.points = own.clone();
                machine.shared_access(operators, &before);
                let (left, right) = (uniform(&carry), gather(&sums, &before));
                let combined = machine.combine_lanes(operators, left, right, &mask)?;
                for lane in lanes_of(&mask).filter(|&lane| !machine.dead[lane]) {
                    starts[first + lane] = cells(&combined, lane)?;
                }
                Ok(())
            })?;
            self.test_for_failures(operators.can_fail);
            if self.failed.is_some() {
                break;
            }
            let prefixes = self.own_prefixes(this, &tile, Some(&starts))?;
            self.barrier_or_test(operators.can_fail);
            if self.failed.is_some() {
                break;
            }
            scanned.extend(prefixes);
            // All threads load the last value.
            self.phase(workgroup, |machine, first| {
                let threads = machine.threads_from(first, workgroup);
                machine.points = threads.clone();
                let last = tile.values.len() - 1;
                machine.shared_access(
                    operators,
                    &threads.iter().map(|thread| thread.map(|_| last)).collect::<Vec<_>>(),
                );
                Ok(())
            })?;
            self.counts.barriers += 1;
        }
        Ok(scanned)
    }

    /// Runs the points again, and stores the scanned values or runs the code that takes them. `before` has the value of all points before each workgroup.
    fn spread(&mut self, this: &Combining<'a, '_>, before: &[Values]) -> Run {
        if before.len() > 1 {
            self.each_group(this, |machine, group| {
                let Some(offset) = group.checked_sub(1) else { return Ok(()) };
                machine.phase(this.grid.workgroup, |machine, first| {
                    machine.points = machine.threads_from(first, this.grid.workgroup);
                    let offsets: Vec<_> =
                        machine.points.iter().map(|thread| thread.map(|_| offset)).collect();
                    machine.scratch_access(this, Scratch::Offsets, &offsets);
                    Ok(())
                })
            })?;
        }
        let values = self.load(this)?;
        if self.failed.is_some() {
            return Ok(());
        }
        let mut scanned: Vec<Values> = Vec::with_capacity(values.len());
        self.each_group(this, |machine, group| {
            scanned.extend(machine.scan_in_tiles(this, this.loaded(group, &values), &before[group])?);
            Ok(())
        })?;
        if self.failed.is_some() {
            return Ok(());
        }
        self.counts.longest += self.subgroups(this.grid, |machine, first| {
            let lanes = machine.dead.len();
            for round in 0..this.grid.chunk {
                machine.points =
                    (first..first + lanes).map(|thread| this.grid.point(thread, round)).collect();
                let mask = mask_of(&machine.points);
                if !mask.contains(&true) {
                    break;
                }
                let at = machine.points.clone();
                machine.shared_access(&this.operators, &at);
                let values = gather(&scanned, &at);
                match this.finish {
                    Some(finish) => {
                        machine.bind_counters(this.threads, this.shape);
                        for (&prefix, value) in finish.prefixes.iter().zip(values) {
                            machine.bind(prefix, value);
                        }
                        machine.body(&finish.body, &mask)?;
                    }
                    None => {
                        let combiners = this.operators.combiners;
                        machine.keep(combiners, &nested(combiners, values), &mask, &|lane| {
                            at[lane].map(|point| vec![point as i64]).unwrap_or_default()
                        })?
                    }
                }
            }
            Ok(())
        })?;
        Ok(())
    }

    /// The value of the points of each thread.
    fn fold_stripes(&mut self, this: &Combining<'a, '_>) -> Run<Vec<Values>> {
        let Operators { combiners, neutral, .. } = &this.operators;
        let mut stripes = vec![neutral.clone(); this.grid.threads()];
        self.counts.longest += self.subgroups(this.grid, |machine, first| {
            let mut folded = nested(combiners, uniform(neutral));
            machine.rounds(this.threads, this.shape, this.grid, first, &mut |machine, mask, results| {
                folded = machine.fold(combiners, &folded, results, mask)?;
                Ok(())
            })?;
            // A lane whose operator has failed has no value.
            if machine.failed.is_some() {
                return Ok(());
            }
            let folded = folded.concat();
            for (lane, stripe) in stripes.iter_mut().skip(first).take(machine.dead.len()).enumerate() {
                *stripe = cells(&folded, lane)?;
            }
            Ok(())
        })?;
        Ok(stripes)
    }

    /// Runs the points, and stores their values to tiles. Returns the values of each point.
    fn load(&mut self, this: &Combining<'a, '_>) -> Run<Vec<Values>> {
        let mut values = vec![Values::new(); this.grid.points];
        self.counts.longest += self.subgroups(this.grid, |machine, first| {
            machine.rounds(this.threads, this.shape, this.grid, first, &mut |machine, mask, results| {
                let runs = |(point, &runs): (&Option<usize>, &bool)| point.filter(|_| runs);
                let points: Vec<_> = machine.points.iter().zip(mask).map(runs).collect();
                for (lane, point) in points.iter().enumerate() {
                    if let Some(point) = *point {
                        values[point] = cells(&results, lane)?;
                    }
                }
                machine.shared_access(&this.operators, &points);
                Ok(())
            })
        })?;
        Ok(values)
    }

    /// One workgroup loads the values of all, and stores them to tiles.
    fn load_sums(&mut self, this: &Combining<'a, '_>, sums: &[Values]) -> Run {
        self.each_sum(this, sums, |machine, _, positions| {
            machine.scratch_access(this, Scratch::Sums, positions);
            machine.shared_access(&this.operators, positions);
            Ok(())
        })
    }

    /// Runs code of one workgroup whose threads take the values of all workgroups in stripes. The code gets the first thread of
    /// the subgroup, and the position of the value that each of its threads takes.
    fn each_sum(
        &mut self,
        this: &Combining<'a, '_>,
        sums: &[Values],
        mut run: impl FnMut(&mut Machine<'a>, usize, &[Option<usize>]) -> Run,
    ) -> Run {
        let grid = this.grid_of_sums(sums);
        self.counts.longest += self.subgroups(grid, |machine, first| {
            for round in 0..grid.chunk {
                let lanes = first..first + machine.dead.len();
                let positions: Vec<_> = lanes.map(|thread| grid.point(thread, round)).collect();
                let positions = machine.of_living(&positions);
                if positions.iter().all(Option::is_none) {
                    break;
                }
                machine.points = positions.clone();
                run(machine, first, &positions)?;
            }
            Ok(())
        })?;
        Ok(())
    }

    /// The value of each thread's own values of a tile.
    fn own_sums(&mut self, this: &Combining<'a, '_>, tile: &Stretch<'_>) -> Run<Vec<Values>> {
        let prefixes = self.own_prefixes(this, tile, None)?;
        self.test_for_failures(this.operators.can_fail);
        Ok(prefixes.chunks(tile.items).filter_map(|own| own.last().cloned()).collect())
    }

    /// For each value of a tile, the combined value of the thread's own values up to it. `starts` has the values with which
    /// the threads begin. With `starts`, the threads store the combined values to the tile.
    fn own_prefixes(
        &mut self,
        this: &Combining<'a, '_>,
        tile: &Stretch<'_>,
        starts: Option<&[Values]>,
    ) -> Run<Vec<Values>> {
        let Stretch { start, values, items, .. } = *tile;
        let Operators { combiners, .. } = this.operators;
        let mut prefixes = vec![Values::new(); values.len()];
        self.phase(tile.members(), |machine, first| {
            let lanes = first..first + machine.dead.len();
            let mut folded = starts.map(|starts| {
                nested(combiners, gather(starts, &lanes.clone().map(Some).collect::<Vec<_>>()))
            });
            for item in 0..items {
                let own = |thread: usize| Some(thread * items + item).filter(|&at| at < values.len());
                let own = machine.of_living(&lanes.clone().map(own).collect::<Vec<_>>());
                let mask = mask_of(&own);
                if !mask.contains(&true) {
                    break;
                }
                machine.points = own.iter().map(|at| at.map(|at| start + at)).collect();
                machine.shared_access(&this.operators, &own);
                let next = gather(values, &own);
                let sum = match folded {
                    Some(folded) => machine.fold(combiners, &folded, next, &mask)?,
                    None => nested(combiners, next),
                };
                let flat = sum.concat();
                let own = machine.of_living(&own);
                if starts.is_some() {
                    machine.shared_access(&this.operators, &own);
                }
                for (lane, at) in own.iter().enumerate() {
                    if let Some(at) = *at {
                        prefixes[at] = cells(&flat, lane)?;
                    }
                }
                folded = Some(sum);
            }
            Ok(())
        })?;
        Ok(prefixes)
    }

    /// Combines the values of the first threads of a workgroup: the rakers combine theirs as a tree.
    fn tree(&mut self, this: &Combining<'a, '_>, values: Vec<Values>) -> Run<Values> {
        let mut rakers = self.rake(this, &values)?;
        self.exchange_of_rakers(this, &mut rakers, Exchange::Tree, values.len())?;
        rakers.sums.into_iter().next().map_or_else(|| fault("a workgroup without threads"), Ok)
    }

    /// Scans the values of the first threads of a workgroup: the rakers scan theirs, and go through the values again.
    fn scan_of_threads(&mut self, this: &Combining<'a, '_>, values: Vec<Values>) -> Run<Vec<Values>> {
        let (operators, members) = (&this.operators, values.len());
        let mut rakers = self.rake(this, &values)?;
        self.exchange_of_rakers(this, &mut rakers, Exchange::Scan, members)?;
        let mut scanned = values;
        if self.failed.is_some() {
            return Ok(scanned);
        }
        self.counts.barriers += 1;
        for (raker, sum) in rakers.sums.iter().take(members.div_ceil(RAKED)).enumerate() {
            scanned[last_raked(raker, members)] = sum.clone();
        }
        self.phase(members.div_ceil(RAKED), |machine, first| {
            let rakers = machine.threads_from(first, members.div_ceil(RAKED));
            machine.points = rakers.clone();
            let next = |raker: usize| (raker * RAKED).max(1);
            let mut before: Vec<_> = rakers.iter().map(|raker| raker.map(|raker| next(raker) - 1)).collect();
            machine.shared_access(operators, &before);
            loop {
                let at = |(raker, before): (&Option<usize>, &Option<usize>)| {
                    let at = (*before)? + 1;
                    (at < last_raked((*raker)?, members)).then_some(at)
                };
                let at: Vec<_> = rakers.iter().zip(&before).map(at).collect();
                let at = machine.of_living(&at);
                if at.iter().all(Option::is_none) {
                    break;
                }
                machine.shared_access(operators, &at);
                let (left, right) = (gather(&scanned, &before), gather(&scanned, &at));
                let sums = machine.combine_lanes(operators, left, right, &mask_of(&at))?;
                before = machine.of_living(&at);
                machine.shared_access(operators, &before);
                for (lane, at) in before.iter().enumerate() {
                    if let Some(at) = *at {
                        scanned[at] = cells(&sums, lane)?;
                    }
                }
            }
            Ok(())
        })?;
        self.barrier_or_test(operators.can_fail);
        Ok(scanned)
    }

    /// The first threads of a workgroup store their values. The rakers combine the values of their members.
    fn rake(&mut self, this: &Combining<'a, '_>, values: &[Values]) -> Run<Workers> {
        let (operators, width, members) = (&this.operators, this.grid.workgroup, values.len());
        self.put(operators, width)?;
        self.counts.barriers += 1;
        let mut sums = vec![operators.neutral.clone(); width.div_ceil(RAKED)];
        for (raker, sum) in sums.iter_mut().enumerate() {
            *sum = values.get(raker * RAKED).unwrap_or(&operators.neutral).clone();
        }
        self.phase(members.div_ceil(RAKED), |machine, first| {
            let rakers = machine.threads_from(first, members.div_ceil(RAKED));
            machine.points = rakers.clone();
            for item in 0..RAKED {
                let at = |raker: &Option<usize>| Some((*raker)? * RAKED + item).filter(|&at| at < members);
                let at = machine.of_living(&rakers.iter().map(at).collect::<Vec<_>>());
                machine.shared_access(operators, &at);
                if item == 0 || at.iter().all(Option::is_none) {
                    continue;
                }
                let (left, right) = (gather(&sums, &rakers), gather(values, &at));
                let combined = machine.combine_lanes(operators, left, right, &mask_of(&at))?;
                for (lane, raker) in rakers.iter().enumerate() {
                    if let (Some(raker), Some(_), false) = (*raker, at[lane], machine.dead[lane]) {
                        sums[raker] = cells(&combined, lane)?;
                    }
                }
            }
            let last: Vec<_> =
                rakers.iter().map(|raker| raker.map(|raker| last_raked(raker, members))).collect();
            machine.shared_access(operators, &machine.of_living(&last));
            Ok(())
        })?;
        self.test_for_failures(operators.can_fail);
        Ok(Workers { places: (0..sums.len()).map(Some).collect(), sums })
    }

    /// The rakers of this number of members exchange their values.
    fn exchange_of_rakers(
        &mut self,
        this: &Combining<'a, '_>,
        rakers: &mut Workers,
        exchange: Exchange,
        members: usize,
    ) -> Run {
        let (all, count) = (rakers.sums.len(), members.div_ceil(RAKED));
        let position = |raker: usize| last_raked(raker, members);
        let step = Step { exchange, stride: 1, shared: Some(&position) };
        // The later raker has members if it exists. In a scan that is the thread itself.
        let takes_part = |raker: usize, stride: usize| match exchange {
            Exchange::Tree => raker + stride < count,
            Exchange::Scan => raker < count,
        };
        self.exchange(&this.operators, rakers, step, all, &takes_part)
    }

    /// The first thread of each workgroup stores its value to scratch memory.
    fn store_sums(&mut self, this: &Combining<'a, '_>) -> Run {
        self.each_group(this, |machine, group| {
            machine.phase(1, |machine, _| {
                let first = first_thread(machine.dead.len());
                let sums: Vec<_> = first.iter().map(|first| first.then_some(group)).collect();
                machine.points = sums.clone();
                machine.scratch_access(this, Scratch::Sums, &sums);
                Ok(())
            })
        })
    }

    /// The first thread of a workgroup stores the result of a reduction. For the check for races, no point stores it.
    fn store_total(&mut self, this: &Combining<'a, '_>, total: Values) -> Run {
        self.slots_used = 0;
        self.phase(1, |machine, _| {
            let mask = first_thread(machine.dead.len());
            let outs = this.operators.combiners.iter().flat_map(|combiner| &combiner.outs);
            for (&out, &value) in outs.zip(&total) {
                let Cell::Scalar(value) = value else {
                    return fault("a reduction combines something other than scalars");
                };
                let place = machine.place(out, &[], 0)?;
                machine.memory.store(place, Some(value), None)?;
                machine.points = mask.iter().map(|first| first.then_some(0)).collect();
                machine.access(&[(0, place)], &mask);
            }
            Ok(())
        })?;
        self.counts.longest += self.slots_used;
        Ok(())
    }

    /// Counts an access of the subgroup to these positions of scratch memory.
    fn scratch_access(&mut self, this: &Combining<'a, '_>, array: Scratch, positions: &[Option<usize>]) {
        let mask = mask_of(positions);
        let positions: Vec<usize> = positions.iter().flatten().copied().collect();
        for (member, &width) in this.operators.widths.iter().enumerate() {
            let array = array as usize + 2 * member;
            let traffic = self.memory.scratch_traffic(array, width as u64, &positions);
            self.count(&mask, None);
            self.count_traffic(traffic);
        }
    }
}

/// The last member of a raker.
fn last_raked(raker: usize, members: usize) -> usize {
    ((raker + 1) * RAKED).min(members) - 1
}

/// The mask of the first lane of a subgroup.
fn first_thread(lanes: usize) -> Mask {
    (0..lanes).map(|lane| lane == 0).collect()
}

/// Values that are the same in all lanes.
fn uniform(values: &[Cell]) -> Vec<Lanes> {
    values.iter().map(|&cell| Lanes::Uniform(cell)).collect()
}
