//! Launches: runs the points of a grid segment, subgroup by subgroup.
//!
//! The last subgroup runs first, which exposes programs that rely on the order of points.

use ravel_abi::DeviceLimitation;
use ravel_abi::plan::MAX_POINTS;
use ravel_base::{CallPath, Symbol};
use ravel_kernel::*;

use crate::count::{Counts, SegmentCounts};
use crate::machine::{Cell, FailedPoint, Lanes, Machine, Mask, Run, lanes_of, select_lanes};
use crate::memory::fault;
use ravel_prim::PrimValue;

/// How the points of a launch are distributed over threads.
#[derive(Clone, Copy)]
pub struct Grid {
    pub points: usize,
    /// The points of a row; no thread takes points of two rows.
    pub row: usize,
    /// The maximum number of points of a thread.
    pub chunk: usize,
    /// The threads of a workgroup.
    pub workgroup: usize,
    /// Whether a thread takes points that are one workgroup apart, rather than consecutive points.
    pub interleaved: bool,
}

impl Grid {
    /// The number of threads.
    pub fn threads(self) -> usize {
        match self.interleaved {
            true => self.points.div_ceil(self.workgroup * self.chunk) * self.workgroup,
            // An index space without points may have rows of size 0.
            false if self.points == 0 => 0,
            false => self.points / self.row * self.parts(),
        }
    }

    /// The number of threads that share a row.
    pub fn parts(self) -> usize {
        self.row.div_ceil(self.chunk)
    }

    /// The point that a thread takes in a round, counted from 0; `None` if no point is left for it.
    pub fn point(self, thread: usize, round: usize) -> Option<usize> {
        let point = if self.interleaved {
            let (group, lane) = (thread / self.workgroup, thread % self.workgroup);
            (group * self.chunk + round) * self.workgroup + lane
        } else {
            let (row, part) = (thread / self.parts(), thread % self.parts());
            let in_row = part * self.chunk + round;
            if in_row >= self.row {
                return None;
            }
            row * self.row + in_row
        };
        (point < self.points).then_some(point)
    }
}

/// The code that threads run for the points of an index space.
#[derive(Clone, Copy)]
pub struct Threads<'a> {
    pub space: &'a [(Var, Atom)],
    pub body: &'a Body<Thread>,
}

impl<'a> Machine<'a> {
    /// Launches a grid segment and records its counts.
    pub fn segment(&mut self, segment: &'a GridSegment) -> Run {
        let shape = segment.space.iter().map(|&(_, size)| self.host_number(size)).collect::<Run<Vec<_>>>()?;
        let chunk = usize::try_from(self.host_number(segment.chunk)?).ok().filter(|&chunk| chunk > 0);
        let Some(chunk) = chunk else { return fault("a chunk without points") };
        // The size of a launch is limited: the number of points of a map, but the number of chunks of a reduction or scan.
        let kind = segment.threads().map(|(kind, _)| kind);
        let combines = kind.is_some_and(|kind| *kind != SegmentKind::Map);
        // Without points, a reduction stores its neutral element.
        let reduces = kind.is_some_and(|kind| matches!(kind, SegmentKind::Reduce(_)));
        let points = count(&shape, if combines { chunk } else { 1 })
            .ok_or_else(|| DeviceLimitation::LargeOperation.failure())?;
        let chunk = chunk.min(points.max(1));

        self.memory.begin_segment();
        let outer = std::mem::take(&mut self.counts);
        let (outer_points, outer_dead) = (self.points.clone(), self.dead.clone());
        let outcome = match &segment.points {
            Points::Threads { kind, body } => {
                let interleaved = *kind == SegmentKind::Map;
                // As in `count`, a negative size counts as 0.
                let inner = shape.last().map_or(1, |&size| size.max(0) as usize);
                let (row, chunk) = match interleaved {
                    true => (points, chunk),
                    false => (inner, chunk.min(inner.max(1))),
                };
                let workgroup = self.options.device.workgroup();
                let grid = Grid { points, row, chunk, workgroup, interleaved };
                let threads = Threads { space: &segment.space, body };
                self.threads(threads, &shape, grid, kind)
            }
            Points::Workgroups(body) => self.workgroups(segment, &shape, points, body),
        };
        if points > 0 || reduces {
            self.end_launch();
        }
        (self.points, self.dead) = (outer_points, outer_dead);
        self.memory.end_segment();
        self.counts.points = points as u64;
        let counts = std::mem::replace(&mut self.counts, outer);
        self.record(std::ptr::from_ref(segment).cast(), segment.hint, counts);
        outcome?;
        match self.failed.take() {
            Some(FailedPoint { failure, .. }) => Err(failure),
            None => Ok(()),
        }
    }

