//! # fuse-reads: compute elements of a map where a loop reads them
//!
//! ## Rule
//!
//! ```text
//!   let ys = screma n { from xs map \(x) -> { stms in y } to map } in … loop … do { … let e = ys[i] … }
//!   ---------------------------------------------------------------------------------------------------
//!   … loop … do { … let x = xs[i] stms let e = y … }
//! ```
//!
//! * *map-index*: an element of a mapped array is computed where it is read, and the array is not stored.
//!
//! A point that solves a recurrence often maps its coefficients first. In memory, the coefficients take more time
//! than their arithmetic: each thread, and each lane of a vector, has arrays of its own.
//!
//! ## Requires
//!
//! * *only-elements*: the code reads single elements of the array, in no loop or in one counted loop, and uses the
//!   array for nothing else.
//! * *each-once*: an index in the loop is its counter plus or minus a value from outside the loop. So each place in the
//!   program reads an element at most once.
//! * *cheap*: an element takes a few scalar operations, and even fewer if several places in the loop read elements.
//!   Each of them is about one instruction.
//! * *no-check*: computing an element fails in no case. So it does not matter which elements the code reads. If the size of
//!   the array is the result of checks, the elements depend on them; it is not computed from such results.
//! * *kept*: no array that the elements depend on is consumed.
//!
//! The map is within a point of another construct, where it runs in sequence too.
//!
//! ## Ensures
//!
//! The points have an array less, which `simplify` removes from the map.
//!
//! ## Leaves alone
//!
//! Maps of host code, whose elements are computed in parallel. Elements that do not depend on their index: reading one must
//! not lose the checks of the index. Arrays that another construct reads at each of its points: they fuse with that construct.
//!
//! ## Costs
//!
//! If two places in a loop read elements, they are computed twice. Linear in the size of the function.
//!
//! ## Source
//!
//! Arrays as functions from indices to elements are delayed arrays in the sense of Keller, Chakravarty, Leshchinskiy,
//! Peyton Jones and Lippmeier, "Regular, Shape-polymorphic, Parallel Arrays in Haskell" (ICFP 2010). Storing or
//! recomputing is the choice of a schedule in Ragan-Kelley et al., "Halide" (PLDI 2013).
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, u: f64, xss: [n][n]f64) -> (out: [n]f64) = {
//!   let out2: [n]f64 = screma n {
//!     from xss
//!     map \(xs: [n]f64) -> {
//!       let ys: [n]f64 = screma n { from xs map \(x: f64) -> { let y: f64 = mul u x in y } to map }
//!       let z: f64 = loop (a: f64 = u) for i: i64 < n do {
//!         let e: f64 = ys[i]
//!         let b: f64 = div e a
//!         in b
//!       }
//!       in z
//!     }
//!     to map
//!   }
//!   in out2
//! }
//! entry main = main (u, xss) -> (*out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, u_1: f64, xss_2: [n_0][n_0]f64) -> (out_3: [n_0]f64) = {
//!   let out2_4: [n_0]f64 = screma n_0 {
//!     from xss_2
//!     map \(xs_5: [n_0]f64) -> {
//!       let ys_6: [n_0]f64 = screma n_0 {
//!         from xs_5
//!         map \(x_7: f64) -> {
//!           let y_8: f64 = mul u_1 x_7
//!           in y_8
//!         }
//!         to map
//!       }
//!       let z_9: f64 = loop (a_10: f64 = u_1) for i_11: i64 < n_0 do {
//!         let v12: f64 = xs_5[i_11]
//!         let y_13: f64 = mul u_1 v12
//!         let e_14: f64 = y_13
//!         let b_15: f64 = div e_14 a_10
//!         in b_15
//!       }
//!       in z_9
//!     }
//!     to map
//!   }
//!   in out2_4
//! }
//! entry main = main (u_1, xss_2) -> (*out_3)
//! ```

use ravel_base::Span;
use ravel_core::alias::{Aliases, Summaries};
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{
    Atom, Body, Builder, Exp, Function, Lambda, Loop, LoopForm, Origin, Program, Screma, Sink, Source, Stm,
    Substitution, Var, VarTable, copy_body, free_in_body, free_in_stm, statements,
};
use ravel_prim::BinOp;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::checked::{Check, Checked, pass};
use crate::pass::missing;
use crate::{Cx, Pass, Premise, Refusal};

/// The pass `fuse-reads`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "fuse-reads",
    about: "Computes the elements of a map where a loop reads them.",
    rules: &[RULE],
    premises: &[ONLY_ELEMENTS, EACH_ONCE, CHEAP, NO_CHECK, KEPT],
    run,
};

