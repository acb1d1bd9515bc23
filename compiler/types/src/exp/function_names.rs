//! Local names for functions of arrays of any size: `let r = {f = reverse, g = reverse} in … r.f xs … r.f ys …`.
//!
//! A `let` does not generalise. But such a value only names functions, so each use of the name stands for the value with
//! fresh sizes. Their types are the same at every use.

use ravel_base::{Span, Symbol};

use crate::checker::{Checker, exp};
use crate::tast::{Exp, ExpNode, Pattern, PatternNode, Size, Type, ValueId};
use crate::type_dec::visible_sizes;
use crate::unify::FLEXIBLE;

/// What a use of a name stands for.
#[derive(Clone, Debug)]
pub(crate) struct FunctionNames {
    /// Records and tuples of instances of named functions. Other parts are those of the name's own value.
    value: Exp,
    /// The sizes that differ from use to use.
    sizes: Vec<ValueId>,
}

impl Checker<'_> {
    /// Records the names in a pattern that stand for functions of any size. Flexible sizes from `first_size` on belong to
    /// the value. Returns those that differ from use to use.
    pub(crate) fn note_function_names(
        &mut self,
        pattern: &Pattern,
        value: &Exp,
        first_size: u32,
    ) -> Vec<ValueId> {
        match (&pattern.node, &value.node) {
            (PatternNode::Name(id, _), ExpNode::Var { .. } | ExpNode::Tuple(_) | ExpNode::Record(_))
                if value.ty.has_function() =>
            {
                let mut sizes = Vec::new();
                let own = ExpNode::Var { id: *id, types: Vec::new(), sizes: Vec::new() };
                let own = exp(own, pattern.ty.clone(), value.span);
                let value = self.with_instances(value, own, first_size, &mut sizes);
                if !sizes.is_empty() {
                    self.function_names.insert(*id, FunctionNames { value, sizes: sizes.clone() });
                }
                sizes
            }
            (PatternNode::Tuple(patterns), ExpNode::Tuple(values)) => {
                let pairs = patterns.iter().zip(values);
                pairs
                    .flat_map(|(pattern, value)| self.note_function_names(pattern, value, first_size))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// The value `own`, but with the instances of functions of any size that `value` has. Adds their open sizes.
    fn with_instances(&self, value: &Exp, own: Exp, first_size: u32, open: &mut Vec<ValueId>) -> Exp {
        let part = |field: Symbol, part: &Exp| {
            let ty = part.ty.clone();
            exp(ExpNode::Project(Box::new(own.clone()), field), ty, part.span)
        };
        match &value.node {
            ExpNode::Var { sizes, .. } if matches!(value.ty, Type::Function(_)) => {
                let before = open.len();
                for size in sizes {
                    match self.unifier.size(size) {
                        Size::Var(id) if id.0 >= first_size && self.unifier.free_size(id).is_some() => {
                            open.push(id);
                        }
                        _ => {}
                    }
                }
                if open.len() == before { own } else { value.clone() }
            }
            ExpNode::Tuple(parts) => {
                let fields = parts.iter().enumerate().map(|(at, inner)| {
                    let own = part(Symbol::new(&at.to_string()), inner);
                    self.with_instances(inner, own, first_size, open)
                });
                exp(ExpNode::Tuple(fields.collect()), value.ty.clone(), value.span)
            }
            ExpNode::Record(fields) => {
                let fields = fields.iter().map(|(name, inner)| {
                    (*name, self.with_instances(inner, part(*name, inner), first_size, open))
                });
                exp(ExpNode::Record(fields.collect()), value.ty.clone(), value.span)
            }
            _ => own,
        }
    }

    /// The value that a use of the name stands for, if the name stands for functions of any size.
    pub(crate) fn function_name(&mut self, id: ValueId, span: Span) -> Option<Exp> {
        let FunctionNames { value, sizes } = self.function_names.get(&id)?.clone();
        let fresh: Vec<(ValueId, Size)> =
            sizes.into_iter().map(|size| (size, self.unifier.fresh_size(span))).collect();
        let instance = self.instance_of_value(&value, &fresh, span);
        self.note_sizes_of_arguments(&instance);
        Some(instance)
    }

    /// Records the open sizes of arrays that functions in the value take.
    fn note_sizes_of_arguments(&mut self, value: &Exp) {
        match &value.node {
            ExpNode::Var { .. } => {
                let mut ty = &value.ty;
                while let Type::Function(step) = ty {
                    let open = visible_sizes(&self.unifier.resolve(&step.from));
                    self.argument_sizes.extend(open.into_iter().filter(|id| id.0 >= FLEXIBLE));
                    ty = &step.to;
                }
            }
            ExpNode::Tuple(parts) => parts.iter().for_each(|part| self.note_sizes_of_arguments(part)),
            ExpNode::Record(fields) => {
                fields.iter().for_each(|(_, part)| self.note_sizes_of_arguments(part));
            }
            _ => {}
        }
    }

    /// Binds the recorded sizes that no argument has determined. The functions are not applied, so any size is correct.
    pub(crate) fn settle_sizes_of_arguments(&mut self) {
        for id in std::mem::take(&mut self.argument_sizes) {
            if self.unifier.free_size(id).is_some() {
                let settled = self.unifier.unify_size(&Size::Var(id), &Size::Const(0));
                debug_assert!(settled.is_ok(), "a free size takes any other");
            }
        }
    }

    fn instance_of_value(&self, value: &Exp, fresh: &[(ValueId, Size)], span: Span) -> Exp {
        let rename = |size: &Size| {
            self.unifier
                .size(size)
                .map(&mut |id| fresh.iter().find(|(known, _)| *known == id).map(|(_, fresh)| fresh.clone()))
        };
        let inner = |part: &Exp| self.instance_of_value(part, fresh, span);
        let node = match &value.node {
            ExpNode::Var { id, types, sizes } => {
                ExpNode::Var { id: *id, types: types.clone(), sizes: sizes.iter().map(rename).collect() }
            }
            ExpNode::Tuple(parts) => ExpNode::Tuple(parts.iter().map(inner).collect()),
            ExpNode::Record(fields) => {
                ExpNode::Record(fields.iter().map(|(name, part)| (*name, inner(part))).collect())
            }
            node => node.clone(),
        };
        let ty = self.unifier.resolve(&value.ty).map_sizes(&mut |size| rename(size));
        exp(node, ty, span)
    }
}

/// The part of a record or tuple expression.
pub(super) fn written_part(value: &Exp, field: Symbol) -> Option<Exp> {
    match &value.node {
        ExpNode::Record(fields) => {
            fields.iter().find(|(name, _)| *name == field).map(|(_, part)| part.clone())
        }
        ExpNode::Tuple(parts) => parts.get(value.ty.field(field)?).cloned(),
        _ => None,
    }
}