    fn threads(&mut self, threads: Threads<'a>, shape: &[i64], grid: Grid, kind: &'a SegmentKind) -> Run {
        match kind {
            SegmentKind::Map => {
                self.counts.longest += self.subgroups(grid, |machine, first| {
                    machine.rounds(threads, shape, grid, first, &mut |_, _, _| Ok(()))
                })?;
                Ok(())
            }
            SegmentKind::Reduce(combiners) | SegmentKind::Scan(combiners, _) => match shape {
                [] | [_] => self.combine(threads, shape, (grid.points, grid.chunk), kind),
                _ => {
                    let scans = matches!(kind, SegmentKind::Scan(..));
                    self.combine_rows(threads, shape, grid, combiners, scans)
                }
            },
        }
    }

    /// Ends a launch: counts it, and the sectors that it has touched.
    pub fn end_launch(&mut self) {
        self.counts.launches += 1;
        self.counts.distinct_sectors += self.memory.take_sectors();
    }

    /// Adds the counts of the statement at this address, and those of its inner segments.
    pub fn record(&mut self, statement: *const (), hint: Option<Symbol>, counts: Counts) {
        let inner = std::mem::take(&mut self.inner);
        match self.segments.iter_mut().find(|(known, _)| *known == statement) {
            Some((_, known)) => {
                known.counts += counts;
                inner.into_iter().for_each(|counts| SegmentCounts::add(&mut known.inner, counts));
            }
            None => {
                let counts = SegmentCounts { inner, ..self.counts_of(hint, counts) };
                self.segments.push((statement, counts));
            }
        }
    }

    /// The counts of the segment at the current place.
    pub fn counts_of(&self, hint: Option<Symbol>, counts: Counts) -> SegmentCounts {
        let name = hint.map_or_else(|| "segment".to_owned(), |hint| hint.to_string());
        SegmentCounts { name, span: self.path.map(CallPath::span), counts, inner: Vec::new() }
    }

