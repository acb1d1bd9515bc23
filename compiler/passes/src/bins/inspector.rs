//! The inspector: a cheap map computes the sizes of each point, from which the bins follow.

use ravel_core::{
    Atom, Body, Builder, DimSlice, ErrorMessage, Exp, Lambda, Screma, Sink, Source, Substitution, Type, Var,
    bins_attribute, copy_body, copy_lambda, free_in_body,
};
use ravel_prim::{BinOp, CmpOp, PrimType};

use rustc_hash::FxHashSet;

use super::context::{ELEMENTS, LANES, POINTS};
use crate::simplify::dead;

/// The program that packs points into bins.
const PACK: &str = include_str!("pack.core");

/// The program that lists the points that fit no bin.
const OTHERS: &str = include_str!("others.core");

/// So many elements of a large array count as one lane of a bin.
const PER_LANE: i64 = ELEMENTS / LANES;

/// The sizes of all points.
pub(super) struct Sizes {
    /// The width of each point: `[n]i64`. If a point fits no bin, it is more than [`LANES`].
    pub widths: Var,
    /// The other sizes of each point, in the order of the request; 0 if a point fits no bin.
    pub rows: Vec<Var>,
    /// The numbers of elements of the other shapes, in the order of the request; 0 if a point fits no bin.
    pub counts: Vec<Var>,
    /// The lanes that a point takes from its bin: its width, or more if another array is larger. If a point fits no bin, it is more
    /// than [`LANES`].
    pub taken: Var,
    /// The key by which the points are sorted, if there is one.
    pub key: Option<Var>,
    /// The number of points that fit no bin.
    pub others: Atom,
    /// What the choice between versions depends on, if there is a choice.
    pub totals: Option<Totals>,
    /// The first results of the checks of the source that are made on the way.
    pub checked: FxHashSet<Var>,
}

/// Sums and maxima over the points that fit a bin. The extent of a point is its width, or the number of elements of its largest
/// array.
pub(super) struct Totals {
    /// The sum of the extents.
    pub lanes: Atom,
    /// The greatest extent.
    pub widest: Atom,
    /// The greatest height.
    pub tallest: Atom,
}

/// The bins of all points.
#[derive(Clone, Copy)]
pub(super) struct Bins {
    /// The number of bins.
    pub count: Atom,
    /// The first point of each bin.
    pub first: Var,
    /// The bin of each point.
    pub home: Var,
}

/// What the inspector computes, in terms of the source.
pub(super) struct Inspected<'a> {
    pub width: Atom,
    /// The sizes of other arrays.
    pub rows: &'a [Var],
    /// The shapes that have a context of their own.
    pub shapes: &'a [Vec<Atom>],
    /// The key by which the points are sorted.
    pub key: Option<Atom>,
    /// The number of rounds, if there is a choice between versions.
    pub height: Option<Atom>,
}

