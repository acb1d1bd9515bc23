//! # sort-points: points of like shape become neighbours
//!
//! ## Rule
//!
//! ```text
//!   let ys = screma n { from xs map \x -> { … w … t … loop … for i < t … { … screma w { … } … } in y } to map }
//!   ------------------------------------------------------------------------------------------------------------
//!   let order = if enabled { let keys = screma n { from xs map \x -> { … w … t … in key w t } to map }
//!                            in if it pays { the points, the greatest keys first } else { iota n } }
//!               else { iota n }
//!   let s = scratch
//!   let ys = screma n { from order map \p -> { let x = xs[p] … in (p, y) } to write s }
//! ```
//!
//! * *sort-points*: points that loop over arrays of their own are sorted by the width of these arrays, and by the number of rounds if
//!   the widths are equal, 1024 neighbouring points at a time.
//!
//! Points that are neighbours run together in the lanes of vectors if their inner loops have the same lengths. A lane whose point has
//! fewer rounds waits for the others.
//!
//! It pays if a point computes enough, and if neighbours differ. The limit `work` is the mean number of elements in all rounds of a
//! point from which it computes enough.
//!
//! ## Requires
//!
//! The map is code of an entry function, outside of all loops, and has scalar results. The width `w` of a construct in a loop, and
//! the number of rounds `t` of this loop, are computed before all branches and loops of a point.
//!
//! ## Ensures
//!
//! Every value is computed as before. If a point fails, the failure need not be that of the first point; so the runtime runs a call that
//! fails again, with the limit `enabled` at 0, and the points run in the order of the source.
//!
//! ## Leaves alone
//!
//! Machines that compute points one by one. Constructs with an attribute that asks for a version. Points that trace, or call
//! functions, which may trace.
//!
//! ## Costs
//!
//! The sizes of a point are computed twice. Sorting takes 1024 comparisons a point, in lanes.
//!
//! ## Source
//!
//! Options sorted by the heights and widths of their trees: Hlava and Metaksov, "Accelerated Interest Rate Option Pricing using Trinomial
//! Trees" (MSc thesis, DIKU, 2018).
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, ws: [n]i64, ts: [n]i64, xs: [n]f64) -> (out: [n]f64) = {
//!   let rs: [n]f64 = screma n {
//!     from ws, ts, xs
//!     map \(w: i64, t: i64, x: f64) -> {
//!       let as: [w]f64 = replicate w x
//!       let bs: [w]f64 = loop (cs: [w]f64 = as) for i: i64 < t do {
//!         let ds: [w]f64 = screma w {
//!           from cs
//!           map \(c: f64) -> {
//!             let d: f64 = add c x
//!             in d
//!           }
//!           to map
//!         }
//!         in ds
//!       }
//!       let r: f64 = screma w {
//!         from bs
//!         map \(b: f64) -> b
//!         to reduce \(p: f64, q: f64) -> {
//!           let s: f64 = add p q
//!           in s
//!         } (0.0f64)
//!       }
//!       in r
//!     }
//!     to map
//!   }
//!   in rs
//! }
//! entry main = main (n, ws, ts, xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, ws_1: [n_0]i64, ts_2: [n_0]i64, xs_3: [n_0]f64) -> (out_4: [n_0]f64) = {
//!   let v5: i64 = param "main.sorted0.enabled" 1
//!   let v6: bool = lt 0i64 v5
//!   let v7: i64 = param "main.sorted0.work" 1024
//!   let v8: [n_0]i64 = if v6 then {
//!     let (v9: [n_0]i64, v10: i64) = screma n_0 {
//!       from ws_1, ts_2
//!       map \(w_11: i64, t_12: i64) -> {
//!         let v13: i64 = max w_11 0i64
//!         let v14: i64 = min v13 1048575i64
//!         let v15: i64 = max t_12 0i64
//!         let v16: i64 = min v15 1048575i64
//!         let v17: i64 = mul v14 1048576i64
//!         let v18: i64 = add v17 v16
//!         let v19: i64 = mul v14 v16
//!         in (v18, v19)
//!       }
//!       to map
//!       to reduce commutative \(v20: i64, v21: i64) -> {
//!         let v22: i64 = add v20 v21
//!         in v22
//!       } (0i64)
//!     }
//!     let v23: i64 = screma n_0 {
//!       from iota 0i64 1i64, v9
//!       map \(v24: i64, v25: i64) -> {
//!         let v26: i64 = sub v24 1i64
//!         let v27: i64 = max v26 0i64
//!         let v28: i64 = v9[v27]
//!         let v29: bool = ne v28 v25
//!         let v30: i64 = convert i64 v29
//!         in v30
//!       }
//!       to reduce commutative \(v31: i64, v32: i64) -> {
//!         let v33: i64 = add v31 v32
//!         in v33
//!       } (0i64)
//!     }
//!     let v34: i64 = mul n_0 v7
//!     let v35: bool = le v34 v10
//!     let v36: i64 = mul v23 8i64
//!     let v37: bool = lt n_0 v36
//!     let v38: bool = and v35 v37
//!     let v39: [n_0]i64 = #[versions(main.sorted0)] if v38 then {
//!       let v40: [n_0]i64 = scratch
//!       let v41: [n_0]i64 = screma n_0 {
//!         from iota 0i64 1i64
//!         map \(v42: i64) -> {
//!           let start_43: i64 = and v42 -1024i64
//!           let rest_44: i64 = sub n_0 start_43
//!           let count_45: i64 = min rest_44 1024i64
//!           let own_46: i64 = v9[v42]
//!           let sorted_47: i64 = loop (before_48: i64 = start_43) for j_49: i64 < count_45 do {
//!             let other_50: i64 = add start_43 j_49
//!             let theirs_51: i64 = v9[other_50]
//!             let is_greater_52: bool = lt own_46 theirs_51
//!             let is_same_53: bool = eq own_46 theirs_51
//!             let is_earlier_54: bool = lt other_50 v42
//!             let is_tie_55: bool = and is_same_53 is_earlier_54
//!             let precedes_56: bool = or is_greater_52 is_tie_55
//!             let one_57: i64 = convert i64 precedes_56
//!             let more_58: i64 = add before_48 one_57
//!             in more_58
//!           }
//!           in (sorted_47, v42)
//!         }
//!         to write v40 rank 1
//!       }
//!       in v41
//!     } else {
//!       let v59: [n_0]i64 = iota n_0 0i64 1i64
//!       in v59
//!     }
//!     in v39
//!   } else {
//!     let v60: [n_0]i64 = iota n_0 0i64 1i64
//!     in v60
//!   }
//!   let v61: [n_0]f64 = scratch
//!   let rs_62: [n_0]f64 = screma n_0 {
//!     from v8
//!     map \(v63: i64) -> {
//!       let v64: i64 = ws_1[v63]
//!       let w_65: i64 = v64
//!       let v66: i64 = ts_2[v63]
//!       let t_67: i64 = v66
//!       let v68: f64 = xs_3[v63]
//!       let x_69: f64 = v68
//!       let as_70: [w_65]f64 = replicate w_65 x_69
//!       let bs_71: [w_65]f64 = loop (cs_72: [w_65]f64 = as_70) for i_73: i64 < t_67 do {
//!         let ds_74: [w_65]f64 = screma w_65 {
//!           from cs_72
//!           map \(c_75: f64) -> {
//!             let d_76: f64 = add c_75 x_69
//!             in d_76
//!           }
//!           to map
//!         }
//!         in ds_74
//!       }
//!       let r_77: f64 = screma w_65 {
//!         from bs_71
//!         map \(b_78: f64) -> b_78
//!         to reduce \(p_79: f64, q_80: f64) -> {
//!           let s_81: f64 = add p_79 q_80
//!           in s_81
//!         } (0.0f64)
//!       }
//!       in (v63, r_77)
//!     }
//!     to write v61 rank 1
//!   }
//!   in rs_62
//! }
//! entry main = main (n_0, ws_1, ts_2, xs_3) -> (out_4)
//! ```

use ravel_base::Symbol;
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{
    Atom, Body, Builder, Exp, Function, Lambda, Loop, LoopForm, Program, Screma, Sink, Source, Stm, Type,
    Var, VarTable, any_statement, copy_lambda, free_in_body, versions_attribute,
};
use ravel_prim::{BinOp, CmpOp, PrimType};
use rustc_hash::FxHashSet;

use crate::bins::{at_points, place_in_order};
use crate::flatten::{asks_for_version, limit, split_after_map};
use crate::simplify::dead;
use crate::{Cx, Pass};

/// The pass `sort-points`: its rule, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "sort-points",
    about: "Makes points of like shape neighbours, so that they run in the lanes of vectors.",
    rules: &[SORT_POINTS],
    premises: &[],
    run,
};

