//! How often code looks at the stop word: at most 65,536 short rounds pass in between.
//!
//! A loop around what may take long, or one without a bound, looks in every round. One that counts over what
//! is short goes in stretches, and looks between two of them, so that its rounds cost nothing more.

use std::mem::offset_of;

use cranelift_codegen::ir::types::{I8, Type};
use cranelift_codegen::ir::{InstBuilder, Value};
use ravel_abi::native::{Context, STOPPED};
use ravel_kernel::{Atom, Body, Level, Stm};

use crate::emitter::{Emitter, TRUSTED};

/// The rounds of a stretch.
const STRETCH: i64 = 1 << 16;

/// True for a body with a loop in it, or with arrays that are copied or made. Calls look at the stop word themselves.
pub(crate) fn may_take_long<L: Level>(body: &Body<L>) -> bool {
    body.stms.iter().any(|stm| match stm {
        Stm::If { then, otherwise, .. } => may_take_long(then) || may_take_long(otherwise),
        Stm::Loop { .. } | Stm::Copy { .. } | Stm::Alloc { .. } => true,
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
