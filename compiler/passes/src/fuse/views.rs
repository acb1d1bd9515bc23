//! # fuse-views: push slices, transposes and reshapes from a map's result to its inputs
//!
//! ## Rule
//!
//! ```text
//!   let xs = screma n { from as, iota a b map f to map }
//!   stms
//!   let v = slice xs[s : m : k]
//!   ------------------------------------------------------------------
//!   stms
//!   let as' = slice as[s : m : k]
//!   let v = screma m { from as', iota (a + s * b) (k * b) map f to map }
//! ```
//!
//! * *map-slice*: a slice of a mapped array becomes a map of slices.
//! * *map-rearrange*: a permutation of a mapped array's dimensions becomes a map of permuted arrays.
//! * *map-reshape*: a reshaped mapped array becomes a map of reshaped arrays.
//! * *map-check*: a check that gives a mapped array another outer size becomes a check of the map's inputs.
//!
//! If a view affects inner dimensions, `xs` is the result of nested maps. These are treated as one space of
//! several dimensions ([`nest`]), and the view is applied to the space ([`transform`]):
//!
//! ```text
//!   let xs = screma n { from as map \(a) -> { let r = screma m { from a map f to map } in r } to map }
//!   let v = rearrange xs (1, 0)
//!   --------------------------------------------------------------------------------------------------
//!   let as' = rearrange as (1, 0)
//!   let v = screma m { from as' map \(a) -> { let r = screma n { from a map f to map } in r } to map }
//! ```
//!
//! ## Requires
//!
//! * *one-map*: the viewed array is produced by a construct that only maps.
//! * *used-once*: the view is the only use of the array.
//! * *same-view*: every result of the producer is read through the same view.
//! * *no-repeat*, of map-slice: the strides are constants other than 0, so that nothing is computed twice.
//! * *perfect-nest*: the maps are perfectly nested, as deep as the view has dimensions. In map-reshape, if
//!   dimensions are split or joined, the sources vary along all of them.
//! * *outer-size*, of map-check: the check changes only the outer size in the type of the array, not the sizes
//!   of its rows.
//! * *checked-source*, of map-check and map-slice: the maps have a source, which can carry the checks of the view. A
//!   map without a source would run even if the checks fail.
//! * *pointwise*, of map-rearrange, map-reshape and map-check: the second reads the array element by
//!   element, each at its own point. The construct reads the view, or a view of it.
//! * *no-consumption-between*: every statement between the two can move past them; a consumption of an array may
//!   prevent that.
//!
//! ## Ensures
//!
//! Fusion finds producers by name, so a view hides the producer. After this rule, the sum of a reversed map is one
//! traversal, and so are column sums of a mapped matrix and the sum of a flattened table. Indexing in the map
//! depends on the checks of the view (`guard.rs`). Elements outside of the view are not computed, and none is
//! computed twice.
//!
//! ## Leaves alone
//!
//! Views that no construct reads, single rows, and arrays with several views, such as the shifted arrays of a
//! stencil, because each view would compute its elements again. A map that can still be fused with its producer
//! waits for `fuse-vertical`. Otherwise, in a chain of maps with a view after each, every view would move
//! through all maps before it. This way every second view moves through one map, fusion halves the chain, and
//! adjacent views become one.
//!
//! ## Costs
//!
//! In flattened maps an element finds its row by a division. As long as this pass fires, fusion starts over
//! ([`crate::Step`]). Constructs created in a round wait for the next, so there are as many rounds as views
//! that move through one map after the other. Linear in the function once a round.
//!
//! ## Source
//!
//! Index functions of views as in Henriksen et al., "Futhark: Purely Functional GPU-Programming with Nested
//! Parallelism and In-Place Array Updates" (PLDI 2017), where fusion also moves transformations of the input
//! through the operator. Interchange of nested maps is known from vectorising compilers: Allen and Kennedy,
//! "Automatic Loop Interchange" (PLDI 1984).
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, m: i64, c: bool, xs: [n]i32, xss: [n][m]i32) -> (out1: [m]i32, out2: i32, out3: [m]i32, out4: i32) = {
//!   let as: [n]i32 = screma n { from xs map \(a: i32) -> { let b: i32 = mul a a in b } to map }
//!   let v: [m]i32 = slice as[9 : m : -2]
//!   let ds: [n]i32 = screma n { from xs map \(d: i32) -> { let e: i32 = neg d in e } to map }
//!   let w: [m]i32 = assert c (ds) "another size"
//!   let s: i32 = screma m { from w map \(f: i32) -> f to reduce \(g: i32, h: i32) -> { let i: i32 = add g h in i } (0i32) }
//!   let gs: [n][m]i32 = screma n {
//!     from xss
//!     map \(row: [m]i32) -> {
//!       let r: [m]i32 = screma m { from row map \(j: i32) -> { let k: i32 = add j 1i32 in k } to map }
//!       in r
//!     }
//!     to map
//!   }
//!   let cols: [m][n]i32 = rearrange gs (1, 0)
//!   let most: [m]i32 = screma m {
//!     from cols
//!     map \(col: [n]i32) -> {
//!       let l: i32 = screma n { from col map \(o: i32) -> o to reduce \(p: i32, q: i32) -> { let t: i32 = max p q in t } (0i32) }
//!       in l
//!     }
//!     to map
//!   }
//!   let hs: [n][m]i32 = screma n {
//!     from xss
//!     map \(line: [m]i32) -> {
//!       let u: [m]i32 = screma m { from line map \(x: i32) -> { let y: i32 = mul x x in y } to map }
//!       in u
//!     }
//!     to map
//!   }
//!   let nm: i64 = mul n m
//!   let flat: [nm]i32 = reshape hs
//!   let z: i32 = screma nm { from flat map \(a1: i32) -> a1 to reduce \(b1: i32, c1: i32) -> { let d1: i32 = add b1 c1 in d1 } (0i32) }
//!   in (v, s, most, z)
//! }
//! entry main = main (c, xs, xss) -> (out1, out2, out3, out4)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, c_2: bool, xs_3: [n_0]i32, xss_4: [n_0][m_1]i32) -> (out1_5: [m_1]i32, out2_6: i32, out3_7: [m_1]i32, out4_8: i32) = {
//!   let v9: [m_1]i32 = slice xs_3[9i64 : m_1 : -2i64]
//!   let v_10: [m_1]i32 = screma m_1 {
//!     from v9
//!     map \(a_11: i32) -> {
//!       let b_12: i32 = mul a_11 a_11
//!       in b_12
//!     }
//!     to map
//!   }
//!   let xs_13: [m_1]i32 = assert c_2 (xs_3) "another size"
//!   let w_14: [m_1]i32 = screma m_1 {
//!     from xs_13
//!     map \(d_15: i32) -> {
//!       let e_16: i32 = neg d_15
//!       in e_16
//!     }
//!     to map
//!   }
//!   let s_17: i32 = screma m_1 {
//!     from w_14
//!     map \(f_18: i32) -> f_18
//!     to reduce \(g_19: i32, h_20: i32) -> {
//!       let i_21: i32 = add g_19 h_20
//!       in i_21
//!     } (0i32)
//!   }
//!   let v22: [m_1][n_0]i32 = rearrange xss_4 (1, 0)
//!   let cols_23: [m_1][n_0]i32 = screma m_1 {
//!     from v22
//!     map \(j_24: [n_0]i32) -> {
//!       let v25: [n_0]i32 = screma n_0 {
//!         from j_24
//!         map \(j_26: i32) -> {
//!           let k_27: i32 = add j_26 1i32
//!           in k_27
//!         }
//!         to map
//!       }
//!       in v25
//!     }
//!     to map
//!   }
//!   let most_28: [m_1]i32 = screma m_1 {
//!     from cols_23
//!     map \(col_29: [n_0]i32) -> {
//!       let l_30: i32 = screma n_0 {
//!         from col_29
//!         map \(o_31: i32) -> o_31
//!         to reduce \(p_32: i32, q_33: i32) -> {
//!           let t_34: i32 = max p_32 q_33
//!           in t_34
//!         } (0i32)
//!       }
//!       in l_30
//!     }
//!     to map
//!   }
//!   let nm_35: i64 = mul n_0 m_1
//!   let v36: [nm_35]i32 = reshape xss_4
//!   let flat_37: [nm_35]i32 = screma nm_35 {
//!     from v36
//!     map \(x_38: i32) -> {
//!       let y_39: i32 = mul x_38 x_38
//!       in y_39
//!     }
//!     to map
//!   }
//!   let z_40: i32 = screma nm_35 {
//!     from flat_37
//!     map \(a1_41: i32) -> a1_41
//!     to reduce \(b1_42: i32, c1_43: i32) -> {
//!       let d1_44: i32 = add b1_42 c1_43
//!       in d1_44
//!     } (0i32)
//!   }
//!   in (v_10, s_17, most_28, z_40)
//! }
//! entry main = main (c_2, xs_3, xss_4) -> (out1_5, out2_6, out3_7, out4_8)
//! ```

mod guard;
pub mod nest;
mod premises;
mod readers;
pub mod transform;

use std::cell::OnceCell;

use ravel_core::visit::VisitMut;
use ravel_core::{Atom, Body, Builder, DimSlice, Exp, Function, Origin, Program, Stm, Uses, Var, VarTable};

use super::engine::{Round, has, repeat_rounds};
use super::graph::{Facts, Graph, Node, StatementsBetween};
use super::{NO_CONSUMPTION_BETWEEN, POINTWISE, vertical};
use crate::simplify::Check;
use crate::{Cx, Pass, Premise, Refusal};
use guard::{Checks, guard};
use nest::{Elements, Nest};
use readers::{Readers, ViewedProducer, may_be_view, unchanged_dimensions, view};

/// The pass `fuse-views`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "fuse-views",
    about: "Pushes slices, transposes and reshapes from a map's result to its inputs.",
    rules: &[SLICE, REARRANGE, RESHAPE, CHECK],
    premises: &[
        ONE_MAP,
        USED_ONCE,
        SAME_VIEW,
        NO_REPEAT,
        PERFECT_NEST,
        OUTER_SIZE,
        CHECKED_SOURCE,
        POINTWISE,
        NO_CONSUMPTION_BETWEEN,
    ],
    run,
};

