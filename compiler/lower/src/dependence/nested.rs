//! Checks inside branches and loops.
//!
//! In `if c then xss[i] else ys` the check of `i` is inside the branch, so a size outside cannot pass through it. Instead
//! it depends on the result of the branch, which stands for the check. If nothing else needs the result,
//! [`crate::size_checks`] adds another result, a truth value that passes through the check.
//!
//! A parameter of a loop stands for the checks of the iterations before. It depends on what it depended on in the
//! iteration before, and on the values from which that iteration computed it.

use ravel_core::{Atom, Body, Loop, LoopForm, Var};
use rustc_hash::FxHashSet;

use super::{Checks, Dependences, in_order};

impl Dependences {
    /// Makes the parameters of a loop, each with its initial value, count as checks.
    pub fn begin_loop(&mut self, params: impl IntoIterator<Item = (Var, Atom)>) {
        for (param, init) in params {
            let mut checks = self.of([init]);
            checks.push(param);
            self.checks.insert(param, in_order(checks));
        }
    }

    /// Defines the results of a branch.
    pub(super) fn define_branch(&mut self, binders: &[Var], cond: Atom, sides: [&Body; 2]) {
        sides.iter().for_each(|side| self.update(&side.stms));
        let inside = sides.map(bound_variables);
        let control = self.of([cond]);
        for (at, &binder) in binders.iter().enumerate() {
            let mut checks = control.clone();
            let mut nested = Vec::new();
            for (side, inside) in sides.iter().zip(&inside) {
                let of_side = self.of([side.result[at]]);
                let (own, outer) = of_side.into_iter().partition(|check| inside.contains(check));
                nested.push(in_order(own));
                checks.extend::<Vec<Var>>(outer);
            }
            self.define_result(binder, binders, checks, nested);
        }
    }

    /// Defines the results of a loop.
    pub(super) fn define_loop(&mut self, binders: &[Var], looped: &Loop) {
        self.begin_loop(looped.params.iter().copied());
        self.update(&looped.body.stms);
        let inside = bound_variables(&looped.body);
        let params: Vec<Var> = looped.params.iter().map(|(param, _)| *param).collect();
        let next: Vec<Vec<Var>> = looped.body.result.iter().map(|&result| self.of([result])).collect();
        let (control, cond) = match looped.form {
            LoopForm::For { bound, .. } => (self.of([bound]), None),
            LoopForm::While(cond) => (Vec::new(), params.iter().position(|&param| param == cond)),
        };
        for (at, &binder) in binders.iter().enumerate() {
            let (mut checks, mut own) = (control.clone(), false);
            let mut reached: Vec<usize> = std::iter::once(at).chain(cond).collect();
            let mut visited = 0;
            while let Some(&param) = reached.get(visited) {
                visited += 1;
                checks.extend(self.of([looped.params[param].1]));
                for &check in &next[param] {
                    match params.iter().position(|&param| param == check) {
                        Some(param) if reached.contains(&param) => {}
                        Some(param) => reached.push(param),
                        None if inside.contains(&check) => own = true,
                        None => checks.push(check),
                    }
                }
            }
            let mut nested = next[at].clone();
            nested.extend(cond.map(|cond| params[cond]));
            let before = self.of([looped.params[at].1]);
            nested.retain(|check| !before.contains(check));
            let nested = in_order(nested);
            self.nested.insert(params[at], vec![nested.clone()]);
            let nested = if own { nested } else { in_order(Vec::new()) };
            self.define_result(binder, &[], checks, vec![nested]);
        }
    }

    /// Defines a result that depends on checks outside, and on nested ones. It stands for the nested ones, unless one of
    /// the `others` stands for the same.
    fn define_result(&mut self, result: Var, others: &[Var], mut checks: Vec<Var>, nested: Vec<Checks>) {
        if nested.iter().any(|checks| !checks.is_empty()) {
            let same = others.iter().find(|other| self.nested.get(other) == Some(&nested));
            checks.push(same.copied().unwrap_or(result));
            self.nested.insert(result, nested);
        }
        if !checks.is_empty() {
            self.checks.insert(result, in_order(checks));
        }
    }
}

/// The variables that the statements of a body bind.
fn bound_variables(body: &Body) -> FxHashSet<Var> {
    body.stms.iter().flat_map(|stm| stm.binders.iter().copied()).collect()
}
