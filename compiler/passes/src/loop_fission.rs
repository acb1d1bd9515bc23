//! # loop-fission: compute a recurrence that all points share once
//!
//! ## Rule
//!
//! ```text
//!   screma m { map \(x) -> { … let (a, b) = loop (p = c, q = d) for k < n do { A B in (p', q') } … } … }
//!   ---------------------------------------------------------------------------------------------------
//!   let (a, ts) = if 0 < m then { loop (p = c, ts = scratch) for k < n do { A  let t' = ts with [k] = t in (p', t') } }
//!                 else { scratch }
//!   screma m { map \(x) -> { … let b = loop (q = d) for k < n do { let t = ts[k] B in q' } … } … }
//! ```
//!
//! * *loop-fission*: a recurrence in a loop that is the same for all points becomes a loop of its own, which runs once,
//!   before the points. The body of an outer loop likewise. What the rest of the loop needs of it is stored in arrays.
//!
//! The systems of equations of a grid often have one matrix and many right-hand sides. The elimination then divides once for
//! each row of the matrix, and not once for each row and point.
//!
//! ## Requires
//!
//! * *scalars*: the rest of the loop reads only scalars of the recurrence, and at most four.
//! * *amortised*: if scalars are stored, the loop accesses an array that has an element for each iteration. So the memory for
//!   the scalars is in proportion to what exists.
//! * *shareable*: the body of the point neither consumes the arrays of the recurrence nor returns them.
//!
//! `A`, `c` and `n` depend on nothing that is bound in the point, except through statements that depend on nothing there
//! either. Their code cannot fail, and the ranges of integers prove that their indices are within their arrays. It contains an
//! operation of more than about one instruction.
//!
//! ## Ensures
//!
//! The recurrence runs only if there is a point, and if all checks before the loop hold that are the same for all points.
//!
//! ## Leaves alone
//!
//! Recurrences of short operations, such as counters: an array would take longer to read. Loops in branches.
//!
//! ## Costs
//!
//! The recurrence no longer runs beside the rest, which may take less time than waiting for it. Quadratic in the length of a
//! loop's body.
//!
//! ## Source
//!
//! Loop distribution, or fission: Allen and Kennedy, "Optimizing Compilers for Modern Architectures" (2001), section 5.7;
//! and loop-invariant code motion, as in `hoist`.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, ds: [n]f64, xss: [n][n]f64) -> (out: [n]f64) = {
//!   let rs: [n]f64 = screma n {
//!     from xss
//!     map \(xs: [n]f64) -> {
//!       let (s: f64, z: f64) = loop (p: f64 = 1.0f64, q: f64 = 0.0f64) for k: i64 < n do {
//!         let d: f64 = ds[k]
//!         let e: f64 = sub d p
//!         let f: f64 = div 1.0f64 e
//!         let x: f64 = xs[k]
//!         let g: f64 = mul q f
//!         let h: f64 = add g x
//!         in (f, h)
//!       }
//!       in z
//!     }
//!     to map
//!   }
//!   in rs
//! }
//! entry main = main (ds, xss) -> (*out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, ds_1: [n_0]f64, xss_2: [n_0][n_0]f64) -> (out_3: [n_0]f64) = {
//!   let v4: bool = lt 0i64 n_0
//!   let v5: i64 = max n_0 0i64
//!   let (v6: f64, v7: [v5]f64) = if v4 then {
//!     let v8: [v5]f64 = scratch
//!     let (v9: f64, v10: [v5]f64) = loop (p_11: f64 = 1.0f64, v12: [v5]f64 = v8) for k_13: i64 < n_0 do {
//!       let d_14: f64 = ds_1[k_13]
//!       let e_15: f64 = sub d_14 p_11
//!       let f_16: f64 = div 1.0f64 e_15
//!       let v17: [v5]f64 = v12 with [k_13] = f_16
//!       in (f_16, v17)
//!     }
//!     in (v9, v10)
//!   } else {
//!     let v18: [v5]f64 = scratch
//!     in (0.0f64, v18)
//!   }
//!   let rs_19: [n_0]f64 = screma n_0 {
//!     from xss_2
//!     map \(xs_20: [n_0]f64) -> {
//!       let z_21: f64 = loop (q_22: f64 = 0.0f64) for k_23: i64 < n_0 do {
//!         let v24: f64 = v7[k_23]
//!         let d_25: f64 = ds_1[k_23]
//!         let x_26: f64 = xs_20[k_23]
//!         let g_27: f64 = mul q_22 v24
//!         let h_28: f64 = add g_27 x_26
//!         in h_28
//!       }
//!       in z_21
//!     }
//!     to map
//!   }
//!   in rs_19
//! }
//! entry main = main (ds_1, xss_2) -> (*out_3)
//! ```

