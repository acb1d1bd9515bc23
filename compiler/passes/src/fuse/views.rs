//! # fuse-views: what is mapped and then seen otherwise is mapped so
//!
//! ## Rules (map-slice, map-rearrange, map-reshape, map-check)
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
//! The other rules are the same with other views: `rearrange`, `reshape`, and a check that states
//! another size. Where a view is about inner dimensions too, `xs` is of maps in maps, which are taken as
//! one space of several dimensions ([`nest`]) and seen in part, turned or cut otherwise ([`through`]):
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
//! * *one-map*: the producer does nothing but map.
//! * *used-once*: nobody but the view uses `xs`.
//! * *seen-alike*: of several arrays that the producer maps, all are seen, in the same way.
//! * *no-repeat*, of map-slice: strides are constants and not 0, so that nothing is computed twice.
//! * *perfect-nest*: as many maps stand in each other as the view is about dimensions, with nothing
//!   between. Of map-reshape: what is read depends on all dimensions, if they become several others.
//! * *outer-size*, of map-check: no inner size is stated anew.
//! * *hands-through*, of map-check: an array is read, so that the maps depend on the check.
//! * *only-as-source*, of all but map-slice: one construct reads the view, element by element, or a
//!   view of it.
//! * *no-consumption-between*: `stms` consume nothing that the producer reads.
//!
//! ## Ensures, leaves alone, costs
//!
//! Fusion, which looks for producers by name, sees through the view: the sum of a reversed map is
//! one traversal, and so are sums of the columns of a mapped matrix, and that of a table that was
//! flattened. What is not seen is not computed; nothing is computed twice, but in flattened maps an
//! element finds its row by a division. Leaves alone what is seen in another form but not read by a
//! construct, and single rows. Linear in the statements between, once more for every firing.
//!
//! ## Source
//!
//! The index functions of views as in Henriksen et al., "Futhark: Purely Functional GPU-Programming
//! with Nested Parallelism and In-Place Array Updates" (PLDI 2017), where fusion pulls
//! transformations of the input through the operator in the same way. That maps in maps may be
//! interchanged is as old as vectorising compilers: Allen and Kennedy, "Automatic Loop Interchange"
//! (PLDI 1984).

pub mod nest;
pub mod through;

use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Body, Builder, DimSlice, Exp, Function, Origin, Program, Source, Stm, Uses, Var, VarTable,
};

use super::engine::in_rounds;
use super::graph::{Facts, Node};
use super::{NO_CONSUMPTION_BETWEEN, ONLY_AS_SOURCE};
use crate::{Cx, Pass, Premise, Refusal};
use nest::{Elements, Leaf, Nest, only_maps};
use through::whole;

/// The pass.
pub const PASS: Pass = Pass {
    name: "fuse-views",
    about: "Maps what is seen of an array, as it is seen.",
    rules: &[SLICE, REARRANGE, RESHAPE, CHECK],
    premises: &[
        ONE_MAP,
        USED_ONCE,
        SEEN_ALIKE,
        NO_REPEAT,
        PERFECT_NEST,
        OUTER_SIZE,
        HANDS_THROUGH,
        ONLY_AS_SOURCE,
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
    about: "what is seen otherwise comes of a construct that does nothing but map",
    otherwise: "{} is seen otherwise here",
};

const USED_ONCE: Premise = Premise {
    name: "used-once",
    about: "nobody else uses what is seen otherwise",
    otherwise: "{} is seen otherwise here, and used elsewhere too",
};

const SEEN_ALIKE: Premise = Premise {
    name: "seen-alike",
    about: "all that the construct maps is seen, in the same way",
    otherwise: "{} is seen otherwise here, but what is mapped with it is not",
};

const NO_REPEAT: Premise = Premise {
    name: "no-repeat",
    about: "the strides are constants and not 0, so that nothing is computed twice",
    otherwise: "{} is seen in part here",
};

const PERFECT_NEST: Premise = Premise {
    name: "perfect-nest",
    about: "as many maps stand in each other, with nothing between, as the view is about dimensions",
    otherwise: "{} is seen otherwise here, but not mapped in so many dimensions",
};

const OUTER_SIZE: Premise = Premise {
    name: "outer-size",
    about: "the check states no inner size anew",
    otherwise: "rows of {} get another size here",
};

const HANDS_THROUGH: Premise = Premise {
    name: "hands-through",
    about: "the maps read an array, which the check can hand through",
    otherwise: "{} is checked here, and made of no array",
};

fn run(program: &mut Program, cx: &mut Cx) {
    in_rounds(program, |function, facts| {
        let uses = Uses::of(function);
        let Function { vars, body, .. } = function;
        let mut mover = Mover { vars, facts, uses: &uses, cx, fired: false };
        mover.body(body);
        mover.fired
    });
}

struct Mover<'a> {
    vars: &'a mut VarTable,
    facts: &'a Facts<'a>,
    uses: &'a Uses,
    cx: &'a mut Cx,
    fired: bool,
}

