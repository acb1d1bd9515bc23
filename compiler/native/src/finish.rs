//! The code that takes the prefix of a point: what follows a scan in its segment.
//!
//! In a filter, whether a point stores depends on its data, so a processor cannot predict it. So a branch that only stores an
//! element becomes a store without a branch: to the element, or to a word that nothing reads. A branch that depends on
//! the counter alone can be predicted, such as that of the last point, which stores a total.

use std::collections::BTreeSet;

use cranelift_codegen::ir::InstBuilder;
use ravel_kernel::{Atom, Finish, Stm, Thread, Var};

use crate::emitter::{Emitter, TRUSTED};

/// A store of a value to an element of an array.
type Store<'p> = (Var, &'p [Atom], Atom);

impl<'p> Emitter<'p, '_> {
    /// Emits the code that takes the prefix of a point.
    pub fn finish_point(&mut self, finish: &'p Finish) {
        let data = Data::of(finish);
        let mut owned = Vec::new();
        self.in_scope(|emitter| {
            for step in &finish.body.stms {
                match guarded_store(&step.stm) {
                    Some((cond, store)) if data.reaches(cond) => emitter.store_if(cond, store),
                    _ => emitter.step(step, &mut owned),
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
    let Stm::If { binders, cond, then, otherwise } = stm else { return None };
    let [step] = then.stms.as_slice() else { return None };
    match &step.stm {
        Stm::Store { array, indices, value } if binders.is_empty() && otherwise.stms.is_empty() => {
            Some((*cond, (*array, indices, *value)))
        }
        _ => None,
    }
}

/// The variables that may depend on prefixes, or on what is loaded.
struct Data(BTreeSet<Var>);

impl Data {
    fn of(finish: &Finish) -> Data {
        let mut data = Data(finish.prefixes.iter().copied().collect());
        for step in &finish.body.stms {
            match &step.stm {
                Stm::Let { var, exp } if exp.operands().into_iter().any(|operand| data.reaches(operand)) => {
                    data.0.insert(*var);
                }
                Stm::Load { var, .. } => {
                    data.0.insert(*var);
                }
                Stm::If { binders, .. } | Stm::Loop { binders, .. } | Stm::Call { binders, .. } => {
                    data.0.extend(binders);
                }
                _ => {}
            }
        }
        data
    }

    fn reaches(&self, atom: Atom) -> bool {
        atom.var().is_some_and(|var| self.0.contains(&var))
    }
}