mod recurrence;
mod split;

use ravel_core::alias::{Aliases, Summaries, consumed_in};
use ravel_core::range::{Ranges, VisitWithFacts};
use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Body, DimSlice, Exp, Function, Loop, LoopForm, Program, Stm, Var, VarTable, any_statement,
    atom_type, free_in_stm, statements,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::checked::Checked;
use crate::hoist::{is_within, may_run_early, redefine};
use crate::inline::Calls;
use crate::pass::missing;
use crate::{Cx, Pass, Premise, Refusal};
use recurrence::Recurrence;

/// The pass `loop-fission`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "loop-fission",
    about: "Computes a recurrence that is the same for all points once, before them.",
    rules: &[RULE],
    premises: &[SCALARS, AMORTISED, SHAREABLE],
    run,
};

const RULE: &str = "loop-fission";

const SCALARS: Premise = Premise {
    name: "scalars",
    about: "the rest of the loop reads only scalars of the recurrence, and at most four",
    otherwise: "the loop needs more of the recurrence of {} than a few scalars",
};

const AMORTISED: Premise = Premise {
    name: "amortised",
    about: "if scalars are stored, the loop accesses an array that has an element for each iteration",
    otherwise: "the scalars of the recurrence of {} could take more memory than all other arrays",
};

const SHAREABLE: Premise = Premise {
    name: "shareable",
    about: "the body of the point neither consumes the arrays of the recurrence nor returns them",
    otherwise: "every point needs {} of its own",
};

/// The maximum number of scalars that are stored in each iteration.
const MAX_STORED: usize = 4;

fn run(program: &mut Program, cx: &mut Cx) {
    let summaries = Summaries::of(program);
    let calls = Calls::of(&program.functions);
    for function in &mut program.functions {
        cx.count_visits(statements(&function.body));
        if !any_statement(&function.body, &is_slow_loop) {
            continue;
        }
        let aliases = Aliases::of(function, &summaries);
        let ranges = calls.ranges_of(function);
        let Function { vars, body, .. } = function;
        Rewriter { vars, ranges, checked: Checked::default(), aliases: &aliases, summaries: &summaries, cx }
            .body(body);
    }
}

/// Whether the statement is a counted loop whose body has a long operation.
fn is_slow_loop(stm: &Stm) -> bool {
    match &stm.exp {
        Exp::Loop(Loop { form: LoopForm::For { .. }, body, .. }) => {
            body.stms.iter().any(|stm| is_long(&stm.exp))
        }
        _ => false,
    }
}

/// Whether the expression takes much more than one instruction.
fn is_long(exp: &Exp) -> bool {
    let has_long = |body: &Body| any_statement(body, &|stm| is_long(&stm.exp));
    match exp {
        Exp::Unary(op, _) => !op.is_short(),
        Exp::Binary(op, ..) => !op.is_short(),
        Exp::If { then, otherwise, .. } => has_long(then) || has_long(otherwise),
        Exp::Loop(looped) => has_long(&looped.body),
        Exp::Screma(screma) => screma.lambdas().any(|lambda| has_long(&lambda.body)),
        _ => false,
    }
}

struct Rewriter<'a> {
    vars: &'a mut VarTable,
    /// The ranges before the current statement.
    ranges: Ranges,
    /// The checks before the current statement.
    checked: Checked,
    aliases: &'a Aliases,
    summaries: &'a Summaries,
    cx: &'a mut Cx,
}

