//! Preconditions: `assert c e` checks `c` before any effect of `e`.
//!
//! Only dependences order two checks. So every statement of `e` with an observable effect must depend on the assertion.
//! Such a statement can fail, loop forever, call a function or print a trace. One of its operands passes through the
//! assertion:
//!
//! ```text
//!   assert (n > 0) (xs[n-1])   -->   let in_bounds' = assert positive (in_bounds) "Assertion is false: n > 0"
//!                                    let i = assert in_bounds' (n-1) "Index …"
//! ```
//!
//! The operand is a condition or another scalar if possible, so that arrays of `e` still fuse with those from outside.
//!
//! The checks of the sizes of an entry point's arguments are preconditions of its code too, even if the code does not
//! use the arguments.

use ravel_core::visit::VisitMut;
use ravel_core::{Atom, Body, Builder, Call, ErrorMessage, Exp, LoopForm, Origin, Stm, Var, atom_type};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cx::Lowering;
use crate::value::Value;

/// An assertion already emitted that must hold before the code after it has any effect.
pub(crate) struct Precondition {
    /// The number of statements of its list up to the assertion, which is the last of them.
    kept: usize,
    cond: Atom,
    error: ErrorMessage,
}

impl<'a> Lowering<'_, 'a> {
    /// The assertions of the innermost list after the first `kept` statements.
    pub fn preconditions(&mut self, kept: usize) -> Vec<Precondition> {
        let stms = self.builder.take_back(kept);
        let mut preconditions = Vec::new();
        for stm in stms {
            let checked = match &stm.exp {
                Exp::Assert { cond, error, .. } => Some((*cond, error.clone())),
                _ => None,
            };
            self.builder.push(stm);
            let kept = self.builder.statement_count();
            preconditions.extend(checked.map(|(cond, error)| Precondition { kept, cond, error }));
        }
        preconditions
    }

    /// Makes the code after these assertions, and the value that it computes, depend on them. It is enough that one
    /// leaf of the value does, since all leaves are computed together.
    pub fn require(&mut self, mut preconditions: Vec<Precondition>, value: Value<'a>) -> Value<'a> {
        let Some(Precondition { kept, cond, error }) = preconditions.pop() else { return value };
        self.precede(kept, cond, error.clone());
        let mut leaves = value.data();
        let scalar = leaves.iter().position(|&leaf| self.builder.type_of(leaf).is_scalar());
        // A value without leaves cannot be used, and a check whose value is unused may go.
        if let Some(leaf) = leaves.get_mut(scalar.unwrap_or(0)) {
            *leaf = self.builder.assert(cond, *leaf, error);
        }
        // From the last assertion to the first, so that each one also depends on those before it.
        for Precondition { kept, cond, error } in preconditions.into_iter().rev() {
            self.precede(kept, cond, error);
        }
        value.with_leaves(&mut leaves.into_iter())
    }
}

impl Lowering<'_, '_> {
    /// Makes the statements of the innermost list after the first `kept` depend on this assertion.
    pub fn precede(&mut self, kept: usize, cond: Atom, error: ErrorMessage) {
        if cond == Atom::bool(true) {
            return;
        }
        let mut body = Body { stms: self.builder.take_back(kept), result: Vec::new() };
        let mut dependent = Dependent {
            builder: &mut self.builder,
            cond,
            error,
            checked: FxHashMap::default(),
            bound: Vec::new(),
            preceded: &mut self.preceded,
        };
        dependent.body(&mut body);
        body.stms.into_iter().for_each(|stm| self.builder.push(stm));
    }
}

/// Passes operands of statements through an assertion.
struct Dependent<'b> {
    builder: &'b mut Builder,
    cond: Atom,
    error: ErrorMessage,
    /// The operands in scope that pass through the assertion, each with the result.
    checked: FxHashMap<Atom, Atom>,
    /// The keys of `checked`, the latest last.
    bound: Vec<Atom>,
    /// The results of all assertions inserted so far, also for other preconditions. A statement that uses one of them
    /// already depends on this assertion, because that assertion does.
    preceded: &'b mut FxHashSet<Var>,
}

impl VisitMut for Dependent<'_> {
    fn var(&mut self, _: &mut Var) {}
    fn binder(&mut self, _: &mut Var) {}

    fn body(&mut self, body: &mut Body) {
        let outer = self.bound.len();
        let mut stms = Vec::new();
        for mut stm in std::mem::take(&mut body.stms) {
            self.depend(&mut stm, &mut stms);
            self.exp(&mut stm.exp);
            stms.push(stm);
        }
        for operand in self.bound.drain(outer..) {
            self.checked.remove(&operand);
        }
        body.stms = stms;
    }
}

impl Dependent<'_> {
    /// Makes a statement depend on the assertion, and adds the statement that this needs before it.
    fn depend(&mut self, stm: &mut Stm, before: &mut Vec<Stm>) {
        let is_trace = stm.trace_label().is_some();
        let Stm { binders, exp, origin } = stm;
        let vars = self.builder.vars();
        let operand = match exp {
            Exp::Assert { values, .. } if is_trace => values.first_mut(),
            Exp::Assert { cond, .. } => Some(cond),
            Exp::Loop(looped) => match looped.form {
                LoopForm::While(cond) => {
                    looped.params.iter_mut().find(|(param, _)| *param == cond).map(|(_, first)| first)
                }
                LoopForm::For { .. } => None,
            },
            // An argument that no type mentions as a size, so that its replacement changes no type.
            Exp::Call(Call { args, .. }) => {
                let types = args.iter().map(|&arg| atom_type(vars, arg));
                let types: Vec<_> =
                    types.chain(binders.iter().map(|&binder| vars[binder].ty.clone())).collect();
                args.iter_mut().find(|arg| types.iter().all(|ty| !ty.shape.contains(arg)))
            }
            _ => None,
        };
        let Some(operand) = operand else { return };
        if operand.var().is_some_and(|var| self.preceded.contains(&var)) {
            return;
        }
        if let Some(&checked) = self.checked.get(operand) {
            *operand = checked;
            return;
        }
        let ty = atom_type(vars, *operand);
        let is_scalar = ty.is_scalar();
        let checked = self.builder.fresh(None, ty);
        let exp = Exp::Assert { cond: self.cond, values: vec![*operand], error: self.error.clone() };
        let origin = Origin { attributes: Vec::new(), ..origin.clone() };
        before.push(Stm { binders: vec![checked], exp, origin });
        self.preceded.insert(checked);
        if is_scalar {
            self.checked.insert(*operand, Atom::Var(checked));
            self.bound.push(*operand);
        }
        *operand = Atom::Var(checked);
    }
}
