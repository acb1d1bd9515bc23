//! # simplify: cheaper code for the same values
//!
//! A family of small rules. Each round applies the rules from the first statement to the last, then removes
//! dead code; rounds repeat until nothing fires.
//!
//! ## Rule
//!
//! | rules | file |
//! | --- | --- |
//! | copy-propagation | `copy.rs` |
//! | constant-folding | `constant.rs` |
//! | algebraic-identity | `algebra.rs` |
//! | assert-true, assert-false, assert-repeated, assert-implied | `assertion.rs` |
//! | branch-constant, branch-same, branch-boolean, branch-implied | `branch.rs` |
//! | loop-zero-trip, loop-single-trip, loop-invariant | `loops.rs` |
//! | index-iota, index-replicate, index-literal | `index.rs` |
//! | index-view, whole-view, view-of-view | `view.rs` |
//! | range-comparison, range-arithmetic | `range.rs` |
//! | reassociation, strength-reduction | `strength.rs` |
//! | neighbouring-bits | `bits.rs` |
//! | common-subexpression | `common.rs` |
//! | commutative-reduction | `commutative.rs` |
//! | dead-code, dead-result, dead-source, dead-scan | `dead.rs` |
//!
//! ## Requires
//!
//! The premises are listed in the files of the rules.
//!
//! ## Ensures
//!
//! A second run fires nothing. All rules are exact: no bit of a result changes, except that one NaN may become
//! another. No rule makes an operation fail that did not fail before. A statement leaves a branch, a loop or a
//! lambda only if it is scalar arithmetic that cannot fail.
//!
//! ## Leaves alone
//!
//! Array constructs, which are left to fusion. A size whose value is a negative constant keeps its name: after
//! a failing check there may be such a size, but no type may have one.
//!
//! ## Costs
//!
//! A round takes time linear in the size of the function, apart from the searches that the files of the rules
//! state. There are at most `MAX_ROUNDS` rounds.
//!
//! ## Source
//!
//! The rules on scalars, branches and dead code are standard: Muchnick, "Advanced Compiler Design and
//! Implementation" (Morgan Kaufmann, 1997), in the sections that the files name. The rules on arrays apply the
//! definition of the array.
//!
//! ## Before
//!
//! ```text
//! fun main (n: i64, m: i64, x: i32) -> (out: i32) = {
//!   let as: [n]i32 = iota n 5i32 2i32
//!   let a: i32 = as[3]
//!   let b: i32 = mul x 8i32
//!   let c: i32 = add a 0i32
//!   let y: i32 = if true then { let d: i32 = add b c in d } else x
//!   in y
//! }
//! entry main = main (n, m, x) -> (out)
//! ```
//!
//! ## After
//!
//! ```text
//! fun main (n_0: i64, m_1: i64, x_2: i32) -> (out_3: i32) = {
//!   let b_4: i32 = mul x_2 8i32
//!   let d_5: i32 = add b_4 11i32
//!   in d_5
//! }
//! entry main = main (n_0, m_1, x_2) -> (out_3)
//! ```

pub mod algebra;
pub mod assertion;
pub mod bits;
pub mod branch;
pub mod common;
pub mod commutative;
pub mod constant;
pub mod copy;
pub mod dead;
mod dependence;
mod forward;
mod guard;
pub mod index;
pub mod loops;
pub mod range;
pub mod strength;
pub mod view;

use ravel_core::range::Ranges;
use ravel_core::{Atom, Body, Builder, ErrorMessage, Exp, Program, Stm, Type, Var, VarTable, atom_type};
use ravel_prim::{CmpOp, PrimValue};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::inline::Calls;
use crate::{Cx, Pass, Premise};
use common::Available;
use dependence::Dependences;
use forward::forward;

/// The pass `simplify`: its rules, its premises, and the function that runs it.
pub const PASS: Pass = Pass {
    name: "simplify",
    about: "Folds, propagates and shares scalars, and removes dead code.",
    rules: &NAMES,
    premises: &[assertion::PROVED, algebra::EXACT, loops::SCALAR],
    run,
};

/// The maximum number of rounds, in case two rules undo each other's work.
const MAX_ROUNDS: usize = 64;

fn run(program: &mut Program, cx: &mut Cx) {
    let calls = Calls::of(&program.functions);
    for function in &mut program.functions {
        let mut refusals = Vec::new();
        let ranges = calls.ranges_of(function);
        for _ in 0..MAX_ROUNDS {
            let before = cx.firing_count();
            refusals = forward(function, ranges.clone(), cx);
            dead::remove(function, cx);
            if cx.firing_count() == before {
                break;
            }
        }
        // Only the refusals of the last round are final: an earlier one may fire later.
        refusals.iter().for_each(|(rule, refusal, origin)| cx.refuse(rule, *refusal, origin));
    }
}