/// The rule, whose firings leave no construct.
pub const RULE: &str = "map-index";

const ONLY_ELEMENTS: Premise = Premise {
    name: "only-elements",
    about: "the code reads single elements of the array, in no loop or in one counted loop, and uses the array for nothing else",
    otherwise: "{} is needed as a whole here, or in a construct, or in a loop within a loop",
};

const EACH_ONCE: Premise = Premise {
    name: "each-once",
    about: "an index in the loop is its counter plus or minus a value from outside the loop",
    otherwise: "an element of {} may be read here many times",
};

const CHEAP: Premise = Premise {
    name: "cheap",
    about: "an element takes a few scalar operations, and even fewer if several places in the loop read elements",
    otherwise: "each read of {} would take too many operations",
};

const NO_CHECK: Premise = Premise {
    name: "no-check",
    about: "computing an element fails in no case",
    otherwise: "the elements of {} have checks",
};

const KEPT: Premise = Premise {
    name: "kept",
    about: "no array that the elements depend on is consumed",
    otherwise: "{} depends on an array that is consumed",
};

/// The maximum cost of an element, in instructions.
const MAX_COST: usize = 64;

/// The maximum cost of what is computed again for each element, in instructions.
const MAX_REPEATED: usize = 16;

/// The cost of a load, in instructions.
const LOAD: usize = 4;

fn run(program: &mut Program, cx: &mut Cx) {
    let summaries = Summaries::of(program);
    for function in &mut program.functions {
        cx.count_visits(statements(&function.body));
        let found = Search::of(function);
        if found.is_empty() {
            continue;
        }
        let aliases = Aliases::of(function, &summaries);
        let Function { vars, body, .. } = function;
        let (elements, checked) = (FxHashMap::default(), Checked::default());
        Rewriter { vars, aliases: &aliases, found, elements, checked, cx }.body(body);
    }
}

/// The reads of the result of a map.
#[derive(Debug, Default)]
struct Reads {
    /// The number of loops and lambdas around the map.
    depth: usize,
    /// The number of places that read an element in a loop.
    in_loop: usize,
    /// The number of places that read an element elsewhere.
    elsewhere: usize,
    /// The place of the first read that may read an element many times.
    repeated: Option<Option<Span>>,
    /// The place of the first use that is no read of an element.
    whole: Option<Option<Span>>,
}

/// Code that may run many times.
enum Repeated {
    /// A counted loop.
    Loop,
    /// Another loop, or a lambda.
    Other,
}

/// The search for maps within points, and for the uses of their results.
struct Search<'a> {
    vars: &'a VarTable,
    found: FxHashMap<Var, Reads>,
    /// The number of map lambdas around the current place.
    points: usize,
    /// The loops and lambdas around the current place.
    around: Vec<Repeated>,
    /// The number of loops and lambdas around the binding of a variable.
    bound_at: FxHashMap<Var, usize>,
    /// The variables that differ from the counter of a loop by a value from outside it, with the number of loops and lambdas
    /// around its body.
    counters: FxHashMap<Var, usize>,
    /// The place of the current statement.
    place: Option<Span>,
}

