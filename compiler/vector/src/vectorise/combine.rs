//! Reductions: each lane combines the results of its points, from one strip to the next.

use ravel_kernel::{Combiner, Type, Var};

use super::Vectoriser;
use crate::form::Operand;
use crate::refusal::Refusal;

impl Vectoriser<'_> {
    /// Combines the state of each lane with the results of its point. Returns the next state.
    pub(super) fn combine(
        &mut self,
        operators: &[Combiner],
        results: &[Operand],
    ) -> Result<Vec<Operand>, Refusal> {
        let mut next = Vec::new();
        for operator in operators {
            for &left in &operator.left {
                let state = self.state(left);
                self.bind(left, state);
            }
            for (&right, &result) in operator.right.iter().zip(&results[next.len()..]) {
                self.bind(right, result);
            }
            next.extend(self.body(&operator.body, None)?);
        }
        Ok(next)
    }

    /// Adds a value to the state of the lanes: the total to which an operator combines results, its left operand `left`.
    fn state(&mut self, left: Var) -> Operand {
        let Type::Scalar(ty) = self.vars[left].ty else { unreachable!("verified: a scalar") };
        let value = self.fresh(Some(left), ty, true);
        self.strip.state.push(value);
        Operand::Value(value)
    }
}
