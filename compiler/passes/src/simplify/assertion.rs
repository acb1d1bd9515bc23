//! # assert-true, assert-again, assert-implied
//!
//! ```text
//!   let xs' = assert true (xs) "…" in E           -->   E[xs/xs']
//!   let j = assert c (i) in … let k = assert c (j) in E      -->   E[j/k]
//!   let j = assert c (i) in … let k = assert d (a) in E      -->   let k = assert c (a) in E      where d follows from c
//! ```
//!
//! *Requires*, as *proved*, that the condition is `true` by now, or certainly holds where the assertion stands: in a
//! loop or a lambda, there is a round, which the condition may have been computed before. And that the values have the types of the binders, whose sizes may be among the binders
//! themselves. Where the assertion restates sizes and two names of a size have not become one, it stays. So does a *trace*, which is such an assertion with an attribute, for what it shows.
//!
//! Of assert-implied: where a condition holds only because another one was checked, what is guarded by it must come to wait
//! for the other check, whatever becomes of all that leads from one to the other: a branch between the two may turn out to be decided
//! anyhow, `j` then is used by nobody, and goes. So the check is made again in place of this one, and says what the other one says.
//! Nothing fails that did not, and [`crate::redundant_checks`] removes in the end what has been checked before. If the values are
//! what the other check hands through, they wait for it as they are. A
//! condition that has been checked already is not replaced, so that two that follow from each other take no turns.
//!
//! Everything else that is decided by ranges must not rest on a check: see [`ravel_core::range`].

use ravel_core::{Atom, Exp, Stm, Type, Var};

use super::{Check, Known, Rewrite, Rule};
use crate::Premise;

/// A check that cannot fail is none.
pub const HOLDS: Rule = Rule {
    name: "assert-true",
    rewrite: |known, stm| {
        let (cond, values) = check(stm)?;
        match known.ranges.proof(known.vars, cond) {
            Some(checks) => {
                let waits = |check: &Var| values.iter().all(|&value| known.ranges.waits_for(value, *check));
                checks.iter().all(waits).then(|| names(known, stm, values))?
            }
            None if cond == Atom::bool(false) || known.is_checked(cond) => None,
            None => Some(Rewrite::Refused(PROVED)),
        }
    },
};

/// A check of what came out of the same check is none.
pub const AGAIN: Rule = Rule {
    name: "assert-again",
    rewrite: |known, stm| {
        let (cond, values) = check(stm)?;
        let is_same = |check| known.check(check).is_some_and(|&(other, _)| other == cond);
        let waits = |&value: &Atom| known.ranges.checks_of(value).any(is_same);
        values.iter().all(waits).then(|| names(known, stm, values))?
    },
};

/// What follows from a check waits for that.
pub const IMPLIED: Rule = Rule {
    name: "assert-implied",
    rewrite: |known, stm| {
        let (cond, values) = check(stm)?;
        if known.is_checked(cond) {
            return None;
        }
        let checks = known.ranges.proof(known.vars, cond)?;
        let checks: Vec<Check> =
            checks.into_iter().map(|check| known.check(check).cloned()).collect::<Option<_>>()?;
        match &checks[..] {
            [] => None,
            [(cond, error)] => Some(Rewrite::Becomes(Exp::Assert {
                cond: *cond,
                values: values.to_vec(),
                error: error.clone(),
            })),
            // One after the other, where that is not more than a name for a number.
            _ => {
                let &[value] = values else { return None };
                known.type_of(value).is_scalar().then(|| {
                    Rewrite::Written(Box::new(move |b| {
                        checks.into_iter().fold(value, |value, (cond, error)| b.assert(cond, value, error))
                    }))
                })
            }
        }
    },
};

/// The condition and the values of a statement that checks, and shows nothing.
fn check(stm: &Stm) -> Option<(Atom, &[Atom])> {
    match &stm.exp {
        Exp::Assert { cond, values, .. } if stm.trace_label().is_none() => Some((*cond, values)),
        _ => None,
    }
}