impl Search<'_> {
    /// The reads of each map within a point.
    fn of(function: &Function) -> FxHashMap<Var, Reads> {
        let mut search = Search {
            vars: &function.vars,
            found: FxHashMap::default(),
            points: 0,
            around: Vec::new(),
            bound_at: FxHashMap::default(),
            counters: FxHashMap::default(),
            place: function.origin.place(),
        };
        search.body(&function.body);
        search.found.retain(|_, reads| reads.in_loop + reads.elsewhere > 0);
        search.found
    }

    fn repeated(&mut self, kind: Repeated, visit: impl FnOnce(&mut Self)) {
        self.around.push(kind);
        visit(self);
        self.around.pop();
    }

    /// Records that an element is read.
    fn element(&mut self, array: Var, indices: &[Atom]) {
        let Some(reads) = self.found.get_mut(&array) else { return };
        match (&self.around[reads.depth..], indices) {
            ([], _) => reads.elsewhere += 1,
            ([Repeated::Loop], &[index]) => {
                reads.in_loop += 1;
                let depth = self.around.len();
                if index.var().is_none_or(|index| self.counters.get(&index) != Some(&depth)) {
                    reads.repeated.get_or_insert(self.place);
                }
            }
            _ => _ = reads.whole.get_or_insert(self.place),
        }
    }

    /// Whether the atom is bound outside the innermost loop or lambda.
    fn is_from_outside(&self, atom: Atom) -> bool {
        atom.var().is_none_or(|var| self.bound_at.get(&var).is_none_or(|&depth| depth < self.around.len()))
    }

    fn is_counter(&self, atom: Atom) -> bool {
        atom.var().is_some_and(|var| self.counters.get(&var) == Some(&self.around.len()))
    }

    /// Records a statement that moves a counter, or maps within a point.
    fn define(&mut self, stm: &Stm) {
        let depth = self.around.len();
        match stm.exp {
            Exp::Binary(BinOp::Add, a, b) | Exp::Binary(BinOp::Sub, a, b)
                if self.is_counter(a) && self.is_from_outside(b)
                    || self.is_counter(b) && self.is_from_outside(a) =>
            {
                self.counters.insert(stm.binders[0], depth);
            }
            Exp::Assert { ref values, .. } => {
                let moved = stm.binders.iter().zip(values).filter(|(_, value)| self.is_counter(**value));
                let moved: Vec<Var> = moved.map(|(&binder, _)| binder).collect();
                self.counters.extend(moved.into_iter().map(|binder| (binder, depth)));
            }
            Exp::Screma(ref screma) if self.points > 0 && is_map(screma) => {
                let vectors = stm.binders.iter().filter(|&&binder| self.vars[binder].ty.rank() == 1);
                self.found.extend(vectors.map(|&binder| (binder, Reads { depth, ..Reads::default() })));
            }
            _ => {}
        }
    }
}

impl Visit for Search<'_> {
    fn var(&mut self, var: &Var) {
        if let Some(reads) = self.found.get_mut(var) {
            reads.whole.get_or_insert(self.place);
        }
    }

    fn binder(&mut self, binder: &Var) {
        self.bound_at.insert(*binder, self.around.len());
    }

    fn stm(&mut self, stm: &Stm) {
        let outer = std::mem::replace(&mut self.place, stm.origin.place());
        match &stm.exp {
            Exp::Index(array, indices) => {
                self.element(*array, indices);
                indices.iter().for_each(|index| self.atom(index));
            }
            Exp::Screma(_) => {
                self.points += 1;
                self.exp(&stm.exp);
                self.points -= 1;
            }
            exp => self.exp(exp),
        }
        stm.binders.iter().for_each(|binder| self.binder(binder));
        self.define(stm);
        self.place = outer;
    }

    fn loop_exp(&mut self, looped: &Loop) {
        looped.params.iter().for_each(|(_, init)| self.atom(init));
        let (kind, counter) = match looped.form {
            LoopForm::For { index, bound } => {
                self.atom(&bound);
                (Repeated::Loop, Some(index))
            }
            LoopForm::While(_) => (Repeated::Other, None),
        };
        self.repeated(kind, |search| {
            looped.params.iter().for_each(|(param, _)| search.binder(param));
            if let Some(counter) = counter {
                search.binder(&counter);
                search.counters.insert(counter, search.around.len());
            }
            search.body(&looped.body);
        });
    }

    fn lambda(&mut self, lambda: &Lambda) {
        self.repeated(Repeated::Other, |search| {
            lambda.params.iter().for_each(|param| search.binder(param));
            search.body(&lambda.body);
        });
    }
}

