//! # fuse-loops: interchange a loop of maps into a map of loops
//!
//! ## Rule
//!
//! ```text
//!   let xs = loop (ps = as) for i < k do { stms let ys = screma n { from ps, bs map f to map } in ys }
//!   -----------------------------------------------------------------------------------------------
//!   let xs = screma n { from as, bs map \(a, b) -> {
//!     let x = loop (p = a) for i < k do { stms f (p, b) } in x
//!   } to map }
//! ```
//!
//! * *loop-map*: a loop whose iterations map the arrays that it carries becomes a map whose points run the
//!   loop.
//!
//! A producer of the loop's initial value, or a consumer of its result, can then fuse with the map.
//!
//! ## Requires
//!
//! * *counted*: the number of iterations does not depend on what the loop computes.
//! * *only-maps*: the construct in the loop only maps.
//! * *pointwise*: the loop carries only arrays that an iteration reads element by element. They have the
//!   construct's width. Only the construct reads them, and point i reads only element i. All other operands of
//!   the construct are bound outside the loop. Its results are used only as the next values of the carried
//!   arrays.
//! * *scalars*: the elements are scalars, and their computation contains no construct. Otherwise each point
//!   would need memory for its own arrays.
//! * *cheap*: the statements beside the map are cheap, since every point would repeat them.
//!
//! ## Ensures
//!
//! One traversal replaces one for each iteration, and the array is produced once.
//!
//! ## Leaves alone
//!
//! Loops with two constructs, and loops that return no result of their construct.
//!
//! ## Costs
//!
//! `stms` are computed for each point. The pass takes time linear in the size of the loops.
//!
//! ## Source
//!
//! Loop interchange: Allen and Kennedy, "Automatic Loop Interchange" (PLDI 1984). It is the inverse of the rule
//! by which Henriksen et al., "Futhark: Purely Functional GPU-Programming with Nested Parallelism and In-Place
//! Array Updates" (PLDI 2017, section 5), move a sequential loop out of a map to expose inner parallelism, of
//! which there is none here.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, m: i64, xs: [n]i32) -> (out: [n]i32) = {
//!   let zs: [n]i32 = loop (ps: [n]i32 = xs) for i: i64 < m do {
//!     let qs: [n]i32 = screma n {
//!       from ps
//!       map \(e: i32) -> { let f: i32 = mul e e in f }
//!       to map
//!     }
//!     in qs
//!   }
//!   in zs
//! }
//! entry main = main (m, xs) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, xs_2: [n_0]i32) -> (out_3: [n_0]i32) = {
//!   let zs_4: [n_0]i32 = screma n_0 {
//!     from xs_2
//!     map \(ps_5: i32) -> {
//!       let ps_6: i32 = loop (ps_7: i32 = ps_5) for i_8: i64 < m_1 do {
//!         let f_9: i32 = mul ps_7 ps_7
//!         in f_9
//!       }
//!       in ps_6
//!     }
//!     to map
//!   }
//!   in zs_4
//! }
//! entry main = main (m_1, xs_2) -> (out_3)
//! ```

use std::collections::BTreeSet;

use ravel_base::Span;
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{
    Atom, Body, Exp, Function, Lambda, Loop, LoopForm, Origin, Program, Screma, Source, Stm, Substitution,
    Var, VarInfo, VarTable,
};
use ravel_prim::{BinOp, UnOp};

use super::graph::{place_of_use, uses_whole};
use super::views::nest::only_maps;
use crate::pass::missing;
use crate::{Cx, Pass, Premise, Refusal};

/// The entry of this pass in the list of passes.
pub const PASS: Pass = Pass {
    name: "fuse-loops",
    about: "Interchanges a loop of maps into a map of loops.",
    rules: &[RULE],
    premises: &[COUNTED, ONLY_MAPS, POINTWISE, SCALARS, CHEAP],
    run,
};

const RULE: &str = "loop-map";

/// The maximum number of statements beside the map, which every point repeats.
const MAX_STATEMENTS: usize = 8;

const COUNTED: Premise = Premise {
    name: "counted",
    about: "the number of iterations does not depend on what the loop computes",
    otherwise: "each iteration decides whether another one follows",
};

const ONLY_MAPS: Premise = Premise {
    name: "only-maps",
    about: "the construct in the loop only maps",
    otherwise: "{} is not the result of a map, or its producer does more than map",
};

const POINTWISE: Premise = Premise {
    name: "pointwise",
    about: "the loop carries only arrays that an iteration reads element by element",
    otherwise: "an iteration uses {} other than element by element, or the loop also carries something else",
};

