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
//! | assert-true, assert-repeated, assert-implied | `assertion.rs` |
//! | branch-constant, branch-same, branch-boolean, branch-implied | `branch.rs` |
//! | loop-zero-trip, loop-single-trip, loop-invariant | `loops.rs` |
//! | index-iota, index-replicate, index-literal | `index.rs` |
//! | index-view, whole-view, view-of-view | `view.rs` |
//! | range-comparison, range-arithmetic | `range.rs` |
//! | reassociation, strength-reduction | `strength.rs` |
//! | common-subexpression | `common.rs` |
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
pub mod branch;
pub mod common;
pub mod constant;
pub mod copy;
pub mod dead;
mod dependence;
mod guard;
pub mod index;
pub mod loops;
pub mod range;
pub mod strength;
pub mod view;

use ravel_core::range::{Ranges, VisitWithFacts};
use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Body, Builder, ErrorMessage, Exp, Function, Lambda, LoopForm, Origin, Program, Screma, Source, Stm,
    Substitution, Type, Var, VarTable, atom_type,
};
use ravel_prim::PrimValue;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::inline::Calls;
use crate::{Cx, Pass, Premise, Refusal};
use common::Available;
use dependence::Dependences;

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
            let before = cx.fired();
            refusals = forward(function, ranges.clone(), cx);
            dead::remove(function, cx);
            if cx.fired() == before {
                break;
            }
        }
        // Only the refusals of the last round are final: an earlier one may fire later.
        refusals.iter().for_each(|(rule, refusal, origin)| cx.refuse(rule, *refusal, origin));
    }
}

/// A rule, its premise that fails, and the origin of the statement.
type Refused = (&'static str, Refusal, Origin);

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

    /// Whether the atom may replace the variable, also in types.
    pub fn replaceable(&self, var: Var, atom: Atom) -> bool {
        !is_negative(atom) || !self.sizes.contains(&var)
    }
}

/// Whether this is a negative constant, which is never a size.
pub(crate) fn is_negative(atom: Atom) -> bool {
    matches!(atom, Atom::Const(PrimValue::I64(value)) if value < 0)
}

fn forward(function: &mut Function, ranges: Ranges, cx: &mut Cx) -> Vec<Refused> {
    let shapes = function.vars.iter().flat_map(|(_, info)| &info.ty.shape);
    let mut simplifier = Simplifier {
        sizes: shapes.filter_map(|size| size.var()).collect(),
        vars: std::mem::take(&mut function.vars),
        substitution: Substitution::new(),
        definitions: FxHashMap::default(),
        checks: FxHashMap::default(),
        available: Available::default(),
        dependences: Dependences::default(),
        ranges,
        conditions: Vec::new(),
        refusals: Vec::new(),
        cx,
    };
    simplifier.body(&mut function.body);
    function.vars = simplifier.vars;
    simplifier.refusals
}

/// Walks over a function from the first statement to the last.
struct Simplifier<'a> {
    vars: VarTable,
    /// The variables that occur in types.
    sizes: FxHashSet<Var>,
    substitution: Substitution,
    definitions: FxHashMap<Var, Exp>,
    checks: FxHashMap<Var, Check>,
    available: Available,
    dependences: Dependences,
    ranges: Ranges,
    conditions: Vec<(Atom, bool)>,
    refusals: Vec<Refused>,
    cx: &'a mut Cx,
}

