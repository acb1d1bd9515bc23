//! # redundant-checks: check early, and only once on a path
//!
//! ## Rule
//!
//! ```text
//!   let ys = E in let zs = assert c (as) "…" in E'                  -->   let b = assert c (c) "…" in let ys = E in let zs = assert c (as) "…" in E'
//!   let xs = assert c (as) "…" in … let ys = assert c (bs) "…" in E   -->   let xs = assert c (as) "…" in … E[bs/ys]
//! ```
//!
//! * *early-check*: a check moves before statements that may take memory or time.
//! * *repeated-check*: a check that a dominating check repeats is removed.
//!
//! Without early-check, `assert (n < 1000) (map (\x -> map (* x) xs) xs)` could run out of memory instead of
//! failing at the assertion.
//!
//! This pass must run last. In its input each check guards only the values that it returns, so a pass may move
//! or drop any check. In its output a check guards all statements after it. The translation to kernel IR
//! preserves their order.
//!
//! ## Requires
//!
//! * *available-operands*, of early-check: the condition and the values of the message are defined before the statement
//!   that the check would precede.
//! * *no-call-or-trace*, of early-check: the statement that the check would precede calls no function and has no trace.
//!   Output must come before a later failure.
//! * *no-other-failure*, of early-check: each check in the statement that the check would precede depends on the
//!   condition, so no other failure could come first. Independent failures keep their order.
//! * *stated-sizes*, of repeated-check: the results of the check have the types of its operands, and no operand is a
//!   negative constant. Otherwise the check states sizes that the earlier one does not state.
//!
//! ## Ensures
//!
//! No condition is checked twice on one path through a function.
//!
//! ## Leaves alone
//!
//! Traces. The order of checks: a check moves only to a place after the check before it.
//!
//! ## Costs
//!
//! The pass takes linear time, since the search for an earlier place ends at the previous check.
//!
//! ## Source
//!
//! Gupta, "Optimizing Array Bound Checks Using Flow Analysis" (ACM Letters on Programming Languages and Systems
//! 2, 1993), removes checks that an earlier one on every path implies, and moves checks to earlier points. Here
//! control flow is structured, so dominance replaces its data-flow equations.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, c: bool, x: i32, xs: [n]i32) -> (out1: [n]i32, out2: i32) = {
//!   let as: [n]i32 = screma n { from xs map \(e: i32) -> { let f: i32 = add e x in f } to map }
//!   let bs: [n]i32 = assert c (as) "one"
//!   let y: i32 = assert c (x) "two"
//!   in (bs, y)
//! }
//! entry main = main (c, x, xs) -> (out1, out2)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, c_1: bool, x_2: i32, xs_3: [n_0]i32) -> (out1_4: [n_0]i32, out2_5: i32) = {
//!   let v6: bool = assert c_1 (c_1) "one"
//!   let as_7: [n_0]i32 = screma n_0 {
//!     from xs_3
//!     map \(e_8: i32) -> {
//!       let f_9: i32 = add e_8 x_2
//!       in f_9
//!     }
//!     to map
//!   }
//!   in (as_7, x_2)
//! }
//! entry main = main (c_1, x_2, xs_3) -> (out1_4, out2_5)
//! ```

use ravel_core::visit::{Visit, VisitMut};
use ravel_core::{
    Atom, Body, Call, ErrorMessage, ErrorPart, Exp, Program, Stm, Substitution, Type, Var, VarInfo, VarTable,
    atom_type, free_in_stm,
};
use ravel_prim::PrimType;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::pass::missing;
use crate::simplify::is_negative;
use crate::{Cx, Pass, Premise, Refusal};

/// The pass `redundant-checks`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "redundant-checks",
    about: "Moves checks before statements that may allocate or take long, and removes a check that every path to it has already made. Runs last in the optimiser, before `flatten`.",
    rules: &[EARLY_CHECK, REPEATED_CHECK],
    premises: &[AVAILABLE_OPERANDS, NO_CALL_OR_TRACE, NO_OTHER_FAILURE, STATED_SIZES],
    run,
};

const EARLY_CHECK: &str = "early-check";
const REPEATED_CHECK: &str = "repeated-check";

const AVAILABLE_OPERANDS: Premise = Premise {
    name: "available-operands",
    about: "the condition and the values of the message are defined before the statement that the check would precede",
    otherwise: "the check would precede this, but its condition or message is computed later",
};

