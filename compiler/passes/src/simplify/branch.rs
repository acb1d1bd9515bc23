//! # branch-constant, branch-same, branch-boolean, branch-implied: branches that are decided or select a condition
//!
//! ## Rule
//!
//! ```text
//!   let xs = if true then { stms in as } else … in E   -->   stms in E[as/xs]
//!   let (x, y) = if c then { … in (a, b) } else { … in (a, d) } in E
//!                                                      -->   let y = if c then { … in b } else { … in d } in E[a/x]
//!   let x = if c then true else false in E             -->   E[c/x]
//!   let x = if c then true else b                      -->   let x = or c b
//!   let x = if c then b else false                     -->   let x = and c b
//!   if c then … if c then A else B …                   -->   if c then … A …      in the else branch, B
//!   if c then … let x = assert c (a) … in E            -->   if c then … E[a/x]
//! ```
//!
//! * *branch-constant*: a branch on a constant becomes the side that is taken.
//! * *branch-same*: a result that both sides return is replaced by its value.
//! * *branch-boolean*: a branch between truth values becomes a logical operator.
//! * *branch-implied*: inside a branch on `c`, a branch on `c` and a check of `c` are decided.
//!
//! ## Requires
//!
//! branch-boolean requires sides without statements, so that nothing additional is evaluated. An assertion in a
//! branch requires that the values have the types of the binders. If branch-same would remove the whole branch,
//! the condition must not depend on a check (`dependence`).
//!
//! ## Ensures
//!
//! The same side is computed as before.
//!
//! ## Leaves alone
//!
//! Branches whose sides compute different values, which `if-convert` may turn into selections.
//!
//! ## Costs
//!
//! Constant time for each statement, and each result of a branch.
//!
//! ## Source
//!
//! Muchnick, "Advanced Compiler Design and Implementation" (1997), section 18.3.
//!
//! ## Before
//!
//! ```text
//! fun main (c: bool, d: bool, x: i32, y: i32) -> (out1: i32, out2: i32, out3: bool, out4: i32) = {
//!   let a: i32 = if true then { let e: i32 = add x y in e } else 0i32
//!   let b: i32 = if c then y else y
//!   let f: bool = if c then true else d
//!   let g: i32 = if c then {
//!     let h: i32 = if c then { let i: i32 = mul x y in i } else x
//!     in h
//!   } else y
//!   in (a, b, f, g)
//! }
//! entry main = main (c, d, x, y) -> (out1, out2, out3, out4)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (c_0: bool, d_1: bool, x_2: i32, y_3: i32) -> (out1_4: i32, out2_5: i32, out3_6: bool, out4_7: i32) = {
//!   let e_8: i32 = add x_2 y_3
//!   let f_9: bool = or c_0 d_1
//!   let g_10: i32 = if c_0 then {
//!     let i_11: i32 = mul x_2 y_3
//!     in i_11
//!   } else y_3
//!   in (e_8, y_3, f_9, g_10)
//! }
//! entry main = main (c_0, d_1, x_2, y_3) -> (out1_4, out2_5, out3_6, out4_7)
//! ```

use ravel_core::{Atom, Body, Exp, Stm};
use ravel_prim::BinOp;

use super::dead::drop_at;
use super::{Facts, Rewrite, Rule};

/// A branch with a constant condition becomes one of its sides.
pub const CONSTANT: Rule = Rule {
    name: "branch-constant",
    rewrite: |_, stm| match &stm.exp {
        Exp::If { cond: Atom::Const(cond), then, otherwise } => {
            let side = if cond.as_bool()? { then } else { otherwise };
            Some(Rewrite::Body(Vec::new(), side.clone()))
        }
        _ => None,
    },
};

/// A result that is the same in both sides moves out of the branch.
pub const SAME: Rule = Rule { name: "branch-same", rewrite: same };