/// Whether the construct only maps.
fn is_map(screma: &Screma) -> bool {
    screma.scans.is_empty() && screma.sinks.iter().all(|sink| *sink == Sink::Map)
}

/// How to compute an element of an array.
struct Element {
    /// The sources that it needs, with their parameters of the map; at least one, so that it depends on its index.
    sources: Vec<(Var, Source)>,
    body: Body,
    origin: Origin,
}

impl Element {
    /// The code for one result of a map, without what the result does not need.
    fn of(vars: &VarTable, screma: &Screma, origin: &Origin, result: Atom) -> Element {
        let Lambda { params, body } = &screma.map;
        let mut needed: FxHashSet<Var> = result.var().into_iter().collect();
        let mut stms = Vec::new();
        for stm in body.stms.iter().rev() {
            if stm.binders.iter().any(|binder| needed.contains(binder)) {
                needed.extend(free_in_stm(vars, stm));
                stms.push(stm.clone());
            }
        }
        stms.reverse();
        let sources = params.iter().copied().zip(screma.sources.iter().cloned());
        let sources = sources.filter(|(param, _)| needed.contains(param)).collect();
        let body = Body { stms, result: vec![result] };
        Element { sources, body, origin: origin.clone() }
    }

    /// The number of instructions, and whether one of them is a check of a condition that has not been checked.
    fn cost(&self, vars: &VarTable, checked: &Checked) -> Cost {
        let loads = self.sources.iter().filter(|(_, source)| source.array().is_some()).count() * LOAD;
        let rows = self.sources.iter().filter(|&&(param, _)| !vars[param].ty.is_scalar()).count();
        let mut cost = Cost { instructions: Some(loads).filter(|_| rows == 0), has_check: false };
        self.body.stms.iter().for_each(|stm| cost.add(vars, checked, stm));
        cost
    }

    /// Lets the code depend on these checks. Returns the statements that make them.
    fn depend_on(&mut self, vars: &mut VarTable, checks: &[Check]) -> Vec<Stm> {
        let mut b = Builder::resume(std::mem::take(vars));
        b.set_origin(self.origin.clone());
        let Some((_, source)) = self.sources.first_mut() else { unreachable!("it depends on its index") };
        match source {
            Source::Array(array) => {
                let Atom::Var(checked) = pass(&mut b, checks, vec![Atom::Var(*array)])[0] else {
                    unreachable!("an array is no constant")
                };
                *array = checked;
            }
            Source::Iota { start, .. } => *start = pass(&mut b, checks, vec![*start])[0],
        }
        let (restored, stms) = b.finish();
        *vars = restored;
        stms
    }

    /// The arrays that the code reads.
    fn arrays(&self, vars: &VarTable) -> impl Iterator<Item = Var> {
        let read = self.sources.iter().filter_map(|(_, source)| source.array());
        read.chain(free_in_body(vars, &self.body)).filter(|&var| !vars[var].ty.is_scalar())
    }
}

/// The cost of an element.
struct Cost {
    /// The number of instructions; `None` if one of them takes long.
    instructions: Option<usize>,
    has_check: bool,
}

impl Cost {
    fn add(&mut self, vars: &VarTable, checked: &Checked, stm: &Stm) {
        let is_scalar = stm.binders.iter().all(|&binder| vars[binder].ty.is_scalar());
        let own = match &stm.exp {
            Exp::Index(..) => Some(LOAD),
            Exp::Unary(op, _) => op.is_short().then_some(1),
            Exp::Binary(op, ..) => op.is_short().then_some(1),
            Exp::Atom(_) | Exp::Compare(..) | Exp::Convert(..) | Exp::Trust(_) | Exp::Param(..) => Some(1),
            Exp::If { then, otherwise, .. } => {
                then.stms.iter().chain(&otherwise.stms).for_each(|stm| self.add(vars, checked, stm));
                Some(1)
            }
            Exp::Assert { cond, .. } => {
                self.has_check |= !checked.contains(*cond) || stm.trace_label().is_some();
                Some(1)
            }
            _ => None,
        };
        let own = own.filter(|_| is_scalar);
        self.instructions = self.instructions.and_then(|sum| Some(sum + own?));
    }
}

