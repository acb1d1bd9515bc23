//! Lowering of loops.
//!
//! The merge parameters of the core loop are, in this order:
//!
//! 1. The sizes that may differ between iterations. In the type of the pattern such a size is a name, not part of
//!    an expression. If the pattern itself binds the name to a number, as in `(m, xs: [m]t)`, there are two merge
//!    parameters: the size and the number.
//! 2. The sizes that the type does not state. They are inside an abstract type or a type parameter that is size-lifted,
//!    such as `t` of `type~ t = []i64`. Each iteration may change them.
//! 3. The leaves of the pattern.
//! 4. For a `while` loop, the value of its condition.

use ravel_core::{Atom, Exp as CoreExp, Loop as CoreLoop, LoopForm as CoreForm, Type, Var};
use ravel_prim::PrimType;
use ravel_types::tast::{Loop, LoopForm, Size, ValueId};

use crate::cx::{Lowered, Lowering};
use crate::errors::bug;
use crate::sizes::{Ty, each_unstated_size, stated_sizes};
use crate::value::{Env, Value};

/// The binders of a loop's state: the merge parameters, or the results of the loop.
struct State<'a> {
    /// The scope with the sizes of the state, but not yet with the names of the pattern.
    env: Env<'a>,
    /// The binders in the order of the merge parameters.
    vars: Vec<Var>,
    /// The value that the pattern matches.
    value: Value<'a>,
}