const SLICE: &str = "map-slice";
const REARRANGE: &str = "map-rearrange";
const RESHAPE: &str = "map-reshape";
const CHECK: &str = "map-check";

const ONE_MAP: Premise = Premise {
    name: "one-map",
    about: "the viewed array is produced by a construct that only maps",
    otherwise: "{} is not produced by a map alone",
};

const USED_ONCE: Premise = Premise {
    name: "used-once",
    about: "the view is the only use of the array",
    otherwise: "{} is read through a view here, and has another use",
};

const SAME_VIEW: Premise = Premise {
    name: "same-view",
    about: "every result of the producer is read through the same view",
    otherwise: "{} is read through a view here, but another result of its producer is not",
};

const NO_REPEAT: Premise = Premise {
    name: "no-repeat",
    about: "the strides are constants other than 0, so that nothing is computed twice",
    otherwise: "{} is sliced here",
};

const PERFECT_NEST: Premise = Premise {
    name: "perfect-nest",
    about: "the maps are perfectly nested, as deep as the view has dimensions",
    otherwise: "{} is read through a view here that has more dimensions than its maps",
};

const OUTER_SIZE: Premise = Premise {
    name: "outer-size",
    about: "the check changes only the outer size in the type of the array, not the sizes of its rows",
    otherwise: "the rows of {} get another size here",
};