impl VisitMut for Rewriter<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        let (mark, checked) = (self.ranges.enter(), self.checked.enter());
        for mut stm in std::mem::take(&mut body.stms) {
            self.nested(&mut stm.exp);
            let before = self.before(&mut stm.exp);
            before.iter().for_each(|stm| self.ranges.define(self.vars, stm));
            body.stms.extend(before);
            if let Exp::Assert { cond, .. } = stm.exp {
                // The recurrences stay after the checks before the points.
                self.ranges.assume(self.vars, cond, true);
            }
            self.ranges.define(self.vars, &stm);
            self.checked.add(self.vars, &stm);
            body.stms.push(stm);
        }
        self.ranges.leave(mark);
        self.checked.leave(checked);
    }
}

impl VisitWithFacts for Rewriter<'_> {
    fn ranges(&mut self) -> (&mut Ranges, &VarTable) {
        (&mut self.ranges, self.vars)
    }
}

impl Rewriter<'_> {
    /// Takes shared recurrences out of the points of a construct, or out of the iterations of a counted loop. Returns the
    /// statements that compute them.
    fn before(&mut self, exp: &mut Exp) -> Vec<Stm> {
        let (mark, checked) = (self.ranges.enter(), self.checked.enter());
        let before = match exp {
            Exp::Screma(screma) => {
                self.ranges.point(self.vars, screma);
                let params = screma.map.params.clone();
                self.split_loops(&mut screma.map.body, params, screma.width)
            }
            Exp::Loop(looped) => match looped.form {
                LoopForm::For { index, bound } => {
                    self.ranges.loop_exp(self.vars, looped);
                    let params = looped.params.iter().map(|&(param, _)| param).chain([index]).collect();
                    self.split_loops(&mut looped.body, params, bound)
                }
                LoopForm::While(_) => Vec::new(),
            },
            _ => Vec::new(),
        };
        self.ranges.leave(mark);
        self.checked.leave(checked);
        before
    }

    /// Splits the loops of a body that runs `times` times with these parameters.
    fn split_loops(&mut self, body: &mut Body, params: Vec<Var>, times: Atom) -> Vec<Stm> {
        let mut before = Vec::new();
        let bound = params.into_iter().collect();
        let mut point = Point {
            times,
            bound,
            shared: FxHashMap::default(),
            checks: Vec::new(),
            returned: FxHashMap::default(),
        };
        let mut at = 0;
        while body.stms[at..].iter().any(is_slow_loop) {
            let split = match &body.stms[at] {
                Stm { exp: Exp::Loop(looped), .. } if is_slow_loop(&body.stms[at]) => {
                    Recurrence::of(self, &point, looped)
                }
                _ => None,
            };
            if let Some(recurrence) = split.filter(|recurrence| self.may_split(recurrence, body, at)) {
                let stm = body.stms.remove(at);
                let split = recurrence.split(self.vars, &point, &mut body.stms[..at], stm);
                before.extend(split.before);
                point.bound.extend(split.passed.iter().map(|&(binder, _)| binder));
                point.shared.extend(split.passed);
                for later in &mut body.stms[at..] {
                    split.results.stm(self.vars, later);
                }
                body.result.iter_mut().for_each(|result| *result = split.results.atom(*result));
                match split.rest {
                    Some(rest) => body.stms.insert(at, rest),
                    None => continue,
                }
            }
            self.add(&mut point, &body.stms[at], at);
            at += 1;
        }
        before
    }

    /// Records what a statement of a point defines.
    fn add(&mut self, point: &mut Point, stm: &Stm, at: usize) {
        let is_shared = free_in_stm(self.vars, stm).iter().all(|&var| point.is_shared(Atom::Var(var)));
        let is_safe = match stm.exp {
            Exp::Assert { cond, .. } => point.is_outside(cond),
            ref exp => self.is_safe(exp),
        };
        if is_shared && is_safe {
            point.shared.extend(stm.binders.iter().map(|&binder| (binder, at)));
        }
        self.checked.add(self.vars, stm);
        if let Exp::Assert { cond, values, .. } = &stm.exp
            && point.is_outside(*cond)
            && stm.trace_label().is_none()
        {
            if point.checks.iter().all(|(known, _)| known != cond) {
                point.checks.push((*cond, at));
            }
            point.returned.extend(stm.binders.iter().copied().zip(values.iter().copied()));
            self.ranges.assume(self.vars, *cond, true);
        }
        redefine(&mut self.ranges, self.vars, stm);
        point.bound.extend(&stm.binders);
    }

    /// Whether a statement of a loop in the point is safe, or repeats a check.
    fn is_safe_in(&mut self, point: &Point, stm: &Stm) -> bool {
        match stm.exp {
            Exp::Assert { cond, .. } => {
                stm.trace_label().is_none() && self.checked.contains(cond) && point.is_outside(cond)
            }
            ref exp => self.is_safe(exp),
        }
    }

    /// Whether the code cannot fail, and takes little time or memory beyond what it produces.
    fn is_safe(&mut self, exp: &Exp) -> bool {
        match exp {
            Exp::Replicate { .. } | Exp::Scratch | Exp::Copy(_) => true,
            Exp::Update { array, slice, value } => {
                let fixed = slice.iter().map(|dim| match *dim {
                    DimSlice::Fix(index) => Some(index),
                    DimSlice::Range { .. } => None,
                });
                let indices: Option<Vec<Atom>> = fixed.collect();
                let is_scalar = atom_type(self.vars, *value).is_scalar();
                is_scalar
                    && indices.is_some_and(|indices| is_within(self.vars, &self.ranges, *array, &indices))
            }
            exp => may_run_early(self.vars, &mut self.ranges, exp),
        }
    }

    /// Whether the premises hold for a recurrence in the loop at this position of the body of a point.
    fn may_split(&mut self, recurrence: &Recurrence, body: &Body, at: usize) -> bool {
        let stm = &body.stms[at];
        let Exp::Loop(looped) = &stm.exp else { return false };
        let arrays = stm.binders.iter().zip(&looped.params).filter(|(binder, (param, _))| {
            recurrence.slow.contains(param) && !self.vars[**binder].ty.is_scalar()
        });
        let arrays: Vec<Var> = arrays.map(|(&binder, _)| binder).collect();
        let consumed = consumed_in(&body.stms[at + 1..], self.aliases, self.summaries);
        let is_shareable = |array: &Var| {
            let places = self.aliases.places(*array);
            let given =
                body.result.iter().any(|&atom| self.aliases.may_alias(self.aliases.of_atom(atom), places));
            !given && consumed.iter().all(|&other| !self.aliases.vars_may_alias(other, *array))
        };
        let are_scalars = || recurrence.passed.iter().all(|&var| self.vars[var].ty.is_scalar());
        let missing = missing(&[
            (SCALARS, &|| are_scalars() && recurrence.passed.len() <= MAX_STORED),
            (AMORTISED, &|| recurrence.is_amortised || recurrence.passed.is_empty()),
            (SHAREABLE, &|| arrays.iter().all(is_shareable)),
        ]);
        let Some(premise) = missing else { return self.cx.fire(RULE, &stm.origin) };
        let names =
            looped.params.iter().map(|(param, _)| param).filter(|param| recurrence.slow.contains(param));
        let name = names.chain(&recurrence.passed).find_map(|&var| self.vars[var].hint);
        self.cx.refuse(RULE, Refusal::of(premise).blame(name, stm.origin.place()), &stm.origin);
        false
    }
}

/// A body that runs many times, up to some statement.
struct Point {
    /// How many times.
    times: Atom,
    /// What is bound in it.
    bound: FxHashSet<Var>,
    /// What has the same value each time, with the position of its statement.
    shared: FxHashMap<Var, usize>,
    /// The conditions of the checks that are the same each time, with the positions of their statements.
    checks: Vec<(Atom, usize)>,
    /// The values that these checks return.
    returned: FxHashMap<Var, Atom>,
}

impl Point {
    /// Whether the atom is bound outside.
    fn is_outside(&self, atom: Atom) -> bool {
        atom.var().is_none_or(|var| !self.bound.contains(&var))
    }

    /// The value as it was before the checks that are the same each time.
    fn before_checks(&self, atom: Atom) -> Atom {
        let returned = |&atom: &Atom| self.returned.get(&atom.var()?).copied();
        std::iter::successors(Some(atom), returned).last().unwrap_or(atom)
    }

    /// Whether the atom has the same value each time.
    fn is_shared(&self, atom: Atom) -> bool {
        self.is_outside(atom) || atom.var().is_some_and(|var| self.shared.contains_key(&var))
    }
}
