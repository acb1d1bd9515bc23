//! # common-subexpression: compute equal expressions once
//!
//! ## Rule
//!
//! ```text
//!   let x = e in … let y = e in E   -->   let x = e in … E[x/y]
//! ```
//!
//! * *common-subexpression*: an expression that has been computed before is not computed again.
//!
//! ## Requires
//!
//! `x` is in scope, and `e` is scalar arithmetic, an element, a view or an assertion.
//!
//! ## Ensures
//!
//! Two views of one array share its memory in any case. Of two equal assertions, the second cannot fail if the
//! first succeeds.
//!
//! ## Leaves alone
//!
//! Expressions that produce an array: two fresh arrays must stay two, since one may be consumed.
//!
//! ## Costs
//!
//! One hash lookup for each statement.
//!
//! ## Source
//!
//! Muchnick, "Advanced Compiler Design and Implementation" (1997), section 13.1.
//!
//! ## Before
//!
//! ```text
//! fun main (x: i32, y: i32) -> (out: i32) = {
//!   let a: i32 = add x y
//!   let b: i32 = add y x
//!   let d: i32 = mul a b
//!   in d
//! }
//! entry main = main (x, y) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (x_0: i32, y_1: i32) -> (out_2: i32) = {
//!   let a_3: i32 = add x_0 y_1
//!   let d_4: i32 = mul a_3 a_3
//!   in d_4
//! }
//! entry main = main (x_0, y_1) -> (out_2)
//! ```

use ravel_base::Symbol;
use ravel_core::{Atom, DimSlice, Exp, Stm, Var, VarTable, atom_type};
use ravel_prim::{BinOp, CmpOp, PrimType, UnOp};
use rustc_hash::FxHashMap;

/// The rule.
pub const NAME: &str = "common-subexpression";

/// The key that determines the value of an expression.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Unary(UnOp, Atom),
    Binary(BinOp, Atom, Atom),
    Compare(CmpOp, Atom, Atom),
    Convert(PrimType, Atom),
    Param(Symbol, i64),
    Index(Var, Vec<Atom>),
    Slice(Var, Vec<DimSlice>),
    Rearrange(Var, Vec<usize>),
    Manifest(Vec<usize>, Var, Atom),
    Assert(Atom, Vec<Atom>),
}

impl Key {
    fn of(exp: &Exp) -> Option<Key> {
        Some(match exp {
            Exp::Unary(op, a) => Key::Unary(*op, *a),
            Exp::Binary(op, a, b) => Key::Binary(*op, *a, *b),
            Exp::Compare(op, a, b) => Key::Compare(*op, *a, *b),
            Exp::Convert(to, a) => Key::Convert(*to, *a),
            Exp::Param(name, default) => Key::Param(*name, *default),
            Exp::Index(array, indices) => Key::Index(*array, indices.clone()),
            Exp::Slice(array, dims) => Key::Slice(*array, dims.clone()),
            Exp::Rearrange(array, perm) => Key::Rearrange(*array, perm.clone()),
            Exp::Manifest(perm, array, cond) => Key::Manifest(perm.clone(), *array, *cond),
            Exp::Assert { cond, values, .. } => Key::Assert(*cond, values.clone()),
            _ => return None,
        })
    }

    /// The same value with the operands of a commutative operator exchanged.
    fn mirrored(&self, vars: &VarTable) -> Option<Key> {
        match *self {
            Key::Binary(op, a, b) if op.commutes(atom_type(vars, a).elem) => Some(Key::Binary(op, b, a)),
            Key::Compare(op @ (CmpOp::Eq | CmpOp::Ne), a, b) => Some(Key::Compare(op, b, a)),
            _ => None,
        }
    }
}

/// The expressions whose values have names in scope.
#[derive(Default)]
pub struct Available {
    names: FxHashMap<Key, Vec<Var>>,
    added: Vec<Key>,
    /// For each condition, the number of checks of it in scope.
    checked: FxHashMap<Atom, usize>,
    checks: Vec<Atom>,
}

/// The state on entry to a body.
pub struct Mark {
    names: usize,
    checks: usize,
}

impl Available {
    /// Enters a nested body; pass the result to [`Available::leave`] at its end.
    pub fn enter(&self) -> Mark {
        Mark { names: self.added.len(), checks: self.checks.len() }
    }

