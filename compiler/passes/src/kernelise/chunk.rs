//! How many neighbouring points of a segment one worker takes in turn.
//!
//! Chunks depend on sizes and on the text of the program, never on how many workers there are, so
//! that reductions combine in the same order in every run. A point that loops or calls is worth more than
//! one that does not, so fewer of them make a worker's while.

use ravel_kernel::*;

use super::scope::{ONE, Scope};

/// How often a loop goes round if that is not known: often.
const OFTEN: i64 = 1024;

impl Scope<'_, '_, Host> {
    /// The chunk of a segment over these sizes, with this code for each point.
    pub fn chunk(&mut self, sizes: &[Atom], kind: &SegmentKind, body: &Body<Thread>) -> Atom {
        let target = self.cx.target;
        let map_of_single_points = target.least_chunk == 1 && *kind == SegmentKind::Map;
        if map_of_single_points || sizes.iter().all(|&size| size == ONE) {
            return ONE;
        }
        let least = (target.least_chunk / self.rounds_in(body)).max(1);
        let points = self.count(sizes);
        let chunk = self.ceil_div(points, Atom::i64(target.most_chunks));
        self.max(chunk, Atom::i64(least))
    }

    /// How often the innermost code of the deepest loops runs, about.
    fn rounds_in(&self, body: &Body<Thread>) -> i64 {
        let rounds = |stm: &Stm<Thread>| match stm {
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

/// A number of rounds, as far as it is known.
fn constant(count: Atom) -> i64 {
    match count {
        Atom::Const(count) => count.as_i64().unwrap_or(OFTEN).max(1),
        Atom::Var(_) => OFTEN,
    }
}