pub(crate) const SORT_POINTS: &str = "sort-points";

/// The default of the limit `work`. An element takes about a nanosecond, and sorting a few hundred for each point.
const WORK: i64 = 1024;
/// The greatest width and number of rounds that are told apart.
const MOST: i64 = 1 << 20;
/// It pays if neighbours differ more often than once in so many points, as many as there are lanes of f64 in the largest vectors.
const ALIKE: i64 = 8;

fn run(program: &mut Program, cx: &mut Cx) {
    if cx.target.vector_bits <= 1 {
        return;
    }
    let entries: Vec<Symbol> = program.entries.iter().map(|entry| entry.function).collect();
    for Function { name, vars, body, .. } in &mut program.functions {
        if entries.contains(name) {
            Sorter { vars, cx, function: *name, nests: 0 }.body(body);
        }
    }
}

/// Walks code outside of constructs and loops.
struct Sorter<'a> {
    vars: &'a mut VarTable,
    cx: &'a mut Cx,
    /// The name of the function.
    function: Symbol,
    /// The number of its nests that have been sorted.
    nests: usize,
}

impl VisitMut for Sorter<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}
    fn lambda(&mut self, _: &mut Lambda) {}

    fn body(&mut self, body: &mut Body) {
        self.cx.count_visits(body.stms.len());
        for mut stm in std::mem::take(&mut body.stms) {
            match &mut stm.exp {
                Exp::Screma(_) => body.stms.extend(self.nest(stm)),
                Exp::Loop(_) => body.stms.push(stm),
                exp => {
                    self.exp(exp);
                    body.stms.push(stm);
                }
            }
        }
    }
}

