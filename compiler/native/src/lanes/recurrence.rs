//! Loops in which each iteration waits for a quotient or square root of the iteration before: vectors of 512 bits do not
//! pay there.
//!
//! A division of 512 bits keeps the divider busy as long as two of 256 bits, but its result is ready later than theirs. On
//! Sapphire Rapids, a chain of divisions of 512 bits takes 1.5 times as long as two chains of 256 bits side by side; a
//! chain of square roots 1.6 times. Two registers of 256 bits need more instructions, but in a short loop these fill the
//! time in which the loop waits anyway. The solver of tridiagonal systems is such a loop.

use std::collections::BTreeMap;

use ravel_prim::{BinOp, UnOp};
use ravel_vector::{Body, Exp, Operand, Stm, Strip, Value};

/// The most statements of a loop that takes less time in vectors of 256 bits.
const MAX_STATEMENTS: usize = 48;

/// Whether a short innermost loop waits for a quotient in each iteration.
pub(super) fn waits_for_quotients(strip: &Strip) -> bool {
    waits(strip, &strip.body)
}

fn waits(strip: &Strip, body: &Body) -> bool {
    body.stms.iter().any(|stm| match stm {
        Stm::If { then, otherwise, .. } => waits(strip, then) || waits(strip, otherwise),
        Stm::Loop { params, body, .. } => match statements(body) {
            None => waits(strip, body),
            Some(count) => count <= MAX_STATEMENTS && Chains::of(strip, params, body).carry_quotients(body),
        },
        _ => false,
    })
}

/// The number of statements of a body; `None` if it has a loop.
fn statements(body: &Body) -> Option<usize> {
    let statement = |stm: &Stm| match stm {
        Stm::If { then, otherwise, .. } => Some(1 + statements(then)? + statements(otherwise)?),
        Stm::Loop { .. } => None,
        _ => Some(1),
    };
    body.stms.iter().map(statement).sum()
}

/// The values of an iteration that are computed from the merge parameters, and whether a quotient is on the way.
struct Chains<'s> {
    strip: &'s Strip,
    quotients: BTreeMap<Value, bool>,
}

impl<'s> Chains<'s> {
    fn of(strip: &'s Strip, params: &[(Value, Operand)], body: &Body) -> Chains<'s> {
        let quotients = params.iter().map(|&(param, _)| (param, false)).collect();
        let mut chains = Chains { strip, quotients };
        chains.body(body);
        chains
    }

    fn body(&mut self, body: &Body) {
        for stm in &body.stms {
            match stm {
                Stm::Let { value, exp } => {
                    if let Some(quotient) = self.longest(exp.operands()) {
                        self.quotients.insert(*value, quotient || self.divides(*exp));
                    }
                }
                Stm::If { binders, then, otherwise, .. } => {
                    self.body(then);
                    self.body(otherwise);
                    for (&binder, (&yes, &no)) in
                        binders.iter().zip(then.result.iter().zip(&otherwise.result))
                    {
                        self.quotients.extend(self.longest(vec![yes, no]).map(|quotient| (binder, quotient)));
                    }
                }
                Stm::Load { .. }
                | Stm::LoadRow { .. }
                | Stm::Store { .. }
                | Stm::Fail(_)
                | Stm::Loop { .. } => {}
            }
        }
    }

    /// Whether a quotient is on the way to one of these operands; `None` if no way leads to them.
    fn longest(&self, operands: Vec<Operand>) -> Option<bool> {
        let values = operands.into_iter().filter_map(Operand::value);
        values.filter_map(|value| self.quotients.get(&value).copied()).max()
    }

    fn divides(&self, exp: Exp) -> bool {
        let (ty, _) = self.strip.kind(exp);
        ty.is_float() && matches!(exp, Exp::Binary(BinOp::Div, ..) | Exp::Unary(UnOp::Sqrt, _))
    }

    /// Whether the next value of a merge parameter, a float, waits for a quotient of this one.
    fn carry_quotients(&self, body: &Body) -> bool {
        body.result
            .iter()
            .any(|&result| self.strip.ty(result).is_float() && self.longest(vec![result]) == Some(true))
    }
}