/// A rule about one statement.
pub struct Rule {
    /// The name.
    pub name: &'static str,
    /// The rewrite of the statement; `None` if the rule does not match and no reader would expect it to.
    pub rewrite: fn(&Facts, &Stm) -> Option<Rewrite>,
}

/// The result of a rule.
pub enum Rewrite {
    /// No rewrite: a premise fails that a reader may expect to hold.
    Refused(Premise),
    /// Removes the statement and replaces its binders by these atoms.
    Atoms(Vec<Atom>),
    /// Replaces the expression of the statement.
    Exp(Exp),
    /// Replaces the statement by this body, the binders by its results, and variables bound inside the statement, such
    /// as loop parameters, by atoms.
    Body(Vec<(Var, Atom)>, Body),
    /// Replaces the statement by the code that the function emits, and the one binder by its result.
    Emit(Box<dyn FnOnce(&mut Builder) -> Atom>),
}

/// The condition of a check, and the error message if it fails.
pub type Check = (Atom, ErrorMessage);

/// The rules, in the order in which they are tried.
const RULES: &[Rule] = &[
    copy::PROPAGATION,
    constant::FOLDING,
    algebra::IDENTITY,
    assertion::HOLDS,
    assertion::FAILS,
    assertion::AGAIN,
    assertion::IMPLIED,
    branch::CONSTANT,
    branch::SAME,
    branch::BOOLEAN,
    branch::KNOWN,
    loops::NONE,
    loops::ONCE,
    loops::INVARIANT,
    index::IOTA,
    index::REPLICATE,
    index::LITERAL,
    view::INDEX,
    view::WHOLE,
    view::COMPOSED,
    range::COMPARISON,
    range::ARITHMETIC,
    strength::REASSOCIATION,
    strength::REDUCTION,
    bits::NEIGHBOURING,
    commutative::REDUCTION,
];

/// The rules about more than one statement.
const OTHER_RULES: [&str; 5] = [common::NAME, dead::CODE, dead::RESULT, dead::SOURCE, dead::SCAN];

/// The names of all rules.
const NAMES: [&str; RULES.len() + OTHER_RULES.len()] = {
    let mut names = [""; RULES.len() + OTHER_RULES.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = if at < RULES.len() { RULES[at].name } else { OTHER_RULES[at - RULES.len()] };
        at += 1;
    }
    names
};

/// The facts at a statement: types, definitions of scalars and simple arrays in scope, ranges of integers, and
/// conditions.
pub struct Facts<'a> {
    /// The variables of the function.
    pub vars: &'a VarTable,
    /// The ranges of integers.
    pub ranges: &'a Ranges,
    /// The conditions of the enclosing branches, with their values there.
    conditions: &'a [(Atom, bool)],
    definitions: &'a FxHashMap<Var, Exp>,
    checks: &'a FxHashMap<Var, Check>,
    available: &'a Available,
    dependences: &'a Dependences,
    sizes: &'a FxHashSet<Var>,
}

impl Facts<'_> {
    /// The type of an atom.
    pub fn type_of(&self, atom: Atom) -> Type {
        atom_type(self.vars, atom)
    }

    /// The expression of a variable, if it is simple enough to be recorded.
    pub fn definition(&self, var: Var) -> Option<&Exp> {
        self.definitions.get(&var)
    }

    /// The value of a condition of an enclosing branch.
    pub fn condition(&self, cond: Atom) -> Option<bool> {
        let (_, truth) = self.conditions.iter().find(|(known, _)| *known == cond)?;
        Some(*truth)
    }

    /// A dominating check, by its first binder.
    pub fn check(&self, check: Var) -> Option<&Check> {
        self.checks.get(&check)
    }

    /// Whether a dominating check has this condition.
    pub fn is_checked(&self, cond: Atom) -> bool {
        self.available.is_checked(cond)
    }

    /// Whether the atom depends on a check, which may have no other use.
    pub fn is_dependent(&self, atom: Atom) -> bool {
        self.dependences.contains(atom)
    }

    /// Whether a rule may keep one of the operands, and drop the others: none of these depends on a check.
    pub fn may_keep_only(&self, kept: Atom, operands: &[Atom]) -> bool {
        operands.iter().all(|&operand| operand == kept || !self.is_dependent(operand))
    }

    /// Whether the name of a size may replace another atom: both are the same number, and the name depends on every
    /// check that the other one depends on.
    pub fn may_name(&self, size: Atom, other: Atom) -> bool {
        self.ranges.is_passed_on(other, size)
            || !self.is_dependent(other)
                && self.ranges.compare(self.vars, CmpOp::Eq, size, other) == Some(true)
    }

    /// Whether the atom may replace the variable, also in types.
    pub fn replaceable(&self, var: Var, atom: Atom) -> bool {
        !is_negative(atom) || !self.sizes.contains(&var)
    }
}

/// Whether this is a negative constant, which is never a size.
pub(crate) fn is_negative(atom: Atom) -> bool {
    matches!(atom, Atom::Const(PrimValue::I64(value)) if value < 0)
}