    /// Runs every subgroup, the last one first. Returns the largest number of issue slots that a subgroup used.
    pub fn subgroups(&mut self, grid: Grid, mut run: impl FnMut(&mut Machine<'a>, usize) -> Run) -> Run<u64> {
        let width = self.options.device.subgroup();
        let mut longest = 0;
        for subgroup in (0..grid.threads().div_ceil(width)).rev() {
            self.slots_used = 0;
            self.dead = vec![false; width];
            run(self, subgroup * width)?;
            longest = self.slots_used.max(longest);
            self.memory.release_points();
        }
        Ok(longest)
    }

    /// Runs the rounds of the subgroup whose first thread is `first`. After each round, `take` gets the lanes that
    /// have a point and have not failed, and the results of the body.
    pub fn rounds(
        &mut self,
        threads: Threads<'a>,
        shape: &[i64],
        grid: Grid,
        first: usize,
        take: &mut dyn FnMut(&mut Machine<'a>, &Mask, Vec<Lanes>) -> Run,
    ) -> Run {
        let width = self.options.device.subgroup();
        for round in 0..grid.chunk {
            self.points = (first..first + width).map(|thread| grid.point(thread, round)).collect();
            let mask: Mask = self.points.iter().map(Option::is_some).collect();
            if !mask.iter().zip(&self.dead).any(|(&runs, &dead)| runs && !dead) {
                break;
            }
            self.bind_counters(threads, shape);
            let results = self.body(threads.body, &mask)?;
            let alive: Mask = mask.iter().zip(&self.dead).map(|(&runs, &dead)| runs && !dead).collect();
            take(self, &alive, results)?;
        }
        Ok(())
    }

    /// Binds the counters of the points of a subgroup.
    pub fn bind_counters(&mut self, threads: Threads<'a>, shape: &[i64]) {
        for (dimension, &(counter, _)) in threads.space.iter().enumerate() {
            let cell = |point: &Option<usize>| {
                point.map(|point| Cell::Scalar(PrimValue::I64(index(shape, point, dimension))))
            };
            let cells = self.points.iter().map(cell).collect();
            self.bind(counter, Lanes::Varying(cells));
        }
    }

    /// The neutral values of each combiner.
    pub fn neutral(&mut self, combiners: &[Combiner]) -> Run<Vec<Vec<Lanes>>> {
        combiners
            .iter()
            .map(|combiner| combiner.neutral.iter().map(|&atom| self.value(atom)).collect())
            .collect()
    }

    /// In the lanes of `mask`, combines the values `left` with the next results by the operators of the combiners. The other
    /// lanes keep their values.
    pub fn fold(
        &mut self,
        combiners: &'a [Combiner],
        left: &[Vec<Lanes>],
        results: Vec<Lanes>,
        mask: &Mask,
    ) -> Run<Vec<Vec<Lanes>>> {
        let mut results = results.into_iter();
        let mut folded = Vec::new();
        for (combiner, left) in combiners.iter().zip(left) {
            let right: Vec<Lanes> = results.by_ref().take(left.len()).collect();
            if !mask.contains(&true) {
                folded.push(left.clone());
                continue;
            }
            for (&var, value) in combiner.left.iter().zip(left) {
                self.bind(var, value.clone());
            }
            for (&var, value) in combiner.right.iter().zip(right) {
                self.bind(var, value);
            }
            let new = self.body(&combiner.body, mask)?;
            folded.push(
                new.into_iter().zip(left).map(|(new, old)| select_lanes(mask, new, old.clone())).collect(),
            );
        }
        Ok(folded)
    }

    /// Stores combined values, each lane at its index.
    pub fn keep(
        &mut self,
        combiners: &'a [Combiner],
        values: &[Vec<Lanes>],
        mask: &Mask,
        index: &dyn Fn(usize) -> Vec<i64>,
    ) -> Run {
        for (combiner, values) in combiners.iter().zip(values) {
            for (&out, value) in combiner.outs.iter().zip(values) {
                let mut places = Vec::new();
                for lane in lanes_of(mask) {
                    let Lanes::Uniform(Cell::Scalar(scalar)) = of_lane(value, lane) else {
                        return fault("a reduction or scan combines something other than scalars");
                    };
                    let place = self.place(out, &index(lane), lane)?;
                    self.memory.store(place, Some(scalar), self.points[lane])?;
                    places.push((lane, place));
                }
                self.access(&places, mask);
            }
        }
        Ok(())
    }
}

/// The number of points of a shape; `None` if they have more chunks of `chunk` points than a launch may have.
pub fn count(shape: &[i64], chunk: usize) -> Option<usize> {
    if shape.iter().any(|&size| size <= 0) {
        return Some(0);
    }
    let points = shape.iter().try_fold(1i64, |points, &size| points.checked_mul(size))?;
    usize::try_from(points).ok().filter(|points| points.div_ceil(chunk) as u64 <= MAX_POINTS)
}

/// The index of a point in a dimension of a shape, row-major.
pub fn index(shape: &[i64], point: usize, dimension: usize) -> i64 {
    let inner: i64 = shape[dimension + 1..].iter().product();
    point as i64 / inner % shape[dimension]
}

/// The indices of a point in all dimensions.
pub fn indices(shape: &[i64], point: usize) -> Vec<i64> {
    (0..shape.len()).map(|dimension| index(shape, point, dimension)).collect()
}

/// The value in one lane, as a value of a machine with one lane.
pub fn of_lane(value: &Lanes, lane: usize) -> Lanes {
    match value {
        Lanes::Varying(cells) => match cells.get(lane).copied().flatten() {
            Some(cell) => Lanes::Uniform(cell),
            None => Lanes::Varying(vec![None]),
        },
        uniform => uniform.clone(),
    }
}

/// The values of `lanes` neighbouring threads, from thread `first` on, one thread in each lane.
pub fn gather(threads: &[Vec<Vec<Lanes>>], first: usize, lanes: usize) -> Vec<Vec<Lanes>> {
    let cell = |value: &Lanes| match value {
        Lanes::Uniform(cell) => Some(*cell),
        Lanes::Varying(_) => None,
    };
    let Some(shape) = threads.first() else { return Vec::new() };
    let values = |combiner: usize, number: usize| {
        let of_thread =
            |thread: usize| threads.get(thread).and_then(|values| cell(&values[combiner][number]));
        Lanes::Varying((first..first + lanes).map(of_thread).collect())
    };
    shape
        .iter()
        .enumerate()
        .map(|(combiner, numbers)| (0..numbers.len()).map(|number| values(combiner, number)).collect())
        .collect()
}
