//! The segments that replace one whose points are divided into parts.
//!
//! Each point of the main segment runs the points of a part in order, by a construct without a level. It computes a value
//! for each reduction and a private array for each histogram, which are then combined: values by one thread, histograms
//! bin by bin.
//!
//! The scans of a part begin with the combination of all points before the part. To compute it, an earlier segment reduces
//! for each part the points of the previous part, and one thread scans these totals. If there is only one part, no point
//! runs twice.

use std::ops::Range;

use ravel_core::{
    Atom, Builder, DimSlice, Exp, Lambda, Origin, Scan, Screma, Segment, Sink, Source, Stm, Type, Var,
    VarTable, copy_lambda, screma_types,
};
use ravel_kernel::Target;
use ravel_prim::BinOp;

use super::super::in_order::{Parts, combine, fold, reads};
use super::super::nest::progression;
use super::super::points::{Dividend, fresh_like, over_points};

/// The statements that replace a segment which combines arrays, if its points are divided into this number of parts, or
/// into fewer so that none is empty.
pub(super) fn in_parts(vars: &mut VarTable, target: &Target, stm: Stm, number: Atom) -> Vec<Stm> {
    let Stm { binders, exp: Exp::Segment(segment), origin } = stm else { return vec![stm] };
    let points = counted_construct(vars, *segment, &origin.inside());
    let before = (!points.scans.is_empty()).then(|| (totals(vars, &points), fresh_scans(vars, &points)));
    let combinations = fresh_sinks(vars, &points);
    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(origin);
    let division = Division::of(&mut builder, points.width, number);
    let before = before.map(|(totals, scans)| values_before(&mut builder, totals, scans, division));
    let (mut results, mut sinks, mut private) = (Vec::new(), Vec::new(), Vec::new());
    for (sink, own, _) in points.sink_ranges() {
        if *sink == Sink::Map {
            results.extend_from_slice(&binders[own]);
            sinks.push(Sink::Concat { count: division.width, size: division.size });
        } else {
            let arrays = fresh_like(&mut builder, &binders[own], |ty| ty.array_of(division.count));
            results.extend_from_slice(&arrays);
            sinks.extend(arrays.iter().map(|_| Sink::Map));
            private.push(arrays);
        }
    }
    over_points(&mut builder, results, division.count, sinks, |builder, part| {
        let (start, count) = division.part(builder, part);
        let before = before.map(|before| reads(builder, &before, &[part]));
        let construct = of_range(points, start, count);
        code_of_part(builder, target, construct, &binders, before.unwrap_or_default())
    });
    for ((sink, own), arrays) in combinations.into_iter().zip(private) {
        let (own, count) = (&binders[own], division.count);
        match sink {
            Sink::Reduce { op, neutral, .. } => {
                combine(&mut builder, own, op, Parts { arrays, count, neutral: Some(neutral) });
            }
            Sink::Combine { op, targets, .. } => {
                combine_bins(&mut builder, own, op, &Bins::Of(targets), (&arrays, count), |_, bin| {
                    (vec![], bin)
                })
            }
            Sink::Map | Sink::Concat { .. } | Sink::Write { .. } => {}
        }
    }
    let stms;
    (*vars, stms) = builder.finish();
    stms
}

/// The division of points into parts.
#[derive(Clone, Copy)]
pub(in super::super) struct Division {
    /// The number of points.
    pub(in super::super) width: Atom,
    /// The number of parts.
    pub(in super::super) count: Atom,
    /// The number of points of each part except the last.
    pub(in super::super) size: Atom,
}

impl Division {
    fn of(builder: &mut Builder, width: Atom, number: Atom) -> Division {
        let points = Dividend::of(builder, width);
        let size = points.by(builder, number);
        let size = builder.binary(BinOp::Max, size, Atom::i64(1));
        Division { width, count: points.by(builder, size), size }
    }

    /// The first point of the part with this number, and the number of its points.
    pub(in super::super) fn part(&self, builder: &mut Builder, number: Atom) -> (Atom, Atom) {
        let start = builder.binary(BinOp::Mul, number, self.size);
        let rest = builder.binary(BinOp::Sub, self.width, start);
        (start, builder.binary(BinOp::Min, rest, self.size))
    }
}

/// The construct of a segment of one dimension. The only parameter of its map is the counter.
pub(in super::super) fn counted_construct(vars: &mut VarTable, segment: Segment, origin: &Origin) -> Screma {
    let Segment { index, mut screma, .. } = segment;
    let params = std::mem::replace(&mut screma.map.params, vec![index]);
    for (param, source) in params.into_iter().zip(std::mem::take(&mut screma.sources)).rev() {
        if let Source::Iota { start, stride } = source {
            let stms = progression(vars, param, (start, stride), index, origin);
            screma.map.body.stms.splice(0..0, stms);
        }
    }
    screma
}

/// The construct for only `count` of the points, from `start` on.
fn of_range(points: Screma, start: Atom, count: Atom) -> Screma {
    Screma { width: count, sources: vec![Source::Iota { start, stride: Atom::i64(1) }], ..points }
}

/// A copy of the construct with new variables that reduces by the operators of the scans, and does nothing else.
fn totals(vars: &mut VarTable, points: &Screma) -> Screma {
    let reduction = |Scan { op, neutral, .. }| Sink::Reduce { op, neutral, commutative: false };
    let sinks: Vec<Sink> = fresh_scans(vars, points).into_iter().map(reduction).collect();
    let mut map = copy_lambda(vars, &points.map);
    map.body.result.truncate(sinks.iter().map(Sink::arity).sum());
    Screma { width: points.width, sources: Vec::new(), map, scans: Vec::new(), post: None, sinks }
}

