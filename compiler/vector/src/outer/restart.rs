//! Restarts: a strip that ends because of an angle far from 0 runs again as scalar code, point by point.
//!
//! A point that contains a check may always run again (a law of kernel IR). Of others, this must not change the result: no
//! element in shared memory may be read after the strip has stored it. It holds if the strip stores nothing there before
//! it ends, or reads only what is the same in all lanes, because no point reads what another one stores.

use crate::form::{Body, Memory, Operand, Place, Position, Stm, Strip, Value};
use crate::refusal::Refusal;

use super::Outer;

impl Outer<'_> {
    /// Ends the strip if a bool is true in a lane of `mask`.
    pub(super) fn restart_if(&mut self, cond: Operand, mask: Option<Operand>) {
        let cond = if self.strip.is_varying(cond) { self.both(mask, cond) } else { cond };
        self.restarts.extend(cond.value());
        self.stms.push(Stm::Fail(cond));
    }

    /// Refuses a strip that restarts although its points must not run again.
    pub(super) fn check_restarts(&self) -> Result<(), Refusal> {
        if self.restarts.is_empty() || self.has_checks {
            return Ok(());
        }
        let mut order = Order { strip: &self.strip, restarts: &self.restarts, stored: false };
        let is_late = order.restarts_late(&self.strip.body);
        if is_late && order.reads(&self.strip.body) { Err(Refusal::Restart) } else { Ok(()) }
    }
}

/// A walk over a strip in the order of execution.
struct Order<'s> {
    strip: &'s Strip,
    /// The conditions of restarts.
    restarts: &'s [Value],
    /// Whether there was a store to shared memory.
    stored: bool,
}

impl Order<'_> {
    fn is_shared(&self, memory: Memory) -> bool {
        matches!(self.strip.memories[memory].place, Place::Block(_))
    }

    /// Whether a restart comes after a store.
    fn restarts_late(&mut self, body: &Body) -> bool {
        body.stms.iter().any(|stm| match stm {
            Stm::Store { memory, .. } => {
                self.stored |= self.is_shared(*memory);
                false
            }
            Stm::Fail(Operand::Value(cond)) => self.stored && self.restarts.contains(cond),
            Stm::If { then, otherwise, .. } => self.restarts_late(then) || self.restarts_late(otherwise),
            // The first store comes before a restart of the next iteration.
            Stm::Loop { body, .. } => {
                let stored = self.stored;
                self.restarts_late(body) || (self.stored != stored && self.restarts_late(body))
            }
            Stm::Let { .. } | Stm::Load { .. } | Stm::Fail(Operand::Const(_)) => false,
        })
    }

    /// Whether lanes read different elements of shared memory.
    fn reads(&self, body: &Body) -> bool {
        body.stms.iter().any(|stm| match stm {
            Stm::Load { memory, position, .. } => {
                self.is_shared(*memory) && !matches!(position, Position::Uniform(_))
            }
            Stm::If { then, otherwise, .. } => self.reads(then) || self.reads(otherwise),
            Stm::Loop { body, .. } => self.reads(body),
            Stm::Let { .. } | Stm::Store { .. } | Stm::Fail(_) => false,
        })
    }
}
