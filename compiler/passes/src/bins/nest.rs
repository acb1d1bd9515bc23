//! The rule `bins`: the inspector, the construct over bins, and the values of the points from their bins.

use ravel_base::Symbol;
use ravel_core::visit::Visit;
use ravel_core::{
    Atom, Body, Builder, Exp, Lambda, Screma, Sink, Source, Stm, Substitution, Type, Var, VarTable, copy_body,
};
use ravel_prim::{BinOp, PrimType};
use rustc_hash::{FxHashMap, FxHashSet};

use super::BINS;
use super::code::Code;
use super::context::{Context, Lifted};
use super::inspector::{self, Bins, Sizes};
use super::premises::{FAST_MEMORY, INNER_WIDTH, Obstacle, SCALAR_RESULTS};
use crate::Cx;
use crate::fit::SPILL;
use crate::flatten::split_after_map;

/// The widths of the constructs of a point outside of other constructs.
struct Widths<'a> {
    vars: &'a VarTable,
    widths: Vec<Atom>,
    /// The sizes of the arrays made outside of constructs.
    sizes: Vec<Var>,
}

impl Visit for Widths<'_> {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, binder: &Var) {
        let sizes = self.vars[*binder].ty.shape.iter().filter_map(|size| size.var());
        self.sizes.extend(sizes);
    }
    fn lambda(&mut self, _: &Lambda) {}
    fn screma(&mut self, screma: &Screma) {
        self.widths.push(screma.width);
    }
}

/// The variables that a piece of code binds.
#[derive(Default)]
struct Binders(FxHashSet<Var>);

impl Visit for Binders {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, binder: &Var) {
        self.0.insert(*binder);
    }
}

/// The statements of a construct in bins.
pub(super) fn in_bins(vars: &mut VarTable, cx: &mut Cx, stm: &Stm) -> Result<Vec<Stm>, Obstacle> {
    if cx.target.workgroup_bytes.is_none() {
        return Err(Obstacle::Missing(FAST_MEMORY, None));
    }
    let Exp::Screma(outer) = &stm.exp else { return Err(Obstacle::Missing(SCALAR_RESULTS, None)) };
    let results = outer.map.body.result.iter();
    if let Some(array) = results.filter_map(|atom| atom.var()).find(|&var| !vars[var].ty.is_scalar()) {
        return Err(Obstacle::Missing(SCALAR_RESULTS, vars[array].hint));
    }
    let (mut stm, mut screma) = (stm.clone(), Screma::clone(outer));
    let consumer = split_after_map(vars, &mut screma, &mut stm);
    stm.exp = Exp::Screma(Box::new(screma.clone()));
    let (stm, screma) = (&stm, &screma);
    let point = &screma.map;
    let early: FxHashSet<Var> =
        point.body.stms.iter().flat_map(|stm| &stm.binders).chain(&point.params).copied().collect();
    let mut found = Widths { vars, widths: Vec::new(), sizes: Vec::new() };
    found.body(&point.body);
    let is_early = |atom: &&Atom| atom.var().is_some_and(|var| early.contains(&var));
    let width = *found.widths.iter().find(is_early).ok_or(Obstacle::Missing(INNER_WIDTH, None))?;
    let mut rows = found.sizes;
    rows.retain(|size| early.contains(size) && Atom::Var(*size) != width);
    rows.sort_unstable();
    rows.dedup();

    let mut builder = Builder::resume(std::mem::take(vars));
    builder.set_origin(stm.origin.inside());
    let sizes = inspector::sizes(&mut builder, screma, width, &rows);
    let fits = inspector::all_fit(&mut builder, screma.width, sizes.widths);
    builder.begin();
    let bins = inspector::pack(&mut builder, screma.width, sizes.widths);
    let mut elements = FxHashMap::default();
    for (&row, &lengths) in rows.iter().zip(&sizes.rows) {
        elements.insert(row, inspector::row_elements(&mut builder, bins, screma.width, lengths));
    }
    let (mut builder, values) = bin(builder, cx, screma, width, sizes, bins, elements)?;
    // The value of each point is in its bin.
    let types = vec![Type::scalar(PrimType::I64); 2];
    let map = builder.lambda(&types, |builder, params| {
        let first = builder.index(bins.first, vec![params[1]]);
        let place = builder.binary(BinOp::Sub, params[0], first);
        values.iter().map(|&array| builder.index(array, vec![params[1], place])).collect()
    });
    let sources = vec![Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) }, Source::Array(bins.home)];
    let sinks = vec![Sink::Map; values.len()];
    let results = builder.screma(screma.width, sources, map, sinks);
    let then = builder.end(results);
    let whole = Body {
        stms: vec![stm.clone()],
        result: stm.binders.iter().map(|&binder| Atom::Var(binder)).collect(),
    };
    let otherwise = copy_body(builder.vars_mut(), None, Substitution::new(), &whole);
    let mut origin = stm.origin.clone();
    origin.add_rule(BINS);
    builder.set_origin(origin);
    builder.emit(stm.binders.clone(), Exp::If { cond: fits, then, otherwise });
    let mut stms;
    (*vars, stms) = builder.finish();
    stms.extend(consumer);
    Ok(stms)
}

/// The construct over bins. Returns an array for each result of the source, with the values of the points of each bin.
fn bin(
    mut builder: Builder,
    cx: &mut Cx,
    screma: &Screma,
    width: Atom,
    sizes: Sizes,
    bins: Bins,
    rows: FxHashMap<Var, Atom>,
) -> Result<(Builder, Vec<Var>), Obstacle> {
    let bin = builder.fresh(None, Type::scalar(PrimType::I64));
    builder.begin();
    let (first, points) = inspector::points_of(&mut builder, bins, screma.width, Atom::Var(bin));
    let context = Context::new(&mut builder, width, sizes.widths, first, points);
    let mut bound = Binders::default();
    bound.lambda(&screma.map);
    let mut lifted = FxHashMap::default();
    for (&param, source) in screma.map.params.iter().zip(&screma.sources) {
        lifted.insert(param, Lifted::Input(source.clone()));
    }
    lifted.extend(width.var().map(|width| (width, Lifted::Points(context.shape))));
    let mut code = Code {
        builder,
        cx,
        context,
        lifted,
        bound: bound.0,
        checked: sizes.checked,
        rows,
        masks: Vec::new(),
        kept: FxHashMap::default(),
        updated: FxHashMap::default(),
        keeping: FxHashSet::default(),
    };
    code.body(&screma.map.body)?;
    let mut results = Vec::new();
    for &result in &screma.map.body.result {
        results.push(Atom::Var(code.points_of(result)?));
    }
    let mut builder = code.builder;
    let body = builder.end(results);
    let sinks = vec![Sink::Map; body.result.len()];
    let map = Lambda { params: vec![bin], body };
    let source = Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) };
    let mut origin = builder.origin().clone();
    origin.attributes.extend([Symbol::new("flattening(block)"), Symbol::new(SPILL)]);
    let before = builder.set_origin(origin);
    let arrays = builder.screma(bins.count, vec![source], map, sinks);
    builder.set_origin(before);
    Ok((builder, arrays.into_iter().filter_map(Atom::var).collect()))
}
