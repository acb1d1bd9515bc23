//! Checks for sizes: passes each size that is used as a number through the checks that its array needs.
//!
//! Lowering makes such a number a copy of the size, with the checks ([`crate::dependence`]). When the function is
//! complete, the copy passes through those of them that its results do not need otherwise: in `let xs = xss[i] in
//! (length xs, xs[0])` the element needs the check of `i`, and the length remains a copy. In `length xss[i]` the length
//! passes through the check.
//!
//! A check inside a branch or a loop gets a *witness*: a further result, which is true and passes through the check. The
//! copy passes through a check of the witness.
//!
//! The results of an entry point are computed together. The caller of another function may drop any of its results, so
//! each of them is considered alone.

use ravel_core::visit::VisitMut;
use ravel_core::{
    Atom, Body, ErrorMessage, ErrorPart, Exp, Function, Loop, Origin, Stm, Type, Var, VarInfo, VarTable,
};
use ravel_prim::PrimType;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::demand::{Callees, Demand};
use crate::dependence::{Checks, Dependences, in_order};

/// For each result of a function: the numbers of the parameters that it does not need, but that must not fail, because
/// the result was computed from the size of an array that depends on them.
pub(crate) type BySizes = Vec<Vec<usize>>;

/// Passes the copies of an entry point through those of their checks that are not needed otherwise. `others` are the
/// functions that it may call.
pub(crate) fn pass_through_checks(function: &mut Function, dependences: &Dependences, others: &[Function]) {
    let results: Vec<usize> = (0..function.results.len()).collect();
    write(function, dependences, others, &[&results]);
}

/// As [`pass_through_checks`], for another function, whose parameters count as checks. The callers make these.
pub(crate) fn pass_through_own_checks(
    function: &mut Function,
    dependences: &Dependences,
    others: &[Function],
) -> BySizes {
    let results: Vec<usize> = (0..function.results.len()).collect();
    let alone: Vec<&[usize]> = results.chunks(1).collect();
    write(function, dependences, others, &alone)
}

/// Writes the assertions that the results need, which are computed together in groups. Returns for each group the
/// numbers of the parameters among the checks.
fn write(
    function: &mut Function,
    dependences: &Dependences,
    others: &[Function],
    groups: &[&[usize]],
) -> BySizes {
    let Dependences { copies, nested, .. } = dependences;
    if copies.is_empty() {
        return Vec::new();
    }
    let callees = Callees::new(others);
    let mut missing: FxHashMap<Var, Vec<Var>> = FxHashMap::default();
    let mut by_sizes = Vec::new();
    for group in groups {
        let demand = Demand::of(group, function, &callees);
        let mut checks = Vec::new();
        for (&copy, of_copy) in copies.iter().filter(|(copy, _)| demand.contains(**copy)) {
            let of_copy: Vec<Var> =
                of_copy.iter().copied().filter(|&check| !demand.checks(check, nested)).collect();
            checks.extend(of_copy.iter().copied());
            missing.entry(copy).or_default().extend(of_copy);
        }
        let reached = with_nested(checks, nested);
        let params = function.params.iter().enumerate();
        by_sizes.push(params.filter(|(_, param)| reached.contains(&param.var)).map(|(at, _)| at).collect());
    }
    missing.retain(|_, checks| !checks.is_empty());
    if !missing.is_empty() {
        let mut witnessed = with_nested(missing.values().flatten().copied(), nested);
        let is_check = |check: &Var| !nested.contains_key(check);
        witnessed.retain(|&check| with_nested([check], nested).iter().any(is_check));
        let mut writer = Writer {
            vars: &mut function.vars,
            nested,
            witnessed,
            missing: missing.into_iter().map(|(copy, checks)| (copy, in_order(checks))).collect(),
            conditions: FxHashMap::default(),
        };
        writer.body(&mut function.body);
    }
    by_sizes
}

/// These checks and those for which they stand.
fn with_nested(
    checks: impl IntoIterator<Item = Var>,
    nested: &FxHashMap<Var, Vec<Checks>>,
) -> FxHashSet<Var> {
    let mut reached = FxHashSet::default();
    let mut waiting: Vec<Var> = checks.into_iter().collect();
    while let Some(check) = waiting.pop() {
        if reached.insert(check) {
            waiting.extend(nested.get(&check).into_iter().flatten().flat_map(|checks| checks.iter()));
        }
    }
    reached
}