struct Rewriter<'a> {
    vars: &'a mut VarTable,
    aliases: &'a Aliases,
    found: FxHashMap<Var, Reads>,
    /// The elements to compute where they are read.
    elements: FxHashMap<Var, Element>,
    checked: Checked,
    cx: &'a mut Cx,
}

impl VisitMut for Rewriter<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        let mark = self.checked.enter();
        for mut stm in std::mem::take(&mut body.stms) {
            self.stm(&mut stm);
            self.checked.add(self.vars, &stm);
            let checks = match &stm.exp {
                Exp::Screma(screma) => self.choose(&stm.binders, screma, &stm.origin),
                _ => Vec::new(),
            };
            match stm.exp {
                Exp::Index(array, ref indices) if let Some(element) = self.elements.get(&array) => {
                    body.stms.extend(computed(self.vars, element, indices[0], &stm));
                }
                _ => body.stms.push(stm),
            }
            body.stms.extend(checks);
        }
        self.checked.leave(mark);
    }
}

impl Rewriter<'_> {
    /// Decides which results of a construct are computed where they are read. Returns the checks on which their elements then
    /// depend, since the size of the array no longer matters.
    fn choose(&mut self, binders: &[Var], screma: &Screma, origin: &Origin) -> Vec<Stm> {
        let mut made = Vec::new();
        for (&binder, &result) in binders.iter().zip(&screma.map.body.result) {
            let Some(reads) = self.found.get(&binder) else { continue };
            let mut element = Element::of(self.vars, screma, origin, result);
            if element.sources.is_empty() {
                continue;
            }
            let checks = self.checked.of(screma.width);
            let cost = element.cost(self.vars, &self.checked);
            let repeated = |cost: usize| cost * reads.in_loop.saturating_sub(1);
            let is_cheap = |cost: usize| cost <= MAX_COST && repeated(cost) <= MAX_REPEATED;
            let is_kept = |array: Var| {
                let mut memory = self.aliases.memory(self.aliases.places(array));
                memory.all(|place| {
                    !self.aliases.candidates(place).is_empty() || !self.aliases.is_consumed(place)
                })
            };
            let missing = missing(&[
                (ONLY_ELEMENTS, &|| reads.whole.is_none()),
                (EACH_ONCE, &|| reads.repeated.is_none()),
                (NO_CHECK, &|| !cost.has_check && checks.is_some()),
                (CHEAP, &|| cost.instructions.is_some_and(is_cheap)),
                (KEPT, &|| element.arrays(self.vars).all(is_kept)),
            ]);
            if let Some(premise) = missing {
                let place = reads.whole.or(reads.repeated).flatten().or(origin.place());
                let refusal = Refusal::of(premise).blame(self.vars[binder].hint, place);
                self.cx.refuse(RULE, refusal, origin);
            } else if self.cx.fire(RULE, origin) {
                let checks = checks.unwrap_or_default();
                if !checks.is_empty() {
                    made.extend(element.depend_on(self.vars, &checks));
                }
                self.elements.insert(binder, element);
            }
        }
        made
    }
}

/// The statements that compute an element at an index, in place of the one that reads it.
fn computed(vars: &mut VarTable, element: &Element, index: Atom, read: &Stm) -> Vec<Stm> {
    let mut origin = read.origin.union(&element.origin);
    origin.add_rule(RULE);
    let mut b = Builder::resume(std::mem::take(vars));
    b.set_origin(origin.clone());
    let mut substitution = Substitution::new();
    for (param, source) in &element.sources {
        let value = match *source {
            Source::Array(array) => b.index(array, vec![index]),
            Source::Iota { start, stride } => {
                let number = b.convert(b.type_of(start).elem, index);
                let distance = b.binary(BinOp::Mul, number, stride);
                b.binary(BinOp::Add, start, distance)
            }
        };
        substitution.insert(*param, value);
    }
    let Body { stms, result } = copy_body(b.vars_mut(), None, substitution, &element.body);
    stms.into_iter().for_each(|stm| b.push(stm));
    b.emit(read.binders.clone(), Exp::Atom(result[0]));
    let (restored, stms) = b.finish();
    *vars = restored;
    stms
}