impl VisitMut for Simplifier<'_> {
    fn var(&mut self, var: &mut Var) {
        if let Atom::Var(new) = self.resolve(Atom::Var(*var)) {
            *var = new;
        }
    }

    fn atom(&mut self, atom: &mut Atom) {
        *atom = self.resolve(*atom);
    }

    fn binder(&mut self, var: &mut Var) {
        for at in 0..self.vars[*var].ty.rank() {
            self.vars[*var].ty.shape[at] = self.resolve(self.vars[*var].ty.shape[at]);
        }
    }

    fn body(&mut self, body: &mut Body) {
        let (mark, ranges) = (self.available.enter(), self.ranges.enter());
        // The statements still to visit, the next one last.
        let mut waiting = std::mem::take(&mut body.stms);
        waiting.reverse();
        while let Some(mut stm) = waiting.pop() {
            self.cx.count_visits(1);
            self.operands(&mut stm);
            if self.rewrite(&mut stm, &mut waiting) {
                continue;
            }
            let before = self.dependences.count();
            self.dependences.enter(&stm.exp);
            self.nested(&mut stm.exp);
            self.dependences.define(&stm, before);
            self.record(&stm);
            body.stms.push(stm);
        }
        for atom in &mut body.result {
            self.atom(atom);
        }
        self.available.leave(mark);
        self.ranges.leave(ranges);
    }

    fn lambda(&mut self, lambda: &mut Lambda) {
        for param in &mut lambda.params {
            self.binder(param);
        }
        self.body(&mut lambda.body);
    }
}

impl VisitWithFacts for Simplifier<'_> {
    fn ranges(&mut self) -> (&mut Ranges, &VarTable) {
        (&mut self.ranges, &self.vars)
    }

    fn side(&mut self, cond: Atom, truth: bool, body: &mut Body) {
        let mark = self.ranges.enter();
        self.ranges.assume(&self.vars, cond, truth);
        self.conditions.push((cond, truth));
        self.body(body);
        self.conditions.pop();
        self.ranges.leave(mark);
    }
}