/// Copies of the scans with new variables.
fn fresh_scans(vars: &mut VarTable, points: &Screma) -> Vec<Scan> {
    let copy = |scan: &Scan| Scan { op: copy_lambda(vars, &scan.op), ..scan.clone() };
    points.scans.iter().map(copy).collect()
}

/// Copies with new variables of the sinks that combine values, each with the positions of its results.
pub(in super::super) fn fresh_sinks(vars: &mut VarTable, points: &Screma) -> Vec<(Sink, Range<usize>)> {
    let mut copies = Vec::new();
    for (sink, own, _) in points.sink_ranges() {
        let mut sink = sink.clone();
        if let Sink::Reduce { op, .. } | Sink::Combine { op, .. } = &mut sink {
            *op = copy_lambda(vars, op);
            copies.push((sink, own));
        }
    }
    copies
}

/// The code of a part: its construct, with private arrays for the histograms. `before` are the values of the scans before
/// the part. Returns the values, named like the results of the segment.
fn code_of_part(
    builder: &mut Builder,
    target: &Target,
    mut construct: Screma,
    binders: &[Var],
    before: Vec<Atom>,
) -> Vec<Atom> {
    let mut before = before.into_iter();
    for scan in &mut construct.scans {
        scan.neutral = before.by_ref().take(scan.neutral.len()).collect();
    }
    let mut own = Vec::new();
    for sink in &mut construct.sinks {
        let mut is_own = false;
        if let Sink::Combine { targets, neutral, .. } = sink {
            is_own = target.own_histograms;
            for (target, &value) in targets.iter_mut().zip(&*neutral) {
                let ty = builder.vars()[*target].ty.clone();
                let count = ty.shape[0];
                *target = builder.fresh(None, ty);
                builder.emit(vec![*target], Exp::Replicate { count, value });
            }
        }
        own.extend(vec![is_own; sink.results()]);
    }
    let types = screma_types(builder.vars(), &construct);
    let named = |(&binder, ty): (&Var, _)| builder.fresh(builder.vars()[binder].hint, ty);
    let values: Vec<Var> = binders.iter().zip(types).map(named).collect();
    builder.emit(values.clone(), Exp::Screma(Box::new(construct)));
    let stored = |(value, is_own)| if is_own { builder.copy(value) } else { Atom::Var(value) };
    values.into_iter().zip(own).map(stored).collect()
}

/// The values of the scans before each part: an array of one value for each part.
fn values_before(builder: &mut Builder, totals: Screma, scans: Vec<Scan>, division: Division) -> Vec<Var> {
    let neutral: Vec<Atom> = scans.iter().flat_map(|scan| scan.neutral.clone()).collect();
    let types: Vec<Type> = neutral.iter().map(|&neutral| builder.type_of(neutral)).collect();
    let arrays = |builder: &mut Builder| -> Vec<Var> {
        types.iter().map(|ty| builder.fresh(None, ty.array_of(division.count))).collect()
    };
    let (earlier, before) = (arrays(builder), arrays(builder));
    let sinks = vec![Sink::Map; types.len()];
    over_points(builder, earlier.clone(), division.count, sinks.clone(), |builder, part| {
        // Every part that precedes another one is full, and nothing precedes the first.
        let any = builder.binary(BinOp::Min, part, Atom::i64(1));
        let previous = builder.binary(BinOp::Sub, part, any);
        let start = builder.binary(BinOp::Mul, previous, division.size);
        let count = builder.binary(BinOp::Mul, any, division.size);
        builder.screma_of(of_range(totals, start, count))
    });
    let map = builder.lambda(&types, |_, values| values.to_vec());
    let sources = earlier.into_iter().map(Source::Array).collect();
    let screma = Screma { width: division.count, sources, map, scans, post: None, sinks };
    builder.emit(before.clone(), Exp::Screma(Box::new(screma)));
    before
}

/// The first values of bins.
pub(in super::super) enum Bins {
    /// The elements of these arrays, which become the results.
    Of(Vec<Var>),
    /// This value, the same for this number of bins.
    Equal(Atom, Atom),
}

/// Combines the bins with the private histograms of all parts, in order. `place` computes the positions of a bin in the
/// dimensions before that of the parts, and in the one after. A point may fail and run again, so it must not overwrite what
/// it reads.
pub(in super::super) fn combine_bins(
    builder: &mut Builder,
    binders: &[Var],
    op: Lambda,
    bins: &Bins,
    (histograms, count): (&[Var], Atom),
    place: impl FnOnce(&mut Builder, Atom) -> (Vec<Atom>, Atom),
) {
    let (number, sums) = match bins {
        Bins::Of(targets) => (builder.vars()[targets[0]].ty.shape[0], fresh_like(builder, binders, |ty| ty)),
        Bins::Equal(_, number) => (*number, binders.to_vec()),
    };
    over_points(builder, sums.clone(), number, vec![Sink::Map; binders.len()], |builder, bin| {
        let firsts = match bins {
            Bins::Of(targets) => reads(builder, targets, &[bin]),
            Bins::Equal(value, _) => vec![*value],
        };
        let (before, after) = place(builder, bin);
        fold(builder, op, firsts, (0, count), |builder, part| {
            reads(builder, histograms, &[&before[..], &[part, after]].concat())
        })
    });
    let Bins::Of(targets) = bins else { return };
    for ((&binder, &array), sum) in binders.iter().zip(targets).zip(sums) {
        let slice = builder.vars()[array].ty.shape.iter().map(|&size| DimSlice::whole(size)).collect();
        builder.emit(vec![binder], Exp::Update { array, slice, value: Atom::Var(sum) });
    }
}
