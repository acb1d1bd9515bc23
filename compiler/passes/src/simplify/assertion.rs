//! # assert-true, assert-false, assert-repeated, assert-implied: checks with known outcomes
//!
//! ## Rule
//!
//! ```text
//!   let xs' = assert true (xs) "…" in E                      -->   E[xs/xs']
//!   let k = assert false (i) "…"                             -->   let k = assert false (0) "…"
//!   let j = assert c (i) in … let k = assert c (j) in E      -->   E[j/k]
//!   let j = assert c (i) in … let k = assert d (a) in E      -->   let k = assert c (a) in E      if c implies d
//! ```
//!
//! * *assert-true*: a check that always holds is removed.
//! * *assert-false*: an i64 that a failing check guards becomes 0. It may be the size of arrays, and passes may allocate
//!   these before the check: a negative size would be reported as a lack of memory.
//! * *assert-repeated*: a check of the result of an earlier check is removed if both have the same condition.
//! * *assert-implied*: a check that an earlier check implies gets the condition of the earlier one, so that
//!   assert-repeated removes it.
//!
//! In assert-implied, `d` holds because another check succeeded, so the values that `d` guards must depend on
//! that check. It does not suffice to drop the assertion: if a branch between the two is decided later, `j`
//! becomes dead and its check goes. So the assertion repeats the other check, with its message;
//! [`crate::redundant_checks`] removes the repetition last. If the values are results of the other check, they
//! already depend on it, and assert-true applies.
//!
//! ## Requires
//!
//! * *proved*, of assert-true: equal sizes or the ranges of integers prove the condition. The ranges include
//!   facts that hold only at the assertion: inside a loop there is an iteration.
//!
//! The values must have the types of the binders, whose sizes may be among the binders themselves: in
//! `let (k, ys: [k]i32) = assert true (n, xs)`, `k` becomes the size of `xs`, if this is `n` or the result of a check
//! of `n`.
//!
//! ## Ensures
//!
//! No program fails that did not fail before. All other rules decided by ranges use only facts that hold
//! without any check ([`ravel_core::range`]).
//!
//! ## Leaves alone
//!
//! An assertion that restates a size, until both names of the size have become one. A trace, which is an
//! assertion with an attribute. Numbers guarded by a failing check, if they depend on other checks or if the
//! check also guards arrays, whose types may name them. A condition that has been checked already, or two
//! conditions that imply each other would alternate.
//!
//! ## Costs
//!
//! Linear in the number of checks in the proof.
//!
//! ## Source
//!
//! Muchnick, "Advanced Compiler Design and Implementation" (1997), section 14.2, on unnecessary bounds checks.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, x: i64, y: i64, ys: [n]i32) -> (out: i32, size: i64) = {
//!   let least: bool = le n n
//!   let zs: [n]i32 = assert least (ys) "no array"
//!   let low: bool = le 0 x
//!   let high: bool = lt x n
//!   let ok: bool = and low high
//!   let i: i64 = assert ok (x) "out of bounds"
//!   let j: i64 = assert ok (i) "again"
//!   let up: bool = le 0 y
//!   let below: bool = le y j
//!   let both: bool = and up below
//!   let e: i32 = if both then {
//!     let high2: bool = lt y n
//!     let inside: bool = and up high2
//!     let k: i64 = assert inside (y) "out of bounds"
//!     let f: i32 = zs[k]
//!     in f
//!   } else 0i32
//!   let s: i64 = assert false (-1) "negative"
//!   in (e, s)
//! }
//! entry main = main (x, y, ys) -> (out, size)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, x_1: i64, y_2: i64, ys_3: [n_0]i32) -> (out_4: i32, size_5: i64) = {
//!   let low_6: bool = le 0i64 x_1
//!   let high_7: bool = lt x_1 n_0
//!   let ok_8: bool = and low_6 high_7
//!   let i_9: i64 = assert ok_8 (x_1) "out of bounds"
//!   let up_10: bool = le 0i64 y_2
//!   let below_11: bool = le y_2 i_9
//!   let both_12: bool = and up_10 below_11
//!   let e_13: i32 = if both_12 then {
//!     let k_14: i64 = assert ok_8 (y_2) "out of bounds"
//!     let f_15: i32 = ys_3[k_14]
//!     in f_15
//!   } else 0i32
//!   let s_16: i64 = assert false (0i64) "negative"
//!   in (e_13, s_16)
//! }
//! entry main = main (x_1, y_2, ys_3) -> (out_4, size_5)
//! ```

use ravel_core::{Atom, Exp, Stm, Type, Var};
use ravel_prim::PrimType;

use super::{Check, Facts, Rewrite, Rule};
use crate::Premise;

