//! Loops that rotate their arrays, one of which has a dead update. After the update is removed, the loop consumes
//! nothing, but its results are still consumed after it.

use ravel_core::*;

use super::Writer;
use super::arrays::variable;
use super::scope::{Regions, Scope};

impl Writer {
    pub fn rotating_loop(&mut self, depth: usize) {
        let ty = Type::array(self.prim(), vec![self.size().atom]);
        let count = 2 + self.choices.below(2);
        let params: Vec<(Var, Atom)> = (0..count)
            .map(|_| {
                let first = self.consume(|known| *known == ty).unwrap_or_else(|| self.own_array(&ty));
                (self.b.fresh(None, ty.clone()), Atom::Var(first))
            })
            .collect();
        let (index, bound) = (self.b.fresh(None, super::long()), Atom::i64(self.choices.below(4) as i64));
        let inside = Scope { consumable: Regions::new(), ..self.scope.clone() };
        let body = self.nested(inside, |writer| {
            writer.scope.scalars.push(Atom::Var(index));
            params.iter().for_each(|&(param, _)| writer.add_fresh_array(param));
            writer.statements(depth + 1, 2);
            let updated = writer.choices.below(count);
            (0..count).map(|at| writer.rotated(&ty, &params, at, updated)).collect()
        });
        let binders: Vec<Var> = params.iter().map(|_| self.b.fresh(None, ty.clone())).collect();
        let regions = result_regions(&params, &body.result, &binders);
        self.b.emit(binders.clone(), Exp::Loop(Loop { params, form: LoopForm::For { index, bound }, body }));
        self.scope.consumable.extend(&binders);
        binders.iter().zip(regions).for_each(|(&binder, regions)| self.add_array(binder, regions));
        let changed = self.choices.any(&binders);
        self.scope.chain_ends.extend(&binders);
        self.change(changed);
    }

    /// The next value of the parameter with this number: usually the next parameter, or a copy of it if that one is to
    /// be updated.
    fn rotated(&mut self, ty: &Type, params: &[(Var, Atom)], at: usize, updated: usize) -> Atom {
        let next = (at + 1) % params.len();
        let (other, _) = params[next];
        if !self.is_alive(other) {
            return Atom::Var(self.own_array(ty));
        }
        if next == updated || self.choices.once_in(4) {
            let copy = self.b.copy(other);
            if next == updated {
                self.change(other);
            }
            return copy;
        }
        self.memory.consumed.insert(other);
        Atom::Var(other)
    }

    /// Updates an array in place; its old name is dead afterwards.
    fn change(&mut self, array: Var) {
        let ty = self.b.vars()[array].ty.clone();
        let value = self.scalar(ty.elem);
        let whole = DimSlice::Range { start: Atom::i64(0), count: ty.shape[0], stride: Atom::i64(1) };
        let values = self.b.replicate(ty.shape[0], value);
        let dead = self.regions_of(array);
        self.memory.consumed.extend(dead);
        let changed = self.b.update(array, vec![whole], values);
        self.add_value(changed);
        self.scope.chain_ends.push(variable(changed));
    }
}

/// The regions of the results of a loop. A parameter's own memory is named after its result. If an iteration passes a
/// parameter the array of another one, its result also has the other's regions.
fn result_regions(params: &[(Var, Atom)], results: &[Atom], binders: &[Var]) -> Vec<Regions> {
    let handed = |at: usize| params.iter().position(|&(param, _)| results[at] == Atom::Var(param));
    let line = |at: usize| std::iter::successors(Some(at), |&at| handed(at)).take(params.len());
    (0..params.len()).map(|at| line(at).map(|at| binders[at]).collect()).collect()
}
