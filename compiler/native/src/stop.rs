//! Polls of the stop flag: generated code polls it at least once in about four million statements.
//!
//! A loop polls in every iteration if it has no bound, or if one iteration may take long. A counted loop with short
//! iterations is strip-mined: it polls once in an interval of many iterations, so that the poll costs nothing.

use std::collections::BTreeSet;
use std::mem::offset_of;

use cranelift_codegen::ir::types::{I8, Type};
use cranelift_codegen::ir::{InstBuilder, Value};
use ravel_abi::native::{Context, STOPPED};
use ravel_kernel::{Body, Combiner, Level, Step, Stm, Thread, Var};

use crate::emitter::{Emitter, TRUSTED};

/// The largest number of iterations between two polls.
const MAX_INTERVAL: u64 = 1 << 16;

/// The approximate number of statements between two polls.
const STATEMENTS: u64 = 1 << 22;

/// The number of iterations between two polls of a loop whose iteration runs all these bodies. `None` if a single iteration
/// may take long.
pub(crate) fn interval<'b, L: Level + 'b>(
    bodies: impl IntoIterator<Item = &'b Body<L>>,
    on_stack: &BTreeSet<Var>,
) -> Option<u64> {
    interval_of(bodies.into_iter().map(|body| statements(body, on_stack)).sum())
}

/// The number of iterations between two polls of a loop with this many statements in an iteration. `None` if a single
/// iteration may take long.
pub(crate) fn interval_of(statements: Option<u64>) -> Option<u64> {
    Some((STATEMENTS / statements?.max(1)).clamp(1, MAX_INTERVAL))
}

/// The number of iterations between two polls of a loop over threads whose results are combined.
pub(crate) fn thread_interval(
    body: &Body<Thread>,
    combiners: &[Combiner],
    on_stack: &BTreeSet<Var>,
) -> Option<u64> {
    interval(combiners.iter().map(|combiner| &combiner.body).chain([body]), on_stack)
}

/// The approximate number of statements that a body executes. `None` if it has a loop, a segment, a copy, or an
/// allocation that is not on the stack. A call counts as one statement, because the callee polls the stop flag.
fn statements<L: Level>(body: &Body<L>, on_stack: &BTreeSet<Var>) -> Option<u64> {
    let statement = |step: &Step<L>| match &step.stm {
        Stm::If { then, otherwise, .. } => {
            Some(1 + statements(then, on_stack)?.max(statements(otherwise, on_stack)?))
        }
        Stm::Loop { .. } | Stm::Copy { .. } | Stm::Segment(_) => None,
        Stm::Alloc { block, .. } if !on_stack.contains(block) => None,
        _ => Some(1),
    };
    body.stms.iter().map(statement).sum()
}

/// Whether a loop may have more than `rounds` iterations. `most` is a bound on their number, if one is known; otherwise
/// the type of the counter bounds it.
pub(crate) fn may_exceed(most: Option<u64>, counter: Type, rounds: u64) -> bool {
    match most {
        Some(most) => most > rounds,
        None => counter.bits() >= 64 || 1 << counter.bits() > rounds,
    }
}

impl Emitter<'_, '_> {
    /// Leaves the function if the stop flag is set.
    pub fn poll_stop(&mut self) {
        let flag = self.context_word(offset_of!(Context, stop));
        let is_set = self.builder.ins().atomic_load(I8, TRUSTED, flag);
        self.leave_if(is_set, STOPPED);
    }

    /// The end of the interval of iterations that begins at `from`: at most `from + rounds` and at most `end`, which is
    /// larger than `from`.
    pub fn interval_end(&mut self, from: Value, end: Value, rounds: u64) -> Value {
        let counter = self.builder.func.dfg.value_type(from);
        let left = self.builder.ins().isub(end, from);
        let rounds = self.word(counter, rounds);
        let rounds = self.builder.ins().umin(left, rounds);
        self.builder.ins().iadd(from, rounds)
    }
}

#[cfg(test)]
mod tests {
    use cranelift_codegen::ir::types::{I8, I16, I32, I64};
    use ravel_kernel::{Step, Stm, Target, parse};

    use crate::stack;

    /// The interval of a segment with this body. The body may use the size `n`.
    fn interval(body: &str) -> Option<u64> {
        let text = format!("entry \"main\" [n] () -> () {{ segment map (i < n) chunk 1i64 {{ {body} }} }}");
        let program = parse(&text).expect("well-formed");
        let entry = &program.entries[0];
        let [Step { stm: Stm::Segment(segment), .. }] = &entry.body.stms[..] else { panic!("one segment") };
        let (_, body) = segment.threads().expect("of threads");
        super::interval([body], &stack::blocks(body, &entry.vars, &Target::CPU))
    }

    #[test]
    fn loops_and_allocations_outside_of_the_stack_may_take_long() {
        assert_eq!(interval("loop (a: i64 = 0i64) for j: i64 < 5i64 { yield j } -> (b: i64)"), None);
        assert_eq!(
            interval(
                "if true { loop (a: i64 = 0i64) for j: i64 < n { yield j } -> (b: i64) } else { } -> ()"
            ),
            None
        );
        assert_eq!(interval("alloc a: block f64 = 4i64"), Some(super::MAX_INTERVAL));
        assert_eq!(interval("alloc a: block f64 = n"), None);
    }

    #[test]
    fn long_iterations_have_a_short_interval() {
        let sums: String = (0..128).map(|at| format!("let a{at}x: i64 = add(i, i)\n")).collect();
        assert_eq!(interval(&sums), Some(super::STATEMENTS / 128));
        let branch = format!("if true {{ {sums} }} else {{ let d: i64 = add(i, i) }} -> ()");
        assert_eq!(interval(&branch), Some(super::STATEMENTS / 129));
    }

    #[test]
    fn a_loop_shorter_than_the_interval_needs_no_poll() {
        let exceeds = |counter, rounds| super::may_exceed(None, counter, rounds);
        assert!(
            [(I64, 1 << 16), (I32, 1 << 16), (I16, 1 << 15), (I8, 255)].iter().all(|&(c, r)| exceeds(c, r))
        );
        assert!(!exceeds(I16, 1 << 16) && !exceeds(I8, 256));
        assert!(super::may_exceed(Some(1000), I64, 999) && !super::may_exceed(Some(1000), I64, 1000));
    }
}
