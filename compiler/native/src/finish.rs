//! The code that takes the prefix of a point: what follows a scan in its segment.
//!
//! In a filter, whether a point stores depends on its data, so a processor cannot predict it. So a branch that only stores an
//! element becomes a store without a branch: to the element, or to a word that nothing reads.

use cranelift_codegen::ir::InstBuilder;
use ravel_kernel::{Atom, Body, Stm, Thread, Var};

use crate::emitter::{Emitter, TRUSTED};

/// A store of a value to an element of an array.
type Store<'p> = (Var, &'p [Atom], Atom);

impl<'p> Emitter<'p, '_> {
    /// Emits the code that takes the prefix of a point.
    pub fn finish_point(&mut self, body: &'p Body<Thread>) {
        let mut owned = Vec::new();
        self.in_scope(|emitter| {
            for step in &body.stms {
                match guarded_store(&step.stm) {
                    Some((cond, store)) => emitter.store_if(cond, store),
                    None => emitter.step(step, &mut owned),
                }
            }
        });
        self.release_all(owned);
    }

    fn store_if(&mut self, cond: Atom, (array, indices, value): Store<'_>) {
        let (cond, value, indices) = (self.atom(cond), self.atom(value), self.atoms(indices));
        let element = self.address(self.view(array), &indices);
        let unread = self.on_stack(8);
        let address = self.builder.ins().select(cond, element, unread);
        self.builder.ins().store(TRUSTED, value, address, 0);
    }
}

/// The condition and the store of a branch that does nothing else.
fn guarded_store(stm: &Stm<Thread>) -> Option<(Atom, Store<'_>)> {
    match stm {
        Stm::If { binders, cond, then, otherwise } if binders.is_empty() && otherwise.stms.is_empty() => {
            match then.stms.as_slice() {
                [step] => match &step.stm {
                    Stm::Store { array, indices, value } => Some((*cond, (*array, indices, *value))),
                    _ => None,
                },
                _ => None,
            }
        }
        _ => None,
    }
}