impl VisitMut for Mover<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        for at in 0..body.stms.len() {
            // What was moved has views that the analyses do not know: the next round goes on.
            if let Some(seen) = self.seen(&body.stms, at)
                && self.may_move(&body.stms, &seen)
            {
                let (first, stms) = (seen.views[0], self.moved(&body.stms, &seen));
                body.stms.splice(first..=first, stms);
                // Those behind have moved by as many as there are more now; the producer has not.
                let more = body.stms.len();
                let gone = seen.views[1..].iter().rev().map(|&view| view + more - seen.length);
                gone.chain([seen.producer]).for_each(|at| _ = body.stms.remove(at));
                self.fired = true;
                return;
            }
        }
        for stm in &mut body.stms {
            self.stm(stm);
        }
    }
}

/// A construct of which all results are seen, by positions of statements.
struct Seen {
    rule: &'static str,
    producer: usize,
    /// The views, in their order; each sees one result, a check all of them.
    views: Vec<usize>,
    /// The results as they are called where they are seen, in the order of the construct.
    names: Vec<Var>,
    /// The maps as one space of as many dimensions as matter.
    nest: Option<Nest>,
    /// How many statements there are.
    length: usize,
}

/// The array that is seen, and by which rule.
fn view(vars: &VarTable, stm: &Stm, mapped: &dyn Fn(Var) -> bool) -> Option<(&'static str, Var)> {
    match &stm.exp {
        Exp::Slice(array, dims) => {
            let all = vars[*array].ty.shape.iter().copied().map(whole);
            let in_part = matches!(dims[0], DimSlice::Range { .. }) && !dims.iter().copied().eq(all);
            in_part.then_some((SLICE, *array))
        }
        Exp::Rearrange(array, _) => Some((REARRANGE, *array)),
        Exp::Reshape(array) => Some((RESHAPE, *array)),
        Exp::Assert { values, .. } => {
            let is_array = |var: &Var| !vars[*var].ty.is_scalar();
            let array =
                values.iter().filter_map(|value| value.var()).filter(is_array).find(|&var| mapped(var))?;
            Some((CHECK, array))
        }
        _ => None,
    }
}

/// How many dimensions there are at the end of both shapes that a reshape leaves as they are, one at
/// least of each being another.
fn untouched(old: &[Atom], new: &[Atom]) -> usize {
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    same.min(old.len() - 1).min(new.len() - 1)
}

