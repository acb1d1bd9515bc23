//! # assert-true
//!
//! ```text
//!   let xs' = assert true (xs) "…" in E   -->   E[xs/xs']
//! ```
//!
//! *Requires*, as *proved*, that the condition is `true` by now, or certainly holds where the assertion stands: in a
//! loop or a lambda, there is a round, which the condition may have been computed before. And that the values have the types of the binders, whose sizes may be among the binders
//! themselves. Where the assertion restates sizes and two names of a size have not become one, it stays. So does a *trace*, which is such an assertion with an attribute, for what it shows.

use ravel_core::{Atom, Exp, Stm, Type};

use super::{Known, Rewrite, Rule};
use crate::Premise;

/// A check that cannot fail is none.
pub const HOLDS: Rule = Rule {
    name: "assert-true",
    rewrite: |known, stm| match &stm.exp {
        _ if stm.traced().is_some() => None,
        Exp::Assert { cond, values, .. } => match known.ranges.truth(known.vars, *cond) {
            Some(true) => names(known, stm, values),
            _ if *cond == Atom::bool(false) => None,
            _ => Some(Rewrite::Refused(PROVED)),
        },
        _ => None,
    },
};

/// What [`HOLDS`] requires.
pub const PROVED: Premise = Premise {
    name: "proved",
    about: "sizes, and what integers can be, prove the condition",
    otherwise: "this is checked, since it is not known to hold",
};

/// The binders of a check as names for what it hands through, if they have the same types then.
pub fn names(known: &Known, stm: &Stm, values: &[Atom]) -> Option<Rewrite> {
    let named = |size: Atom| {
        let place = stm.binders.iter().position(|&binder| Atom::Var(binder) == size);
        place.map_or(size, |place| values[place])
    };
    let binders = stm.binders.iter().map(|&binder| {
        let Type { elem, shape } = &known.vars[binder].ty;
        Type { elem: *elem, shape: shape.iter().map(|&size| named(size)).collect() }
    });
    let same = values.iter().map(|&value| known.type_of(value)).eq(binders);
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

    /// The condition stands outside, where there may be no point; an operator may be applied where there is none.
    #[test]
    fn what_holds_at_a_point_is_checked_elsewhere() {
        let check = |name: &str| format!("let {name}: i64 = assert ok (n) \"no\"");
        let before = |point: &str, operator: &str, behind: &str| {
            let text = format!(
                "let ok: bool = ne n 0
                 let s: i64 = screma n {{
                   from iota 0 1
                   map \\(i: i64) -> {{ {point} let e: i64 = mod m a in e }}
                   to reduce \\(p: i64, q: i64) -> {{ {operator} let t: i64 = mul p b in t }} (0)
                 }}
                 {behind}
                 let z: i64 = mul s d"
            );
            within(&text, "z", "r: i64")
        };
        let size = |name: &str| format!("let {name}: i64 = n");
        let point = before(&check("a"), &size("b"), &size("d"));
        assert!(trace(&PASS, &point).1.contains(&"assert-true".to_owned()));
        let operator = before(&size("a"), &check("b"), &size("d"));
        let behind = before(&size("a"), &size("b"), &check("d"));
        for before in [operator, behind] {
            let events = trace(&PASS, &before).1;
            assert!(!events.contains(&"assert-true".to_owned()), "{events:?}");
            assert!(events.contains(&"assert-true refused: proved".to_owned()), "{events:?}");
        }
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
    fn sizes_that_are_handed_through_as_well_are_known() {
        let before = |size: &str| {
            let text = format!(
                "let (k: i64, b: [k]i32) = assert true ({size}, ys) \"no\"
                 let d: [n]i32 = assert true (b) \"no\""
            );
            within(&text, "d", "r: [n]i32")
        };
        let (after, events) = trace(&PASS, &before("n"));
        assert_eq!(statements(&after), "in ys_7");
        assert_eq!(events, ["assert-true", "assert-true"]);
        let (after, _) = trace(&PASS, &before("m"));
        assert!(
            statements(&after).starts_with("let (k_9: i64, b_10: [k_9]i32) = assert true (m_1, ys_7)"),
            "{after}"
        );
    }

    #[test]
    fn sizes_with_two_names_keep_it() {
        let (after, _) = trace(&PASS, &within("let b: [m]i32 = assert true (ys) \"no\"", "b", "r: [m]i32"));
        assert_eq!(statements(&after), "let b_9: [m_1]i32 = assert true (ys_7) \"no\"\nin b_9");
    }
}