impl<'a> Lowering<'_, 'a> {
    /// Evaluates a loop.
    pub fn looping(&mut self, l: &'a Loop, env: &mut Env<'a>) -> Lowered<Value<'a>> {
        let (_, attributes) = self.place();
        let ids = changing_sizes(l);
        let init = self.exp(&l.init, env)?;
        let mut sizes = env.clone();
        for (id, size) in &l.sizes {
            sizes.values.remove(id);
            if let Some(size) = self.size(size, env) {
                sizes.values.insert(*id, Value::Leaf(size));
            }
        }
        // The sizes that do not change, by their names outside the loop. Inside, such a size may have another name.
        let staying = self.ty(&l.pattern.ty, env);
        let (init, mut first) = self.state(l, &ids, &init, &init, &staying, &mut sizes)?;

        let iterated = match &l.form {
            LoopForm::For(_, _, bound) => Some((Value::Leaf(self.atom(bound, env)?), None)),
            LoopForm::ForIn(_, array) => {
                let array = self.exp(array, env)?;
                let bound = self.outer_size(&array);
                Some((array, bound))
            }
            LoopForm::While(cond) => {
                self.bind(&l.pattern, init.clone(), &mut sizes)?;
                first.push(self.atom(cond, &mut sizes)?);
                None
            }
        };

        let iteration = self.binders(l, &ids, &init, env)?;
        self.update_dependences();
        self.dependences.begin_loop(iteration.vars.iter().copied().zip(first.iter().copied()));
        let mut inside = iteration.env;
        for (id, _) in &l.sizes {
            self.bind_checks(*id, &Size::Var(*id), [(&l.pattern.ty, &iteration.value)], &mut inside);
        }
        self.bind(&l.pattern, iteration.value, &mut inside)?;
        self.open();
        for (id, &size) in ids.iter().zip(&iteration.vars) {
            if let Some(number) = inside.leaf(*id)
                && number != Atom::Var(size)
            {
                self.equate(number, size);
            }
        }
        let form = match (&l.form, iterated) {
            (LoopForm::For(id, name, _), Some((Value::Leaf(bound), _))) => {
                let ty = self.builder.type_of(bound);
                let index = self.builder.fresh(Some(*name), ty);
                inside.values.insert(*id, Value::Leaf(Atom::Var(index)));
                CoreForm::For { index, bound }
            }
            (LoopForm::ForIn(pattern, _), Some((array, Some(bound)))) => {
                let index = self.builder.fresh(None, Type::scalar(PrimType::I64));
                let element = array.map_leaves(&mut |leaf| self.row(leaf, Atom::Var(index)))?;
                self.bind(pattern, element, &mut inside)?;
                CoreForm::For { index, bound }
            }
            (LoopForm::While(_), _) => CoreForm::While(iteration.vars[iteration.vars.len() - 1]),
            (LoopForm::For(..) | LoopForm::ForIn(..), _) => {
                return Err(bug(self.span, "a `for` loop without a bound or an array"));
            }
        };
        if let CoreForm::For { bound, .. } = form
            && attributes.iter().any(|attribute| attribute.as_str() == "unroll")
        {
            self.warn_of_bound(bound);
        }
        let next = self.exp(&l.body, &mut inside)?;
        let mut sizes = env.clone();
        for id in &ids {
            sizes.values.remove(id);
        }
        let (next, mut result) = self.state(l, &ids, &next, &init, &staying, &mut sizes)?;
        if let LoopForm::While(cond) = &l.form {
            self.bind(&l.pattern, next, &mut sizes)?;
            result.push(self.atom(cond, &mut sizes)?);
        }
        let body = self.close(result);

        let last = self.binders(l, &ids, &init, env)?;
        let params = iteration.vars.into_iter().zip(first).collect();
        self.builder.emit(last.vars, CoreExp::Loop(CoreLoop { params, form, body }));
        Ok(last.value)
    }

    /// The outer size of an array as a number, which depends on the checks of the array.
    fn outer_size(&mut self, array: &Value<'a>) -> Option<Atom> {
        let size = self.builder.type_of(array.first_leaf()?).shape.first().copied()?;
        let checks = self.checks_beyond([size], array.data());
        Some(self.dependent(size, &checks))
    }

    /// Prepares a value to be the initial or next state of the loop. Returns the value in the shapes that the pattern
    /// states, and the atoms for the merge parameters: the sizes and the leaves. Afterwards `sizes` binds the sizes in
    /// `ids`. The type `staying` states the sizes that do not change; a size that no type states is the size of `init`.
    fn state(
        &mut self,
        l: &'a Loop,
        ids: &[ValueId],
        value: &Value<'a>,
        init: &Value<'a>,
        staying: &Ty,
        sizes: &mut Env<'a>,
    ) -> Lowered<(Value<'a>, Vec<Atom>)> {
        self.bind_sizes(ids, &l.pattern.ty, value, sizes);
        for (id, _) in &l.sizes {
            self.bind_checks(*id, &Size::Var(*id), [(&l.pattern.ty, value)], sizes);
        }
        let mut ty = self.ty(&l.pattern.ty, sizes);
        let mut atoms =
            ids.iter().map(|id| self.known_size(&Size::Var(*id), sizes)).collect::<Lowered<Vec<_>>>()?;
        each_unstated_size(&mut ty, value, 0, &mut |size, array, dimension| {
            *size = self.builder.type_of(array).shape.get(dimension).copied();
            atoms.extend(*size);
        });
        let stated = stated_sizes(value, &ty).into_iter().zip(stated_sizes(value, staying));
        let first = atoms.len();
        let inits = self.leaves(init)?;
        for ((leaf, init), (inside, staying)) in self.leaves(value)?.into_iter().zip(inits).zip(stated) {
            let shape = self.builder.type_of(init).shape.into_iter().enumerate().map(|(at, init)| {
                let size = |stated: &[Option<Atom>]| stated.get(at).copied().flatten();
                size(&staying).or(size(&inside)).or(Some(init))
            });
            let shape: Vec<_> = shape.collect();
            atoms.push(self.retype(leaf, &shape));
        }
        let value = value.with_leaves(&mut atoms[first..].iter().copied());
        Ok((value, atoms))
    }

    /// Fresh variables for the state, in the shapes that the pattern states.
    fn binders(
        &mut self,
        l: &'a Loop,
        ids: &[ValueId],
        init: &Value<'a>,
        env: &Env<'a>,
    ) -> Lowered<State<'a>> {
        let mut env = env.clone();
        let mut vars = Vec::new();
        for id in ids {
            let size = self.fresh_size();
            env.values.insert(*id, Value::Leaf(Atom::Var(size)));
            vars.push(size);
        }
        let mut ty = self.ty(&l.pattern.ty, &env);
        each_unstated_size(&mut ty, init, 0, &mut |size, _, _| {
            let var = self.fresh_size();
            *size = Some(Atom::Var(var));
            vars.push(var);
        });
        let stated = stated_sizes(init, &ty);
        let first = vars.len();
        for (leaf, stated) in self.leaves(init)?.into_iter().zip(stated) {
            let mut ty = self.builder.type_of(leaf);
            for (dim, size) in ty.shape.iter_mut().zip(stated) {
                *dim = size.unwrap_or(*dim);
            }
            vars.push(self.builder.fresh(None, ty));
        }
        let value = init.with_leaves(&mut vars[first..].iter().map(|&var| Atom::Var(var)));
        if matches!(l.form, LoopForm::While(_)) {
            vars.push(self.builder.fresh(None, Type::scalar(PrimType::Bool)));
        }
        Ok(State { env, vars, value })
    }
}

/// The sizes that may differ between iterations: those that the type checker lists in `sizes`, and the names that
/// the pattern both binds and uses as sizes.
fn changing_sizes(l: &Loop) -> Vec<ValueId> {
    let mut ids: Vec<ValueId> = l.sizes.iter().map(|(id, _)| *id).collect();
    l.pattern.each_name(&mut |id| {
        let is_size = |size: &Size| *size == Size::Var(id);
        let mut stands_alone = false;
        l.pattern.ty.each_size(&mut |size| stands_alone |= is_size(size));
        ids.extend(stands_alone.then_some(id));
    });
    ids
}