const NO_CALL_OR_TRACE: Premise = Premise {
    name: "no-call-or-trace",
    about: "the statement that the check would precede calls no function and has no trace",
    otherwise: "the check would precede this, which first calls a function or prints a trace",
};

const NO_OTHER_FAILURE: Premise = Premise {
    name: "no-other-failure",
    about: "each check in the statement that the check would precede depends on the condition, so no other failure could come first",
    otherwise: "the check would precede this, which may first fail for another reason",
};

const STATED_SIZES: Premise = Premise {
    name: "stated-sizes",
    about: "the results of the check have the types of its operands, and no operand is a negative constant",
    otherwise: "the check has been made before, but its results have other sizes than its values",
};

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
        self.cx.count_visits(body.stms.len());
        self.check_early(&mut body.stms);
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
    /// Inserts a copy of the first check of a condition before the earliest costly statement that it may precede.
    fn check_early(&mut self, stms: &mut Vec<Stm>) {
        let mut placed: Vec<Stm> = Vec::with_capacity(stms.len());
        let mut checked = FxHashSet::default();
        for stm in std::mem::take(stms) {
            if let Exp::Assert { cond, error, .. } = &stm.exp
                && stm.trace_label().is_none()
                && !self.is_checked(*cond)
                && checked.insert(*cond)
            {
                match early_place(&self.vars, &placed, *cond, error) {
                    Some(Ok(place)) if self.cx.fire(EARLY_CHECK, &stm.origin) => {
                        let binder = self.vars.push(VarInfo { hint: None, ty: Type::scalar(PrimType::Bool) });
                        let exp = Exp::Assert { cond: *cond, values: vec![*cond], error: error.clone() };
                        placed.insert(place, Stm { binders: vec![binder], exp, origin: stm.origin.clone() });
                    }
                    Some(Err(refusal)) => self.cx.refuse(EARLY_CHECK, refusal, &stm.origin),
                    _ => {}
                }
            }
            placed.push(stm);
        }
        *stms = placed;
    }

    /// Whether a check of this condition dominates the current statement.
    fn is_checked(&self, cond: Atom) -> bool {
        self.checked.get(&cond).is_some_and(|&count| count > 0)
    }

    /// Removes a check that a dominating one repeats: its values replace its results.
    fn remove(&mut self, stm: &Stm) -> bool {
        let Exp::Assert { cond, values, .. } = &stm.exp else { return false };
        if stm.trace_label().is_some() {
            return false;
        }
        if self.is_checked(*cond) {
            let has_type = |(&binder, &value): (&Var, &Atom)| {
                self.vars[binder].ty == atom_type(&self.vars, value) && !is_negative(value)
            };
            if !stm.binders.iter().zip(values).all(has_type) {
                let refusal = Refusal::of(STATED_SIZES).blame(None, stm.origin.place());
                self.cx.refuse(REPEATED_CHECK, refusal, &stm.origin);
            } else if self.cx.fire(REPEATED_CHECK, &stm.origin) {
                for (&binder, &value) in stm.binders.iter().zip(values) {
                    self.substitution.insert(binder, value);
                }
                return true;
            }
        }
        *self.checked.entry(*cond).or_default() += 1;
        self.dominating.push(*cond);
        false
    }
}

/// The position of the earliest costly statement that a check of this condition may precede. An error gives the reason why
/// the check may not precede any of them. `None` if there is no costly statement, or if the condition depends on the
/// last one.
fn early_place(
    vars: &VarTable,
    before: &[Stm],
    cond: Atom,
    error: &ErrorMessage,
) -> Option<Result<usize, Refusal>> {
    let message = error.parts.iter().filter_map(|part| match part {
        ErrorPart::Value(atom) => atom.var(),
        ErrorPart::Text(_) => None,
    });
    let mut needed: FxHashSet<Var> = message.chain(cond.var()).collect();
    let mut is_available = true;
    let mut place = None;
    for (at, stm) in before.iter().enumerate().rev() {
        let is_needed = stm.binders.iter().any(|binder| needed.contains(binder));
        if matches!(stm.exp, Exp::Assert { .. }) || is_needed && is_costly(&stm.exp) {
            break;
        } else if is_needed {
            needed.extend(free_in_stm(vars, stm));
            is_available = false;
        } else if is_costly(&stm.exp) {
            let order = Order::of(cond, &stm.exp);
            let premise = missing(&[
                (AVAILABLE_OPERANDS, &|| is_available),
                (NO_CALL_OR_TRACE, &|| !order.has_call_or_trace),
                (NO_OTHER_FAILURE, &|| !order.has_other_failure),
            ]);
            if let Some(premise) = premise {
                let refusal = Refusal::of(premise).blame(None, stm.origin.place());
                return Some(place.ok_or(refusal));
            }
            place = Some(at);
        }
    }
    place.map(Ok)
}

