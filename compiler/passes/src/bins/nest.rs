//! The rule `bins`: the inspector, the construct over bins, and the values of the points from their bins.

use ravel_base::Symbol;
use ravel_core::visit::Visit;
use ravel_core::{
    Atom, Body, Builder, Exp, Lambda, Screma, Sink, Source, Stm, Type, Var, VarTable, versions_attribute,
};
use ravel_prim::{BinOp, PrimType};
use rustc_hash::{FxHashMap, FxHashSet};

use super::BINS;
use super::choice;
use super::code::Code;
use super::context::{Context, ELEMENTS, LANES, Lifted, Members};
use super::inspector::{self, Bins, Inspected, Sizes};
use super::order::{self, ORDER, Order};
use super::others;
use super::premises::{FAST_MEMORY, INNER_WIDTH, KNOWN_HEIGHT, Obstacle, SCALAR_RESULTS};
use crate::fit::SPILL;
use crate::flatten::{split_after_map, split_after_scans};
use crate::{Cx, Refusal};

/// The widths of the constructs of a point outside of other constructs, and the shapes of its arrays.
struct Widths<'a> {
    vars: &'a VarTable,
    widths: Vec<Atom>,
    /// The sizes of the arrays of one dimension made outside of constructs.
    sizes: Vec<Var>,
    /// Those of arrays with equal elements.
    filled: Vec<Var>,
    /// The shapes of the arrays that constructs make, and of those of more dimensions.
    shapes: Vec<Vec<Atom>>,
    /// The shapes of the arrays into which constructs combine values.
    histograms: Vec<Vec<Atom>>,
}

impl<'a> Widths<'a> {
    fn of(vars: &'a VarTable, body: &Body) -> Widths<'a> {
        let (widths, sizes, filled, shapes, histograms) = Default::default();
        let mut found = Widths { vars, widths, sizes, filled, shapes, histograms };
        found.body(body);
        found
    }
}

impl Visit for Widths<'_> {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, binder: &Var) {
        let shape = &self.vars[*binder].ty.shape;
        match shape[..] {
            [size] => self.sizes.extend(size.var()),
            _ => self.shapes.push(shape.clone()),
        }
    }
    fn lambda(&mut self, _: &Lambda) {}
    fn stm(&mut self, stm: &Stm) {
        match &stm.exp {
            Exp::Slice(..) | Exp::Rearrange(..) => {}
            Exp::Screma(screma) => {
                let shapes = stm.binders.iter().map(|&binder| self.vars[binder].ty.shape.clone());
                let shapes: Vec<_> = shapes.filter(|shape| !shape.is_empty()).collect();
                let last = screma.post.as_ref().unwrap_or(&screma.map);
                for (sink, results, values) in screma.sink_ranges() {
                    if let Sink::Combine { .. } = sink {
                        let targets = stm.binders[results].iter();
                        self.histograms.extend(targets.map(|&binder| self.vars[binder].ty.shape.clone()));
                    }
                    // The values that a construct writes or combines are stored first.
                    if let Sink::Combine { .. } | Sink::Write { .. } = sink {
                        let rows = last.body.result[values].iter().filter_map(|value| value.var());
                        let rows = rows.map(|row| self.vars[row].ty.array_of(screma.width).shape);
                        self.shapes.extend(rows);
                    }
                }
                if !shapes.is_empty() {
                    self.shapes.push(vec![screma.width]);
                }
                self.shapes.extend(shapes);
            }
            exp => {
                if let Exp::Replicate { count: Atom::Var(size), .. } = exp {
                    self.filled.push(*size);
                }
                stm.binders.iter().for_each(|binder| self.binder(binder));
            }
        }
        self.exp(&stm.exp);
    }
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

/// The most dimensions of an array that has a context.
const MOST_DIMENSIONS: usize = 4;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Request {
    /// Bins, packed in this order.
    Bins(Order),
    /// Bins if they pay.
    IfTheyPay,
}

