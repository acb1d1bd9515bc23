//! The inspector: a cheap map computes the sizes of each point, from which the bins follow.

use ravel_core::{
    Atom, Builder, DimSlice, Exp, Lambda, Screma, Sink, Source, Substitution, Type, Var, copy_body,
    copy_lambda, free_in_body,
};
use ravel_prim::{BinOp, CmpOp, PrimType};

use rustc_hash::FxHashSet;

use super::context::{LANES, POINTS};
use crate::simplify::dead;

/// The program that packs points into bins.
const PACK: &str = include_str!("pack.core");

/// The sizes of all points.
pub(super) struct Sizes {
    /// The width of each point: `[n]i64`.
    pub widths: Var,
    /// The other sizes of each point, in the order of the request.
    pub rows: Vec<Var>,
    /// The first results of the checks of the source that are made on the way.
    pub checked: FxHashSet<Var>,
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

/// Adds the map that computes the width and the sizes in `rows`, which are bound in the code of a point.
pub(super) fn sizes(builder: &mut Builder, screma: &Screma, width: Atom, rows: &[Var]) -> Sizes {
    let mut lambda: Lambda = screma.map.clone();
    lambda.body.result = std::iter::once(width).chain(rows.iter().map(|&row| Atom::Var(row))).collect();
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
    let sinks = vec![Sink::Map; lambda.body.result.len()];
    let mut arrays = builder.screma(screma.width, sources, lambda, sinks).into_iter().filter_map(Atom::var);
    let widths = arrays.next().unwrap_or_else(|| unreachable!("the first result is the width"));
    Sizes { widths, rows: arrays.collect(), checked }
}

/// Adds the condition that every point fits a bin.
pub(super) fn all_fit(builder: &mut Builder, count: Atom, widths: Var) -> Atom {
    let widest = greatest(builder, count, vec![Source::Array(widths)], |_, params| params[0]);
    builder.compare(CmpOp::Le, widest, Atom::i64(LANES))
}

/// Adds the code that packs points into bins.
pub(super) fn pack(builder: &mut Builder, count: Atom, widths: Var) -> Bins {
    let program = ravel_core::parse(PACK).unwrap_or_else(|error| unreachable!("pack.core: {error}"));
    let [pack] = &program.functions[..] else { unreachable!("pack.core has one function") };
    let arguments = [count, Atom::Var(widths), Atom::i64(LANES), Atom::i64(POINTS)];
    let arguments: Substitution = pack.params.iter().map(|param| param.var).zip(arguments).collect();
    let code = copy_body(builder.vars_mut(), Some(&pack.vars), arguments, &pack.body);
    code.stms.into_iter().for_each(|stm| builder.push(stm));
    let [count, Atom::Var(first), Atom::Var(home)] = code.result[..] else {
        unreachable!("pack.core has three results")
    };
    Bins { count, first, home }
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
    let op = builder.operator(BinOp::Max, PrimType::I64);
    let reduce = Sink::Reduce { op, neutral: vec![Atom::i64(0)], commutative: true };
    builder.screma(count, sources, map, vec![reduce])[0]
}
