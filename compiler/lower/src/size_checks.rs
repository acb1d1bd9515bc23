//! Checks for sizes: passes each size that is used as a number through the checks that its array needs.
//!
//! Lowering makes such a number a copy of the size, with the checks ([`crate::dependence`]). When the function is
//! complete, the copy passes through those of them that its results do not need otherwise: in `let xs = xss[i] in
//! (length xs, xs[0])` the element needs the check of `i`, and the length remains a copy. In `length xss[i]` the length
//! passes through the check.
//!
//! The results of an entry point are computed together. The caller of another function may drop any of its results, so
//! each of them is considered alone.

use ravel_core::visit::VisitMut;
use ravel_core::{Atom, Body, ErrorMessage, Exp, Function, Origin, Stm, Var, VarTable};
use rustc_hash::FxHashMap;

use crate::dependence::{Checks, in_order};
use crate::needed::{Callees, Needed};

/// For each result of a function: the numbers of the parameters that it does not need, but that must not fail, because
/// the result was computed from the size of an array that depends on them.
pub(crate) type BySizes = Vec<Vec<usize>>;

/// Passes the copies of an entry point through those of their checks that are not needed otherwise. `others` are the
/// functions that it may call.
pub(crate) fn pass_through_checks(
    function: &mut Function,
    copies: &FxHashMap<Var, Checks>,
    others: &[Function],
) {
    let results: Vec<usize> = (0..function.results.len()).collect();
    write(function, copies, others, &[&results]);
}

/// As [`pass_through_checks`], for another function, whose parameters count as checks. The callers make these.
pub(crate) fn pass_through_own_checks(
    function: &mut Function,
    copies: &FxHashMap<Var, Checks>,
    others: &[Function],
) -> BySizes {
    let results: Vec<usize> = (0..function.results.len()).collect();
    let alone: Vec<&[usize]> = results.chunks(1).collect();
    write(function, copies, others, &alone)
}

/// Writes the assertions that the results need, which are computed together in groups. Returns for each group the
/// numbers of the parameters among the checks.
fn write(
    function: &mut Function,
    copies: &FxHashMap<Var, Checks>,
    others: &[Function],
    groups: &[&[usize]],
) -> BySizes {
    if copies.is_empty() {
        return Vec::new();
    }
    let callees = Callees::new(others);
    let mut missing: FxHashMap<Var, Vec<Var>> = FxHashMap::default();
    let mut by_sizes = Vec::new();
    for group in groups {
        let needed = Needed::by(group, function, &callees);
        let mut params = Vec::new();
        for (&copy, checks) in copies.iter().filter(|(copy, _)| needed.contains(**copy)) {
            for &check in checks.iter().filter(|check| !needed.checks(**check)) {
                match function.params.iter().position(|param| param.var == check) {
                    Some(param) => params.push(param),
                    None => missing.entry(copy).or_default().push(check),
                }
            }
        }
        params.sort_unstable();
        params.dedup();
        by_sizes.push(params);
    }
    if !missing.is_empty() {
        let missing = missing.into_iter().map(|(copy, checks)| (copy, in_order(checks))).collect();
        let mut writer = Writer { vars: &mut function.vars, missing, conditions: FxHashMap::default() };
        writer.body(&mut function.body);
    }
    by_sizes
}

/// Writes the assertions.
struct Writer<'f> {
    vars: &'f mut VarTable,
    /// The checks through which the copies pass.
    missing: FxHashMap<Var, Checks>,
    /// The conditions and messages of the checks so far.
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
            match (&stm.exp, &stm.binders[..]) {
                (Exp::Atom(atom), [copy]) if self.missing.contains_key(copy) => {
                    let (atom, copy) = (*atom, *copy);
                    self.assertions(atom, copy, &stm.origin, &mut stms);
                }
                _ => {
                    self.exp(&mut stm.exp);
                    stms.push(stm);
                }
            }
        }
        body.stms = stms;
    }
}

impl Writer<'_> {
    /// Binds `copy` to the atom after its checks.
    fn assertions(&mut self, mut atom: Atom, copy: Var, origin: &Origin, stms: &mut Vec<Stm>) {
        let checks = self.missing[&copy].clone();
        for (at, check) in checks.iter().enumerate() {
            let Some((cond, error)) = self.conditions.get(check).cloned() else { continue };
            let is_last = at + 1 == checks.len();
            let binder = if is_last { copy } else { self.vars.push(self.vars[copy].clone()) };
            let exp = Exp::Assert { cond, values: vec![atom], error };
            stms.push(Stm { binders: vec![binder], exp, origin: origin.clone() });
            atom = Atom::Var(binder);
        }
    }
}
