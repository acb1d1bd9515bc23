//! # redundant-checks: remove checks that a dominating check repeats
//!
//! ## Rule (repeated-check)
//!
//! ```text
//!   let xs = assert c (as) "…" in … let ys = assert c (bs) "…" in E   -->   let xs = assert c (as) "…" in … E[bs/ys]
//! ```
//!
//! The first check dominates the second, and the values have the types of the binders. This pass must run last. In its
//! input each check guards only the values that it returns, so a pass may move or drop any check. In its output a check
//! guards all statements after it. The translation to kernel IR preserves their order.
//!
//! ## Ensures, leaves alone, costs
//!
//! No condition is checked twice on one path through a function. Traces, and checks whose results have other sizes in
//! their types than the values, are not removed. Linear.
//!
//! ## Before
//!
//! ```text
//! fun main (c: bool, x: i32, y: i32) -> (out: i32) = {
//!   let a: i32 = assert c (x) "one"
//!   let b: i32 = assert c (y) "two"
//!   let d: i32 = add a b
//!   in d
//! }
//! entry main = main (c, x, y) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (c_0: bool, x_1: i32, y_2: i32) -> (out_3: i32) = {
//!   let a_4: i32 = assert c_0 (x_1) "one"
//!   let d_5: i32 = add a_4 y_2
//!   in d_5
//! }
//! entry main = main (c_0, x_1, y_2) -> (out_3)
//! ```

use ravel_core::visit::VisitMut;
use ravel_core::{Atom, Body, Exp, Program, Stm, Substitution, Var, VarTable, atom_type};
use rustc_hash::FxHashMap;

use crate::simplify::is_negative;
use crate::{Cx, Pass};

/// The pass.
pub const PASS: Pass = Pass {
    name: "redundant-checks",
    about: "Removes a check if an earlier one on every path has the same condition. Runs last.",
    rules: &[REPEATED_CHECK],
    premises: &[],
    run,
};

const REPEATED_CHECK: &str = "repeated-check";

fn run(program: &mut Program, cx: &mut Cx) {
    for function in &mut program.functions {
        let vars = std::mem::take(&mut function.vars);
        let (substitution, checked) = (Substitution::new(), FxHashMap::default());
        let mut remover = Remover { vars, substitution, checked, dominating: Vec::new(), cx };
        remover.body(&mut function.body);
        function.vars = remover.vars;
    }
}

struct Remover<'a> {
    vars: VarTable,
    substitution: Substitution,
    /// For each condition, the number of checks of it that dominate the current statement.
    checked: FxHashMap<Atom, usize>,
    /// The conditions of these checks, the latest last.
    dominating: Vec<Atom>,
    cx: &'a mut Cx,
}

impl VisitMut for Remover<'_> {
    fn var(&mut self, var: &mut Var) {
        if let Atom::Var(new) = self.substitution.atom(Atom::Var(*var)) {
            *var = new;
        }
    }

    fn atom(&mut self, atom: &mut Atom) {
        *atom = self.substitution.atom(*atom);
    }

    fn binder(&mut self, var: &mut Var) {
        for at in 0..self.vars[*var].ty.rank() {
            self.vars[*var].ty.shape[at] = self.substitution.atom(self.vars[*var].ty.shape[at]);
        }
    }

    fn body(&mut self, body: &mut Body) {
        self.cx.look(body.stms.len());
        let mark = self.dominating.len();
        for mut stm in std::mem::take(&mut body.stms) {
            self.stm(&mut stm);
            if !self.remove(&stm) {
                body.stms.push(stm);
            }
        }
        body.result.iter_mut().for_each(|atom| self.atom(atom));
        for cond in self.dominating.drain(mark..) {
            self.checked.entry(cond).and_modify(|count| *count -= 1);
        }
    }
}

impl Remover<'_> {
    /// Removes a check that a dominating one repeats: its values replace its results.
    fn remove(&mut self, stm: &Stm) -> bool {
        let Exp::Assert { cond, values, .. } = &stm.exp else { return false };
        if stm.trace_label().is_some() {
            return false;
        }
        let mut named = stm.binders.iter().zip(values);
        let is_repeated = self.checked.get(cond).is_some_and(|&count| count > 0);
        let has_type = |(&binder, &value): (&Var, &Atom)| {
            self.vars[binder].ty == atom_type(&self.vars, value) && !is_negative(value)
        };
        if is_repeated && named.all(has_type) && self.cx.fire(REPEATED_CHECK, &stm.origin) {
            for (&binder, &value) in stm.binders.iter().zip(values) {
                self.substitution.insert(binder, value);
            }
            return true;
        }
        *self.checked.entry(*cond).or_default() += 1;
        self.dominating.push(*cond);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::testing::{statements, trace, within};

    fn after(stms: &str, result: &str, types: &str) -> String {
        statements(&trace(&PASS, &within(stms, result, types)).0)
    }

    #[test]
    fn a_condition_is_checked_once_on_a_path() {
        let before = "
            let a: i32 = assert c (x) \"one\"
            let b: i32 = assert c (y) \"two\"
            let d: i32 = add b y
            let o: [n]i32 = screma n { from ys map \\(e: i32) -> { let f: i32 = assert c (e) \"three\" in f } to map }";
        let expected = "\
let a_10: i32 = assert c_2 (x_3) \"one\"
let d_11: i32 = add y_4 y_4
let o_12: [n_0]i32 = screma n_0 {
  from ys_7
  map \\(e_13: i32) -> e_13
  to map
}
in (d_11, o_12)";
        assert_eq!(after(before, "(d, o)", "r: i32, s: [n]i32"), expected);
    }

    #[test]
    fn a_check_in_one_branch_does_not_count_after_the_branch() {
        let before = "
            let k: bool = lt x y
            let a: i32 = if k then { let b: i32 = assert c (x) \"one\" in b } else { let d: i32 = assert c (y) \"two\" in d }
            let e: i32 = assert c (a) \"three\"";
        assert_eq!(after(before, "e", "r: i32").matches("assert").count(), 3);
    }

    #[test]
    fn traces_and_checks_whose_results_have_other_sizes_stay() {
        let before = "
            let a: i32 = assert c (x) \"one\"
            let b: [m]i32 = assert c (ys) \"two\"
            let t: i32 = assert true (x) \"three\"
            let v: i32 = #[trace] assert true (x) \"\"";
        assert_eq!(after(before, "(b, v)", "r: [m]i32, s: i32").matches("assert").count(), 4);
    }
}
