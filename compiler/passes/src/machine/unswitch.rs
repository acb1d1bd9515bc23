//! # unswitch: decide a branch on a loop-invariant condition before the loop
//!
//! ## Rule
//!
//! ```text
//!   loop … { A  if c { T } else { F }  B }   -->   if c { loop … { A  T  B } } else { loop … { A  F  B } }
//! ```
//!
//! * *unswitch*: a loop with a branch on an invariant condition becomes a branch between two loops.
//!
//! The condition is bound before the loop, or total arithmetic computes it from such values.
//!
//! ## Requires
//!
//! * *innermost*: an iteration has no loop, call, copy, trace or segment, and allocates nothing.
//! * *short*: all copies of the loop together have at most as many statements as the target's setting
//!   `max_unswitched` permits.
//!
//! ## Ensures
//!
//! Each iteration of either copy does what it did before, so checks fail as before. Values that only one side
//! uses no longer occupy registers in the other copy. Otherwise, a value that only a rarely taken side uses
//! would be spilled and reloaded in every iteration. Expressions that the condition decides are folded.
//!
//! ## Leaves alone
//!
//! Loops of the host, outer loops, and all loops where the target's own compiler decides.
//!
//! ## Costs
//!
//! As many statements as the rule makes.
//!
//! ## Source
//!
//! Allen and Cocke, "A catalogue of optimizing transformations" (1971).
//!
//! ## Before
//!
//! ```text
//! entry "main" [n] (xs: block f64 [n], last: i64) -> ([]f64) {
//!   view xs1: f64 [n] = xs + 0i64 * [1i64]
//!   alloc out: block f64 = n
//!   view out1: f64 [n] = out + 0i64 * [1i64]
//!   segment map (i < n) chunk 1i64 {
//!     load x: f64 = xs1[i]
//!     loop (y: f64 = x) for j: i64 < 100i64 {
//!       let is_last: bool = eq(i, last)
//!       if is_last {
//!         let a: f64 = sqrt(y)
//!         yield a
//!       } else {
//!         let b: f64 = mul(y, x)
//!         yield b
//!       } -> (z: f64)
//!       yield z
//!     } -> (r: f64)
//!     store out1[i] = r
//!   }
//!   yield n, out
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0] (xs_1: block f64 [n_0], last_2: i64) -> ([]f64) {
//!   view xs1_3: f64 [n_0] = xs_1 + 0i64 * [1i64]
//!   alloc out_4: block f64 = n_0
//!   view out1_5: f64 [n_0] = out_4 + 0i64 * [1i64]
//!   segment map (i_6 < n_0) chunk 1i64 {
//!     load x_7: f64 = xs1_3[i_6]
//!     let is_last_8: bool = eq(i_6, last_2)
//!     if is_last_8 {
//!       loop (y_9: f64 = x_7) for j_10: i64 < 100i64 {
//!         let a_11: f64 = sqrt(y_9)
//!         yield a_11
//!       } -> (r_12: f64)
//!       yield r_12
//!     } else {
//!       loop (y_13: f64 = x_7) for j_14: i64 < 100i64 {
//!         let b_15: f64 = mul(y_13, x_7)
//!         yield b_15
//!       } -> (r_16: f64)
//!       yield r_16
//!     } -> (r_17: f64)
//!     store out1_5[i_6] = r_17
//!   }
//!   yield n_0, out_4
//! }
//! ```

#[cfg(test)]
mod tests;

use ravel_kernel::*;

use super::copy::Copy;
use super::invariants::Invariants;
use super::size::{INNERMOST, statements};
use super::{Rewrite, rewrite};
use crate::pass::missing;
use crate::{Cx, KernelPass, Premise, Refusal};

/// The pass `unswitch`: its rules, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "unswitch",
    about: "Decides branches on loop-invariant conditions before the loop.",
    rules: &[RULE],
    premises: &[INNERMOST, SHORT],
    run,
};

