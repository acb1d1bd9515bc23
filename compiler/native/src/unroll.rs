//! Unrolling: several iterations of a short loop in one round.
//!
//! Iterations that carry no value from one to the next do not wait for each other, so the number of their instructions
//! decides their time. A round of several iterations counts, compares and jumps once. It also has several copies of each
//! store, so that the processor, which predicts by the place in the code which loads depend on earlier stores, finds
//! fewer of them to depend.
//!
//! A loop that runs in lanes, or whose number of iterations is a constant, is not unrolled here.

use cranelift_codegen::ir::{InstBuilder, Value};
use ravel_kernel::{Atom, Body, Level, Stm};

use crate::emitter::Emitter;

/// The iterations of a round, as a power of two.
const ROUND: i64 = 2;

/// The most statements of an iteration.
const MAX_STATEMENTS: usize = 12;

/// Whether a loop over `0..bound` that carries nothing is short enough. Its code is emitted once more than a round has
/// iterations.
pub(crate) fn is_short<L: Level>(bound: Atom, body: &Body<L>) -> bool {
    bound.var().is_some() && statements(body).is_some_and(|count| count <= MAX_STATEMENTS)
}

/// The number of statements of a body; `None` if some are more than a few instructions.
fn statements<L: Level>(body: &Body<L>) -> Option<usize> {
    let counts = body.stms.iter().map(|step| match &step.stm {
        Stm::Let { .. } | Stm::View(_) | Stm::Load { .. } | Stm::Store { .. } | Stm::Assert { .. } => Some(1),
        Stm::If { then, otherwise, .. } => Some(1 + statements(then)? + statements(otherwise)?),
        _ => None,
    });
    counts.sum()
}

impl Emitter<'_, '_> {
    /// Emits a loop over `0..end` that carries nothing, several iterations in a round. `interval` is the number of
    /// iterations between two polls of the stop flag.
    pub fn unrolled(&mut self, end: Value, interval: Option<u64>, iteration: impl Fn(&mut Self, Value)) {
        let none = self.index(0);
        let end = self.builder.ins().smax(end, none);
        let rounds = self.builder.ins().ushr_imm_u(end, ROUND);
        let interval = interval.map(|iterations| (iterations >> ROUND).max(1));
        self.count_to(rounds, true, None, interval, &[], |emitter, round, _| {
            let first = emitter.builder.ins().ishl_imm_u(round, ROUND);
            for place in 0..1 << ROUND {
                let counter = emitter.builder.ins().iadd_imm_s(first, place);
                iteration(emitter, counter);
            }
            Vec::new()
        });
        let begin = self.builder.ins().ishl_imm_u(rounds, ROUND);
        let left = self.builder.ins().isub(end, begin);
        let most = Some((1 << ROUND) - 1);
        self.count_to(left, true, most, most, &[], |emitter, place, _| {
            let counter = emitter.builder.ins().iadd(begin, place);
            iteration(emitter, counter);
            Vec::new()
        });
    }
}