/// Whether the expression may take memory, or more time than a scalar operation.
fn is_costly(exp: &Exp) -> bool {
    match exp {
        Exp::Atom(_)
        | Exp::Unary(..)
        | Exp::Binary(..)
        | Exp::Compare(..)
        | Exp::Convert(..)
        | Exp::Trust(_)
        | Exp::Param(..)
        | Exp::Index(..)
        | Exp::Slice(..)
        | Exp::Rearrange(..)
        | Exp::Reshape(_)
        | Exp::ArrayLit(_)
        | Exp::Assert { .. } => false,
        Exp::If { then, otherwise, .. } => {
            then.stms.iter().chain(&otherwise.stms).any(|stm| is_costly(&stm.exp))
        }
        _ => true,
    }
}

/// The failures and the output of an expression that must come before a check of `cond`.
struct Order {
    cond: Atom,
    /// Conditions that depend on the check of `cond`.
    dependent: FxHashSet<Var>,
    has_call_or_trace: bool,
    /// Whether a check in it does not depend on the check of `cond`.
    has_other_failure: bool,
}

impl Order {
    fn of(cond: Atom, exp: &Exp) -> Order {
        let dependent = FxHashSet::default();
        let mut order = Order { cond, dependent, has_call_or_trace: false, has_other_failure: false };
        order.exp(exp);
        order
    }
}

impl Visit for Order {
    fn var(&mut self, _: &Var) {}
    fn binder(&mut self, _: &Var) {}

    fn call(&mut self, _: &Call) {
        self.has_call_or_trace = true;
    }

    fn stm(&mut self, stm: &Stm) {
        if stm.trace_label().is_some() {
            self.has_call_or_trace = true;
        } else if let Exp::Assert { cond, .. } = &stm.exp {
            let depends = *cond == self.cond || cond.var().is_some_and(|cond| self.dependent.contains(&cond));
            self.has_other_failure |= !depends;
            self.dependent.extend(&stm.binders);
        }
        self.exp(&stm.exp);
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

    /// Whether the check of `c` precedes the construct in the output.
    fn is_early(stms: &str) -> bool {
        let after = after(stms, "o", "r: [n]i32");
        after.find("assert c_2").expect("the check stays")
            < after.find("screma").expect("the construct stays")
    }

    /// A map whose function begins with these statements.
    fn map(stms: &str) -> String {
        format!(
            "let s: [n]i32 = screma n {{ from ys map \\(e: i32) -> {{ {stms} let f: i32 = add e x in f }} to map }}"
        )
    }

    #[test]
    fn a_check_precedes_what_takes_memory() {
        let check = "let o: [n]i32 = assert c (s) \"one\"";
        assert!(is_early(&format!("{} {check}", map(""))));
        assert!(is_early(&format!(
            "{} {check}",
            map("let d: bool = assert c (c) \"one\" let g: i32 = assert d (e) \"two\"")
        )));
        assert!(is_early(&format!("let k: bool = lt x y {} let w: i32 = add x y {check}", map(""))));
    }

    #[test]
    fn a_check_does_not_precede_another_failure_a_trace_or_what_it_needs() {
        let check = "let o: [n]i32 = assert c (s) \"one\"";
        for first in [
            "let d: bool = lt e x let g: i32 = assert d (e) \"two\"",
            "let t: i32 = #[trace] assert true (e) \"\"",
        ] {
            assert!(!is_early(&format!("{} {check}", map(first))), "{first}");
        }
        assert!(!is_early(&format!("{} let d: i32 = s[0] let o: [n]i32 = assert c (s) \"one \" d", map(""))));
        let of_the_array = format!(
            "{} let d: i32 = s[0] let k: bool = lt d x let o: [n]i32 = assert k (s) \"one\"",
            map("")
        );
        let after = after(&of_the_array, "o", "r: [n]i32");
        assert!(after.find("assert") > after.find("screma"), "{after}");
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
