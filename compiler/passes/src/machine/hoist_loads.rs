//! # hoist-loads: move invariant loads and checks before their loop
//!
//! ## Rule
//!
//! ```text
//!   loop … for i < n { load x = a[j]  B }   -->   if 0 < n { load y = a[j]  yield y } else { yield 0 } -> (x)
//!                                                 loop … for i < n { B }
//!   loop … for i < n { assert c()  B }      -->   if 0 < n { assert c() }  loop … for i < n { B }
//! ```
//!
//! * *hoist-load*: a load of an element that a loop never changes moves before the loop.
//! * *hoist-check*: a check with the same outcome in every iteration moves before the loop.
//!
//! The indices, and the condition and the arguments of a check, are loop-invariant.
//!
//! ## Requires
//!
//! * *always-executed*: every iteration executes the statement, and nothing fails before it.
//! * *no-aliasing-store*, of hoist-load: the loop writes no memory in which the array may lie, and calls nothing.
//!
//! ## Ensures
//!
//! The first iteration would run the statement, so it is in bounds, and it fails only where the loop would have
//! failed, with the same message. The loop itself stays outside of the branch, so what it stores counts as stored
//! by every point. Inner loops come first.
//!
//! ## Leaves alone
//!
//! Loops of workgroups, and of a host that reaches elements by transfers only, loops with a condition, views that the loop introduces of blocks that it binds, and all
//! loops where the target's own compiler decides.
//!
//! ## Costs
//!
//! One walk over the program for each level of loops.
//!
//! ## Source
//!
//! Muchnick, "Advanced Compiler Design and Implementation" (1997), sections 12.4 and 13.2. A backend cannot do
//! the same, since it knows no arrays: it cannot move a load across the stores of a loop.
//!
//! ## Before
//!
//! ```text
//! message0 = "Index [", i64, "] out of bounds"
//! entry "main" [n] (xs: block f64 [n], *ys: block f64 [n]) -> ([]f64) {
//!   view xs1: f64 [n] = xs + 0i64 * [1i64]
//!   view ys1: f64 [n] = ys + 0i64 * [1i64]
//!   segment map (p < 1i64) chunk 1i64 {
//!     let last: i64 = sub(n, 1i64)
//!     loop () for i: i64 < n {
//!       let c: bool = lt(last, n)
//!       assert c message0(last)
//!       load x: f64 = xs1[last]
//!       load y: f64 = ys1[i]
//!       let z: f64 = mul(x, y)
//!       store ys1[i] = z
//!     }
//!   }
//!   yield n, ys
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! message0 = "Index [", i64, "] out of bounds"
//!
//! entry "main" [n_0] (xs_1: block f64 [n_0], *ys_2: block f64 [n_0]) -> ([]f64) {
//!   view xs1_3: f64 [n_0] = xs_1 + 0i64 * [1i64]
//!   view ys1_4: f64 [n_0] = ys_2 + 0i64 * [1i64]
//!   segment map (p_5 < 1i64) chunk 1i64 {
//!     let last_6: i64 = sub(n_0, 1i64)
//!     let c_7: bool = lt(last_6, n_0)
//!     let v8: bool = lt(0i64, n_0)
//!     if v8 {
//!       assert c_7 message0(last_6)
//!       load x_9: f64 = xs1_3[last_6]
//!       yield x_9
//!     } else {
//!       yield 0.0f64
//!     } -> (x_10: f64)
//!     loop () for i_11: i64 < n_0 {
//!       load y_12: f64 = ys1_4[i_11]
//!       let z_13: f64 = mul(x_10, y_12)
//!       store ys1_4[i_11] = z_13
//!     }
//!   }
//!   yield n_0, ys_2
//! }
//! ```

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use ravel_kernel::*;
use ravel_prim::{CmpOp, PrimType, PrimValue};

use super::aliases::Aliases;
use super::invariants::Invariants;
use super::{Rewrite, rewrite};
use crate::pass::missing;
use crate::steps::scalar_type;
use crate::{Cx, KernelPass, Premise, Refusal};

/// The pass `hoist-loads`: its rules, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "hoist-loads",
    about: "Moves loads of memory that a loop never writes, and their checks, before the loop.",
    rules: &[LOAD, CHECK],
    premises: &[ALWAYS_EXECUTED, NO_ALIASING_STORE],
    run,
};

