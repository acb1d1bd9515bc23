//! Masks: which branches and loops of a strip depend on them.
//!
//! If lanes may take different sides of a branch, the strip has one statement for each side. It tests whether a lane takes
//! the side. The translation gives no test to a side that only computes a few scalars (`ravel_vector`).

use std::collections::{BTreeMap, BTreeSet};

use ravel_prim::{BinOp, UnOp};
use ravel_vector::{Body, Exp, Operand, Stm, Strip, Value};

/// The masks of a strip.
#[derive(Default)]
pub(super) struct Masks {
    /// The expressions to which masks, and tests of masks, are bound.
    exps: BTreeMap<Value, Exp>,
    /// The conditions of the sides with tests.
    tested: BTreeSet<Value>,
}

impl Masks {
    pub fn of(strip: &Strip) -> Masks {
        let mut masks = Masks::default();
        masks.body(&strip.body);
        masks
    }

    fn body(&mut self, body: &Body) {
        for stm in &body.stms {
            match stm {
                Stm::Let { value, exp } => {
                    self.exps.insert(*value, *exp);
                }
                Stm::If { cond, then, otherwise, .. } => {
                    let condition = self.tested_by(*cond).map(|mask| self.condition(mask));
                    self.tested.extend(condition);
                    self.body(then);
                    self.body(otherwise);
                }
                Stm::Loop { body, .. } => self.body(body),
                Stm::Load { .. } | Stm::LoadRow { .. } | Stm::Store { .. } | Stm::Fail(_) => {}
            }
        }
    }

    /// The mask that a uniform bool tests.
    pub fn tested_by(&self, cond: Operand) -> Option<Value> {
        match self.exps.get(&cond.value()?)? {
            Exp::Any(mask) => mask.value(),
            _ => None,
        }
    }

    /// The condition of the innermost branch that a mask comes from.
    fn condition(&self, mask: Value) -> Value {
        match self.exps.get(&mask) {
            Some(Exp::Binary(BinOp::And, _, Operand::Value(condition))) => *condition,
            _ => mask,
        }
    }

    /// Whether the other side of the branch of a mask has a test too.
    pub fn has_other_side(&self, mask: Value) -> bool {
        let condition = self.condition(mask);
        let is_opposite =
            |a: Value, b: Value| self.exps.get(&a) == Some(&Exp::Unary(UnOp::Not, Operand::Value(b)));
        self.tested.iter().any(|&other| is_opposite(condition, other) || is_opposite(other, condition))
    }
}