const RULE: &str = "unswitch";

const SHORT: Premise = Premise {
    name: "short",
    about: "all copies of the loop together have at most as many statements as the target's setting `max_unswitched` permits",
    otherwise: "all copies of the loop together have too many statements",
};

fn run(program: &mut Program, cx: &mut Cx) {
    if cx.target.max_unswitched > 0 {
        rewrite(program, &mut EachBody(cx));
    }
}

/// Runs the pass on each body of a program.
struct EachBody<'a>(&'a mut Cx);

impl Rewrite for EachBody<'_> {
    fn code<L: Level>(&mut self, body: &mut Body<L>, vars: &mut VarTable) {
        Unswitch { vars, cx: self.0 }.body(body);
    }
}

struct Unswitch<'a> {
    vars: &'a mut VarTable,
    cx: &'a mut Cx,
}

impl VisitMut for Unswitch<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        for mut step in std::mem::take(&mut body.stms) {
            self.step(&mut step);
            match step.stm {
                Stm::Loop { .. } if L::NAME == LevelName::Thread => self.decide(step, 2, body),
                _ => body.stms.push(step),
            }
        }
    }
}

impl Unswitch<'_> {
    /// Adds a loop to a body: two copies of it if a condition is invariant. There are `copies` copies of it then.
    fn decide<L: Level>(&mut self, mut looped: Step<L>, copies: u64, to: &mut Body<L>) {
        let Stm::Loop { params, form, body, .. } = &mut looped.stm else { unreachable!("a loop") };
        let invariants = Invariants::of(params, *form, body, self.vars);
        let Some(cond) =
            condition(body, &invariants).filter(|_| self.unswitches(body, copies, &looped.origin))
        else {
            return to.stms.push(looped);
        };
        to.stms.extend(invariants.take(body, [cond], self.vars));
        looped.add_rule(RULE);
        let cond_var = cond.var().expect("no constant decides a branch");
        let [then, otherwise] = [true, false].map(|value| {
            let mut copy = Copy::new(self.vars);
            copy.replace(cond_var, Atom::bool(value));
            let mut side = Body { stms: Vec::new(), result: Vec::new() };
            let mut looped = looped.clone();
            copy.step(&mut looped);
            let Stm::Loop { binders, .. } = &looped.stm else { unreachable!("a loop") };
            side.result = binders.iter().map(|&binder| Atom::Var(binder)).collect();
            self.decide(looped, 2 * copies, &mut side);
            side
        });
        let Stm::Loop { binders, .. } = looped.stm else { unreachable!("a loop") };
        to.stms.push(Step { stm: Stm::If { binders, cond, then, otherwise }, ..looped });
    }

    /// Whether a loop with this body becomes `copies` copies.
    fn unswitches<L: Level>(&mut self, body: &Body<L>, copies: u64, origin: &Origin) -> bool {
        let each = statements(body);
        let most = self.cx.target.max_unswitched.unsigned_abs();
        let short = || each.is_some_and(|each| each * copies <= most);
        match missing(&[(INNERMOST, &|| each.is_some()), (SHORT, &short)]) {
            None => self.cx.fire(RULE, origin),
            Some(premise) => {
                self.cx.refuse(RULE, Refusal::of(premise), origin);
                false
            }
        }
    }
}

/// The first invariant condition of a branch in the body of a loop.
fn condition<L: Level>(body: &Body<L>, invariants: &Invariants) -> Option<Atom> {
    body.stms.iter().find_map(|step| match &step.stm {
        Stm::If { cond: cond @ Atom::Var(_), .. } if invariants.contain(*cond) => Some(*cond),
        Stm::If { then, otherwise, .. } => {
            condition(then, invariants).or_else(|| condition(otherwise, invariants))
        }
        Stm::Loop { .. } | Stm::Segment(_) | stm_without_bodies!() => None,
    })
}