/// The statements of a construct in bins. `name` is that of the nest: the limits and counts that belong to it have it.
pub(super) fn in_bins(
    vars: &mut VarTable,
    cx: &mut Cx,
    stm: &Stm,
    name: &str,
    request: Request,
) -> Result<Vec<Stm>, Obstacle> {
    if cx.target.workgroup_bytes.is_none() {
        return Err(Obstacle::Missing(FAST_MEMORY, None));
    }
    let Exp::Screma(outer) = &stm.exp else { return Err(Obstacle::Missing(SCALAR_RESULTS, None)) };
    let (mut stm, mut screma) = (stm.clone(), Screma::clone(outer));
    let scans = before_nest(vars, &mut screma, &mut stm);
    let results = screma.map.body.result.iter();
    if let Some(array) = results.filter_map(|atom| atom.var()).find(|&var| !vars[var].ty.is_scalar()) {
        return Err(Obstacle::Missing(SCALAR_RESULTS, vars[array].hint));
    }
    let consumer = split_after_map(vars, &mut screma, &mut stm);
    let point = &screma.map;
    let early: FxHashSet<Var> =
        point.body.stms.iter().flat_map(|stm| &stm.binders).chain(&point.params).copied().collect();
    let found = Widths::of(vars, &point.body);
    let is_early = |atom: &&Atom| atom.var().is_some_and(|var| early.contains(&var));
    let width = *found.widths.iter().find(is_early).ok_or(Obstacle::Missing(INNER_WIDTH, None))?;
    let mut bound = Binders::default();
    bound.lambda(&screma.map);
    let is_known =
        |size: Atom| size.var().is_none_or(|size| early.contains(&size) || !bound.0.contains(&size));
    let mut shapes: Vec<Vec<Atom>> = Vec::new();
    for shape in found.shapes {
        let varies = shape.iter().any(|size| size.var().is_some()) || found.histograms.contains(&shape);
        let has_context = shape == [width] || shapes.contains(&shape);
        if varies
            && !has_context
            && shape.len() <= MOST_DIMENSIONS
            && shape.iter().all(|&size| is_known(size))
        {
            shapes.push(shape);
        }
    }
    let mut rows = found.sizes;
    rows.retain(|&size| {
        let size_of = Atom::Var(size);
        let is_made = early.contains(&size) || is_known(size_of) && found.filled.contains(&size);
        is_made && size_of != width && !shapes.contains(&vec![size_of])
    });
    rows.sort_unstable();
    rows.dedup();
    let height = || order::height(&point.body, width, &early);
    let (order, height) = match request {
        Request::Bins(order) => (sorted(cx, &stm, order, height), None),
        Request::IfTheyPay => {
            let height = height().ok_or(Obstacle::Missing(KNOWN_HEIGHT, None))?;
            (Sorted::Not, Some(height))
        }
    };
    let counted = if cx.counts_bins { order::rounds(&point.body, width, &is_known) } else { None };
    // The inspector finds the rounds of each point with its other sizes.
    let sizes_of_rows = rows.len();
    rows.extend(
        counted.and_then(Atom::var).filter(|rounds| bound.0.contains(rounds) && !rows.contains(rounds)),
    );

    let mut builder = Builder::resume(std::mem::take(vars));
    scans.into_iter().for_each(|stm| builder.push(stm));
    builder.set_origin(stm.origin.inside());
    let key = if let Sorted::ByKey(key) = order { Some(key) } else { None };
    let enabled = choice::enabled(&mut builder, name);
    let inspected = Inspected { width, rows: &rows, shapes: &shapes, key, height };
    let inspect = |builder: &mut Builder| inspector::sizes(builder, &screma, &inspected);
    let mut sizes = inspector::if_enabled(&mut builder, enabled, screma.width, inspect);
    let (widths, unfit) = (sizes.widths, sizes.others);
    let threads = cx.target.outer_points;
    let pays = sizes.totals.as_ref().map_or(enabled, |totals| {
        let pays = choice::pays(&mut builder, name, threads, screma.width, totals);
        builder.binary(BinOp::And, enabled, pays)
    });
    let chooses = sizes.totals.is_some().then_some(name);
    builder.begin();
    let key = if order == Sorted::ByWidth { Some(widths) } else { sizes.key };
    let order = key.map(|key| order::sort(&mut builder, screma.width, &mut sizes, key));
    let mut bins = inspector::pack(&mut builder, screma.width, sizes.taken);
    if cx.counts_bins {
        let place = |var: Var| rows.iter().position(|&row| row == var);
        let each = counted.and_then(Atom::var).and_then(place).and_then(|at| sizes.rows.get(at).copied());
        bins.first =
            inspector::count(&mut builder, name, bins.first, sizes.widths, each.map(Atom::Var).or(counted));
    }
    let mut elements = FxHashMap::default();
    for (&row, &lengths) in rows.iter().zip(&sizes.rows).take(sizes_of_rows) {
        elements.insert(row, inspector::row_elements(&mut builder, bins, screma.width, lengths));
    }
    let (mut builder, values) = bin(builder, cx, &screma, (width, shapes), (sizes, order), bins, elements)?;
    let results = from_bins(&mut builder, screma.width, order, bins, &values);
    let then = builder.end(results.iter().map(|&array| Atom::Var(array)).collect());
    let results = if_they_pay(&mut builder, pays, chooses, then);
    let exp = others::branch(&mut builder, &stm, &screma, (unfit, widths, pays), &results);
    let mut origin = stm.origin.clone();
    origin.add_rule(BINS);
    builder.set_origin(origin);
    builder.emit(stm.binders.clone(), exp);
    let mut stms;
    (*vars, stms) = builder.finish();
    stms.extend(consumer);
    Ok(stms)
}

/// If the nest is the code after the scans of a construct, as fusion leaves it, makes it a construct of its own. Returns the one with the
/// scans, which comes before it.
fn before_nest(vars: &mut VarTable, screma: &mut Screma, stm: &mut Stm) -> Option<Stm> {
    let has_constructs = |body: &Body| !Widths::of(vars, body).widths.is_empty();
    if has_constructs(&screma.map.body) || !has_constructs(&screma.post.as_ref()?.body) {
        return None;
    }
    let mut scans = stm.clone();
    let nest = split_after_scans(vars, screma, &mut scans)?;
    let Exp::Screma(second) = &nest.exp else { return None };
    scans.exp = Exp::Screma(Box::new(std::mem::replace(screma, Screma::clone(second))));
    *stm = nest;
    Some(scans)
}

