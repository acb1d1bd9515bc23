//! Restarts: a strip ends early, and scalar code runs its points again, one by one.
//!
//! There are three causes. The sine, cosine or tangent of a large angle needs integers that vectors lack. A strip assumes
//! that some sizes are the same at all points (*Speculation* in `vectorise`), although one point may have another size. And
//! points may not be alike, or have arrays that are too large (`alike`).
//!
//! A point that contains a check may always run again (a law of kernel IR). Any other point may run again only if it does
//! not read an element of a memory block that the strip has already stored. This is certain in two cases:
//!
//! * The strip stores to no memory block before it may restart.
//! * It reads memory blocks only at positions that are the same in all lanes. Such an element is read by all points. So no
//!   point stores it, because no point reads what another one stores.

use crate::form::{Body, Memory, Operand, Place, Position, Stm, Strip, Value};
use crate::refusal::Refusal;

use super::Vectoriser;

impl Vectoriser<'_> {
    /// Ends the strip if a bool is true in a lane of `mask`.
    pub(super) fn restart_if(&mut self, cond: Operand, mask: Option<Operand>) {
        let cond = if self.strip.is_varying(cond) { self.intersect(mask, cond) } else { cond };
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
    /// Whether there was a store to a memory block. The arrays of the lanes do not count, because a restart begins them anew.
    stored: bool,
}

impl Order<'_> {
    fn is_block(&self, memory: Memory) -> bool {
        matches!(self.strip.memories[memory].place, Place::Block(_))
    }

    /// Whether a restart comes after a store.
    fn restarts_late(&mut self, body: &Body) -> bool {
        body.stms.iter().any(|stm| match stm {
            Stm::Store { memory, .. } => {
                self.stored |= self.is_block(*memory);
                false
            }
            Stm::Fail(Operand::Value(cond)) => self.stored && self.restarts.contains(cond),
            Stm::If { then, otherwise, .. } => {
                let before = self.stored;
                let then_is_late = self.restarts_late(then);
                let after = std::mem::replace(&mut self.stored, before);
                let otherwise_is_late = self.restarts_late(otherwise);
                self.stored |= after;
                then_is_late || otherwise_is_late
            }
            // A store of one iteration comes before the restarts of the next one, so the body is walked a second time if
            // the first walk finds the first store.
            Stm::Loop { body, .. } => {
                let stored = self.stored;
                self.restarts_late(body) || (self.stored != stored && self.restarts_late(body))
            }
            Stm::Let { .. } | Stm::Load { .. } | Stm::LoadRow { .. } | Stm::Fail(Operand::Const(_)) => false,
        })
    }

    /// Whether lanes read different elements of a memory block.
    fn reads(&self, body: &Body) -> bool {
        body.stms.iter().any(|stm| match stm {
            Stm::Load { memory, position, .. } => {
                self.is_block(*memory) && !matches!(position, Position::Uniform(_))
            }
            Stm::LoadRow { .. } => true,
            Stm::If { then, otherwise, .. } => self.reads(then) || self.reads(otherwise),
            Stm::Loop { body, .. } => self.reads(body),
            Stm::Let { .. } | Stm::Store { .. } | Stm::Fail(_) => false,
        })
    }
}