const LOAD: &str = "hoist-load";
const CHECK: &str = "hoist-check";

const ALWAYS_EXECUTED: Premise = Premise {
    name: "always-executed",
    about: "every iteration executes the statement, and nothing fails before it",
    otherwise: "something may fail before it in the first iteration",
};

const NO_ALIASING_STORE: Premise = Premise {
    name: "no-aliasing-store",
    about: "the loop writes no memory in which the array may lie, and calls nothing",
    otherwise: "the loop may write the memory of the array",
};

fn run(program: &mut Program, cx: &mut Cx) {
    if cx.target.hoists_loads {
        rewrite(program, &mut EachBody(cx));
    }
}

/// Runs the pass on each body of a program.
struct EachBody<'a>(&'a mut Cx);

impl Rewrite for EachBody<'_> {
    fn code<L: Level>(&mut self, body: &mut Body<L>, vars: &mut VarTable) {
        let aliases = Aliases::of(body, vars);
        HoistLoads { vars, aliases, cx: self.0 }.body(body);
    }
}

struct HoistLoads<'a> {
    vars: &'a mut VarTable,
    aliases: Aliases,
    cx: &'a mut Cx,
}

impl VisitMut for HoistLoads<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        for mut step in std::mem::take(&mut body.stms) {
            self.step(&mut step);
            match step.stm {
                Stm::Loop { .. } if self.accesses_elements::<L>() => self.hoist(step, body),
                _ => body.stms.push(step),
            }
        }
    }
}

impl HoistLoads<'_> {
    /// Whether code at this level accesses elements itself, one at a time.
    fn accesses_elements<L: Level>(&self) -> bool {
        match L::NAME {
            LevelName::Host => self.cx.target.host_elements,
            LevelName::Workgroup => false,
            LevelName::Thread => true,
        }
    }

    /// Adds a loop to a body, after what leaves it.
    fn hoist<L: Level>(&mut self, mut looped: Step<L>, to: &mut Body<L>) {
        let Stm::Loop { params, form, body, .. } = &mut looped.stm else {
            return to.stms.push(looped);
        };
        let LoopForm::For { bound, .. } = *form else { return to.stms.push(looped) };
        let invariants = Invariants::of(params, *form, body, self.vars);
        let leaving = self.hoistable(body, &invariants);
        if leaving.is_empty() {
            return to.stms.push(looped);
        }
        let (mut first, mut left) = (Vec::new(), Vec::new());
        for (place, mut step) in std::mem::take(&mut body.stms).into_iter().enumerate() {
            match leaving.get(&place) {
                Some(rule) => {
                    step.add_rule(rule);
                    first.push(step);
                }
                None => left.push(step),
            }
        }
        body.stms = left;
        let used = first.iter().flat_map(|step| operands(&step.stm));
        to.stms.extend(invariants.take(body, used, self.vars));
        if matches!(bound, Atom::Const(bound) if bound.as_i64().is_some_and(|bound| bound > 0)) {
            to.stms.extend(first);
            return to.stms.push(looped);
        }
        let origin = looped.origin.clone();
        let (mut binders, mut loaded, mut zeros) = (Vec::new(), Vec::new(), Vec::new());
        for step in &mut first {
            if let Stm::Load { var, .. } = &mut step.stm {
                let inside = self.vars.push(self.vars[*var].clone());
                binders.push(std::mem::replace(var, inside));
                loaded.push(Atom::Var(inside));
                zeros.push(Atom::Const(PrimValue::zero(scalar_type(Atom::Var(inside), self.vars))));
            }
        }
        let runs = self.vars.push(VarInfo { hint: None, ty: Type::Scalar(PrimType::Bool) });
        let zero = Atom::Const(PrimValue::zero(scalar_type(bound, self.vars)));
        let runs_at_all = Stm::Let { var: runs, exp: ScalarExp::Compare(CmpOp::Lt, zero, bound) };
        let branch = Stm::If {
            binders,
            cond: Atom::Var(runs),
            then: Body { stms: first, result: loaded },
            otherwise: Body { stms: Vec::new(), result: zeros },
        };
        to.stms.extend(Step::all(&origin, [runs_at_all, branch]));
        to.stms.push(looped);
    }

    /// The places of the statements that leave the body of a loop, each with its rule.
    fn hoistable<L: Level>(
        &mut self,
        body: &Body<L>,
        invariants: &Invariants,
    ) -> BTreeMap<usize, &'static str> {
        let mut leaving = BTreeMap::new();
        let mut first = true;
        let mut writes = None;
        for (place, Step { origin, stm }) in body.stms.iter().enumerate() {
            let invariant = invariants.contain_all(&operands(stm));
            let leaves = match stm {
                Stm::Load { array, .. } if invariant => {
                    let writes = writes.get_or_insert_with(|| self.writes(body));
                    let unwritten = || writes.as_ref().is_some_and(|writes| self.is_outside(*array, writes));
                    let wrong = missing(&[(ALWAYS_EXECUTED, &|| first), (NO_ALIASING_STORE, &unwritten)]);
                    self.may_fire(LOAD, wrong, origin).then_some(LOAD)
                }
                Stm::Assert { cond: Atom::Var(_), .. } if invariant => {
                    let wrong = missing(&[(ALWAYS_EXECUTED, &|| first)]);
                    self.may_fire(CHECK, wrong, origin).then_some(CHECK)
                }
                _ => None,
            };
            match leaves {
                Some(rule) => _ = leaving.insert(place, rule),
                None => first &= goes_on(stm),
            }
        }
        leaving
    }

    fn may_fire(&mut self, rule: &'static str, wrong: Option<Premise>, origin: &Origin) -> bool {
        let Some(premise) = wrong else { return self.cx.fire(rule, origin) };
        self.cx.refuse(rule, Refusal::of(premise), origin);
        false
    }

    /// The memory that a body may overwrite; `None` if it calls a function, which may overwrite other memory.
    fn writes<L: Level>(&self, body: &Body<L>) -> Option<BTreeSet<Var>> {
        (!calls(body)).then(|| self.aliases.overwritten(body, self.vars))
    }

    /// Whether an array lies outside of this memory.
    fn is_outside(&self, array: Var, memory: &BTreeSet<Var>) -> bool {
        let Type::Array(view) = &self.vars[array].ty else { return false };
        self.aliases.memory(view.block).is_disjoint(memory)
    }
}

