//! A loop split into its recurrence and the rest.

use std::collections::BTreeSet;

use ravel_core::{
    Atom, Builder, DimSlice, Exp, Loop, LoopForm, Stm, Substitution, Type, Var, VarTable, copy_body,
    free_in_stm,
};
use ravel_prim::{BinOp, CmpOp, PrimValue};
use rustc_hash::{FxHashMap, FxHashSet};

use super::recurrence::Recurrence;
use super::{Point, RULE};

/// A loop after the split.
pub struct Split {
    /// The recurrence, before the points.
    pub before: Vec<Stm>,
    /// The results of the recurrence in place of those of the loop.
    pub results: Substitution,
    /// What the checks return of the recurrence, with the positions of their statements.
    pub passed: Vec<(Var, usize)>,
    /// What is left of the loop.
    pub rest: Option<Stm>,
}

impl Recurrence {
    /// Splits the loop `stm`, which the statements `earlier` of the point precede. The checks among these return the results of
    /// the recurrence too.
    pub fn split(&self, vars: &mut VarTable, point: &Point, earlier: &mut [Stm], stm: Stm) -> Split {
        let Stm { binders, exp: Exp::Loop(looped), mut origin } = stm else {
            unreachable!("a loop: {stm:?}")
        };
        let LoopForm::For { index: counter, .. } = looped.form else { unreachable!("a counted loop") };
        origin.add_rule(RULE);
        let mut b = Builder::resume(std::mem::take(vars));
        b.set_origin(origin.clone());
        let once = self.once(&mut b, point, earlier, &looped, &binders);
        let (restored, before) = b.finish();

        let mut b = Builder::resume(restored);
        b.set_origin(origin.clone());
        let mut passed = Vec::new();
        let once = pass(&mut b, &point.checks, earlier, once, &mut passed);
        let results = self.finals(&looped, &binders).zip(once.iter().copied()).collect();
        let arrays = &once[once.len() - self.passed.len()..];
        b.begin();
        let mut read = Substitution::new();
        for (&var, array) in self.passed.iter().zip(arrays) {
            let Some(array) = array.var() else { unreachable!("an array is no constant") };
            read.insert(var, b.index(array, vec![Atom::Var(counter)]));
        }
        let is_kept = |stm: &Stm| !stm.binders.iter().any(|binder| self.slow.contains(binder));
        for mut stm in looped.body.stms.into_iter().filter(is_kept) {
            read.stm(b.vars_mut(), &mut stm);
            b.push(stm);
        }
        let (mut kept, mut params, mut result) = (Vec::new(), Vec::new(), Vec::new());
        for ((binder, param), next) in binders.into_iter().zip(looped.params).zip(looped.body.result) {
            if !self.slow.contains(&param.0) {
                kept.push(binder);
                params.push(param);
                result.push(read.atom(next));
            }
        }
        let body = b.end(result);
        *vars = b.finish().0;
        let exp = Exp::Loop(Loop { params, form: looped.form, body });
        let rest = (!kept.is_empty()).then_some(Stm { binders: kept, exp, origin });
        Split { before, results, passed, rest }
    }

    /// Those results of the loop that are final values of slow parameters.
    fn finals(&self, looped: &Loop, binders: &[Var]) -> impl Iterator<Item = Var> {
        let results = looped.params.iter().zip(binders);
        results.filter(|((param, _), _)| self.slow.contains(param)).map(|(_, &binder)| binder)
    }

    /// Writes the recurrence, for the case that there is a point and that it reaches the loop. Returns the final values of the
    /// slow parameters, then the arrays of the values that are passed on.
    fn once(
        &self,
        b: &mut Builder,
        point: &Point,
        earlier: &[Stm],
        looped: &Loop,
        binders: &[Var],
    ) -> Vec<Atom> {
        let mut cond = b.compare(CmpOp::Lt, zero(b, point.times), point.times);
        for &(check, _) in &point.checks {
            cond = b.binary(BinOp::And, cond, check);
        }
        let size = b.binary(BinOp::Max, self.bound, Atom::i64(0));
        let stored: Vec<Type> = self.passed.iter().map(|&var| b.vars()[var].ty.array_of(size)).collect();
        let finals = self.finals(looped, binders).map(|binder| b.vars()[binder].ty.clone());
        let types: Vec<Type> = finals.chain(stored.iter().cloned()).collect();
        b.begin();
        let results = self.recurrence(b, point, earlier, looped, stored);
        let then = b.end(results);
        let then = copy_body(b.vars_mut(), None, Substitution::new(), &then);
        let otherwise = b.body(|b| types.iter().map(|ty| unspecified(b, ty)).collect());
        b.bind_many(types, Exp::If { cond, then, otherwise })
    }

