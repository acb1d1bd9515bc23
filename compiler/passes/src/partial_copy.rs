//! # partial-copy: copy no elements that the next loop overwrites
//!
//! ## Rule
//!
//! ```text
//!   let c = copy xs  S  let ys = loop (p = c) for k < n - 1 do { B let q = p with [k + 1] = y in q }
//!   ------------------------------------------------------------------------------------------------
//!   let s = scratch  let x = xs[0]  let c = s with [0] = x
//!   S  let ys = loop (p = c) for k < n - 1 do { B let q = p with [k + 1] = y in q }
//! ```
//!
//! * *partial-copy*: a copy that a loop overwrites has only the elements that the loop leaves.
//!
//! Programs copy an array to get one of its size, which a loop then fills. After the rewrite, the code reads single
//! elements of `xs`, and `fuse-reads` need not store it.
//!
//! ## Requires
//!
//! * *overwritten*: the loop overwrites all elements but the first few, which are known to exist.
//!
//! The copy and `p` have no other use. The statement is within a point of a construct.
//!
//! ## Ensures
//!
//! The code reads a constant number of elements of `xs`.
//!
//! ## Leaves alone
//!
//! Code of the host, where a copy is made in parallel. Arrays of several dimensions.
//!
//! ## Costs
//!
//! Linear in the size of the function.
//!
//! ## Source
//!
//! Dead store elimination for ranges of elements, as in `partial-fill`.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, xss: [n][8]f64) -> (out: [n][8]f64) = {
//!   let out2: [n][8]f64 = screma n {
//!     from xss
//!     map \(xs: [8]f64) -> {
//!       let c: [8]f64 = copy xs
//!       let u: f64 = xs[0]
//!       let (s: f64, ys: [8]f64) = loop (a: f64 = u, p: [8]f64 = c) for k: i64 < 7 do {
//!         let i: i64 = add k 1
//!         let x: f64 = xs[i]
//!         let b: f64 = add a x
//!         let q: [8]f64 = p with [i] = b
//!         in (b, q)
//!       }
//!       in ys
//!     }
//!     to map
//!   }
//!   in out2
//! }
//! entry main = main (xss) -> (*out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, xss_1: [n_0][8]f64) -> (out_2: [n_0][8]f64) = {
//!   let out2_3: [n_0][8]f64 = screma n_0 {
//!     from xss_1
//!     map \(xs_4: [8]f64) -> {
//!       let v5: [8]f64 = scratch
//!       let v6: f64 = xs_4[0i64]
//!       let c_7: [8]f64 = v5 with [0i64] = v6
//!       let u_8: f64 = xs_4[0i64]
//!       let (s_9: f64, ys_10: [8]f64) = loop (a_11: f64 = u_8, p_12: [8]f64 = c_7) for k_13: i64 < 7i64 do {
//!         let i_14: i64 = add k_13 1i64
//!         let x_15: f64 = xs_4[i_14]
//!         let b_16: f64 = add a_11 x_15
//!         let q_17: [8]f64 = p_12 with [i_14] = b_16
//!         in (b_16, q_17)
//!       }
//!       in ys_10
//!     }
//!     to map
//!   }
//!   in out2_3
//! }
//! entry main = main (xss_1) -> (*out_2)
//! ```

use ravel_core::range::{Ranges, VisitWithFacts};
use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{
    Atom, Body, Builder, DimSlice, Exp, Function, Loop, LoopForm, Program, Stm, Uses, Var, VarTable,
    statements,
};
use ravel_prim::BinOp;
use rustc_hash::FxHashMap;

use crate::inline::Calls;
use crate::{Cx, Pass, Premise, Refusal};

/// The pass `partial-copy`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "partial-copy",
    about: "Copies only the elements of an array that the next loop does not overwrite.",
    rules: &[RULE],
    premises: &[OVERWRITTEN],
    run,
};

const RULE: &str = "partial-copy";

const OVERWRITTEN: Premise = Premise {
    name: "overwritten",
    about: "the loop overwrites all elements but the first few, which are known to exist",
    otherwise: "the loop may leave elements of {}",
};

/// The maximum number of elements that are copied one by one.
const MAX_LEFT: i64 = 4;

fn run(program: &mut Program, cx: &mut Cx) {
    let calls = Calls::of(&program.functions);
    for function in &mut program.functions {
        cx.count_visits(statements(&function.body));
        if !has_copy(&function.body) {
            continue;
        }
        let uses = Uses::of(function);
        let ranges = calls.ranges_of(function);
        let Function { vars, body, .. } = function;
        Rewriter { vars, uses, ranges, points: 0, cx }.body(body);
    }
}

/// Whether the code copies an array.
fn has_copy(body: &Body) -> bool {
    struct Search(bool);
    impl Visit for Search {
        fn var(&mut self, _: &Var) {}
        fn binder(&mut self, _: &Var) {}
        fn stm(&mut self, stm: &Stm) {
            self.0 |= matches!(stm.exp, Exp::Copy(_));
            self.exp(&stm.exp);
        }
    }
    let mut search = Search(false);
    search.body(body);
    search.0
}

struct Rewriter<'a> {
    vars: &'a mut VarTable,
    uses: Uses,
    ranges: Ranges,
    /// The number of map lambdas around the current place.
    points: usize,
    cx: &'a mut Cx,
}