const CHECKED_SOURCE: Premise = Premise {
    name: "checked-source",
    about: "the maps have a source, which can carry the checks of the view",
    otherwise: "{} is checked here, and its producer has no source that can wait for the check",
};

fn run(program: &mut Program, cx: &mut Cx) {
    repeat_rounds(program, cx, has_candidates, |function, facts, cx, round| {
        let (uses, checks) = (Uses::of(function), Checks::of(function));
        let Function { vars, body, .. } = function;
        ViewPusher { vars, facts, uses: &uses, checks: &checks, cx, round }.body(body);
    });
}

/// Whether the body has a construct and a view.
fn has_candidates(body: &Body) -> bool {
    has(body, 1, |exp| matches!(exp, Exp::Screma(_))) && has(body, 1, may_be_view)
}

struct ViewPusher<'a> {
    vars: &'a mut VarTable,
    facts: &'a Facts<'a>,
    uses: &'a Uses,
    checks: &'a Checks,
    cx: &'a mut Cx,
    round: &'a mut Round,
}

impl VisitMut for ViewPusher<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        if has_candidates(body) {
            self.cx.count_visits(body.stms.len());
            let mut graph = Graph::of(self.vars, self.facts, body);
            let readers = Readers::of(&graph);
            for at in 0..graph.positions() {
                if let Some(viewed) = self.viewed_producer(&graph, &readers, at) {
                    self.push(&mut graph, &readers, &viewed);
                }
            }
            body.stms = graph.finish();
        }
        for stm in &mut body.stms {
            if !self.round.is_new(stm) {
                self.stm(stm);
            }
        }
    }
}