impl Simplifier<'_> {
    /// Follows substitutions to the end: the replacement of a variable may have been replaced itself.
    fn resolve(&self, mut atom: Atom) -> Atom {
        loop {
            let name = self.substitution.atom(atom);
            if name == atom {
                return atom;
            }
            atom = name;
        }
    }

    /// Applies the substitution to operands. Nested bodies follow once the statement is known to stay.
    fn operands(&mut self, stm: &mut Stm) {
        for binder in &mut stm.binders {
            self.binder(binder);
        }
        match &mut stm.exp {
            Exp::If { cond, .. } => *cond = self.resolve(*cond),
            Exp::Loop(looped) => {
                for (param, init) in &mut looped.params {
                    self.binder(param);
                    *init = self.resolve(*init);
                }
                if let LoopForm::For { bound, .. } = &mut looped.form {
                    *bound = self.resolve(*bound);
                }
                looped.body.result.iter_mut().for_each(|atom| *atom = self.resolve(*atom));
            }
            Exp::Screma(screma) => self.screma_operands(screma),
            Exp::Segment(segment) => {
                for (_, size) in &mut segment.outer {
                    *size = self.resolve(*size);
                }
                self.screma_operands(&mut segment.screma);
            }
            Exp::Stream(stream) => {
                stream.width = self.resolve(stream.width);
                stream.chunk.params.iter_mut().for_each(|param| self.binder(param));
            }
            exp => self.exp(exp),
        }
    }

    fn screma_operands(&mut self, screma: &mut Screma) {
        screma.width = self.resolve(screma.width);
        screma.map.params.iter_mut().for_each(|param| self.binder(param));
        for source in &mut screma.sources {
            if let Source::Iota { start, stride } = source {
                (*start, *stride) = (self.resolve(*start), self.resolve(*stride));
            }
        }
    }

    /// Applies the first rule that matches; false if none does. The replacement goes back to `waiting`, to be visited
    /// next.
    fn rewrite(&mut self, stm: &mut Stm, waiting: &mut Vec<Stm>) -> bool {
        let known = Facts {
            vars: &self.vars,
            ranges: &self.ranges,
            conditions: &self.conditions,
            definitions: &self.definitions,
            checks: &self.checks,
            available: &self.available,
            dependences: &self.dependences,
            sizes: &self.sizes,
        };
        let mut refused = Vec::new();
        let rewrites = RULES.iter().find_map(|rule| match (rule.rewrite)(&known, stm)? {
            Rewrite::Refused(premise) => {
                refused.push((rule.name, premise));
                None
            }
            rewrite => Some((rule.name, rewrite)),
        });
        let shared = || {
            let atoms = self.available.find(&self.vars, stm)?;
            Some((common::NAME, Rewrite::Atoms(atoms)))
        };
        let Some((name, rewrite)) = rewrites.or_else(shared) else {
            let place = stm.origin.place();
            self.refusals.extend(refused.into_iter().map(|(rule, premise)| {
                let name = stm.binders.first().and_then(|&binder| self.vars[binder].hint);
                (rule, Refusal::of(premise).blame(name, place), stm.origin.clone())
            }));
            return false;
        };
        if !self.cx.fire(name, &stm.origin) {
            return false;
        }
        stm.origin.add_rule(name);
        match rewrite {
            Rewrite::Refused(_) => unreachable!("refusals are filtered out above"),
            Rewrite::Atoms(atoms) => self.replace_all(stm, &stm.binders, &atoms, waiting),
            Rewrite::Exp(exp) => {
                stm.exp = exp;
                waiting.push(stm.clone());
            }
            Rewrite::Body(inner, body) => {
                // Substitute now: types of other binders may name these sizes.
                let (inner, atoms): (Vec<Var>, Vec<Atom>) = inner.into_iter().unzip();
                let mut copies = Vec::new();
                self.replace_all(stm, &inner, &atoms, &mut copies);
                self.splice(stm, body, waiting);
                waiting.extend(copies);
            }
            Rewrite::Emit(emit) => {
                let mut builder = Builder::resume(std::mem::take(&mut self.vars));
                builder.set_origin(stm.origin.clone());
                let atom = emit(&mut builder);
                let (vars, stms) = builder.finish();
                self.vars = vars;
                self.splice(stm, Body { stms, result: vec![atom] }, waiting);
            }
        }
        true
    }

    /// Replaces a statement by a body: its statements are visited next, and its results replace the binders.
    fn splice(&mut self, stm: &Stm, mut body: Body, waiting: &mut Vec<Stm>) {
        for inner in &mut body.stms {
            inner.origin = inner.origin.union(&stm.origin);
        }
        self.replace_all(stm, &stm.binders, &body.result, waiting);
        waiting.extend(body.stms.into_iter().rev());
    }

    /// Replaces binders of a statement by atoms. A negative constant that would replace a size becomes a copy
    /// statement.
    fn replace_all(&mut self, stm: &Stm, binders: &[Var], atoms: &[Atom], waiting: &mut Vec<Stm>) {
        for (&binder, &atom) in binders.iter().zip(atoms) {
            if is_negative(atom) && self.sizes.contains(&binder) {
                let origin = stm.origin.clone();
                waiting.push(Stm { binders: vec![binder], exp: Exp::Atom(atom), origin });
                continue;
            }
            self.substitution.insert(binder, atom);
            if let Atom::Var(var) = atom
                && self.vars[var].hint.is_none()
            {
                self.vars[var].hint = self.vars[binder].hint;
            }
        }
    }

    /// Records the facts of a statement that stays.
    fn record(&mut self, stm: &Stm) {
        self.available.add(stm);
        self.ranges.define(&self.vars, stm);
        if let Exp::Assert { cond, error, .. } = &stm.exp {
            self.checks.insert(stm.binders[0], (*cond, error.clone()));
        }
        if let [binder] = stm.binders[..]
            && matches!(
                stm.exp,
                Exp::Unary(..)
                    | Exp::Binary(..)
                    | Exp::Compare(..)
                    | Exp::Convert(..)
                    | Exp::ArrayLit(_)
                    | Exp::Iota { .. }
                    | Exp::Replicate { .. }
                    | Exp::Slice(..)
                    | Exp::Rearrange(..)
                    | Exp::Reshape(_)
                    | Exp::Manifest(..)
            )
        {
            self.definitions.insert(binder, stm.exp.clone());
        }
    }
}
