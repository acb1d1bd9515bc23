//! Branches and loops in workgroups and threads whose arrays keep their sizes. Every loop-carried array and every array
//! result of a branch has one place in memory, allocated before; no handle is passed. So this also works with private
//! memory, workgroup memory and parts of expanded blocks.
//!
//! A loop-carried array uses the memory of its initial value if that has no other use (the loop consumes it, or it is
//! created and used only here); otherwise it has memory of its own. The next value is copied there at the end of an
//! iteration, unless it was produced there by updates.

use std::collections::BTreeSet;

use ravel_base::Symbol;
use ravel_core as core;
use ravel_kernel::*;

use super::level::{Branch, CodeLevel};
use super::scope::{Array, Result, Scope, Value, array, scalar};

/// A loop-carried value.
pub(super) enum Carry {
    /// A scalar: its name and initial value.
    Scalar(Option<Symbol>, Atom),
    /// An array: its memory, which already contains the initial value.
    Array(Array),
}

impl<'p, L: CodeLevel> Scope<'_, 'p, L> {
    pub fn fixed_branch(&mut self, binders: &[core::Var], branch: Branch<'_>) -> Result {
        let cond = self.cx.atom(branch.cond)?;
        let mut places = Vec::new();
        for (position, &binder) in binders.iter().enumerate() {
            places.push(match self.cx.ty(binder).is_scalar() {
                true => None,
                false => Some(self.place(binder, branch, position)?),
            });
        }
        let then = self.side(branch.then, &places)?;
        let otherwise = self.side(branch.otherwise, &places)?;
        let mut scalars = Vec::new();
        for (&binder, place) in binders.iter().zip(places) {
            let value = match place {
                Some(place) => Value::Array(place),
                None => {
                    let var = self.fresh(self.cx.hint(binder), self.cx.ty(binder).elem);
                    scalars.push(var);
                    Value::Scalar(Atom::Var(var))
                }
            };
            self.bind(binder, value)?;
        }
        self.push(Stm::If { binders: scalars, cond, then, otherwise });
        Ok(())
    }

    /// The memory of an array result of a branch: if both sides have updated the same array in place, the memory of this
    /// array, otherwise new memory.
    fn place(&mut self, binder: core::Var, branch: Branch<'_>, position: usize) -> Result<Array> {
        let Branch { then, otherwise, .. } = branch;
        let ancestors = [then, otherwise].map(|body| {
            let result = body.result.get(position)?;
            Some(self.cx.ancestor(body, *result)).filter(|atom| self.cx.value(*atom).is_ok())
        });
        match ancestors {
            // A new name that does not own the memory.
            [Some(a), Some(b)] if a == b => Ok(Array { owner: None, ..array(self.cx.value(a)?)? }),
            _ => self.make(binder),
        }
    }

    /// One side of a branch: arrays are stored in their places, scalars are its results.
    fn side(&mut self, body: &core::Body, places: &[Option<Array>]) -> Result<Body<L>> {
        let (stms, result) = self.nested(|scope| {
            scope.cx.prefer(L::NAME, body, places.to_vec());
            let values = scope.body(body)?;
            let mut scalars = Vec::new();
            for (value, place) in values.into_iter().zip(places) {
                match place {
                    Some(place) => L::copy(scope, place, &array(value)?)?,
                    None => scalars.push(scalar(value)?),
                }
            }
            Ok(scalars)
        })?;
        Ok(Body { stms, result })
    }

    pub fn fixed_loop(&mut self, binders: &[core::Var], looped: &core::Loop) -> Result {
        let mut carries = Vec::new();
        for (&(param, init), &binder) in looped.params.iter().zip(binders) {
            carries.push(match self.cx.value(init)? {
                Value::Scalar(atom) => Carry::Scalar(self.cx.hint(binder), atom),
                Value::Array(first) if self.may_take_over(param, init, &first) => Carry::Array(first),
                Value::Array(first) => {
                    let place = self.make(binder)?;
                    L::copy(self, &place, &first)?;
                    Carry::Array(place)
                }
            });
        }
        let bound = match looped.form {
            core::LoopForm::For { bound, .. } => Some(self.cx.atom(bound)?),
            core::LoopForm::While(_) => None,
        };
        let params: Vec<core::Var> = looped.params.iter().map(|&(param, _)| param).collect();
        let finals = self.carried_loop(carries, |scope, carried| {
            for (&param, value) in params.iter().zip(carried) {
                scope.bind(param, value.clone())?;
            }
            Ok((scope.loop_form(looped, bound, carried)?, scope.body(&looped.body)?))
        })?;
        for (&binder, value) in binders.iter().zip(finals) {
            self.bind(binder, value)?;
        }
        Ok(())
    }

    /// Whether the loop may overwrite the memory of a parameter's initial value.
    fn may_take_over(&self, param: core::Var, init: core::Atom, first: &Array) -> bool {
        let used_here_only =
            first.owner == Some(self.body) && init.var().is_some_and(|init| self.cx.uses.count(init) == 1);
        used_here_only || self.cx.aliases.is_consumed(param)
    }

    /// A loop over carried values. `body` receives their values in an iteration, and returns the loop's form and the
    /// next values.
    pub fn carried_loop(
        &mut self,
        carries: Vec<Carry>,
        body: impl FnOnce(&mut Scope<'_, 'p, L>, &[Value]) -> Result<(LoopForm, Vec<Value>)>,
    ) -> Result<Vec<Value>> {
        let (mut params, mut binders) = (Vec::new(), Vec::new());
        let (mut carried, mut finals) = (Vec::new(), Vec::new());
        for carry in &carries {
            match carry {
                Carry::Scalar(hint, first) => {
                    let ty = self.cx.prim(*first);
                    let (param, binder) = (self.fresh(*hint, ty), self.fresh(*hint, ty));
                    params.push((param, *first));
                    binders.push(binder);
                    carried.push(Value::Scalar(Atom::Var(param)));
                    finals.push(Value::Scalar(Atom::Var(binder)));
                }
                Carry::Array(place) => {
                    carried.push(Value::Array(Array { owner: None, ..place.clone() }));
                    finals.push(Value::Array(Array { owner: Some(self.body), ..place.clone() }));
                }
            }
        }
        let (stms, (form, result)) = self.nested(|scope| {
            let (form, values) = body(scope, &carried)?;
            Ok((form, scope.store_next_values(&carries, values)?))
        })?;
        self.push(Stm::Loop { binders, params, form, body: Body { stms, result } });
        Ok(finals)
    }

    /// Copies the next values of arrays to their places; returns the next values of scalars.
    fn store_next_values(&mut self, carries: &[Carry], values: Vec<Value>) -> Result<Vec<Atom>> {
        let mut scalars = Vec::new();
        let mut moves = Vec::new();
        for (carry, value) in carries.iter().zip(values) {
            match carry {
                Carry::Scalar(..) => scalars.push(scalar(value)?),
                Carry::Array(place) => {
                    let value = array(value)?;
                    if !value.is_same(place) {
                        moves.push((place, value));
                    }
                }
            }
        }
        // A value in memory that is about to be overwritten, or of unknown origin, is copied first.
        let overwritten: BTreeSet<Var> = moves.iter().map(|(place, _)| place.view.block).collect();
        for (_, value) in &mut moves {
            let flows = self.cx.roots.contains_key(&value.view.block);
            if overwritten.contains(&value.view.block) || flows {
                let temporary = L::alloc(self, None, value.view.elem, &value.view.shape.clone())?;
                L::copy(self, &temporary, value)?;
                *value = temporary;
            }
        }
        for (place, value) in moves {
            L::copy(self, place, &value)?;
        }
        Ok(scalars)
    }
}
