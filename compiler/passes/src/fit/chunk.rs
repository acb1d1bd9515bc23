//! The number of neighbouring points of a segment that one worker runs.
//!
//! It is determined here, and not in `flatten`, because it depends on the code of a point in kernel IR: on its loops, and on
//! copies of arrays.
//!
//! Chunks depend on sizes and on the text of the program, not on the number of workers, so that reductions combine in
//! the same order in every run. A point that loops or calls is more work than one that does not, so a chunk has fewer
//! of them.

use ravel_kernel::*;

use super::{Fit, Threads};
use crate::arithmetic::{Arithmetic, ONE};
use crate::steps::Steps;

/// The assumed number of iterations of a loop if it is unknown.
const OFTEN: i64 = 1024;

impl Fit<'_> {
    /// The chunk of a segment.
    pub(super) fn chunk(&self, code: &mut Steps<'_, Host>, segment: &Threads) -> Atom {
        let target = self.target;
        let map_of_single_points = target.min_chunk == 1 && segment.kind == SegmentKind::Map;
        if map_of_single_points || segment.is_single() {
            return ONE;
        }
        let least = (target.min_chunk / rounds_in(&segment.body, code.vars)).max(1);
        self.chunk_of_at_least(code, &segment.sizes(), least)
    }

    /// The chunk of a segment of workgroups over these sizes. A single one is enough work for a worker.
    pub(super) fn chunk_of_workgroups(&self, code: &mut Steps<'_, Host>, sizes: &[Atom]) -> Atom {
        if self.target.min_chunk == 1 { ONE } else { self.chunk_of_at_least(code, sizes, 1) }
    }

    fn chunk_of_at_least(&self, code: &mut Steps<'_, Host>, sizes: &[Atom], least: i64) -> Atom {
        let points = code.count(sizes);
        let chunk = code.ceil_div(points, Atom::i64(self.target.max_chunks));
        code.max(chunk, Atom::i64(least))
    }
}

/// The approximate number of runs of the most deeply nested code.
fn rounds_in(body: &Body<Thread>, vars: &VarTable) -> i64 {
    let rounds = |step: &Step<Thread>| match &step.stm {
        Stm::Loop { form, body, .. } => {
            let own = match form {
                LoopForm::For { bound, .. } => constant(*bound),
                LoopForm::While(_) => OFTEN,
            };
            own.saturating_mul(rounds_in(body, vars))
        }
        Stm::If { then, otherwise, .. } => rounds_in(then, vars).max(rounds_in(otherwise, vars)),
        Stm::Copy { to, .. } => match &vars[*to].ty {
            Type::Array(view) => {
                view.shape.iter().fold(1, |rounds: i64, &size| rounds.saturating_mul(constant(size)))
            }
            Type::Scalar(_) | Type::Block(_) => 1,
        },
        Stm::Call { .. } => OFTEN,
        _ => 1,
    };
    body.stms.iter().map(rounds).max().unwrap_or(1).max(1)
}

/// A number of iterations, or the assumed one if it is unknown.
fn constant(count: Atom) -> i64 {
    match count {
        Atom::Const(count) => count.as_i64().unwrap_or(OFTEN).max(1),
        Atom::Var(_) => OFTEN,
    }
}
