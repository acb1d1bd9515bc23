//! Failure dependence: the checks on which a value depends.
//!
//! Code depends on a check by using a value that the check returns. A size is an atom of a type, and the type of an array
//! does not mention the checks that making the array needs: the row `xss[i]` has the size of all rows. Still, `length
//! xss[i]` must fail if `i` is out of bounds. So where the program uses a size as a number, the number gets a variable
//! of its own, a copy of the size with the checks on which the array depends. When the function is complete,
//! [`crate::size_checks`] passes the copy through those of the checks that the program would not make otherwise. Types
//! use the size itself, so equal sizes remain the same variable.
//!
//! A result of a branch or a loop stands for the checks inside on which it depends ([`nested`]), and a parameter of a loop
//! for those of the iterations before. The checks of a function that `map` or another operator applies belong to the
//! elements, and do not count.
//!
//! Most functions have no such check. So dependences are computed on demand, for the statements added since the last
//! time.

mod nested;

use std::rc::Rc;

use ravel_core::visit::Visit;
use ravel_core::{Atom, Exp, Lambda, Stm, Var};
use ravel_types::tast::{Size, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cx::{Computation, Lowering};
use crate::sizes::each_array;
use crate::value::{Env, Value};

/// Some checks, each by the first variable that it returns or by the variable that stands for it, in the order of the
/// program.
pub(crate) type Checks = Rc<[Var]>;

/// The dependences of the statements so far.
#[derive(Default)]
pub(crate) struct Dependences {
    /// The first variables of the statements already visited.
    visited: FxHashSet<Var>,
    /// The checks of the variables that depend on any.
    checks: FxHashMap<Var, Checks>,
    /// For each variable that stands for checks inside a branch or a loop: these checks, for each body.
    pub nested: FxHashMap<Var, Vec<Checks>>,
    /// The copies of values that must depend on these checks.
    pub copies: FxHashMap<Var, Checks>,
}

impl Dependences {
    /// Makes a parameter of a function count as a check.
    pub fn add_check(&mut self, param: Var) {
        self.checks.insert(param, Rc::new([param]));
    }

    /// Visits the statements of a list that were added since the last time.
    pub fn update(&mut self, list: &[Stm]) {
        let first = |stm: &Stm| stm.binders.first().copied();
        let visited = |stm| first(stm).is_some_and(|binder| self.visited.contains(&binder));
        let known = list.iter().rposition(visited).map_or(0, |last| last + 1);
        for stm in &list[known..] {
            self.visited.extend(first(stm));
            self.define(stm);
        }
    }

    fn define(&mut self, stm: &Stm) {
        let mut checks: Vec<Var> = match &stm.exp {
            Exp::If { cond, then, otherwise } => {
                return self.define_branch(&stm.binders, *cond, [then, otherwise]);
            }
            Exp::Loop(looped) => return self.define_loop(&stm.binders, looped),
            // The condition already depends on its own checks.
            Exp::Assert { cond, values, .. } => {
                let implied = self.of([*cond]);
                let mut checks = self.of(values.iter().copied());
                checks.retain(|check| !implied.contains(check));
                if *cond != Atom::bool(true) {
                    checks.extend(stm.binders.first());
                }
                checks
            }
            exp => {
                let mut operands = Operands { of: self, checks: Vec::new(), bound: Vec::new() };
                operands.exp(exp);
                let Operands { mut checks, bound, .. } = operands;
                checks.retain(|check| !bound.contains(check));
                checks
            }
        };
        let copied = stm.binders.first().and_then(|binder| self.copies.get(binder));
        checks.extend(copied.into_iter().flat_map(|checks| checks.iter()));
        if !checks.is_empty() {
            let checks = in_order(checks);
            self.checks.extend(stm.binders.iter().map(|&binder| (binder, checks.clone())));
        }
    }

    /// The checks on which these atoms depend.
    fn of(&self, atoms: impl IntoIterator<Item = Atom>) -> Vec<Var> {
        let vars = atoms.into_iter().filter_map(|atom| atom.var());
        vars.filter_map(|var| self.checks.get(&var)).flat_map(|checks| checks.iter().copied()).collect()
    }
}

/// Collects the checks of the operands of an expression, and the variables bound inside it.
struct Operands<'d> {
    of: &'d mut Dependences,
    checks: Vec<Var>,
    bound: Vec<Var>,
}

impl Visit for Operands<'_> {
    fn var(&mut self, var: &Var) {
        self.checks.extend(self.of.checks.get(var).into_iter().flat_map(|checks| checks.iter()));
    }

    fn binder(&mut self, var: &Var) {
        self.bound.push(*var);
    }

    fn lambda(&mut self, lambda: &Lambda) {
        self.of.update(&lambda.body.stms);
        self.bound.extend(&lambda.params);
        self.body(&lambda.body);
    }
}

/// The checks in the order of the program, without repetitions.
pub(crate) fn in_order(mut checks: Vec<Var>) -> Checks {
    checks.sort_unstable();
    checks.dedup();
    checks.into()
}

impl<'a> Lowering<'_, 'a> {
    /// The checks on which any of these values depends, without those on which the sizes depend.
    pub fn checks_beyond(
        &mut self,
        sizes: impl IntoIterator<Item = Atom>,
        values: impl IntoIterator<Item = Atom>,
    ) -> Checks {
        self.update_dependences();
        let own = self.dependences.of(sizes);
        let mut checks = self.dependences.of(values);
        checks.retain(|check| !own.contains(check));
        in_order(checks)
    }

    /// Records the further checks of the first array that has the size `size`, which `id` names, among values of these
    /// types.
    pub fn bind_checks<'v>(
        &mut self,
        id: ValueId,
        size: &Size,
        values: impl IntoIterator<Item = (&'v Type, &'v Value<'a>)>,
        env: &mut Env<'a>,
    ) where
        'a: 'v,
    {
        let Some(number) = env.leaf(id) else { return };
        let mut leaves = None;
        for (ty, value) in values {
            each_array(ty, value, 0, &mut |of, array, _| {
                if of == size {
                    leaves.get_or_insert_with(|| array.data());
                }
            });
        }
        let checks = self.checks_beyond([number], leaves.into_iter().flatten());
        if !checks.is_empty() {
            env.checks.insert(id, checks);
        }
    }

    /// The value of a size as a number of the program: it depends on the checks of the arrays from which the size was
    /// read.
    pub fn number_of_size(&mut self, size: &Size, value: Value<'a>, env: &Env<'a>) -> Value<'a> {
        if env.checks.is_empty() {
            return value;
        }
        let mut checks = Vec::new();
        size.any(&mut |id| {
            checks.extend(env.checks.get(&id).into_iter().flat_map(|checks| checks.iter().copied()));
            false
        });
        match value {
            Value::Leaf(number) => Value::Leaf(self.dependent(number, &in_order(checks))),
            value => value,
        }
    }

    /// A copy of the atom that depends on these checks.
    pub fn dependent(&mut self, atom: Atom, checks: &Checks) -> Atom {
        if checks.is_empty() {
            return atom;
        }
        let computation = Computation::Dependent(atom, checks.clone());
        if let Some(known) = self.computed(&computation) {
            return known;
        }
        let copy = self.builder.fresh(None, self.builder.type_of(atom));
        self.dependences.copies.insert(copy, checks.clone());
        self.builder.emit(vec![copy], Exp::Atom(atom));
        self.equate_copy(atom, Atom::Var(copy));
        self.remember(computation, Atom::Var(copy));
        Atom::Var(copy)
    }
}