    /// Writes the loop of the recurrence with the variables of the point, in which `stored` are the types of the arrays of the
    /// values that are passed on. Returns the results of [`Recurrence::once`].
    fn recurrence(
        &self,
        b: &mut Builder,
        point: &Point,
        earlier: &[Stm],
        looped: &Loop,
        stored: Vec<Type>,
    ) -> Vec<Atom> {
        let LoopForm::For { index: counter, .. } = looped.form else { unreachable!("a counted loop") };
        let needed = Cone::of(b.vars(), looped, self);
        for stm in shared_statements(b.vars(), point, earlier, &needed.free) {
            b.push(stm);
        }
        let mut params: Vec<(Var, Atom)> = needed.params.iter().map(|&at| looped.params[at]).collect();
        for ty in &stored {
            let empty = b.bind(ty.clone(), Exp::Scratch);
            params.push((b.fresh(None, ty.clone()), empty));
        }
        let arrays = params[needed.params.len()..].iter().map(|&(array, _)| array);
        let body = b.body(|b| {
            needed.stms.iter().for_each(|&at| b.push(looped.body.stms[at].clone()));
            let next = arrays.zip(&self.passed).map(|(array, &var)| {
                b.update(array, vec![DimSlice::Fix(Atom::Var(counter))], Atom::Var(var))
            });
            let next: Vec<Atom> = next.collect();
            needed.params.iter().map(|&at| looped.body.result[at]).chain(next).collect()
        });
        let last = params.iter().map(|&(param, _)| b.fresh(None, b.vars()[param].ty.clone()));
        let last: Vec<Var> = last.collect();
        let is_result = |(at, _): &(usize, &(Var, Atom))| {
            *at >= needed.params.len() || self.slow.contains(&params[*at].0)
        };
        let results =
            params.iter().enumerate().filter(is_result).map(|(at, _)| Atom::Var(last[at])).collect();
        let form = LoopForm::For { index: counter, bound: self.bound };
        b.emit(last, Exp::Loop(Loop { params, form, body }));
        results
    }
}

/// Passes values through checks, which are statements of the point. So the values depend on the checks, and these fail in
/// their order. Adds what the checks return to `passed`.
fn pass(
    b: &mut Builder,
    checks: &[(Atom, usize)],
    stms: &mut [Stm],
    mut values: Vec<Atom>,
    passed: &mut Vec<(Var, usize)>,
) -> Vec<Atom> {
    for &(_, at) in checks {
        let Stm { binders, exp: Exp::Assert { values: returned, .. }, .. } = &mut stms[at] else {
            unreachable!("a check: {:?}", stms[at])
        };
        for value in &mut values {
            let binder = b.fresh(None, b.type_of(*value));
            binders.push(binder);
            returned.push(std::mem::replace(value, Atom::Var(binder)));
            passed.push((binder, at));
        }
    }
    values
}

/// Zero of the type of an atom.
fn zero(b: &Builder, atom: Atom) -> Atom {
    Atom::Const(PrimValue::zero(b.type_of(atom).elem))
}

/// Some value of a type.
fn unspecified(b: &mut Builder, ty: &Type) -> Atom {
    match ty.is_scalar() {
        true => Atom::Const(PrimValue::zero(ty.elem)),
        false => b.bind(ty.clone(), Exp::Scratch),
    }
}

/// The part of a loop that the recurrence needs.
struct Cone {
    /// The parameters, by position.
    params: Vec<usize>,
    /// The statements, by position.
    stms: Vec<usize>,
    /// The variables from outside the loop.
    free: FxHashSet<Var>,
}

impl Cone {
    fn of(vars: &VarTable, looped: &Loop, recurrence: &Recurrence) -> Cone {
        let params: FxHashMap<Var, usize> =
            looped.params.iter().enumerate().map(|(at, &(param, _))| (param, at)).collect();
        let bound = looped.body.stms.iter().enumerate();
        let stms: FxHashMap<Var, usize> =
            bound.flat_map(|(at, stm)| stm.binders.iter().map(move |&binder| (binder, at))).collect();
        let mut cone = Cone { params: Vec::new(), stms: Vec::new(), free: FxHashSet::default() };
        let mut pending: Vec<Var> = looped
            .params
            .iter()
            .map(|&(param, _)| param)
            .filter(|param| recurrence.slow.contains(param))
            .rev()
            .collect();
        pending.splice(0..0, recurrence.passed.iter().copied());
        let mut seen = FxHashSet::default();
        while let Some(var) = pending.pop() {
            if !seen.insert(var) {
                continue;
            }
            if let Some(&at) = params.get(&var) {
                cone.params.push(at);
                pending.extend(looped.body.result[at].var());
                cone.free.extend(looped.params[at].1.var());
            } else if let Some(&at) = stms.get(&var) {
                if !cone.stms.contains(&at) {
                    cone.stms.push(at);
                    pending.extend(free_in_stm(vars, &looped.body.stms[at]));
                }
            } else {
                cone.free.insert(var);
            }
        }
        cone.stms.sort_unstable();
        cone.params.sort_unstable();
        cone
    }
}

/// Copies of the statements of a point that define these variables, if they are the same for all points. A check among them
/// has been made.
fn shared_statements(vars: &VarTable, point: &Point, earlier: &[Stm], free: &FxHashSet<Var>) -> Vec<Stm> {
    let mut pending: Vec<Var> = free.iter().copied().collect();
    let mut needed = BTreeSet::new();
    while let Some(var) = pending.pop() {
        if let Some(&at) = point.shared.get(&var)
            && needed.insert(at)
        {
            pending.extend(free_in_stm(vars, &earlier[at]));
        }
    }
    let copies = needed.into_iter().flat_map(|at| match &earlier[at] {
        Stm { binders, exp: Exp::Assert { values, .. }, origin } => binders
            .iter()
            .zip(values)
            .map(|(&binder, &value)| Stm {
                binders: vec![binder],
                exp: Exp::Atom(value),
                origin: origin.clone(),
            })
            .collect(),
        stm => vec![stm.clone()],
    });
    copies.collect()
}