/// A copy.
struct Copied {
    /// Its position in the body.
    at: usize,
    /// The number of its first elements that are known to exist, up to [`MAX_LEFT`].
    existing: i64,
}

impl VisitMut for Rewriter<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        let mark = self.ranges.enter();
        let mut copies: FxHashMap<Var, Copied> = FxHashMap::default();
        // The positions of copies, each with the number of elements that are left of it.
        let mut partial = Vec::new();
        for (at, stm) in body.stms.iter_mut().enumerate() {
            let inside = usize::from(matches!(stm.exp, Exp::Screma(_)));
            self.points += inside;
            self.nested(&mut stm.exp);
            self.points -= inside;
            match &stm.exp {
                Exp::Copy(_) if self.is_vector_of_one_use(stm.binders[0]) => {
                    copies.insert(stm.binders[0], Copied { at, existing: self.existing(stm.binders[0]) });
                }
                Exp::Loop(looped) => {
                    for at in 0..looped.params.len() {
                        let Some(left) = self.first_written(looped, at) else { continue };
                        let (_, Atom::Var(init)) = looped.params[at] else { continue };
                        let Some(copied) = copies.get(&init) else { continue };
                        if self.is_overwritten(looped, init, left) && left <= copied.existing {
                            partial.push((copied.at, left));
                        } else {
                            let refusal = Refusal::of(OVERWRITTEN);
                            self.cx.refuse(RULE, refusal.blame(self.vars[init].hint, None), &stm.origin);
                        }
                    }
                }
                _ => {}
            }
            self.ranges.define(self.vars, stm);
            if let Exp::Assert { cond, .. } = stm.exp {
                // What the rule writes stays after the checks before it.
                self.ranges.assume(self.vars, cond, true);
            }
        }
        self.ranges.leave(mark);
        partial.sort_unstable();
        for (at, left) in partial.into_iter().rev() {
            if self.cx.fire(RULE, &body.stms[at].origin) {
                let stms = first_elements(self.vars, &body.stms[at], left);
                body.stms.splice(at..=at, stms);
            }
        }
    }
}

impl VisitWithFacts for Rewriter<'_> {
    fn ranges(&mut self) -> (&mut Ranges, &VarTable) {
        (&mut self.ranges, self.vars)
    }
}

impl Rewriter<'_> {
    /// Whether the code of a point uses this array of one dimension once.
    fn is_vector_of_one_use(&self, array: Var) -> bool {
        self.points > 0 && self.vars[array].ty.rank() == 1 && self.uses.count(array) == 1
    }

    /// The number of first elements of an array that are known to exist, up to [`MAX_LEFT`].
    fn existing(&self, array: Var) -> i64 {
        let size = self.vars[array].ty.shape[0];
        let exist = |&count: &i64| self.ranges.at_most(self.vars, Atom::i64(count), size, 0);
        (0..=MAX_LEFT).rev().find(exist).unwrap_or_default()
    }

    /// If all that an iteration does with this parameter is to overwrite the element at its counter plus a constant: the
    /// constant.
    fn first_written(&self, looped: &Loop, at: usize) -> Option<i64> {
        let LoopForm::For { index: counter, .. } = looped.form else { return None };
        let (param, _) = looped.params[at];
        let next = looped.body.result[at].var()?;
        let definition = |var: Var| looped.body.stms.iter().find(|stm| stm.binders.contains(&var));
        let Exp::Update { array, slice, .. } = &definition(next)?.exp else { return None };
        let &[DimSlice::Fix(Atom::Var(index))] = &slice[..] else { return None };
        if *array != param || self.uses.count(param) != 1 || self.uses.count(next) != 1 {
            return None;
        }
        if index == counter {
            return Some(0);
        }
        let distance = match definition(index)?.exp {
            Exp::Binary(BinOp::Add, a, Atom::Const(distance)) if a == Atom::Var(counter) => distance,
            Exp::Binary(BinOp::Add, Atom::Const(distance), b) if b == Atom::Var(counter) => distance,
            _ => return None,
        };
        distance.as_i64().filter(|&distance| distance >= 0)
    }

    /// Whether a loop that overwrites an element of the array in each iteration, from this position on, reaches its end.
    fn is_overwritten(&self, looped: &Loop, array: Var, first: i64) -> bool {
        let LoopForm::For { bound, .. } = looped.form else { return false };
        let size = self.vars[array].ty.shape[0];
        self.ranges.at_most(self.vars, size, bound, i128::from(first))
    }
}

/// The copy of the first `count` elements of an array, in place of the copy of the whole.
fn first_elements(vars: &mut VarTable, copy: &Stm, count: i64) -> Vec<Stm> {
    let (Exp::Copy(from), &[to]) = (&copy.exp, &copy.binders[..]) else { unreachable!("a copy: {copy:?}") };
    let mut origin = copy.origin.clone();
    origin.add_rule(RULE);
    let mut b = Builder::resume(std::mem::take(vars));
    b.set_origin(origin);
    let ty = b.vars()[to].ty.clone();
    let mut last = Exp::Scratch;
    for position in (0..count).map(Atom::i64) {
        let Atom::Var(array) = b.bind(ty.clone(), last) else { unreachable!("an array is no constant") };
        let value = b.index(*from, vec![position]);
        last = Exp::Update { array, slice: vec![DimSlice::Fix(position)], value };
    }
    b.emit(vec![to], last);
    let (restored, stms) = b.finish();
    *vars = restored;
    stms
}