/// Removes a check that always holds.
pub const HOLDS: Rule = Rule {
    name: "assert-true",
    rewrite: |known, stm| {
        let (cond, values) = check(stm)?;
        match known.ranges.proof(known.vars, cond) {
            Some(checks) => {
                let depends =
                    |check: &Var| values.iter().all(|&value| known.ranges.depends_on(value, *check));
                checks.iter().all(depends).then(|| names(known, stm, values))?
            }
            None if cond == Atom::bool(false) || known.is_checked(cond) => None,
            None => Some(Rewrite::Refused(PROVED)),
        }
    },
};

/// Replaces the numbers that a failing check guards by 0.
pub const FAILS: Rule = Rule {
    name: "assert-false",
    rewrite: |known, stm| {
        let (cond, values) = check(stm)?;
        let Exp::Assert { error, .. } = &stm.exp else { return None };
        let is_scalar = |&value: &Atom| known.type_of(value).is_scalar();
        if cond != Atom::bool(false) || !values.iter().all(is_scalar) {
            return None;
        }
        let may_change =
            |value: Atom| known.type_of(value).elem == PrimType::I64 && !known.is_dependent(value);
        let zero = |&value: &Atom| if may_change(value) { Atom::i64(0) } else { value };
        let zeros: Vec<Atom> = values.iter().map(zero).collect();
        (zeros != values).then(|| Rewrite::Exp(Exp::Assert { cond, values: zeros, error: error.clone() }))
    },
};

/// Removes a check of a value that the same check returned.
pub const AGAIN: Rule = Rule {
    name: "assert-repeated",
    rewrite: |known, stm| {
        let (cond, values) = check(stm)?;
        let is_same = |check| known.check(check).is_some_and(|&(other, _)| other == cond);
        let depends = |&value: &Atom| known.ranges.checks_of(value).any(is_same);
        values.iter().all(depends).then(|| names(known, stm, values))?
    },
};

/// Replaces a check by the one that implies it.
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
            [(cond, error)] => {
                Some(Rewrite::Exp(Exp::Assert { cond: *cond, values: values.to_vec(), error: error.clone() }))
            }
            // The value passes through several checks in sequence. Only a single scalar can.
            _ => {
                let &[value] = values else { return None };
                known.type_of(value).is_scalar().then(|| {
                    Rewrite::Emit(Box::new(move |b| {
                        checks.into_iter().fold(value, |value, (cond, error)| b.assert(cond, value, error))
                    }))
                })
            }
        }
    },
};

/// The condition and the values of an assertion that is not a trace.
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