impl Mover<'_> {
    /// The construct of which the statement sees a result, as the first one.
    fn seen(&self, stms: &[Stm], at: usize) -> Option<Seen> {
        let maker = |array: Var| stms[..at].iter().rposition(|stm| stm.binders.contains(&array));
        let is_mapped =
            |array: Var| maker(array).is_some_and(|maker| matches!(stms[maker].exp, Exp::Screma(_)));
        let (rule, array) = view(self.vars, &stms[at], &is_mapped)?;
        let producer = maker(array)?;
        let Exp::Screma(screma) = &stms[producer].exp else { return None };
        let results = &stms[producer].binders;
        let mut views = Vec::new();
        let mut names = Vec::new();
        for &result in results {
            let found = match &stms[at].exp {
                Exp::Assert { values, .. } => {
                    values.iter().position(|&value| value == Atom::Var(result)).map(|value| (at, value))
                }
                exp => (producer + 1..stms.len())
                    .find(|&other| self.sees_alike(exp, &stms[at], &stms[other], result))
                    .map(|other| (other, 0)),
            };
            if let Some((view, value)) = found {
                views.push(view);
                names.push(stms[view].binders[value]);
            }
        }
        views.sort_unstable();
        views.dedup();
        if views.first() != Some(&at) {
            return None;
        }
        let depth = self.depth(&stms[at], array);
        let nest = if only_maps(screma) { Nest::of(self.vars, screma, depth) } else { None };
        Some(Seen { rule, producer, views, names, nest, length: stms.len() })
    }

    /// Does a statement see this array as the other one sees another?
    fn sees_alike(&self, exp: &Exp, stm: &Stm, other: &Stm, array: Var) -> bool {
        match (exp, &other.exp) {
            (Exp::Slice(_, dims), Exp::Slice(seen, others)) => *seen == array && dims == others,
            (Exp::Rearrange(_, perm), Exp::Rearrange(seen, others)) => *seen == array && perm == others,
            (Exp::Reshape(_), Exp::Reshape(seen)) => {
                let shape = |stm: &Stm| &self.vars[stm.binders[0]].ty.shape;
                *seen == array && shape(stm) == shape(other)
            }
            _ => false,
        }
    }

    /// How many dimensions a view is about.
    fn depth(&self, stm: &Stm, array: Var) -> usize {
        let shape = &self.vars[array].ty.shape;
        let last = match &stm.exp {
            Exp::Slice(_, dims) => dims.iter().zip(shape).rposition(|(dim, &size)| *dim != whole(size)),
            Exp::Rearrange(_, perm) => perm.iter().enumerate().rposition(|(at, &dim)| at != dim),
            Exp::Reshape(_) => Some(shape.len() - 1 - untouched(shape, &self.vars[stm.binders[0]].ty.shape)),
            _ => None,
        };
        last.unwrap_or(0) + 1
    }

    /// The sizes of the dimensions that a reshape makes of those that it is about.
    fn reshaped(&self, stm: &Stm, array: Var) -> Vec<Atom> {
        let (old, new) = (&self.vars[array].ty.shape, &self.vars[stm.binders[0]].ty.shape);
        new[..new.len() - untouched(old, new)].to_vec()
    }

    /// Do the premises hold?
    fn may_move(&mut self, stms: &[Stm], seen: &Seen) -> bool {
        let (producer, stm) = (&stms[seen.producer], &stms[seen.views[0]]);
        let Exp::Screma(screma) = &producer.exp else { return false };
        let array = producer.binders[0];
        let reads = Node::of(self.vars, self.facts, producer.clone()).reads;
        let mut between = stms[seen.producer + 1..seen.views[0]].iter();
        let consumes =
            |stm: &&Stm| !Node::of(self.vars, self.facts, (*stm).clone()).consumes.is_disjoint(&reads);
        let consuming = between.find(consumes);
        let steps = |dim: &DimSlice| match *dim {
            DimSlice::Fix(_) => true,
            DimSlice::Range { stride, .. } => matches!(stride, Atom::Const(_)) && stride != Atom::i64(0),
        };
        let no_repeat = match &stm.exp {
            Exp::Slice(_, dims) => dims.iter().all(steps),
            _ => true,
        };
        let perfect = seen.nest.as_ref().is_some_and(|nest| match stm.exp {
            Exp::Reshape(_) => nest.can_be_reshaped(self.reshaped(stm, array).len()),
            _ => true,
        });
        let rows = |array: &Var| self.vars[*array].ty.shape.get(1..);
        let outer_size = producer.binders.iter().zip(&seen.names).all(|(old, new)| rows(old) == rows(new));
        let is_array = |leaf: &Leaf| matches!(leaf.elements, Elements::Array { .. });
        let reads_array = seen.nest.iter().any(|nest| nest.leaves.iter().any(is_array));
        let behind = &stms[seen.views[0]..];
        let is_check = seen.rule == CHECK;
        let premises = [
            (ONE_MAP, only_maps(screma)),
            (USED_ONCE, producer.binders.iter().all(|array| self.uses.count(*array) == 1)),
            (SEEN_ALIKE, seen.names.len() == producer.binders.len()),
            (NO_REPEAT, no_repeat),
            (PERFECT_NEST, perfect),
            (OUTER_SIZE, !is_check || outer_size),
            (HANDS_THROUGH, !is_check || reads_array),
            (ONLY_AS_SOURCE, seen.rule == SLICE || seen.names.iter().all(|&name| self.is_read(behind, name))),
            (NO_CONSUMPTION_BETWEEN, consuming.is_none()),
        ];
        self.cx.look(seen.views[0] - seen.producer);
        let place = |stm: &Stm| stm.origin.spans.first().copied();
        if let Some((premise, _)) = premises.into_iter().find(|(_, holds)| !holds) {
            let at_fault = consuming.filter(|_| premise == NO_CONSUMPTION_BETWEEN).unwrap_or(stm);
            let refusal = Refusal::of(premise).blame(self.vars[array].hint, place(at_fault));
            self.cx.refuse(seen.rule, Refusal { other: place(producer), ..refusal }, &stm.origin);
            return false;
        }
        self.cx.fire(seen.rule, &origin(stms, seen))
    }

    /// Is an array used once, by a construct that reads it, or by a view of which the same is true?
    fn is_read(&self, stms: &[Stm], array: Var) -> bool {
        let name = Atom::Var(array);
        let reads = |stm: &Stm| match &stm.exp {
            Exp::Screma(screma) => screma.sources.contains(&Source::Array(array)),
            Exp::Stream(stream) => stream.sources.contains(&array),
            Exp::Slice(seen, _) | Exp::Rearrange(seen, _) | Exp::Reshape(seen) if *seen == array => {
                self.is_read(stms, stm.binders[0])
            }
            Exp::Assert { values, .. } => {
                let handed = values.iter().position(|&value| value == name);
                handed.is_some_and(|at| self.is_read(stms, stm.binders[at]))
            }
            _ => false,
        };
        self.uses.count(array) == 1 && stms.iter().any(reads)
    }

    /// What stands in the place of the first view.
    fn moved(&mut self, stms: &[Stm], seen: &Seen) -> Vec<Stm> {
        let stm = &stms[seen.views[0]];
        let Some(nest) = seen.nest.clone() else { return Vec::new() };
        let mut origin = origin(stms, seen);
        origin.rules.push(seen.rule);
        let widths = match stm.exp {
            Exp::Reshape(array) => self.reshaped(stm, array),
            _ => Vec::new(),
        };
        let mut b = Builder::resume(std::mem::take(self.vars));
        b.set_origin(origin);
        let nest = match &stm.exp {
            Exp::Slice(_, dims) => nest.sliced(&mut b, dims),
            Exp::Rearrange(_, perm) => nest.rearranged(&mut b, perm),
            Exp::Reshape(_) => nest.reshaped(&mut b, &widths),
            _ => checked(&mut b, nest, stm, &seen.names),
        };
        let screma = nest.construct(&mut b);
        b.emit(seen.names.clone(), Exp::Screma(Box::new(screma)));
        let (vars, written) = b.finish();
        *self.vars = vars;
        written
    }
}

fn origin(stms: &[Stm], seen: &Seen) -> Origin {
    stms[seen.views[0]].origin.union(&stms[seen.producer].origin)
}

/// Writes the check with what the maps read for what they made; they read what it hands through.
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