/// What [`HOLDS`] requires.
pub const PROVED: Premise = Premise {
    name: "proved",
    about: "equal sizes or the ranges of integers prove the condition",
    otherwise: "the check stays, since it is not known to hold",
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

    /// A condition may wait for another check: it holds if it holds without that.
    #[test]
    fn a_true_condition_that_waits_is_no_check() {
        let before = "
            let low: bool = le 0 n
            let waits: bool = assert c (low) \"first\"
            let b: i64 = assert waits (m) \"second\"";
        let (after, _) = trace(&PASS, &within(before, "b", "r: i64"));
        assert_eq!(statements(&after), "in m_1");
        let unknown = before.replace("le 0 n", "le 0 m");
        let (after, _) = trace(&PASS, &within(&unknown, "b", "r: i64"));
        assert_eq!(after.matches("assert").count(), 2);
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

    /// `j` is a position of `ys`, if it is checked.
    const POSITION: &str = "
        let low: bool = le 0 m
        let high: bool = lt m n
        let ok: bool = and low high
        let j: i64 = assert ok (m) \"no position\" ";

    fn after(stms: &str, result: &str, types: &str) -> (String, Vec<String>) {
        let (after, events) = trace(&PASS, &within(&format!("{POSITION} {stms}"), result, types));
        (statements(&after), events)
    }

    #[test]
    fn what_a_check_hands_through_is_not_checked_again() {
        let (text, events) = after("let k: i64 = assert ok (j) \"again\" let e: i32 = ys[k]", "e", "r: i32");
        assert!(text.ends_with("let e_13: i32 = ys_7[j_12]\nin e_13"), "{text}");
        assert_eq!(events, ["assert-again", "assert-true refused: proved"]);
        // Of what it was, it is.
        let (text, events) = after("let k: i64 = assert ok (n) \"again\"", "(j, k)", "r: i64, s: i64");
        assert_eq!(text.matches("assert ok").count(), 2, "{text}");
        assert_eq!(events, ["assert-true refused: proved"]);
    }

    #[test]
    fn what_follows_from_a_check_of_the_same_number_is_none() {
        let (text, events) = after(
            "let some: bool = lt j n let k: i64 = assert some (j) \"follows\" let e: i32 = ys[k]",
            "e",
            "r: i32",
        );
        assert_eq!((text.matches("assert").count(), text.contains("ys_7[j_12]")), (1, true), "{text}");
        assert_eq!(events, ["assert-true", "dead-code", "assert-true refused: proved"]);
    }

    /// The branch says that `a` is a position, as `j` is; whoever reads there waits for the check of `j`.
    #[test]
    fn what_follows_from_another_check_waits_for_it() {
        let guarded = |before: &str| {
            format!(
                "{before}
                 let up: bool = le 0 l
                 let below: bool = le l j
                 let both: bool = and up below
                 let e: i32 = if both then {{
                   let in1: bool = le 0 l
                   let in2: bool = lt l n
                   let inside: bool = and in1 in2
                   let k: i64 = assert inside (l) \"out of bounds\"
                   let f: i32 = ys[k]
                   in f
                 }} else 0i32"
            )
        };
        let (text, events) = after(&guarded("let l: i64 = convert i64 x"), "e", "r: i32");
        assert!(text.contains("assert ok_11 (l_13) \"no position\""), "{text}");
        assert!(events.contains(&"assert-implied".to_owned()), "{events:?}");
        // Where the comparison is decided before, by what j was, nothing waits for j, and what is guarded has its own check.
        let (text, _) = after(&guarded("let l: i64 = min m 5"), "e", "r: i32");
        assert!(text.contains("(l_9) \"out of bounds\"") && !text.contains("j_"), "{text}");
    }

    #[test]
    fn what_follows_from_two_checks_waits_for_both() {
        let stms = "
            let fits: bool = le n 1000
            let v: i64 = assert fits (n) \"large\"
            let b: i64 = min j v
            let t: i64 = add b 1
            let small: bool = le t 1001
            let pos: bool = le 1 t
            let fine: bool = and small pos
            let k: i64 = assert fine (t) \"never\"
            let l: [k]i32 = replicate k x";
        let (text, _) = after(stms, "(k, l)", "r: i64, s: [r]i32");
        let said = ["no position", "large", "never"].map(|what| text.matches(&format!("\"{what}\"")).count());
        assert_eq!(said, [2, 2, 0], "{text}");
    }

    /// A comparison is none of a check's business.
    #[test]
    fn what_a_check_says_decides_no_branch_and_no_arithmetic() {
        let stms = "
            let a: bool = lt j n
            let e: i32 = if a then x else y
            let b: i64 = min j n
            let d: i64 = mod j n";
        let (text, events) = after(stms, "(e, b, d)", "r: i32, s: i64, t: i64");
        assert!(["if ", "= min j_", "= mod j_"].iter().all(|kept| text.contains(kept)), "{text}");
        assert_eq!(events, ["assert-true refused: proved"]);
    }

    /// In place of its call, a function may be left with a size of an array that nobody uses.
    #[test]
    fn sizes_are_sizes_where_arrays_come_from_outside() {
        let program = |of_entry: &str, of_function: &str, call: &str| {
            format!(
                "fun f (k: i64, as: [k]i32) -> (r: i32) = {{
                   let ok: bool = le 0 k let d: i64 = {of_function} let e: i32 = as[d] {call} in e
                 }}
                 fun main (n: i64, ys: [n]i32) -> (r: i32) = {{
                   let ok: bool = le 0 n let d: i64 = {of_entry} let e: i32 = call f (n, ys) let g: i32 = ys[d] let h: i32 = add e g in h
                 }}
                 entry main = main (ys) -> (r)"
            )
        };
        let (check_k, check_n) = ("assert ok (k) \"no\"", "assert ok (n) \"no\"");
        let again = "let b: i32 = call f (k, as)";
        let left = |text: String| trace(&PASS, &text).0.contains("assert");
        assert!(!left(program(check_n, "k", "")));
        assert!(left(program("n", check_k, "")));
        // What calls itself stays a function.
        assert!(!left(program("n", check_k, again)));
    }

    #[test]
    fn sizes_with_two_names_keep_it() {
        let (after, _) = trace(&PASS, &within("let b: [m]i32 = assert true (ys) \"no\"", "b", "r: [m]i32"));
        assert_eq!(statements(&after), "let b_9: [m_1]i32 = assert true (ys_7) \"no\"\nin b_9");
    }
}