/// Adds the map that computes the sizes of each point, and the totals if there is a choice.
pub(super) fn sizes(builder: &mut Builder, screma: &Screma, inspected: &Inspected) -> Sizes {
    let &Inspected { width, rows, shapes, key, height } = inspected;
    let mut lambda: Lambda = screma.map.clone();
    lambda.body.result = std::iter::once(width).chain(rows.iter().map(|&row| Atom::Var(row))).collect();
    lambda.body.result.extend(key.into_iter().chain(height).chain(shapes.iter().flatten().copied()));
    dead::slice(builder.vars(), &mut lambda.body);
    let asserts = lambda.body.stms.iter().filter(|stm| matches!(stm.exp, Exp::Assert { .. }));
    let checked = asserts.filter_map(|stm| stm.binders.first().copied()).collect();
    let mut lambda = copy_lambda(builder.vars_mut(), &lambda);
    let used = free_in_body(builder.vars(), &lambda.body);
    let (params, sources) = lambda
        .params
        .iter()
        .zip(&screma.sources)
        .filter(|(param, _)| used.contains(param))
        .map(|(&param, source)| (param, source.clone()))
        .unzip();
    lambda.params = params;
    builder.begin();
    lambda.body.stms.into_iter().for_each(|stm| builder.push(stm));
    let mut result = lambda.body.result;
    let extents = result.split_off(result.len() - shapes.iter().map(Vec::len).sum::<usize>());
    let height = height.and_then(|_| result.pop());
    let height = height.map(|height| to_i64(builder, height));
    for size in &mut result {
        *size = to_i64(builder, *size);
    }
    let width = result[0];
    let mut fits = fits(builder, width, LANES);
    let mut counts = Vec::new();
    let mut extents = &extents[..];
    for shape in shapes {
        let (own, others) = extents.split_at(shape.len());
        extents = others;
        counts.push(elements(builder, own, &mut fits));
    }
    let mut taken = width;
    let mut extent = width;
    for &count in &counts {
        let rounded = builder.binary(BinOp::Add, count, Atom::i64(PER_LANE - 1));
        let lanes = builder.binary(BinOp::Quot, rounded, Atom::i64(PER_LANE));
        taken = builder.binary(BinOp::Max, taken, lanes);
        extent = builder.binary(BinOp::Max, extent, count);
    }
    let or = |builder: &mut Builder, size: Atom, other: i64| {
        let [then, otherwise] =
            [size, Atom::i64(other)].map(|size| Body { stms: Vec::new(), result: vec![size] });
        builder.bind(Type::scalar(PrimType::I64), Exp::If { cond: fits, then, otherwise })
    };
    let lanes = height.map(|_| or(builder, extent, 0));
    let height = height.map(|height| or(builder, height, 0));
    result[0] = or(builder, width, LANES + 1);
    for row in &mut result[1..=rows.len()] {
        *row = or(builder, *row, 0);
    }
    result.extend(counts.iter().map(|&count| or(builder, count, 0)));
    if !shapes.is_empty() {
        result.push(or(builder, taken, LANES + 1));
    }
    let mut sinks = vec![Sink::Map; result.len()];
    result.push(or(builder, Atom::i64(0), 1));
    result.extend(lanes.into_iter().chain(lanes).chain(height));
    let ops = [BinOp::Add, BinOp::Add, BinOp::Max, BinOp::Max];
    sinks.extend(ops[..result.len() - sinks.len()].iter().map(|&op| combine(builder, op)));
    lambda.body = builder.end(result);
    let mut results = builder.screma(screma.width, sources, lambda, sinks);
    let first = 1 + rows.len() + usize::from(key.is_some()) + shapes.len() + usize::from(!shapes.is_empty());
    let combined = results.split_off(first);
    let totals = match combined[1..] {
        [lanes, widest, tallest] => Some(Totals { lanes, widest, tallest }),
        _ => None,
    };
    let mut arrays = results.into_iter().filter_map(Atom::var);
    let widths = arrays.next().unwrap_or_else(|| unreachable!("the first result is the width"));
    let rows = arrays.by_ref().take(rows.len()).collect();
    let key = key.and_then(|_| arrays.next());
    let counts = arrays.by_ref().take(shapes.len()).collect();
    let taken = arrays.next().unwrap_or(widths);
    Sizes { widths, rows, counts, taken, key, others: combined[0], totals, checked }
}

