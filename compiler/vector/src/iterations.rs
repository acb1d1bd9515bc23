//! Iterations as points: whether the lanes of a strip may be the iterations of a loop, which runs them in order.
//!
//! The points of a segment never read what others store, and never overwrite it. Of iterations this must be shown. In a strip,
//! each statement runs in all lanes before the next one. So iterations may run in lanes if each memory block to which they
//! store is accessed by an iteration at one element of its own only. All other blocks must be different memory.
//!
//! A strip that fails runs again, one by one. So if it may fail, it must not read what it stores. If no point reads what it
//! stores, points may run again for any reason.

use std::collections::BTreeSet;

use ravel_kernel::Var;

use crate::form::{Body, Form, Memory, Operand, Place, Position, Stm, Strip, Value};

/// Whether iterations of a loop may run in the lanes of a strip. `differ` says whether two blocks, of which one is
/// overwritten, are different memory.
pub fn are_independent(strip: &Strip, differ: impl Fn(Var, Var) -> bool) -> bool {
    let mut accesses = Accesses::default();
    accesses.of(&strip.body, false);
    let block = |memory: Memory| match strip.memories[memory].place {
        Place::Block(var) => Some(var),
        Place::Private(_) | Place::Preallocated(_) => None,
    };
    let blocks = || accesses.all.iter().filter_map(|access| Some((block(access.memory)?, access)));
    blocks().filter(|(_, access)| access.stores).all(|(stored, store)| {
        accesses.is_own(store.position)
            && blocks().all(|(other, access)| match other == stored {
                true => access.position == store.position && (access.stores || !accesses.may_fail),
                false => differ(stored, other),
            })
    })
}

/// Whether points may run again after they have run: none reads what it stores. `differ` says whether two blocks, of which
/// one is overwritten, are different memory. Arrays of the lanes have no content when a strip begins.
pub fn are_repeatable(strip: &Strip, differ: impl Fn(Var, Var) -> bool) -> bool {
    let mut accesses = Accesses::default();
    accesses.of(&strip.body, false);
    let blocks = |stores: bool| {
        let of_kind = accesses.all.iter().filter(move |access| access.stores == stores);
        of_kind.filter_map(|access| match strip.memories[access.memory].place {
            Place::Block(var) => Some(var),
            Place::Private(_) | Place::Preallocated(_) => None,
        })
    };
    blocks(true).all(|stored| blocks(false).all(|read| differ(stored, read)))
}

/// An access to memory.
struct Access {
    memory: Memory,
    position: Position,
    stores: bool,
}

/// The accesses of a strip.
#[derive(Default)]
struct Accesses {
    all: Vec<Access>,
    may_fail: bool,
    /// The values that are bound in loops of the strip, and change in one lane.
    changing: BTreeSet<Value>,
}

impl Accesses {
    /// Whether a position is always the same in one lane, and another one in each other lane.
    fn is_own(&self, position: Position) -> bool {
        let changes = |operand: Operand| operand.value().is_some_and(|value| self.changing.contains(&value));
        match position {
            Position::Strided { first, step: Operand::Const(step) } => step.bits() != 0 && !changes(first),
            _ => false,
        }
    }

    fn of(&mut self, body: &Body, in_loop: bool) {
        for stm in &body.stms {
            match stm {
                Stm::Let { value, .. } => self.bind(&[*value], in_loop),
                Stm::Load { value, memory, position, .. } => {
                    self.bind(&[*value], in_loop);
                    self.all.push(Access { memory: *memory, position: *position, stores: false });
                }
                Stm::LoadRow { values, memory, first, .. } => {
                    self.bind(values, in_loop);
                    // Several elements, so not the one that a store overwrites.
                    let position = Position::Varying(*first);
                    self.all.push(Access { memory: *memory, position, stores: false });
                }
                Stm::Store { memory, position, .. } => {
                    self.all.push(Access { memory: *memory, position: *position, stores: true });
                }
                Stm::If { binders, then, otherwise, .. } => {
                    self.bind(binders, in_loop);
                    self.of(then, in_loop);
                    self.of(otherwise, in_loop);
                }
                Stm::Loop { binders, params, form, body } => {
                    self.bind(binders, in_loop);
                    params.iter().for_each(|(value, _)| self.bind(&[*value], true));
                    if let Form::For { index, .. } = form {
                        self.bind(&[*index], true);
                    }
                    self.of(body, true);
                }
                Stm::Fail(_) => self.may_fail = true,
            }
        }
    }

    fn bind(&mut self, values: &[Value], in_loop: bool) {
        if in_loop {
            self.changing.extend(values);
        }
    }
}