    /// Removes the expressions that became available since the mark.
    pub fn leave(&mut self, mark: Mark) {
        for key in self.added.drain(mark.names..) {
            self.names.remove(&key);
        }
        for cond in self.checks.drain(mark.checks..) {
            self.checked.entry(cond).and_modify(|times| *times -= 1);
        }
    }

    /// Whether this condition has been checked.
    pub fn is_checked(&self, cond: Atom) -> bool {
        self.checked.get(&cond).is_some_and(|&count| count > 0)
    }

    /// Records the value of a statement.
    pub fn add(&mut self, stm: &Stm) {
        if let Exp::Assert { cond, .. } = stm.exp {
            *self.checked.entry(cond).or_default() += 1;
            self.checks.push(cond);
        }
        if let Some(key) = Key::of(&stm.exp).filter(|_| stm.trace_label().is_none())
            && !self.names.contains_key(&key)
        {
            self.added.push(key.clone());
            self.names.insert(key, stm.binders.clone());
        }
    }

    /// The variables that already hold the values of this statement, if their types are the same.
    pub fn find(&self, vars: &VarTable, stm: &Stm) -> Option<Vec<Atom>> {
        let key = Key::of(&stm.exp).filter(|_| stm.trace_label().is_none())?;
        let names = self.names.get(&key).or_else(|| self.names.get(&key.mirrored(vars)?))?;
        let types = names.iter().map(|&name| &vars[name].ty);
        let same = types.eq(stm.binders.iter().map(|&binder| &vars[binder].ty));
        same.then(|| names.iter().copied().map(Atom::Var).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::simplify::PASS;
    use crate::testing::{statements, trace, within};

    fn events(stms: &str, result: &str, types: &str) -> Vec<String> {
        trace(&PASS, &within(stms, result, types)).1
    }

    #[test]
    fn equal_values_are_computed_once() {
        let before = "
            let a: i32 = add x y
            let b: i32 = add y x
            let d: i32 = ys[m]
            let e: i32 = ys[m]
            let f: i32 = mul a d
            let g: i32 = mul b e
            let h: i32 = sub f g
            let i: i32 = if c then { let j: i32 = mul a d in j } else h";
        let (after, events) = trace(&PASS, &within(before, "i", "r: i32"));
        let expected = "\
let a_9: i32 = add x_3 y_4
let d_10: i32 = ys_7[m_1]
let f_11: i32 = mul a_9 d_10
let i_12: i32 = if c_2 then f_11 else 0i32
in i_12";
        assert_eq!(statements(&after), expected);
        assert_eq!(events.iter().filter(|event| *event == "common-subexpression").count(), 4);
    }

    #[test]
    fn values_of_a_branch_are_not_available_after_it() {
        let before = "
            let a: i32 = if c then { let b: i32 = add x y in b } else x
            let d: i32 = add x y";
        assert_eq!(events(before, "(a, d)", "r: i32, s: i32"), [""; 0]);
    }

    #[test]
    fn equal_traces_stay() {
        let shown = |name: &str| format!("let {name}: i32 = #[trace] assert true (x) \"\" ");
        assert_eq!(events(&(shown("a") + &shown("b")), "(a, b)", "r: i32, s: i32"), [""; 0]);
    }

    #[test]
    fn fresh_arrays_stay_distinct() {
        let before = "let a: [n]i32 = copy ys let b: [n]i32 = copy ys";
        assert_eq!(events(before, "(a, b)", "r: [n]i32, s: [n]i32"), [""; 0]);
    }

    #[test]
    fn operators_that_do_not_commute_keep_the_order() {
        let before = "let a: i32 = sub x y let b: i32 = sub y x";
        assert_eq!(events(before, "(a, b)", "r: i32, s: i32"), [""; 0]);
    }

    #[test]
    fn a_check_is_evaluated_once_unless_it_states_other_sizes() {
        let before = "let a: i32 = assert c (x) \"one\" let b: i32 = assert c (x) \"two\"";
        let refused = "assert-true refused: proved";
        assert_eq!(events(before, "(a, b)", "r: i32, s: i32"), ["common-subexpression", refused]);
        let before = "let a: [m]i32 = assert c (ys) \"one\" let b: [n]i32 = assert c (ys) \"two\"";
        assert_eq!(events(before, "(a, b)", "r: [m]i32, s: [n]i32"), [refused]);
    }
}