impl ViewPusher<'_> {
    /// The construct whose result the statement at a position views, if that statement is the first view of its
    /// results.
    fn viewed_producer(&self, graph: &Graph, readers: &Readers, at: usize) -> Option<ViewedProducer> {
        let stm = &graph.node(at)?.stm;
        let maker = |array: Var| graph.node(graph.position(array)?).filter(|node| node.screma().is_some());
        let (rule, array) = view(self.vars, stm, &|array| maker(array).is_some())?;
        let (producer, made) = (graph.position(array)?, &maker(array)?.stm);
        if self.round.is_new(made) || vertical::can_fuse(self.vars, graph, producer) {
            return None;
        }
        let is_same_view = |result: Var, other: usize| {
            graph.node(other).is_some_and(|other| self.is_same_view(&stm.exp, stm, &other.stm, result))
        };
        let mut views = Vec::new();
        let mut names = Vec::new();
        for &result in &made.binders {
            let found = match &stm.exp {
                Exp::Assert { values, .. } => {
                    values.iter().position(|&value| value == Atom::Var(result)).map(|value| (at, value))
                }
                _ if result == array => Some((at, 0)),
                _ => {
                    let reader = readers.position(graph, result);
                    reader.filter(|&other| is_same_view(result, other)).map(|other| (other, 0))
                }
            };
            if let Some((view, value)) = found {
                views.push(view);
                names.extend(graph.node(view).map(|node| node.stm.binders[value]));
            }
        }
        views.sort_unstable();
        views.dedup();
        (views.first() == Some(&at)).then_some(ViewedProducer { rule, array, producer, views, names })
    }

    /// Whether two statements apply the same view to their arrays.
    fn is_same_view(&self, exp: &Exp, stm: &Stm, other: &Stm, array: Var) -> bool {
        match (exp, &other.exp) {
            (Exp::Slice(_, dims), Exp::Slice(viewed, others)) => *viewed == array && dims == others,
            (Exp::Rearrange(_, perm), Exp::Rearrange(viewed, others)) => *viewed == array && perm == others,
            (Exp::Reshape(_), Exp::Reshape(viewed)) => {
                let shape = |stm: &Stm| &self.vars[stm.binders[0]].ty.shape;
                *viewed == array && shape(stm) == shape(other)
            }
            _ => false,
        }
    }

    /// The number of outer dimensions that a view changes.
    fn depth(&self, stm: &Stm, array: Var) -> usize {
        let shape = &self.vars[array].ty.shape;
        let last = match &stm.exp {
            Exp::Slice(_, dims) => {
                dims.iter().zip(shape).rposition(|(dim, &size)| *dim != DimSlice::whole(size))
            }
            Exp::Rearrange(_, perm) => perm.iter().enumerate().rposition(|(at, &dim)| at != dim),
            Exp::Reshape(_) => {
                Some(shape.len() - 1 - unchanged_dimensions(shape, &self.vars[stm.binders[0]].ty.shape))
            }
            _ => None,
        };
        last.unwrap_or(0) + 1
    }

    /// The new sizes of the dimensions that a reshape changes.
    fn reshaped(&self, stm: &Stm, array: Var) -> Vec<Atom> {
        let (old, new) = (&self.vars[array].ty.shape, &self.vars[stm.binders[0]].ty.shape);
        new[..new.len() - unchanged_dimensions(old, new)].to_vec()
    }

    /// The checks which ensure that the view has points only if the viewed array has some.
    fn checks_of(&self, view: &Stm, array: Var) -> Vec<Check> {
        let sizes = |array: Var| self.vars[array].ty.shape.iter().copied();
        match &view.exp {
            Exp::Slice(_, dims) => self.checks.of_atoms(dims.iter().flat_map(|dim| match *dim {
                DimSlice::Fix(position) => [position, position],
                DimSlice::Range { start, count, .. } => [start, count],
            })),
            Exp::Reshape(_) => self.checks.of_atoms(sizes(array).chain(sizes(view.binders[0]))),
            Exp::Assert { cond, error, .. } => vec![(*cond, error.clone())],
            _ => Vec::new(),
        }
    }

    /// Pushes the view to the inputs of the maps, if the premises hold.
    fn push(&mut self, graph: &mut Graph, readers: &Readers, viewed: &ViewedProducer) {
        let (first, producer) = (viewed.views[0], viewed.producer);
        let (Some(made), Some(view)) = (graph.node(producer), graph.node(first)) else { return };
        let Some(screma) = made.screma() else { return };
        let nest = OnceCell::new();
        let nest =
            || nest.get_or_init(|| Nest::of(self.vars, screma, self.depth(&view.stm, made.stm.binders[0])));
        if let Some(refusal) = self.missing(graph, readers, viewed, &|| nest().as_ref()) {
            // The reader is the construct that a user expects to fuse with the producer.
            let reader = viewed.names.iter().find_map(|&name| self.reader(graph, readers, name));
            let at = reader.as_ref().and_then(|reader| reader.node.place_of_element(reader.name));
            let origin = reader.map_or(&view.stm.origin, |reader| &reader.node.stm.origin);
            self.round.refuse(viewed.rule, Refusal { other: made.span(), at, ..refusal }, origin);
            return;
        }
        let (Some(nest), view) = (nest().clone(), view.stm.clone()) else { return };
        let origin = view.origin.union(&made.stm.origin).union(&nest.origin);
        if self.cx.fire(viewed.rule, &origin) {
            let mut before = self.replacement(&view, viewed, nest, origin);
            let stm = before.pop().expect("the rewritten construct");
            let node =
                Node::of(self.vars, self.facts, stm).with_attached(self.vars, self.facts, before, Vec::new());
            self.round.record(&node);
            viewed.views.iter().chain([&producer]).for_each(|&at| _ = graph.take(at));
            graph.join((producer, first), &StatementsBetween::default(), node);
        }
    }

    /// The statements that replace the first view; the construct is the last.
    fn replacement(
        &mut self,
        view: &Stm,
        viewed: &ViewedProducer,
        nest: Nest,
        mut origin: Origin,
    ) -> Vec<Stm> {
        origin.add_rule(viewed.rule);
        let widths = match view.exp {
            Exp::Reshape(array) => self.reshaped(view, array),
            _ => Vec::new(),
        };
        let checks = self.checks_of(view, viewed.array);
        let mut b = Builder::resume(std::mem::take(self.vars));
        b.set_origin(origin);
        let mut nest = match &view.exp {
            Exp::Slice(_, dims) => nest.sliced(&mut b, dims),
            Exp::Rearrange(_, perm) => nest.rearranged(&mut b, perm),
            Exp::Reshape(_) => nest.reshaped(&mut b, &widths),
            _ => checked(&mut b, nest, view, &viewed.names),
        };
        guard(&mut b, &mut nest.body, &checks);
        let screma = nest.construct(&mut b);
        b.emit(viewed.names.clone(), Exp::Screma(Box::new(screma)));
        let (vars, written) = b.finish();
        *self.vars = vars;
        written
    }
}

/// Emits the check with the inputs of the maps in place of their results; the maps then read the results of the check.
fn checked(b: &mut Builder, mut nest: Nest, stm: &Stm, names: &[Var]) -> Nest {
    let Exp::Assert { cond, values, error } = &stm.exp else { return nest };
    let width = b.vars()[names[0]].ty.shape[0];
    let others = stm.binders.iter().zip(values).filter(|(binder, _)| !names.contains(binder));
    let (mut binders, mut values): (Vec<Var>, Vec<Atom>) = others.unzip();
    let own = values.len();
    for leaf in &mut nest.leaves {
        let Elements::Array { array, .. } = &mut leaf.elements else { continue };
        let handed = values.iter().skip(own).position(|&value| value == Atom::Var(*array));
        let handed = handed.unwrap_or_else(|| {
            let info = b.vars()[*array].clone();
            binders.push(b.fresh(info.hint, info.ty.row().array_of(width)));
            values.push(Atom::Var(*array));
            values.len() - 1 - own
        });
        *array = binders[own + handed];
    }
    b.emit(binders, Exp::Assert { cond: *cond, values, error: error.clone() });
    nest.widths[0] = width;
    nest
}

#[cfg(test)]
mod tests;