/// Replaces the binders of a check by its values, if the types are then the same. A binder that is a size may become the
/// size that the values have, if this is the same number and depends on the same checks.
pub fn names(known: &Facts, stm: &Stm, values: &[Atom]) -> Option<Rewrite> {
    let place_of = |size: Atom| stm.binders.iter().position(|&binder| Atom::Var(binder) == size);
    let mut named = values.to_vec();
    for (&binder, &value) in stm.binders.iter().zip(values) {
        for (&size, own) in known.vars[binder].ty.shape.iter().zip(known.type_of(value).shape) {
            if let Some(place) = place_of(size)
                && known.may_name(own, values[place])
            {
                named[place] = own;
            }
        }
    }
    let binders = stm.binders.iter().map(|&binder| {
        let Type { elem, shape } = &known.vars[binder].ty;
        let shape = shape.iter().map(|&size| place_of(size).map_or(size, |place| named[place])).collect();
        Type { elem: *elem, shape }
    });
    let same = values.iter().map(|&value| known.type_of(value)).eq(binders);
    same.then(|| Rewrite::Atoms(named))
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

    /// The condition is computed outside, where there may be no points. An operator may run even then, on neutral
    /// elements.
    #[test]
    fn facts_inside_a_map_do_not_hold_outside() {
        let check = |name: &str| format!("let {name}: i64 = assert ok (n) \"no\"");
        let before = |point: &str, operator: &str, after: &str| {
            let text = format!(
                "let ok: bool = ne n 0
                 let s: i64 = screma n {{
                   from iota 0 1
                   map \\(i: i64) -> {{ {point} let e: i64 = mod m a in e }}
                   to reduce \\(p: i64, q: i64) -> {{ {operator} let t: i64 = mul p b in t }} (0)
                 }}
                 {after}
                 let z: i64 = mul s d"
            );
            within(&text, "z", "r: i64")
        };
        let size = |name: &str| format!("let {name}: i64 = n");
        let point = before(&check("a"), &size("b"), &size("d"));
        assert!(trace(&PASS, &point).1.contains(&"assert-true".to_owned()));
        let operator = before(&size("a"), &check("b"), &size("d"));
        let after = before(&size("a"), &size("b"), &check("d"));
        for before in [operator, after] {
            let events = trace(&PASS, &before).1;
            assert!(!events.contains(&"assert-true".to_owned()), "{events:?}");
            assert!(events.contains(&"assert-true refused: proved".to_owned()), "{events:?}");
        }
    }

    /// A condition may depend on another check: it holds if it holds without that check.
    #[test]
    fn a_true_condition_that_depends_on_a_check_is_no_check() {
        let before = "
            let low: bool = le 0 n
            let depends: bool = assert c (low) \"first\"
            let b: i64 = assert depends (m) \"second\"";
        let (after, _) = trace(&PASS, &within(before, "b", "r: i64"));
        assert_eq!(statements(&after), "in m_1");
        let unknown = before.replace("le 0 n", "le 0 m");
        let (after, _) = trace(&PASS, &within(&unknown, "b", "r: i64"));
        assert_eq!(after.matches("assert").count(), 2);
    }

    #[test]
    fn traces_stay() {
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
    fn sizes_among_the_values_are_known() {
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

    /// The size of an array is often the result of a check of the size that a program says.
    #[test]
    fn sizes_that_passed_a_check_are_the_same() {
        let before = |size: &str, of: &str| {
            let text = format!(
                "let up: bool = le 0 m
                 let t: i64 = assert up (m) \"no size\"
                 let other: bool = lt m n
                 let o: i64 = assert other (m) \"too large\"
                 let zs: [{of}]i32 = replicate {of} x
                 let same: bool = eq {of} {size}
                 let (k: i64, b: [k]i32) = assert same ({size}, zs) \"no\"
                 let d: [k]i32 = copy b
                 let e: i32 = d[0]"
            );
            statements(&trace(&PASS, &within(&text, "(k, e)", "r: i64, s: i32")).0)
        };
        let text = before("m", "t");
        assert_eq!((text.matches("assert").count(), text.contains("in (t_")), (1, true), "{text}");
        // Without `t`, its check would go.
        for (size, of) in [("t", "m"), ("t", "o"), ("n", "t")] {
            let text = before(size, of);
            assert!(text.contains("\"no\""), "{text}");
        }
    }

    /// `j` is in bounds of `ys` after a check.
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
    fn the_result_of_a_check_is_not_checked_again() {
        let (text, events) = after("let k: i64 = assert ok (j) \"again\" let e: i32 = ys[k]", "e", "r: i32");
        assert!(text.ends_with("let e_13: i32 = ys_7[j_12]\nin e_13"), "{text}");
        assert_eq!(events, ["assert-repeated", "assert-true refused: proved"]);
        // The argument of the check is not its result.
        let (text, events) = after("let k: i64 = assert ok (n) \"again\"", "(j, k)", "r: i64, s: i64");
        assert_eq!(text.matches("assert ok").count(), 2, "{text}");
        assert_eq!(events, ["assert-true refused: proved"]);
    }

    #[test]
    fn a_check_implied_by_another_of_the_same_number_is_removed() {
        let (text, events) = after(
            "let some: bool = lt j n let k: i64 = assert some (j) \"follows\" let e: i32 = ys[k]",
            "e",
            "r: i32",
        );
        assert_eq!((text.matches("assert").count(), text.contains("ys_7[j_12]")), (1, true), "{text}");
        assert_eq!(events, ["assert-true", "dead-code", "assert-true refused: proved"]);
    }

    /// The branch implies that `l` is in bounds if `j` is; the read there depends on the check of `j`.
    #[test]
    fn an_implied_check_repeats_the_other_check() {
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
        // Ranges alone decide the second comparison, but it depends on the check of `j`.
        for l in ["convert i64 x", "min m 5"] {
            let (text, events) = after(&guarded(&format!("let l: i64 = {l}")), "e", "r: i32");
            assert!(text.contains("assert ok_11 (l_13) \"no position\""), "{text}");
            assert!(events.contains(&"assert-implied".to_owned()), "{events:?}");
        }
    }

    #[test]
    fn a_check_implied_by_two_repeats_both() {
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

    /// Facts that depend on a check decide only other checks.
    #[test]
    fn facts_of_checks_decide_no_branch_and_no_arithmetic() {
        let stms = "
            let a: bool = lt j n
            let e: i32 = if a then x else y
            let b: i64 = min j n
            let d: i64 = mod j n";
        let (text, events) = after(stms, "(e, b, d)", "r: i32, s: i64, t: i64");
        assert!(["if ", "= min j_", "= mod j_"].iter().all(|kept| text.contains(kept)), "{text}");
        assert_eq!(events, ["assert-true refused: proved"]);
    }

    /// After inlining, a function may remain with a size parameter of an array that it does not use.
    #[test]
    fn size_parameters_are_nonnegative() {
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
        // A recursive function stays a function.
        assert!(!left(program("n", check_k, again)));
    }

    #[test]
    fn checks_of_sizes_with_two_names_stay() {
        let (after, _) = trace(&PASS, &within("let b: [m]i32 = assert true (ys) \"no\"", "b", "r: [m]i32"));
        assert_eq!(statements(&after), "let b_9: [m_1]i32 = assert true (ys_7) \"no\"\nin b_9");
    }
}