/// Writes the assertions.
struct Writer<'f> {
    vars: &'f mut VarTable,
    /// The checks through which the copies pass.
    missing: FxHashMap<Var, Checks>,
    /// The checks for which each result of a branch or a loop stands.
    nested: &'f FxHashMap<Var, Vec<Checks>>,
    /// The checks that are missing somewhere, and those for which they stand, without the variables that stand for none.
    witnessed: FxHashSet<Var>,
    /// The conditions and messages of the checks so far. The condition of a check inside a branch or a loop is its witness.
    conditions: FxHashMap<Var, (Atom, ErrorMessage)>,
}

impl VisitMut for Writer<'_> {
    fn var(&mut self, _: &mut Var) {}

    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        let mut stms = Vec::new();
        for mut stm in std::mem::take(&mut body.stms) {
            if let (Exp::Assert { cond, error, .. }, [check, ..]) = (&stm.exp, &stm.binders[..]) {
                self.conditions.insert(*check, (*cond, error.clone()));
            }
            match (&mut stm.exp, &stm.binders[..]) {
                (Exp::Atom(atom), &[copy]) if self.missing.contains_key(&copy) => {
                    let checks = self.missing[&copy].clone();
                    let checked = self.checked(*atom, &checks, &stm.origin, &mut stms);
                    stm.exp = Exp::Atom(checked);
                }
                (Exp::If { then, otherwise, .. }, _) => {
                    self.branch(&mut stm.binders, [then, otherwise], &stm.origin);
                }
                (Exp::Loop(looped), _) => self.loop_exp(&mut stm.binders, looped, &stm.origin),
                (exp, _) => self.exp(exp),
            }
            stms.push(stm);
        }
        body.stms = stms;
    }
}

impl Writer<'_> {
    /// The atom after these checks.
    fn checked(&mut self, mut atom: Atom, checks: &[Var], origin: &Origin, stms: &mut Vec<Stm>) -> Atom {
        for check in checks {
            let Some((cond, error)) = self.conditions.get(check).cloned() else { continue };
            let ty = match atom {
                Atom::Var(var) => self.vars[var].ty.clone(),
                Atom::Const(value) => Type::scalar(value.ty()),
            };
            let binder = self.vars.push(VarInfo { hint: None, ty });
            let exp = Exp::Assert { cond, values: vec![atom], error };
            stms.push(Stm { binders: vec![binder], exp, origin: origin.clone() });
            atom = Atom::Var(binder);
        }
        atom
    }

    /// Adds a witness to a branch for each of its results that needs one.
    fn branch(&mut self, binders: &mut Vec<Var>, sides: [&mut Body; 2], origin: &Origin) {
        let [then, otherwise] = sides;
        self.body(then);
        self.body(otherwise);
        let nested = self.nested;
        for binder in binders.clone() {
            let Some(nested) = nested.get(&binder).filter(|_| self.witnessed.contains(&binder)) else {
                continue;
            };
            for (side, checks) in [&mut *then, &mut *otherwise].into_iter().zip(nested) {
                let witness = self.checked(Atom::bool(true), checks, origin, &mut side.stms);
                side.result.push(witness);
            }
            binders.push(self.witness_of(binder));
        }
    }

    /// Adds a witness to a loop for each of its parameters that needs one.
    fn loop_exp(&mut self, binders: &mut Vec<Var>, looped: &mut Loop, origin: &Origin) {
        let params: Vec<Var> = looped.params.iter().map(|(param, _)| *param).collect();
        let pairs: Vec<(Var, Var)> = params.into_iter().zip(binders.iter().copied()).collect();
        let mut added = Vec::new();
        for (param, binder) in pairs {
            if self.witnessed.contains(&param) || self.witnessed.contains(&binder) {
                let witness = self.witness_of(param);
                looped.params.push((witness, Atom::bool(true)));
                added.push((param, binder));
            }
        }
        self.body(&mut looped.body);
        let nested = self.nested;
        for (param, binder) in added {
            let checks = nested[&param].iter().flat_map(|checks| checks.iter().copied());
            let others: Vec<Var> = checks.filter(|&check| check != param).collect();
            let before = self.conditions[&param].0;
            let witness = self.checked(before, &others, origin, &mut looped.body.stms);
            looped.body.result.push(witness);
            binders.push(self.witness_of(binder));
        }
    }

    /// A new variable for the witness of the checks for which `var` stands.
    fn witness_of(&mut self, var: Var) -> Var {
        let witness = self.vars.push(VarInfo { hint: None, ty: Type::scalar(PrimType::Bool) });
        self.conditions.insert(var, (Atom::Var(witness), witness_message()));
        witness
    }
}

/// The message of a check of a witness, which never fails: the check that it stands for fails before.
fn witness_message() -> ErrorMessage {
    ErrorMessage { parts: vec![ErrorPart::Text("A check failed.".to_string())], path: None }
}
