//! Reductions and scans of the grid, as the launches of the WGSL backend.
//!
//! A workgroup combines consecutive points, its *stretch*. Its threads take them in stripes. If the operators commute, each
//! thread of a reduction folds its stripe, and a tree combines the values of the threads. Otherwise the values of a *tile*,
//! a part of the stretch, are in workgroup memory at the same time. Each thread folds neighbouring ones, and a tree combines
//! the values of the threads, in order. If there are several workgroups, another launch, of one workgroup, combines or
//! scans their values in the same way. The last launch of a scan runs the points again; it scans each tile, beginning with
//! the value of the points before the tile.
//!
//! The order of combination is that of the backend. The folds of threads count, and so do the accesses to tiles. The trees
//! count nothing. Launches pass values to each other in scratch memory, whose traffic counts; the operators that combine or
//! scan these values count nothing. The points of a reduction run a second time, without counting, because a runtime may
//! repeat them.

use std::ops::Range;

use ravel_abi::plan;
use ravel_kernel::*;

use crate::machine::{Cell, Lanes, Machine, Mask, Run, lanes_of};
use crate::memory::{fault, tile_traffic};
use crate::segment::{Grid, Threads};

/// The values of a point or of a thread: those of all combiners, one after the other.
type Values = Vec<Cell>;

/// An array of scratch memory, with a member for each value that is combined.
#[derive(Clone, Copy)]
enum Scratch {
    /// For each workgroup, its combined value.
    Sums,
    /// For each workgroup, the combined value of the workgroups up to this one.
    Offsets,
}

/// A reduction or scan.
struct Combining<'a, 's> {
    threads: Threads<'a>,
    shape: &'s [i64],
    grid: Grid,
    combiners: &'a [Combiner],
    /// The code that takes the prefixes of a scan.
    finish: Option<&'a Finish>,
    neutral: Values,
    /// The bytes of each value.
    widths: Vec<usize>,
    /// The most values that a thread takes from a tile; `None` if there are no tiles.
    items: Option<usize>,
}

/// The values of a workgroup's points, or of a tile of them.
struct Stretch<'t> {
    /// The first point.
    start: usize,
    values: &'t [Values],
    /// The number of values that a thread takes.
    items: usize,
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
        Stretch { start: stretch.start, values: &values[stretch], items: self.items(self.grid.chunk) }
    }
}

