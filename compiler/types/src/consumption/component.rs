//! Components and results of abstract types that are copied.
//!
//! Most abstract types of parametric modules are scalars. A scalar shares no memory, but while the module is checked,
//! its type may still turn out to be an array. So a component of a tuple, a record or a constructor is copied if
//!
//! 1. its type is abstract and not lifted, or consists of such types and scalars,
//! 2. it may share memory that nothing may consume: a part of a top-level constant, a parameter without a `*`, or the
//!    result of a function of a module, and
//! 3. the value of which it is a component is consumed or declared fresh.
//!
//! Such a component is also copied if a component after it consumes memory that it may share, and the definition of its type
//! is unknown, as in `(x T.+ xs[i], xs with [i] = x)`.
//!
//! The result of an application is copied if 1 holds, it is consumed or declared fresh, and it may share memory with
//! itself for all that is known of its type ([`super::sharing`]).
//!
//! Without the copy, these would be errors. Lowering drops the copy of a scalar.
//!
//! A token stands for the memory that nothing may consume. If no component is copied, the token is as good as this memory:
//! nothing consumes it, and it is not fresh. Where something consumes the token or declares it fresh, the component is
//! copied, and the token stands for the memory of the copy. Memory that may be consumed has no token, since its consumption
//! must make each use of the component an error.

use std::collections::BTreeSet;

use ravel_base::{Span, Symbol};

use super::alias::Aliases;
use super::sharing::Arrays;
use super::{Consumption, Unconsumable};
use crate::env::ValueEntry;
use crate::tast::{Exp, ExpNode, Function, FunctionBody, FunctionType, Liftedness, Type, ValueId};
use crate::uniqueness::Uniqueness;

impl Consumption<'_, '_> {
    /// The aliases of a component with these aliases.
    pub(super) fn component(&mut self, exp: &Exp, aliases: Aliases) -> Aliases {
        match self.may_copy(&exp.ty) {
            true => aliases.map_leaves(&mut |leaf| self.component_token(leaf, exp.span)),
            false => aliases,
        }
    }

    /// Whether values of the type may be copied where consumption needs it.
    pub(super) fn may_copy(&self, ty: &Type) -> bool {
        is_copyable(ty) && self.copy_function().is_some()
    }

    /// Copies a component if its memory was consumed after its evaluation, when the consumption log had `since` entries.
    /// Returns whether it is copied.
    pub(super) fn copy_before_consumption(&mut self, part: &Exp, aliases: &Aliases, since: usize) -> bool {
        let is_unknown = self.checker.arrays_of(&part.ty) == Arrays::Unknown;
        let is_copied = is_unknown
            && self.may_copy(&part.ty)
            && aliases.iter().any(|id| self.consumption_log[since..].contains(&id));
        self.copies.extend(is_copied.then_some(part.span));
        is_copied
    }

    /// The memory of a component, in which a token stands for all that nothing may consume.
    fn component_token(&mut self, memory: BTreeSet<ValueId>, span: Span) -> BTreeSet<ValueId> {
        let kept = memory.iter().copied().filter(|&id| self.permanent_reason(id).is_none());
        let mut kept: BTreeSet<ValueId> = kept.collect();
        let Some(reason) = memory.iter().filter_map(|&id| self.permanent_reason(id)).max() else {
            return kept;
        };
        let token = self.checker.fresh_value();
        self.bind_name(token, Aliases::one(token), Some(reason));
        self.components.insert(token, span);
        kept.insert(token);
        kept
    }

    /// The reason why nothing may consume this memory, if there is one. A variable that shares memory with what nothing may
    /// consume cannot be consumed either. A token can: then its component is copied.
    fn permanent_reason(&self, id: ValueId) -> Option<Unconsumable> {
        let direct = |id| match self.variables.get(&id) {
            Some(variable) => variable.unconsumable.filter(|_| !self.components.contains_key(&id)),
            None => Some(Unconsumable::Constant),
        };
        direct(id).or_else(|| self.variables.get(&id)?.aliases.iter().filter_map(direct).max())
    }

    /// Whether a copy makes this memory consumable here.
    pub(super) fn is_copyable(&self, id: ValueId) -> bool {
        self.components.contains_key(&id) && self.barrier(id).is_none()
    }

    /// Copies the components and results for which these aliases stand.
    pub(super) fn copy_components(&mut self, aliases: impl Iterator<Item = ValueId>) {
        let copies: Vec<Span> = aliases.filter_map(|id| self.components.get(&id).copied()).collect();
        self.copies.extend(copies);
    }

    /// Puts the copies into the function.
    pub(super) fn insert_copies(&self, function: &mut Function) {
        let (FunctionBody::Exp(body), Some(copy)) = (&mut function.body, self.copy_function()) else {
            return;
        };
        if !self.copies.is_empty() {
            insert(body, copy.id, &self.copies, false);
        }
    }

    fn copy_function(&self) -> Option<&ValueEntry> {
        self.checker.env.root.values.get(&Symbol::new("copy"))
    }
}

/// Whether the type consists of scalars and of abstract types that are not lifted.
fn is_copyable(ty: &Type) -> bool {
    match ty {
        Type::Prim(_) => true,
        Type::Tuple(_) | Type::Record(_) | Type::Sum(_) => ty.parts().into_iter().all(is_copyable),
        Type::Abstract(found) => found.liftedness == Liftedness::Unlifted,
        Type::Array(..) | Type::Param(_) | Type::Function(_) => false,
    }
}

/// Copies the components and the results of applications at these places.
fn insert(exp: &mut Exp, copy: ValueId, places: &BTreeSet<Span>, is_component: bool) {
    match &mut exp.node {
        ExpNode::Tuple(parts) | ExpNode::Constructor(_, parts) => {
            parts.iter_mut().for_each(|part| insert(part, copy, places, true));
        }
        ExpNode::Record(fields) => {
            fields.iter_mut().for_each(|(_, value)| insert(value, copy, places, true));
        }
        ExpNode::RecordUpdate(record, _, value) => {
            insert(record, copy, places, false);
            insert(value, copy, places, true);
        }
        _ => exp.children_mut().into_iter().for_each(|child| insert(child, copy, places, false)),
    }
    let is_place = is_component || matches!(exp.node, ExpNode::Apply(..));
    if is_place && places.contains(&exp.span) && is_copyable(&exp.ty) {
        let inner = std::mem::replace(exp, Exp { node: ExpNode::Hole, ..exp.clone() });
        *exp = copied(inner, copy);
    }
}

/// The application of `copy` to the value.
fn copied(inner: Exp, copy: ValueId) -> Exp {
    let (ty, span) = (inner.ty.clone(), inner.span);
    let function = FunctionType {
        name: None,
        from: ty.clone(),
        consumes: Uniqueness::None,
        exists: Vec::new(),
        to: ty.clone(),
        unique: Uniqueness::Whole,
    };
    let node = ExpNode::Var { id: copy, types: vec![ty.clone()], sizes: Vec::new() };
    let function = Exp { node, ty: Type::Function(Box::new(function)), exists: Vec::new(), span };
    Exp { node: ExpNode::Apply(Box::new(function), vec![inner]), ty, exists: Vec::new(), span }
}