/// Adds the branch that computes the values in bins if they pay, and otherwise makes room for them. If the program chooses between
/// versions, `name` is that of the nest.
fn if_they_pay(builder: &mut Builder, cond: Atom, name: Option<&str>, then: Body) -> Vec<Var> {
    let types: Vec<Type> = then.result.iter().map(|&array| builder.type_of(array)).collect();
    let otherwise =
        builder.body(|builder| types.iter().map(|array| builder.bind(array.clone(), Exp::Scratch)).collect());
    let mut origin = builder.origin().clone();
    origin.add_rule(BINS);
    origin.attributes.extend(name.map(versions_attribute));
    let before = builder.set_origin(origin);
    let results = builder.bind_many(types, Exp::If { cond, then, otherwise });
    builder.set_origin(before);
    results.into_iter().filter_map(Atom::var).collect()
}

/// How the points are sorted before they are packed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sorted {
    /// Not at all.
    Not,
    ByWidth,
    /// By another value of a point.
    ByKey(Atom),
}

/// How the points are sorted if the program asks for this order.
fn sorted(cx: &mut Cx, stm: &Stm, order: Order, height: impl FnOnce() -> Option<Atom>) -> Sorted {
    let sorted = match order {
        Order::Source => return Sorted::Not,
        Order::Width => Sorted::ByWidth,
        Order::Height => {
            let Some(height) = height() else {
                cx.refuse(ORDER, Refusal::of(KNOWN_HEIGHT).blame(None, stm.origin.place()), &stm.origin);
                return Sorted::Not;
            };
            Sorted::ByKey(height)
        }
    };
    if cx.fire(ORDER, &stm.origin) { sorted } else { Sorted::Not }
}

/// Adds the code that takes the value of each point from its bin, for each result of the source. If the points are sorted, it
/// undoes the permutation.
fn from_bins(builder: &mut Builder, count: Atom, order: Option<Var>, bins: Bins, values: &[Var]) -> Vec<Var> {
    let types = vec![Type::scalar(PrimType::I64); 2 + usize::from(order.is_some())];
    let map = builder.lambda(&types, |builder, params| {
        let first = builder.index(bins.first, vec![params[1]]);
        let place = builder.binary(BinOp::Sub, params[0], first);
        let values = values.iter().map(|&array| builder.index(array, vec![params[1], place]));
        values.flat_map(|value| params.get(2).copied().into_iter().chain([value])).collect()
    });
    let mut sources =
        vec![Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) }, Source::Array(bins.home)];
    sources.extend(order.map(Source::Array));
    let sinks = values.iter().map(|&array| match order {
        None => Sink::Map,
        Some(_) => {
            let elem = Type::scalar(builder.vars()[array].ty.elem);
            let target = builder.bind(elem.array_of(count), Exp::Scratch);
            Sink::Write { target: target.var().unwrap_or(array), rank: 1 }
        }
    });
    let sinks = sinks.collect();
    builder.screma(count, sources, map, sinks).into_iter().filter_map(Atom::var).collect()
}

/// The construct over bins. Returns an array for each result of the source, with the values of the points of each bin.
fn bin(
    mut builder: Builder,
    cx: &mut Cx,
    screma: &Screma,
    (width, shapes): (Atom, Vec<Vec<Atom>>),
    (sizes, order): (Sizes, Option<Var>),
    bins: Bins,
    rows: FxHashMap<Var, Atom>,
) -> Result<(Builder, Vec<Var>), Obstacle> {
    let bin = builder.fresh(None, Type::scalar(PrimType::I64));
    builder.begin();
    let (first, points) = inspector::points_of(&mut builder, bins, screma.width, Atom::Var(bin));
    let mut members = Members::new(&mut builder, sizes.widths, (first, points));
    let of_width = Context::new(&mut builder, vec![width], LANES, sizes.widths, order, &members);
    members.indices = of_width.1;
    let mut contexts = vec![of_width.0];
    for (shape, &counts) in shapes.into_iter().zip(&sizes.counts) {
        contexts.push(Context::new(&mut builder, shape, ELEMENTS, counts, None, &members).0);
    }
    let mut bound = Binders::default();
    bound.lambda(&screma.map);
    let mut lifted = FxHashMap::default();
    for (&param, source) in screma.map.params.iter().zip(&screma.sources) {
        lifted.insert(param, Lifted::Input(source.clone()));
    }
    for context in &contexts {
        if let [Atom::Var(size)] = context.sizes[..]
            && bound.0.contains(&size)
        {
            lifted.insert(size, Lifted::Points(context.shape));
        }
    }
    let mut code = Code {
        builder,
        cx,
        members,
        contexts,
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