/// Adds the branch that computes the sizes of so many points if nests run in bins, and otherwise makes room for them. Then all points
/// are others.
pub(super) fn if_enabled(
    builder: &mut Builder,
    enabled: Atom,
    count: Atom,
    sizes: impl FnOnce(&mut Builder) -> Sizes,
) -> Sizes {
    builder.begin();
    let mut sizes = sizes(builder);
    let scalars = std::iter::once(&mut sizes.others).chain(
        sizes
            .totals
            .iter_mut()
            .flat_map(|totals| [&mut totals.lanes, &mut totals.widest, &mut totals.tallest]),
    );
    let scalars: Vec<&mut Atom> = scalars.collect();
    let has_counts = !sizes.counts.is_empty();
    let arrays = std::iter::once(&mut sizes.widths).chain(&mut sizes.rows).chain(&mut sizes.key);
    let arrays = arrays.chain(&mut sizes.counts).chain(has_counts.then_some(&mut sizes.taken));
    let arrays: Vec<&mut Var> = arrays.collect();
    let computed = scalars.iter().map(|scalar| **scalar).chain(arrays.iter().map(|array| Atom::Var(**array)));
    let then = builder.end(computed.collect());
    let i64 = Type::scalar(PrimType::I64);
    let array = i64.clone().array_of(count);
    let otherwise = builder.body(|builder| {
        let none = scalars.iter().enumerate().map(|(at, _)| if at == 0 { count } else { Atom::i64(0) });
        let mut room: Vec<Atom> = none.collect();
        room.extend(arrays.iter().map(|_| builder.bind(array.clone(), Exp::Scratch)));
        room
    });
    let types = scalars.iter().map(|_| i64.clone()).chain(arrays.iter().map(|_| array.clone())).collect();
    let results = builder.bind_many(types, Exp::If { cond: enabled, then, otherwise });
    let (computed, made) = results.split_at(scalars.len());
    for (scalar, &result) in scalars.into_iter().zip(computed) {
        *scalar = result;
    }
    for (array, result) in arrays.into_iter().zip(made) {
        *array = result.var().unwrap_or(*array);
    }
    if !has_counts {
        sizes.taken = sizes.widths;
    }
    sizes
}

/// The value as `i64`. A number of rounds may have another type.
fn to_i64(builder: &mut Builder, value: Atom) -> Atom {
    match builder.type_of(value).elem {
        PrimType::I64 => value,
        _ => builder.convert(PrimType::I64, value),
    }
}

/// Adds the condition that a point of this width fits a bin. If it is negative, the point has no array of this size.
fn fits(builder: &mut Builder, width: Atom, most: i64) -> Atom {
    let is_size = builder.compare(CmpOp::Le, Atom::i64(0), width);
    let is_narrow = builder.compare(CmpOp::Le, width, Atom::i64(most));
    builder.binary(BinOp::And, is_size, is_narrow)
}

/// Adds the number of elements of an array of these sizes, and to `fits` the condition that it fits a bin.
fn elements(builder: &mut Builder, sizes: &[Atom], fits_bin: &mut Atom) -> Atom {
    let mut count = None;
    for &size in sizes {
        // With this bound for each size, the product does not overflow.
        let fits = fits(builder, size, ELEMENTS);
        *fits_bin = builder.binary(BinOp::And, *fits_bin, fits);
        count = Some(count.map_or(size, |count| builder.binary(BinOp::Mul, count, size)));
    }
    let count = count.unwrap_or(Atom::i64(1));
    if sizes.len() > 1 {
        let fits = builder.compare(CmpOp::Le, count, Atom::i64(ELEMENTS));
        *fits_bin = builder.binary(BinOp::And, *fits_bin, fits);
    }
    count
}

/// Adds the code that packs points into bins, given the lanes that each takes. A point that fits no bin gets one of its own.
pub(super) fn pack(builder: &mut Builder, count: Atom, widths: Var) -> Bins {
    let arguments = [count, Atom::Var(widths), Atom::i64(LANES), Atom::i64(POINTS)];
    let [count, Atom::Var(first), Atom::Var(home)] = splice(builder, PACK, &arguments)[..] else {
        unreachable!("pack.core has three results")
    };
    Bins { count, first, home }
}