/// The operands of a load or a check. If all of them are invariant, so is the statement.
fn operands<L: Level>(stm: &Stm<L>) -> Vec<Atom> {
    match stm {
        Stm::Load { array, indices, .. } => [&[Atom::Var(*array)][..], indices].concat(),
        Stm::Assert { cond, args, .. } => [&[*cond][..], args].concat(),
        _ => Vec::new(),
    }
}

/// Whether the program always executes the statement after this one.
fn goes_on<L: Level>(stm: &Stm<L>) -> bool {
    let all = |body: &Body<L>| body.stms.iter().all(|step| goes_on(&step.stm));
    match stm {
        Stm::Let { .. } | Stm::SineCosine { .. } | Stm::View(_) | Stm::Constants { .. } => true,
        Stm::Load { .. } | Stm::Store { .. } | Stm::Combine { .. } | Stm::Copy { .. } => true,
        Stm::If { then, otherwise, .. } => all(then) && all(otherwise),
        Stm::Loop { form: LoopForm::For { .. }, body, .. } => all(body),
        Stm::Loop { form: LoopForm::While(_), .. } => false,
        // Memory may be lacking.
        Stm::Alloc { .. } => false,
        Stm::Assert { cond, .. } => *cond == Atom::bool(true),
        Stm::Choose { .. } => true,
        Stm::Trace { .. } | Stm::Call { .. } | Stm::Segment(_) => false,
    }
}

/// Whether a body calls a function.
fn calls<L: Level>(body: &Body<L>) -> bool {
    struct Calls(bool);
    impl Visit for Calls {
        fn stm<L: Level>(&mut self, stm: &Stm<L>) {
            self.0 |= matches!(stm, Stm::Call { .. });
            self.children(stm);
        }
    }
    let mut calls = Calls(false);
    calls.body(body);
    calls.0
}
