//! Turns: loops whose arrays take turns, and of which one is updated in a round for nothing. Once that update
//! has gone, nothing is consumed in the loop; its results are still consumed after it.

use ravel_core::*;

use super::Writer;
use super::arrays::variable;
use super::known::{Known, Places};

impl Writer {
    pub fn turning_loop(&mut self, depth: usize) {
        let ty = Type::array(self.prim(), vec![self.size().atom]);
        let count = 2 + self.choices.below(2);
        let params: Vec<(Var, Atom)> = (0..count)
            .map(|_| {
                let first = self.consume(|known| *known == ty).unwrap_or_else(|| self.own_array(&ty));
                (self.b.fresh(None, ty.clone()), Atom::Var(first))
            })
            .collect();
        let (index, bound) = (self.b.fresh(None, super::long()), Atom::i64(self.choices.below(4) as i64));
        let inside = Known { own: Places::new(), ..self.known.clone() };
        let body = self.nested(inside, |writer| {
            writer.known.scalars.push(Atom::Var(index));
            params.iter().for_each(|&(param, _)| writer.lies_alone(param));
            writer.statements(depth + 1, 2);
            let updated = writer.choices.below(count);
            (0..count).map(|at| writer.turn(&ty, &params, at, updated)).collect()
        });
        let binders: Vec<Var> = params.iter().map(|_| self.b.fresh(None, ty.clone())).collect();
        let places = places(&params, &body.result, &binders);
        self.b.emit(binders.clone(), Exp::Loop(Loop { params, form: LoopForm::For { index, bound }, body }));
        self.known.own.extend(&binders);
        binders.iter().zip(places).for_each(|(&binder, places)| self.lies_in(binder, places));
        let changed = self.choices.any(&binders);
        self.known.ends.extend(&binders);
        self.change(changed);
    }

    /// What a round hands to the parameter of this number: mostly the next one, or a copy of it if it is the one to be updated.
    fn turn(&mut self, ty: &Type, params: &[(Var, Atom)], at: usize, updated: usize) -> Atom {
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
        self.memory.dead.insert(other);
        Atom::Var(other)
    }

    /// Updates an array, and uses it no more under its old name.
    fn change(&mut self, array: Var) {
        let ty = self.b.vars()[array].ty.clone();
        let value = self.scalar(ty.elem);
        let whole = DimSlice::Range { start: Atom::i64(0), count: ty.shape[0], stride: Atom::i64(1) };
        let values = self.b.replicate(ty.shape[0], value);
        let dead = self.places_of(array);
        self.memory.dead.extend(dead);
        let changed = self.b.update(array, vec![whole], values);
        self.made(changed);
        self.known.ends.push(variable(changed));
    }
}

/// Where the results of a loop lie: what a parameter begins with and what rounds make for it are named after its result;
/// one that is handed another's array lies where that does.
fn places(params: &[(Var, Atom)], results: &[Atom], binders: &[Var]) -> Vec<Places> {
    let handed = |at: usize| params.iter().position(|&(param, _)| results[at] == Atom::Var(param));
    let line = |at: usize| std::iter::successors(Some(at), |&at| handed(at)).take(params.len());
    (0..params.len()).map(|at| line(at).map(|at| binders[at]).collect()).collect()
}
