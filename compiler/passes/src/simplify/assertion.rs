//! # assert-true
//!
//! ```text
//!   let xs' = assert true (xs) "…" in E   -->   E[xs/xs']
//! ```
//!
//! *Requires*, as *proved*, that the condition is `true` by now. And that the values have the types of the binders. Where the assertion restates sizes
//! and two names of a size have not become one, it stays. So does a *trace*, which is such an assertion with an attribute, for what it shows.

use ravel_core::{Atom, Exp, Stm};

use super::{Known, Rewrite, Rule};
use crate::Premise;

/// A check that cannot fail is none.
pub const HOLDS: Rule = Rule {
    name: "assert-true",
    rewrite: |known, stm| match &stm.exp {
        _ if stm.traced().is_some() => None,
        Exp::Assert { cond, values, .. } if *cond == Atom::bool(true) => names(known, stm, values),
        Exp::Assert { cond, .. } if *cond != Atom::bool(false) => Some(Rewrite::Refused(PROVED)),
        _ => None,
    },
};

/// What [`HOLDS`] requires.
pub const PROVED: Premise = Premise {
    name: "proved",
    about: "sizes, and what integers can be, prove the condition",
    otherwise: "this is checked, since it is not known to hold",
};

/// The binders of a check as names for what it hands through, if they have the same types.
pub fn names(known: &Known, stm: &Stm, values: &[Atom]) -> Option<Rewrite> {
    let types = values.iter().map(|&value| known.type_of(value));
    let same = types.eq(stm.binders.iter().map(|&binder| known.vars[binder].ty.clone()));
    same.then(|| Rewrite::Names(values.to_vec()))
}

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    #[test]
    fn a_true_condition_is_no_check() {
        let before = "let a: bool = le n n let b: [n]i32 = assert a (ys) \"no\"";
        let (after, events) = trace(&PASS, &within(before, "b", "r: [n]i32"));
        assert_eq!(statements(&after), "in ys_7");
        assert_eq!(events, ["algebraic-identity", "assert-true"]);
    }

    #[test]
    fn what_is_shown_stays() {
        let (after, events) =
            trace(&PASS, &within("let b: [n]i32 = #[trace] assert true (ys) \"\"", "b", "r: [n]i32"));
        assert_eq!(statements(&after), "let b_9: [n_0]i32 = #[trace] assert true (ys_7) \"\"\nin b_9");
        assert_eq!(events, [""; 0]);
    }

    #[test]
    fn a_false_condition_is_a_check() {
        let (after, _) = trace(&PASS, &within("let b: i32 = assert false (x) \"no\"", "b", "r: i32"));
        assert_eq!(statements(&after), "let b_9: i32 = assert false (x_3) \"no\"\nin b_9");
    }

    #[test]
    fn sizes_with_two_names_keep_it() {
        let (after, _) = trace(&PASS, &within("let b: [m]i32 = assert true (ys) \"no\"", "b", "r: [m]i32"));
        assert_eq!(statements(&after), "let b_9: [m_1]i32 = assert true (ys_7) \"no\"\nin b_9");
    }
}