/// Adds a trace from which the counts of the bins follow. `rounds` has the number of rounds of each point or of all points, if it is
/// known. Returns the first points of the bins, on which the bins depend, so that the trace is not dead.
pub(super) fn count(builder: &mut Builder, nest: &str, first: Var, widths: Var, rounds: Option<Atom>) -> Var {
    let values: Vec<Atom> =
        [Atom::Var(first), Atom::i64(LANES), Atom::Var(widths)].into_iter().chain(rounds).collect();
    let types = values.iter().map(|&value| builder.type_of(value)).collect();
    let mut origin = builder.origin().clone();
    let error = ErrorMessage { parts: Vec::new(), path: origin.path() };
    origin.attributes.push(bins_attribute(nest));
    let before = builder.set_origin(origin);
    let traced = builder.bind_many(types, Exp::Assert { cond: Atom::bool(true), values, error });
    builder.set_origin(before);
    traced[0].var().unwrap_or(first)
}

/// Adds an array that begins with the points that fit no bin.
pub(super) fn others(builder: &mut Builder, count: Atom, widths: Var) -> Atom {
    splice(builder, OTHERS, &[count, Atom::Var(widths), Atom::i64(LANES)])[0]
}

/// Adds the code of a program of one function, applied to these arguments. Returns its results.
pub(super) fn splice(builder: &mut Builder, program: &str, arguments: &[Atom]) -> Vec<Atom> {
    let program = ravel_core::parse(program).unwrap_or_else(|error| unreachable!("{error}\n{program}"));
    let [function] = &program.functions[..] else { unreachable!("the program has one function") };
    let params = function.params.iter().map(|param| param.var);
    let arguments: Substitution = params.zip(arguments.iter().copied()).collect();
    let code = copy_body(builder.vars_mut(), Some(&function.vars), arguments, &function.body);
    code.stms.into_iter().for_each(|stm| builder.push(stm));
    code.result
}

/// Adds the first point of a bin and the number of its points.
pub(super) fn points_of(builder: &mut Builder, bins: Bins, points: Atom, bin: Atom) -> (Atom, Atom) {
    let first = builder.index(bins.first, vec![bin]);
    let next = builder.binary(BinOp::Add, bin, Atom::i64(1));
    let cond = builder.compare(CmpOp::Lt, next, bins.count);
    let then = builder.body(|builder| vec![builder.index(bins.first, vec![next])]);
    let otherwise = builder.body(|_| vec![points]);
    let end = builder.bind(Type::scalar(PrimType::I64), Exp::If { cond, then, otherwise });
    (first, builder.binary(BinOp::Sub, end, first))
}

/// Adds the number of elements of the largest bin, in which all rows are as long as the longest one.
pub(super) fn row_elements(builder: &mut Builder, bins: Bins, points: Atom, lengths: Var) -> Atom {
    let all = vec![Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) }];
    greatest(builder, bins.count, all, |builder, params| {
        let (start, count) = points_of(builder, bins, points, params[0]);
        let own = builder.slice(lengths, vec![DimSlice::Range { start, count, stride: Atom::i64(1) }]);
        let own = own.var().map(Source::Array).into_iter().collect();
        let longest = greatest(builder, count, own, |_, params| params[0]);
        builder.binary(BinOp::Mul, count, longest)
    })
}

/// Adds the greatest value of a function of `count` elements, at least 0.
fn greatest(
    builder: &mut Builder,
    count: Atom,
    sources: Vec<Source>,
    value: impl FnOnce(&mut Builder, &[Atom]) -> Atom,
) -> Atom {
    let types = vec![Type::scalar(PrimType::I64); sources.len()];
    let map = builder.lambda(&types, |builder, params| vec![value(builder, params)]);
    let sink = combine(builder, BinOp::Max);
    builder.screma(count, sources, map, vec![sink])[0]
}

/// The sum of values of type `i64`, or the greatest one, at least 0.
fn combine(builder: &mut Builder, op: BinOp) -> Sink {
    let op = builder.operator(op, PrimType::I64);
    Sink::Reduce { op, neutral: vec![Atom::i64(0)], commutative: true }
}
