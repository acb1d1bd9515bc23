//! # if-convert: compute both sides of a short branch, and select
//!
//! ## Rule
//!
//! ```text
//!   if c { A  yield a } else { B  yield b } -> (x)   -->   A  B  let x = select(c, a, b)
//! ```
//!
//! * *branch-select*: both sides of a branch between scalars are computed, and one result is selected. If the result is
//!   `true` on the first side, or `false` on the second one, it is `or(c, b)` or `and(c, a)`.
//!
//! The statements of `A` and `B` bind scalars to expressions, and the results are scalars.
//!
//! ## Requires
//!
//! * *short*: all statements of both sides together take the target no longer than a jump.
//! * *cheap*: no single statement of the sides takes longer than a jump. A division, a root and a
//!   function of the library do.
//!
//! ## Ensures
//!
//! The expressions are total, so both sides may be computed speculatively. Inner branches are converted first;
//! the sides of the outer branch may then contain only scalar expressions.
//!
//! ## Leaves alone
//!
//! Branches that access memory or check something, and all branches if the target has its own optimising
//! compiler.
//!
//! ## Costs
//!
//! A few instructions of both sides, where a mispredicted branch would cost more. One walk over the program.
//!
//! ## Source
//!
//! Allen, Kennedy, Porterfield and Warren, "Conversion of control dependence to data dependence" (POPL 1983).
//!
//! ## Before
//!
//! ```text
//! entry "main" [n] (xs: block f64 [n]) -> ([]f64) {
//!   view xs1: f64 [n] = xs + 0i64 * [1i64]
//!   alloc out: block f64 = n
//!   view out1: f64 [n] = out + 0i64 * [1i64]
//!   segment map (i < n) chunk 1i64 {
//!     load x: f64 = xs1[i]
//!     let below: bool = lt(x, 0.0f64)
//!     if below {
//!       let a: f64 = neg(x)
//!       yield a
//!     } else {
//!       yield x
//!     } -> (y: f64)
//!     store out1[i] = y
//!   }
//!   yield n, out
//! }
//! ```
//!
//! ## After
//!
//! ```text
//! entry "main" [n_0] (xs_1: block f64 [n_0]) -> ([]f64) {
//!   view xs1_2: f64 [n_0] = xs_1 + 0i64 * [1i64]
//!   alloc out_3: block f64 = n_0
//!   view out1_4: f64 [n_0] = out_3 + 0i64 * [1i64]
//!   segment map (i_5 < n_0) chunk 1i64 {
//!     load x_6: f64 = xs1_2[i_5]
//!     let below_7: bool = lt(x_6, 0.0f64)
//!     let a_8: f64 = neg(x_6)
//!     let y_9: f64 = select(below_7, a_8, x_6)
//!     store out1_4[i_5] = y_9
//!   }
//!   yield n_0, out_3
//! }
//! ```

#[cfg(test)]
mod tests;

use ravel_kernel::*;
use ravel_prim::{BinOp, PrimValue};

use super::{Rewrite, rewrite};
use crate::pass::missing;
use crate::{Cx, KernelPass, Premise, Refusal};

/// The pass `if-convert`: its rules, its premises, and the function that runs it.
pub const PASS: KernelPass = KernelPass {
    name: "if-convert",
    about: "Computes both sides of a short branch, and selects.",
    rules: &[RULE],
    premises: &[SHORT, CHEAP],
    run,
};

const RULE: &str = "branch-select";

const SHORT: Premise = Premise {
    name: "short",
    about: "all statements of both sides together take the target no longer than a jump",
    otherwise: "the sides of the branch have too many statements",
};

const CHEAP: Premise = Premise {
    name: "cheap",
    about: "no single statement of the sides takes longer than a jump",
    otherwise: "a statement of the branch takes longer than a jump",
};

fn run(program: &mut Program, cx: &mut Cx) {
    if cx.target.max_selected > 0 {
        rewrite(program, &mut EachBody(cx));
    }
}

/// Runs the pass on each body of a program.
struct EachBody<'a>(&'a mut Cx);

impl Rewrite for EachBody<'_> {
    fn code<L: Level>(&mut self, body: &mut Body<L>, vars: &mut VarTable) {
        IfConvert { vars, cx: self.0 }.body(body);
    }
}

struct IfConvert<'a> {
    vars: &'a VarTable,
    cx: &'a mut Cx,
}

impl VisitMut for IfConvert<'_> {
    fn body<L: Level>(&mut self, body: &mut Body<L>) {
        for mut step in std::mem::take(&mut body.stms) {
            self.step(&mut step);
            if !self.selects(&step) {
                body.stms.push(step);
                continue;
            }
            step.add_rule(RULE);
            let Step { origin, stm: Stm::If { binders, cond, then, otherwise } } = step else { continue };
            body.stms.extend(then.stms.into_iter().chain(otherwise.stms));
            let sides = then.result.into_iter().zip(otherwise.result);
            let select = |(var, (yes, no))| Stm::Let { var, exp: selection(cond, yes, no) };
            body.stms.extend(Step::all(&origin, binders.into_iter().zip(sides).map(select)));
        }
    }
}

impl IfConvert<'_> {
    /// Whether this is a branch that becomes a selection.
    fn selects<L: Level>(&mut self, step: &Step<L>) -> bool {
        let Stm::If { binders, then, otherwise, .. } = &step.stm else { return false };
        let binds_scalars = binders.iter().all(|&var| matches!(self.vars[var].ty, Type::Scalar(_)));
        let stms = || then.stms.iter().chain(&otherwise.stms).map(|step| &step.stm);
        if !binds_scalars || !stms().all(|stm| matches!(stm, Stm::Let { .. })) {
            return false;
        }
        let cheap = |stm: &Stm<L>| matches!(stm, Stm::Let { exp, .. } if is_cheap(exp));
        let few = || stms().count() as i64 <= self.cx.target.max_selected;
        match missing(&[(SHORT, &few), (CHEAP, &|| stms().all(cheap))]) {
            None => self.cx.fire(RULE, &step.origin),
            Some(premise) => {
                self.cx.refuse(RULE, Refusal::of(premise), &step.origin);
                false
            }
        }
    }
}

/// The first value if the condition holds, otherwise the second.
fn selection(cond: Atom, yes: Atom, no: Atom) -> ScalarExp {
    match (yes, no) {
        (Atom::Const(PrimValue::Bool(true)), _) => ScalarExp::Binary(BinOp::Or, cond, no),
        (_, Atom::Const(PrimValue::Bool(false))) => ScalarExp::Binary(BinOp::And, cond, yes),
        _ => ScalarExp::Select(cond, yes, no),
    }
}

/// Whether an expression takes about as long as the jump that would avoid it.
fn is_cheap(exp: &ScalarExp) -> bool {
    match exp {
        ScalarExp::Atom(_) | ScalarExp::Compare(..) | ScalarExp::Select(..) => true,
        ScalarExp::PrivateLimit(_) | ScalarExp::Param(..) => true,
        ScalarExp::Convert(to, _) => to.is_integer(),
        ScalarExp::Unary(op, _) => op.is_short(),
        ScalarExp::Binary(op, ..) => op.is_short(),
    }
}