impl Sorter<'_> {
    /// The statements of a construct, sorted if its points have shapes.
    fn nest(&mut self, stm: Stm) -> Vec<Stm> {
        let Exp::Screma(screma) = &stm.exp else { return vec![stm] };
        let Some(shape) =
            Shape::of(screma).filter(|_| !asks_for_version(&stm) && !may_trace(&screma.map.body))
        else {
            return vec![stm];
        };
        let (mut map, mut screma) = (stm.clone(), Screma::clone(screma));
        let mut vars = self.vars.clone();
        let consumer = split_after_map(&mut vars, &mut screma, &mut map);
        let is_scalar = |atom: &Atom| atom.var().is_none_or(|var| vars[var].ty.is_scalar());
        if !screma.map.body.result.iter().all(is_scalar) || !self.cx.fire(SORT_POINTS, &stm.origin) {
            return vec![stm];
        }
        let mut builder = Builder::resume(vars);
        builder.set_origin(map.origin.inside());
        let nest = format!("{}.sorted{}", self.function, self.nests);
        self.nests += 1;
        let order = order(&mut builder, &screma, &shape, &nest);
        let lambda = at_points(&mut builder, &screma, |_, point| point);
        let sinks = map.binders.iter().map(|&binder| {
            let ty = builder.vars()[binder].ty.clone();
            Sink::Write { target: bind(&mut builder, ty, Exp::Scratch), rank: 1 }
        });
        let written = Screma {
            width: screma.width,
            sources: vec![Source::Array(order)],
            sinks: sinks.collect(),
            map: lambda,
            scans: Vec::new(),
            post: None,
        };
        map.origin.add_rule(SORT_POINTS);
        builder.set_origin(map.origin);
        builder.emit(map.binders, Exp::Screma(Box::new(written)));
        let mut stms;
        (*self.vars, stms) = builder.finish();
        stms.extend(consumer);
        stms
    }
}

