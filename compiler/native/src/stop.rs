//! How often code looks at the stop word: at most 65,536 short rounds pass in between.
//!
//! A loop around what may take long, or one without a bound, looks in every round. One that counts over what
//! is short goes in stretches, and looks between two of them, so that its rounds cost nothing more.

use std::collections::BTreeSet;
use std::mem::offset_of;

use cranelift_codegen::ir::types::{I8, Type};
use cranelift_codegen::ir::{InstBuilder, Value};
use ravel_abi::native::{Context, STOPPED};
use ravel_kernel::{Atom, Body, Level, Stm, Var};

use crate::emitter::{Emitter, TRUSTED};
use crate::straight;

/// The rounds of a stretch.
const STRETCH: i64 = 1 << 16;

/// True for a body with a loop in it whose rounds are not written out, or with arrays that are copied or made elsewhere
/// than on the stack. Calls look at the stop word themselves.
pub(crate) fn may_take_long<L: Level>(body: &Body<L>, on_stack: &BTreeSet<Var>) -> bool {
    body.stms.iter().any(|stm| match stm {
        Stm::If { then, otherwise, .. } => {
            may_take_long(then, on_stack) || may_take_long(otherwise, on_stack)
        }
        Stm::Loop { form, body, .. } => straight::rounds(*form, body).is_none(),
        Stm::Alloc { block, .. } => !on_stack.contains(block),
        Stm::Copy { .. } => true,
        _ => false,
    })
}

/// Does a loop up to this bound take more than a stretch, for all that is known?
pub(crate) fn may_be_long(bound: Atom, counter: Type) -> bool {
    match bound {
        Atom::Const(bound) => bound.bits() > STRETCH as u64,
        Atom::Var(_) => counter.bits() > 16,
    }
}

impl Emitter<'_, '_> {
    /// Leaves the function if somebody set the stop word.
    pub fn poll_stop(&mut self) {
        let word = self.context_word(offset_of!(Context, stop));
        let stop = self.builder.ins().atomic_load(I8, TRUSTED, word);
        self.leave_if(stop, STOPPED);
    }

    /// Where a stretch ends that begins at `from`, which is below `end`.
    pub fn stretch_end(&mut self, from: Value, end: Value) -> Value {
        let counter = self.builder.func.dfg.value_type(from);
        let left = self.builder.ins().isub(end, from);
        let stretch = self.builder.ins().iconst(counter, STRETCH);
        let rounds = self.builder.ins().umin(left, stretch);
        self.builder.ins().iadd(from, rounds)
    }
}

#[cfg(test)]
mod tests {
    use ravel_kernel::{Stm, parse};

    use crate::stack;

    /// Does a segment with this body, in which `n` is a size, take long?
    fn takes_long(body: &str) -> bool {
        let text = format!("entry \"main\" [n] () -> () {{ segment map (i < n) chunk 1i64 {{ {body} }} }}");
        let program = parse(&text).expect("well-formed");
        let entry = &program.entries[0];
        let [Stm::Segment(segment)] = &entry.body.stms[..] else { panic!("one segment") };
        super::may_take_long(&segment.body, &stack::blocks(&segment.body, &entry.vars))
    }

    #[test]
    fn rounds_that_are_written_out_and_blocks_on_the_stack_take_no_time() {
        let looped =
            |bound: &str| format!("loop (a: i64 = 0i64) for j: i64 < {bound} {{ yield j }} -> (b: i64)");
        assert!(!takes_long(&looped("5i64")));
        assert!(takes_long(&looped("n")));
        assert!(takes_long(&looped("100000i64")));
        assert!(takes_long(&format!("if true {{ {} }} else {{ }} -> ()", looped("n"))));
        assert!(!takes_long("alloc a: block f64 = 4i64"));
        assert!(takes_long("alloc a: block f64 = n"));
    }
}
