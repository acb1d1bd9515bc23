//! The number of neighbouring points of a segment that one worker runs.
//!
//! It is determined here, and not in `flatten`, because it depends on the code of a point in kernel IR: on its loops, and on
//! copies of arrays.
//!
//! Chunks depend on sizes and on the text of the program, not on the number of workers, so that reductions combine in
//! the same order in every run. A point that loops or calls is more work than one that does not, so a chunk has fewer
//! of them.

use ravel_kernel::*;

use super::scope::{ONE, Scope};

/// The assumed number of iterations of a loop if it is unknown.
const OFTEN: i64 = 1024;

impl Scope<'_, '_, Host> {
    /// The chunk of a segment over these sizes, with this code for each point.
    pub fn chunk(&mut self, sizes: &[Atom], kind: &SegmentKind, body: &Body<Thread>) -> Atom {
        let target = self.cx.target;
        let map_of_single_points = target.min_chunk == 1 && *kind == SegmentKind::Map;
        if map_of_single_points || sizes.iter().all(|&size| size == ONE) {
            return ONE;
        }
        let least = (target.min_chunk / self.rounds_in(body)).max(1);
        let points = self.count(sizes);
        let chunk = self.ceil_div(points, Atom::i64(target.max_chunks));
        self.max(chunk, Atom::i64(least))
    }

    /// The approximate number of runs of the most deeply nested code.
    fn rounds_in(&self, body: &Body<Thread>) -> i64 {
        let rounds = |step: &Step<Thread>| match &step.stm {
            Stm::Loop { form, body, .. } => {
                let own = match form {
                    LoopForm::For { bound, .. } => constant(*bound),
                    LoopForm::While(_) => OFTEN,
                };
                own.saturating_mul(self.rounds_in(body))
            }
            Stm::If { then, otherwise, .. } => self.rounds_in(then).max(self.rounds_in(otherwise)),
            Stm::Copy { to, .. } => match &self.cx.vars[*to].ty {
                Type::Array(view) => {
                    view.shape.iter().fold(1, |rounds: i64, &size| rounds.saturating_mul(constant(size)))
                }
                _ => 1,
            },
            Stm::Call { .. } => OFTEN,
            _ => 1,
        };
        body.stms.iter().map(rounds).max().unwrap_or(1).max(1)
    }
}

/// A number of iterations, or the assumed one if it is unknown.
fn constant(count: Atom) -> i64 {
    match count {
        Atom::Const(count) => count.as_i64().unwrap_or(OFTEN).max(1),
        Atom::Var(_) => OFTEN,
    }
}