/// The sizes on which the time of a point depends, which are bound before all branches and loops of the point.
struct Shape {
    /// The width of a construct in a loop.
    width: Var,
    /// The number of rounds of this loop.
    rounds: Atom,
}

impl Shape {
    /// That of the first such loop of a point, if there is one.
    fn of(screma: &Screma) -> Option<Shape> {
        let point = &screma.map;
        let early: FxHashSet<Var> =
            point.body.stms.iter().flat_map(|stm| &stm.binders).chain(&point.params).copied().collect();
        let mut search = Search { early: &early, shape: None };
        search.body(&point.body);
        search.shape
    }
}

struct Search<'a> {
    early: &'a FxHashSet<Var>,
    shape: Option<Shape>,
}

impl Search<'_> {
    /// A width of a construct in this body that is bound early, outside of other constructs.
    fn width(&self, body: &Body) -> Option<Var> {
        body.stms.iter().find_map(|stm| match &stm.exp {
            Exp::Screma(screma) => screma.width.var().filter(|width| self.early.contains(width)),
            Exp::Loop(looped) => self.width(&looped.body),
            Exp::If { then, otherwise, .. } => self.width(then).or_else(|| self.width(otherwise)),
            _ => None,
        })
    }
}

impl Visit for Search<'_> {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}
    fn lambda(&mut self, _: &Lambda) {}

    fn exp(&mut self, exp: &Exp) {
        match exp {
            Exp::Loop(Loop { form: LoopForm::For { bound, .. }, body, .. }) if self.shape.is_none() => {
                let is_early = bound.var().is_none_or(|bound| self.early.contains(&bound));
                self.shape =
                    self.width(body).filter(|_| is_early).map(|width| Shape { width, rounds: *bound });
            }
            Exp::If { then, otherwise, .. } => {
                self.body(then);
                self.body(otherwise);
            }
            _ => {}
        }
    }
}

/// Whether code may show values while it runs, itself or in the functions that it calls.
fn may_trace(body: &Body) -> bool {
    any_statement(body, &|stm| stm.trace_label().is_some() || matches!(stm.exp, Exp::Call(_)))
}

/// Adds the code that sorts the points if it pays. Returns their order.
fn order(builder: &mut Builder, screma: &Screma, shape: &Shape, nest: &str) -> Var {
    let count = screma.width;
    let enabled = limit(builder, nest, "enabled", 1);
    let enabled = builder.compare(CmpOp::Lt, Atom::i64(0), enabled);
    let work = limit(builder, nest, "work", WORK);
    let array = Type::scalar(PrimType::I64).array_of(count);
    let in_source_order = |builder: &mut Builder| {
        let exp = Exp::Iota { count, start: Atom::i64(0), stride: Atom::i64(1) };
        vec![builder.bind(array.clone(), exp)]
    };
    let sorted = builder.body(|builder| {
        let (keys, total) = keys(builder, screma, shape);
        let differing = differing(builder, count, keys);
        let least = builder.binary(BinOp::Mul, count, work);
        let is_enough = builder.compare(CmpOp::Le, least, total);
        let weighted = builder.binary(BinOp::Mul, differing, Atom::i64(ALIKE));
        let is_mixed = builder.compare(CmpOp::Lt, count, weighted);
        let pays = builder.binary(BinOp::And, is_enough, is_mixed);
        let then = builder.body(|builder| vec![Atom::Var(sort(builder, count, keys))]);
        let otherwise = builder.body(in_source_order);
        let mut origin = builder.origin().clone();
        origin.add_rule(SORT_POINTS);
        origin.attributes.push(versions_attribute(nest));
        let before = builder.set_origin(origin);
        let order = builder.bind(array.clone(), Exp::If { cond: pays, then, otherwise });
        builder.set_origin(before);
        vec![order]
    });
    let otherwise = builder.body(in_source_order);
    bind(builder, array, Exp::If { cond: enabled, then: sorted, otherwise })
}