fn same(known: &Facts, stm: &Stm) -> Option<Rewrite> {
    let Exp::If { cond, then, otherwise } = &stm.exp else { return None };
    let pairs = stm.binders.iter().zip(then.result.iter().zip(&otherwise.result));
    let same: Vec<bool> = pairs.map(|(&binder, (a, b))| a == b && known.replaceable(binder, *a)).collect();
    let vanishes = same.iter().all(|&same| same);
    if !same.contains(&true) || vanishes && known.is_dependent(*cond) {
        return None;
    }
    let (mut then, mut otherwise) = (then.clone(), otherwise.clone());
    let mut binders = stm.binders.clone();
    let given = binders.iter().zip(&then.result).zip(&same);
    let result = given.map(|((&binder, &atom), &same)| if same { atom } else { Atom::Var(binder) }).collect();
    drop_at(&same, &mut binders);
    drop_at(&same, &mut then.result);
    drop_at(&same, &mut otherwise.result);
    let rest = Stm { binders, exp: Exp::If { cond: *cond, then, otherwise }, origin: stm.origin.clone() };
    let stms = if rest.binders.is_empty() { Vec::new() } else { vec![rest] };
    Some(Rewrite::Body(Vec::new(), Body { stms, result }))
}

/// Inside a branch, its condition has a known value.
pub const KNOWN: Rule = Rule {
    name: "branch-implied",
    rewrite: |known, stm| match &stm.exp {
        Exp::If { cond, then, otherwise } => {
            let side = if known.condition(*cond)? { then } else { otherwise };
            Some(Rewrite::Body(Vec::new(), side.clone()))
        }
        Exp::Assert { cond, values, .. } if known.condition(*cond)? => {
            super::assertion::names(known, stm, values)
        }
        _ => None,
    },
};

/// A branch between truth values becomes a logical operator.
pub const BOOLEAN: Rule = Rule { name: "branch-boolean", rewrite: boolean };

fn boolean(_: &Facts, stm: &Stm) -> Option<Rewrite> {
    let Exp::If { cond, then, otherwise } = &stm.exp else { return None };
    let (&[then], &[otherwise]) = (result(then)?, result(otherwise)?) else { return None };
    let (truth, lie) = (Atom::bool(true), Atom::bool(false));
    if then == truth && otherwise == lie {
        Some(Rewrite::Atoms(vec![*cond]))
    } else if then == truth {
        Some(Rewrite::Exp(Exp::Binary(BinOp::Or, *cond, otherwise)))
    } else if otherwise == lie {
        Some(Rewrite::Exp(Exp::Binary(BinOp::And, *cond, then)))
    } else {
        None
    }
}

/// The result of a body without statements.
fn result(body: &Body) -> Option<&[Atom]> {
    body.stms.is_empty().then_some(&body.result)
}

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    #[test]
    fn a_known_condition_leaves_one_side_with_its_sizes() {
        let before = "
            let a: bool = lt 1 0
            let (k: i64, ks: [k]i32) = if a then (n, ys) else {
              let e: i64 = add m 1
              let es: [e]i32 = replicate e x
              in (e, es)
            }
            let r2: [k]i32 = copy ks";
        let (after, events) = trace(&PASS, &within(before, "(k, r2)", "r: i64, s: [r]i32"));
        let expected = "\
let e_10: i64 = add m_1 1i64
let es_11: [e_10]i32 = replicate e_10 x_3
let r2_12: [e_10]i32 = copy es_11
in (e_10, r2_12)";
        assert_eq!(statements(&after), expected);
        assert_eq!(events, ["constant-folding", "branch-constant"]);
    }

    #[test]
    fn equal_sides_are_no_branch() {
        let (after, _) = trace(&PASS, &within("let a: i32 = if c then x else x", "a", "r: i32"));
        assert_eq!(statements(&after), "in x_3");
    }

    #[test]
    fn truth_values_are_logic_unless_a_side_has_statements() {
        let simplified = |stms: &str| statements(&trace(&PASS, &within(stms, "a", "r: bool")).0);
        let b = "let b: bool = lt x y";
        assert_eq!(simplified("let a: bool = if c then true else false"), "in c_2");
        assert_eq!(
            simplified(&format!("{b} let a: bool = if c then true else b")),
            "let b_9: bool = lt x_3 y_4\nlet a_10: bool = or c_2 b_9\nin a_10"
        );
        assert_eq!(
            simplified(&format!("{b} let a: bool = if c then b else false")),
            "let b_9: bool = lt x_3 y_4\nlet a_10: bool = and c_2 b_9\nin a_10"
        );
        let lazy = "let a: bool = if c then { let d: i32 = ys[0] let e: bool = lt d 0i32 in e } else false";
        assert!(simplified(lazy).contains("if c_2 then {"));
        let other = format!("{b} let a: bool = if c then b else true");
        assert!(simplified(&other).contains("if c_2 then b_9 else true"));
    }
}
