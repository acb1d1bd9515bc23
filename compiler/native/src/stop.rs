//! How often code looks at the stop word: some four million statements pass in between, at most.
//!
//! A loop around what may take long, or one without a bound, looks in every round. One that counts over what
//! is short goes in stretches, and looks between two of them, so that its rounds cost nothing more.

use std::collections::BTreeSet;
use std::mem::offset_of;

use cranelift_codegen::ir::types::{I8, Type};
use cranelift_codegen::ir::{InstBuilder, Value};
use ravel_abi::native::{Context, STOPPED};
use ravel_kernel::{Atom, Body, Combiner, Level, Step, Stm, Thread, Var};

use crate::emitter::{Emitter, TRUSTED};

/// The most rounds of a stretch.
const MOST_ROUNDS: u64 = 1 << 16;

/// About how many statements a stretch comes to, at most.
const STATEMENTS: u64 = 1 << 22;

/// How many rounds of these bodies, one behind the other, are a stretch; `None` if a single one may take long.
pub(crate) fn stretch<'b, L: Level + 'b>(
    bodies: impl IntoIterator<Item = &'b Body<L>>,
    on_stack: &BTreeSet<Var>,
) -> Option<u64> {
    let statements = bodies.into_iter().map(|body| statements(body, on_stack)).sum::<Option<u64>>()?;
    Some((STATEMENTS / statements.max(1)).clamp(1, MOST_ROUNDS))
}

/// The same for threads whose results are combined.
pub(crate) fn stretch_of_threads(
    body: &Body<Thread>,
    combiners: &[Combiner],
    on_stack: &BTreeSet<Var>,
) -> Option<u64> {
    stretch(combiners.iter().map(|combiner| &combiner.body).chain([body]), on_stack)
}

/// About how many statements a body comes to; `None` if it has a loop or a segment, or arrays that are copied or made elsewhere than
/// on the stack. Calls look at the stop word themselves.
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

/// Does a loop up to this bound take more rounds than these, for all that is known?
pub(crate) fn may_exceed(bound: Atom, counter: Type, rounds: u64) -> bool {
    match bound {
        Atom::Const(bound) => bound.bits() > rounds,
        Atom::Var(_) => counter.bits() >= 64 || 1 << counter.bits() > rounds,
    }
}

impl Emitter<'_, '_> {
    /// Leaves the function if somebody set the stop word.
    pub fn poll_stop(&mut self) {
        let word = self.context_word(offset_of!(Context, stop));
        let stop = self.builder.ins().atomic_load(I8, TRUSTED, word);
        self.leave_if(stop, STOPPED);
    }

    /// Where a stretch of so many rounds ends that begins at `from`, which is below `end`.
    pub fn stretch_end(&mut self, from: Value, end: Value, rounds: u64) -> Value {
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
    use ravel_kernel::{Atom, Step, Stm, Var, parse};
    use ravel_prim::PrimValue;

    use crate::stack;

    /// The rounds of a stretch of a segment with this body, in which `n` is a size.
    fn stretch(body: &str) -> Option<u64> {
        let text = format!("entry \"main\" [n] () -> () {{ segment map (i < n) chunk 1i64 {{ {body} }} }}");
        let program = parse(&text).expect("well-formed");
        let entry = &program.entries[0];
        let [Step { stm: Stm::Segment(segment), .. }] = &entry.body.stms[..] else { panic!("one segment") };
        let (_, body) = segment.threads().expect("of threads");
        super::stretch([body], &stack::blocks(body, &entry.vars))
    }

    #[test]
    fn blocks_on_the_stack_take_no_time() {
        assert_eq!(stretch("loop (a: i64 = 0i64) for j: i64 < 5i64 { yield j } -> (b: i64)"), None);
        assert_eq!(
            stretch("if true { loop (a: i64 = 0i64) for j: i64 < n { yield j } -> (b: i64) } else { } -> ()"),
            None
        );
        assert_eq!(stretch("alloc a: block f64 = 4i64"), Some(super::MOST_ROUNDS));
        assert_eq!(stretch("alloc a: block f64 = n"), None);
    }

    #[test]
    fn the_more_a_round_does_the_fewer_are_a_stretch() {
        let sums: String = (0..128).map(|at| format!("let a{at}x: i64 = add(i, i)\n")).collect();
        assert_eq!(stretch(&sums), Some(super::STATEMENTS / 128));
        let branch = format!("if true {{ {sums} }} else {{ let d: i64 = add(i, i) }} -> ()");
        assert_eq!(stretch(&branch), Some(super::STATEMENTS / 129));
    }

    #[test]
    fn counters_that_end_before_a_stretch_does_need_none() {
        let exceeds = |counter, rounds| super::may_exceed(Atom::Var(Var(0)), counter, rounds);
        assert!(
            [(I64, 1 << 16), (I32, 1 << 16), (I16, 1 << 15), (I8, 255)].iter().all(|&(c, r)| exceeds(c, r))
        );
        assert!(!exceeds(I16, 1 << 16) && !exceeds(I8, 256));
        let bound = Atom::Const(PrimValue::I64(1000));
        assert!(super::may_exceed(bound, I64, 999) && !super::may_exceed(bound, I64, 1000));
    }
}