const SCALARS: Premise = Premise {
    name: "scalars",
    about: "the elements are scalars, and their computation contains no construct",
    otherwise: "{} would need memory for every point",
};

const CHEAP: Premise = Premise {
    name: "cheap",
    about: "the statements beside the map are cheap, since every point would repeat them",
    otherwise: "the statements beside {} would be repeated for every point",
};

fn run(program: &mut Program, cx: &mut Cx) {
    for function in &mut program.functions {
        let Function { vars, body, .. } = function;
        Interchange { vars, cx }.body(body);
    }
}

struct Interchange<'a> {
    vars: &'a mut VarTable,
    cx: &'a mut Cx,
}

impl VisitMut for Interchange<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    /// Inner bodies first: a loop of loops of maps then becomes a loop of maps.
    fn stm(&mut self, stm: &mut Stm) {
        self.exp(&mut stm.exp);
        let Exp::Loop(looped) = &stm.exp else { return };
        let Some((at, screma)) = construct(looped) else { return };
        self.cx.count_visits(looped.body.stms.len());
        let missing = missing(&[
            (COUNTED, &|| matches!(looped.form, LoopForm::For { .. })),
            (ONLY_MAPS, &|| only_maps(screma)),
            (POINTWISE, &|| self.is_elementwise(looped, at, screma)),
            (SCALARS, &|| self.scalars(looped, screma)),
            (CHEAP, &|| {
                looped.body.stms.len() <= MAX_STATEMENTS + 1 && other_statements(looped, at).all(is_cheap)
            }),
        ]);
        if let Some(premise) = missing {
            let inner = &looped.body.stms[at];
            let whole = needed_whole(looped).filter(|_| premise == POINTWISE);
            let made = || Some((*inner.binders.first()?, inner.origin.place()));
            let (blamed, place) = whole.or_else(made).unzip();
            let name = blamed.and_then(|array| self.vars[array].hint);
            self.cx.refuse(RULE, Refusal::of(premise).blame(name, place.flatten()), &inner.origin);
            return;
        }
        let origin = stm.origin.union(&looped.body.stms[at].origin);
        if self.cx.fire(RULE, &origin) {
            let (looped, screma) = (looped.clone(), screma.clone());
            stm.origin = origin;
            stm.origin.add_rule(RULE);
            stm.exp = Exp::Screma(Box::new(self.interchange(looped, at, screma, &stm.origin)));
        }
    }
}

/// The only construct of the body and its position, if the body returns a result of it.
fn construct(looped: &Loop) -> Option<(usize, &Screma)> {
    let mut constructs = looped.body.stms.iter().enumerate().filter_map(|(at, stm)| match &stm.exp {
        Exp::Screma(screma) => Some((at, &**screma)),
        _ => None,
    });
    let (at, screma) = constructs.next()?;
    let made = &looped.body.stms[at].binders;
    let is_result = |next: &Atom| next.var().is_some_and(|next| made.contains(&next));
    (constructs.next().is_none() && looped.body.result.iter().any(is_result)).then_some((at, screma))
}

/// The first loop-carried array that the body uses other than as a source, and the place of that use.
fn needed_whole(looped: &Loop) -> Option<(Var, Option<Span>)> {
    looped.params.iter().find_map(|&(param, _)| {
        let stm = looped.body.stms.iter().find(|stm| uses_whole(stm, param))?;
        Some((param, place_of_use(stm, param)))
    })
}

/// The statements of the body except the one at this position.
fn other_statements(looped: &Loop, at: usize) -> impl Iterator<Item = &Stm> {
    looped.body.stms.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, stm)| stm)
}

/// Whether a statement is cheap scalar arithmetic, reads an element, or is a check.
fn is_cheap(stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Atom(_)
        | Exp::Compare(..)
        | Exp::Convert(..)
        | Exp::Param(..)
        | Exp::Index(..)
        | Exp::Assert { .. } => true,
        Exp::Unary(op, _) => matches!(op, UnOp::Neg | UnOp::Not | UnOp::Abs),
        Exp::Binary(op, ..) => !matches!(op, BinOp::Pow),
        _ => false,
    }
}

/// Searches for uses of these variables, and for constructs.
struct Search<'a> {
    vars: &'a BTreeSet<Var>,
    used: usize,
    constructs: usize,
}

impl Visit for Search<'_> {
    fn var(&mut self, var: &Var) {
        self.used += usize::from(self.vars.contains(var));
    }

    fn binder(&mut self, _: &Var) {}

    fn stm(&mut self, stm: &Stm) {
        self.constructs += usize::from(matches!(stm.exp, Exp::Screma(_) | Exp::Stream(_)));
        self.exp(&stm.exp);
    }
}