impl<'t> Stretch<'t> {
    /// The tiles of which a stretch consists.
    fn tiles(self, workgroup: usize) -> impl Iterator<Item = Stretch<'t>> {
        let Stretch { start, values, items } = self;
        let tiles = values.chunks(items * workgroup).enumerate();
        tiles.map(move |(number, values)| Stretch {
            start: start + number * items * workgroup,
            values,
            items,
        })
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
        let widths = self.widths(combiners);
        let target = self.options.device.target;
        let tile = target.tile(widths.iter().sum());
        let (workgroup, items) = match !scans && combiners.iter().all(|combiner| combiner.commutative) {
            true => (target.combining_threads(widths.iter().sum(), 0), None),
            false => (tile.threads, Some(tile.items as usize)),
        };
        let workgroup = workgroup as usize;
        let grid = Grid { points, row: points, chunk, workgroup, interleaved: true };
        let neutral = cells(&self.neutral(combiners)?.concat(), 0)?;
        let this = Combining { threads, shape, grid, combiners, finish, neutral, widths, items };
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
                self.pass_sums(this);
                self.end_launch();
                self.pass_by_one(this, &[Scratch::Sums]);
                self.total_of_sums(this, &totals)?
            }
        };
        let total: Vec<Lanes> = total.into_iter().map(Lanes::Uniform).collect();
        (self.points, self.dead) = (vec![None], vec![false]);
        self.keep(this.combiners, &nested(this.combiners, total), &vec![true], &|_| Vec::new())
    }

    fn scan(&mut self, this: &Combining<'a, '_>) -> Run {
        let mut before = vec![this.neutral.clone()];
        if this.groups() > 1 {
            let totals = self.totals(this)?;
            if self.failed.is_some() {
                return Ok(());
            }
            self.pass_sums(this);
            self.end_launch();
            self.pass_by_one(this, &[Scratch::Sums, Scratch::Offsets]);
            self.end_launch();
            let (counts, items) = (self.counts, this.items(totals.len().div_ceil(this.grid.workgroup)));
            before.extend(self.scan_in_tiles(
                this,
                Stretch { start: 0, values: &totals, items },
                &this.neutral,
            )?);
            self.counts = counts;
        }
        if self.failed.is_some() {
            return Ok(());
        }
        self.spread(this, &before)
    }

    /// The bytes of each value that the combiners combine.
    fn widths(&self, combiners: &[Combiner]) -> Vec<usize> {
        let bytes = |&var: &Var| match self.vars[var].ty {
            Type::Scalar(ty) => plan::device_bytes(ty),
            _ => 0,
        };
        combiners.iter().flat_map(|combiner| &combiner.left).map(bytes).collect()
    }

    /// Runs the points of all workgroups. Returns the combined values of each workgroup.
    fn totals(&mut self, this: &Combining<'a, '_>) -> Run<Vec<Values>> {
        let Grid { workgroup, .. } = this.grid;
        let groups = 0..this.groups();
        if this.items.is_none() {
            let stripes = self.fold_stripes(this)?;
            if self.failed.is_some() {
                return Ok(Vec::new());
            }
            let members = |group| stripes.iter().skip(group * workgroup).take(this.stretch(group).len());
            return groups
                .map(|group| self.tree(this, members(group).take(workgroup).cloned().collect()))
                .collect();
        }
        let values = self.load(this)?;
        let mut totals = Vec::with_capacity(groups.len());
        let mut longest = 0;
        for group in groups {
            if self.failed.is_some() {
                break;
            }
            self.slots_used = 0;
            totals.push(self.total_in_tiles(this, this.loaded(group, &values))?);
            longest = self.slots_used.max(longest);
        }
        self.counts.longest += longest;
        Ok(totals)
    }

    /// Combines the values of the workgroups in one workgroup, without counting.
    fn total_of_sums(&mut self, this: &Combining<'a, '_>, sums: &[Values]) -> Run<Values> {
        let workgroup = this.grid.workgroup;
        if this.items.is_some() {
            let (counts, items) = (self.counts, this.items(sums.len().div_ceil(workgroup)));
            let total = self.total_in_tiles(this, Stretch { start: 0, values: sums, items })?;
            self.counts = counts;
            return Ok(total);
        }
        let mut stripes = vec![this.neutral.clone(); workgroup.min(sums.len())];
        for (at, sum) in sums.iter().enumerate() {
            let stripe = &mut stripes[at % workgroup];
            *stripe = self.combine_values(this, stripe, sum)?;
        }
        self.tree(this, stripes)
    }

    /// Combines the values of a stretch in tiles.
    fn total_in_tiles(&mut self, this: &Combining<'a, '_>, stretch: Stretch<'_>) -> Run<Values> {
        let mut total = this.neutral.clone();
        for tile in stretch.tiles(this.grid.workgroup) {
            let sums = self.own_sums(this, &tile)?;
            if self.failed.is_some() {
                break;
            }
            let sum = self.tree(this, sums)?;
            total = self.combine_values(this, &total, &sum)?;
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
        let mut scanned: Vec<Values> = Vec::with_capacity(stretch.values.len());
        for tile in stretch.tiles(this.grid.workgroup) {
            let carry = scanned.last().unwrap_or(before).clone();
            let sums = self.own_sums(this, &tile)?;
            if self.failed.is_some() {
                break;
            }
            let mut starts = vec![carry.clone()];
            for sum in self.prefixes(this, sums)? {
                starts.push(self.combine_values(this, &carry, &sum)?);
            }
            scanned.extend(self.own_prefixes(this, &tile, Some(&starts))?);
        }
        Ok(scanned)
    }

    /// Runs the points again, and stores the scanned values or runs the code that takes them. `before` has the value of all points before each workgroup.
    fn spread(&mut self, this: &Combining<'a, '_>, before: &[Values]) -> Run {
        if before.len() > 1 {
            self.pass(this, this.grid.threads(), Scratch::Offsets, &|thread| {
                (thread / this.grid.workgroup).checked_sub(1)
            });
        }
        let values = self.load(this)?;
        if self.failed.is_some() {
            return Ok(());
        }
        let mut scanned: Vec<Values> = Vec::with_capacity(values.len());
        let mut longest = 0;
        for (group, before) in (0..this.groups()).zip(before) {
            self.slots_used = 0;
            scanned.extend(self.scan_in_tiles(this, this.loaded(group, &values), before)?);
            if self.failed.is_some() {
                return Ok(());
            }
            longest = self.slots_used.max(longest);
        }
        self.counts.longest += longest;
        self.counts.longest += self.subgroups(this.grid, |machine, first| {
            let lanes = machine.dead.len();
            for round in 0..this.grid.chunk {
                machine.points =
                    (first..first + lanes).map(|thread| this.grid.point(thread, round)).collect();
                let mask: Mask = machine.points.iter().map(Option::is_some).collect();
                if !mask.contains(&true) {
                    break;
                }
                let at = machine.points.clone();
                machine.tile_access(this, &at);
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
                        machine.keep(this.combiners, &nested(this.combiners, values), &mask, &|lane| {
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
        let mut stripes = vec![this.neutral.clone(); this.grid.threads()];
        self.counts.longest += self.subgroups(this.grid, |machine, first| {
            let start = this.neutral.iter().map(|&cell| Lanes::Uniform(cell)).collect();
            let mut folded = nested(this.combiners, start);
            machine.rounds(this.threads, this.shape, this.grid, first, &mut |machine, mask, results| {
                folded = machine.fold(this.combiners, &folded, results, mask)?;
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
                machine.tile_access(this, &points);
                Ok(())
            })
        })?;
        Ok(values)
    }

    /// The value of each thread's own values of a tile.
    fn own_sums(&mut self, this: &Combining<'a, '_>, tile: &Stretch<'_>) -> Run<Vec<Values>> {
        let prefixes = self.own_prefixes(this, tile, None)?;
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
        let Stretch { start, values, items } = *tile;
        let (lanes, spent) = (self.options.device.subgroup(), self.slots_used);
        let mut longest = 0;
        let mut prefixes = vec![Values::new(); values.len()];
        for first in (0..values.len().div_ceil(items)).step_by(lanes) {
            (self.dead, self.slots_used) = (vec![false; lanes], 0);
            let mut folded = starts.map(|starts| {
                let threads: Vec<_> = (first..first + lanes).map(Some).collect();
                nested(this.combiners, gather(starts, &threads))
            });
            for item in 0..items {
                let own = |thread: usize| Some(thread * items + item).filter(|&at| at < values.len());
                let own: Vec<Option<usize>> = (first..first + lanes).map(own).collect();
                let mask: Mask = own.iter().map(Option::is_some).collect();
                if !mask.contains(&true) {
                    break;
                }
                self.points = own.iter().map(|at| at.map(|at| start + at)).collect();
                self.tile_access(this, &own);
                let next = gather(values, &own);
                let sum = match folded {
                    Some(folded) => self.fold(this.combiners, &folded, next, &mask)?,
                    None => nested(this.combiners, next),
                };
                if self.failed.is_some() {
                    return Ok(prefixes);
                }
                if starts.is_some() {
                    self.tile_access(this, &own);
                }
                let flat = sum.concat();
                for lane in lanes_of(&mask) {
                    if let Some(at) = own[lane] {
                        prefixes[at] = cells(&flat, lane)?;
                    }
                }
                folded = Some(sum);
            }
            longest = self.slots_used.max(longest);
        }
        self.slots_used = spent + longest;
        Ok(prefixes)
    }

    /// Combines the values of threads as a tree: neighbours first, then neighbouring pairs, and so on.
    fn tree(&mut self, this: &Combining<'a, '_>, mut values: Vec<Values>) -> Run<Values> {
        while values.len() > 1 {
            let mut pairs = Vec::with_capacity(values.len().div_ceil(2));
            for pair in values.chunks(2) {
                pairs.push(match pair {
                    [left, right] => self.combine_values(this, left, right)?,
                    single => single.concat(),
                });
            }
            values = pairs;
        }
        Ok(values.pop().unwrap_or_else(|| this.neutral.clone()))
    }

    /// For each thread, the combined value of the threads up to it. In each step, every second group of 1, 2, 4, … threads
    /// combines the last value of the group before with its own.
    fn prefixes(&mut self, this: &Combining<'a, '_>, mut values: Vec<Values>) -> Run<Vec<Values>> {
        let mut stride = 1;
        while stride < values.len() {
            for at in (0..values.len()).filter(|at| at & stride != 0) {
                let left = values[(at & !(stride - 1)) - 1].clone();
                values[at] = self.combine_values(this, &left, &values[at])?;
            }
            stride *= 2;
        }
        Ok(values)
    }

    /// Applies the operators once, without counting.
    fn combine_values(&mut self, this: &Combining<'a, '_>, left: &[Cell], right: &[Cell]) -> Run<Values> {
        (self.points, self.dead) = (vec![None], vec![false]);
        let [left, right] =
            [left, right].map(|cells| cells.iter().map(|&cell| Lanes::Uniform(cell)).collect());
        let combined = self.fold(this.combiners, &nested(this.combiners, left), right, &vec![true])?;
        cells(&combined.concat(), 0)
    }

    /// Counts one access of a subgroup to these positions of tiles.
    fn tile_access(&mut self, this: &Combining<'_, '_>, positions: &[Option<usize>]) {
        for &width in &this.widths {
            self.count_traffic(tile_traffic(width as u64, positions.iter().flatten().copied()));
        }
    }

    /// Counts how the first thread of each workgroup passes the combined value on.
    fn pass_sums(&mut self, this: &Combining<'a, '_>) {
        let workgroup = this.grid.workgroup;
        self.pass(this, this.grid.threads(), Scratch::Sums, &|thread| {
            thread.is_multiple_of(workgroup).then_some(thread / workgroup)
        });
    }

    /// Counts the accesses of one workgroup to a value of each workgroup.
    fn pass_by_one(&mut self, this: &Combining<'a, '_>, arrays: &[Scratch]) {
        for &array in arrays {
            self.pass(this, this.groups(), array, &Some);
        }
    }

    /// Counts an access of each of these threads to scratch memory: of `thread` to the value at position `at(thread)`.
    fn pass(
        &mut self,
        this: &Combining<'a, '_>,
        threads: usize,
        array: Scratch,
        at: &dyn Fn(usize) -> Option<usize>,
    ) {
        let lanes = self.options.device.subgroup();
        for first in (0..threads).step_by(lanes) {
            let positions: Vec<usize> = (first..threads.min(first + lanes)).filter_map(at).collect();
            for (member, &width) in this.widths.iter().enumerate() {
                let traffic =
                    self.memory.scratch_traffic(array as usize + 2 * member, width as u64, &positions);
                self.counts.add_traffic(traffic);
            }
        }
    }
}

/// These values, grouped by combiner.
fn nested(combiners: &[Combiner], values: Vec<Lanes>) -> Vec<Vec<Lanes>> {
    let mut values = values.into_iter();
    combiners.iter().map(|combiner| values.by_ref().take(combiner.neutral.len()).collect()).collect()
}

/// The cells of values in one lane.
fn cells(values: &[Lanes], lane: usize) -> Run<Values> {
    let cell = |value: &Lanes| match value {
        Lanes::Uniform(cell) => Some(*cell),
        Lanes::Varying(cells) => cells[lane],
    };
    values
        .iter()
        .map(|value| cell(value).map_or_else(|| fault("a value that no lane has computed"), Ok))
        .collect()
}

/// The values at a position for each lane.
fn gather(values: &[Values], at: &[Option<usize>]) -> Vec<Lanes> {
    let members = values.first().map_or(0, Vec::len);
    let cell = |at: &Option<usize>, member: usize| at.and_then(|at| values.get(at)?.get(member).copied());
    (0..members).map(|member| Lanes::Varying(at.iter().map(|at| cell(at, member)).collect())).collect()
}