/// Adds the map that computes the key of each point. Returns the keys, and the number of elements in all rounds of all points.
fn keys(builder: &mut Builder, screma: &Screma, shape: &Shape) -> (Var, Atom) {
    let mut lambda = screma.map.clone();
    lambda.body.result = vec![Atom::Var(shape.width), shape.rounds];
    dead::slice(builder.vars(), &mut lambda.body);
    let mut lambda = copy_lambda(builder.vars_mut(), &lambda);
    let used = free_in_body(builder.vars(), &lambda.body);
    let both = lambda.params.iter().copied().zip(screma.sources.iter().cloned());
    let (params, sources) = both.filter(|(param, _)| used.contains(param)).unzip();
    lambda.params = params;
    builder.begin();
    lambda.body.stms.into_iter().for_each(|stm| builder.push(stm));
    let sizes: Vec<Atom> = lambda.body.result.into_iter().map(|size| bounded(builder, size)).collect();
    let high = builder.binary(BinOp::Mul, sizes[0], Atom::i64(MOST));
    let key = builder.binary(BinOp::Add, high, sizes[1]);
    let work = builder.binary(BinOp::Mul, sizes[0], sizes[1]);
    lambda.body = builder.end(vec![key, work]);
    let sum = sum(builder);
    let results = builder.screma(screma.width, sources, lambda, vec![Sink::Map, sum]);
    let [Atom::Var(keys), total] = results[..] else { unreachable!("an array and a sum") };
    (keys, total)
}

/// A size as `i64`, at least 0 and at most [`MOST`].
fn bounded(builder: &mut Builder, size: Atom) -> Atom {
    let size = match builder.type_of(size).elem {
        PrimType::I64 => size,
        _ => builder.convert(PrimType::I64, size),
    };
    let size = builder.binary(BinOp::Max, size, Atom::i64(0));
    builder.binary(BinOp::Min, size, Atom::i64(MOST - 1))
}

/// Adds the number of points whose key is not that of the point before.
fn differing(builder: &mut Builder, count: Atom, keys: Var) -> Atom {
    let i64 = Type::scalar(PrimType::I64);
    let map = builder.lambda(&[i64.clone(), i64], |builder, params| {
        let before = builder.binary(BinOp::Sub, params[0], Atom::i64(1));
        let before = builder.binary(BinOp::Max, before, Atom::i64(0));
        let other = builder.index(keys, vec![before]);
        let differs = builder.compare(CmpOp::Ne, other, params[1]);
        vec![builder.convert(PrimType::I64, differs)]
    });
    let sources = vec![Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) }, Source::Array(keys)];
    let sum = sum(builder);
    builder.screma(count, sources, map, vec![sum])[0]
}

fn sum(builder: &mut Builder) -> Sink {
    let op = builder.operator(BinOp::Add, PrimType::I64);
    Sink::Reduce { op, neutral: vec![Atom::i64(0)], commutative: true }
}

/// Adds the code that sorts the points by these keys. Returns their order.
fn sort(builder: &mut Builder, count: Atom, keys: Var) -> Var {
    let i64 = Type::scalar(PrimType::I64);
    let map = builder.lambda(std::slice::from_ref(&i64), |builder, params| {
        vec![place_in_order(builder, count, keys, params[0]), params[0]]
    });
    let target = bind(builder, i64.array_of(count), Exp::Scratch);
    let sources = vec![Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) }];
    let results = builder.screma(count, sources, map, vec![Sink::Write { target, rank: 1 }]);
    results[0].var().unwrap_or(target)
}

/// Binds a new variable.
fn bind(builder: &mut Builder, ty: Type, exp: Exp) -> Var {
    let var = builder.fresh(None, ty);
    builder.emit(vec![var], exp);
    var
}