impl Interchange<'_> {
    fn is_elementwise(&self, looped: &Loop, at: usize, screma: &Screma) -> bool {
        let params: BTreeSet<Var> = looped.params.iter().map(|&(param, _)| param).collect();
        let made = &looped.body.stms[at].binders;
        let has_width = |param: &Var| self.vars[*param].ty.shape.first() == Some(&screma.width);
        let handed =
            |next: &Atom| next.var().is_some_and(|next| made.contains(&next) || params.contains(&next));
        // A source is a carried array, or does not depend on the loop.
        let inside: BTreeSet<Var> = looped.body.stms.iter().flat_map(|stm| &stm.binders).copied().collect();
        let index = match looped.form {
            LoopForm::For { index, .. } => Some(index),
            LoopForm::While(_) => None,
        };
        let from_outside =
            |atom: Atom| atom.var().is_none_or(|var| !inside.contains(&var) && Some(var) != index);
        let is_carried_or_invariant = |source: &Source| match *source {
            Source::Array(array) => !inside.contains(&array),
            Source::Iota { start, stride } => from_outside(start) && from_outside(stride),
        };
        let is_param = |source: &&Source| matches!(source, Source::Array(array) if params.contains(array));
        let arrays: BTreeSet<Var> = params.iter().chain(made).copied().collect();
        let mut search = Search { vars: &arrays, used: 0, constructs: 0 };
        looped.body.stms.iter().for_each(|stm| search.stm(stm));
        params.iter().all(has_width)
            && from_outside(screma.width)
            && looped.body.result.iter().all(handed)
            && screma.sources.iter().all(is_carried_or_invariant)
            && search.used == screma.sources.iter().filter(is_param).count()
    }

    fn scalars(&self, looped: &Loop, screma: &Screma) -> bool {
        let mut search = Search { vars: &BTreeSet::new(), used: 0, constructs: 0 };
        search.body(&screma.map.body);
        let mut sources = screma.map.params.iter().chain(looped.params.iter().map(|(param, _)| param));
        search.constructs == 0 && sources.all(|var| self.vars[*var].ty.rank() <= 1)
    }

    fn interchange(&mut self, looped: Loop, at: usize, screma: Screma, origin: &Origin) -> Screma {
        let Loop { params, form, body } = looped;
        let fresh = |vars: &mut VarTable, like: Var| {
            let VarInfo { hint, ty } = vars[like].clone();
            vars.push(VarInfo { hint, ty: ty.row() })
        };
        let (mut sources, mut outer) = (Vec::new(), Vec::new());
        let mut inner_params = Vec::new();
        let mut results = Vec::new();
        for &(param, init) in &params {
            let [first, current, last] = [(); 3].map(|()| fresh(self.vars, param));
            if let Atom::Var(array) = init {
                sources.push(Source::Array(array));
                outer.push(first);
            }
            inner_params.push((current, Atom::Var(first)));
            results.push(last);
        }
        let current = |array: Var| {
            let at = params.iter().position(|&(param, _)| param == array)?;
            Some(Atom::Var(inner_params[at].0))
        };
        let mut substitution = Substitution::new();
        for (source, &param) in screma.sources.iter().zip(&screma.map.params) {
            match source {
                Source::Array(array) if current(*array).is_some() => {
                    current(*array).into_iter().for_each(|element| substitution.insert(param, element));
                }
                source => {
                    sources.push(source.clone());
                    outer.push(param);
                }
            }
        }
        let mut mapped = screma.map.body;
        substitution.body(self.vars, &mut mapped);
        let made = body.stms[at].binders.clone();
        let next = |atom: &Atom| {
            let var = atom.var()?;
            let made = made.iter().position(|&binder| binder == var).map(|at| mapped.result[at]);
            made.or_else(|| current(var))
        };
        let result: Vec<Atom> = body.result.iter().filter_map(next).collect();
        let mut stms = body.stms;
        stms.splice(at..=at, mapped.stms);
        let inner = Exp::Loop(Loop { params: inner_params, form, body: Body { stms, result } });
        let result = results.iter().copied().map(Atom::Var).collect();
        let looped = Stm { binders: results, exp: inner, origin: origin.clone() };
        let sinks = vec![ravel_core::Sink::Map; params.len()];
        let map = Lambda { params: outer, body: Body { stms: vec![looped], result } };
        Screma { width: screma.width, sources, map, scans: Vec::new(), post: None, sinks }
    }
}

#[cfg(test)]
mod tests;
