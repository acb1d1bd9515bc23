//! Patterns: the names they bind, and their types.

use ravel_base::{Limitation, Span, Symbol};
use ravel_syntax::ast;

use crate::checker::Checker;
use crate::report::Context;
use crate::tast::{Pattern, PatternNode, Size, Type, ValueId};
use crate::unify::{ERROR, FLEXIBLE};

/// What is bound together: the parameters of a function, or one pattern.
#[derive(Debug, Default)]
pub(crate) struct Group {
    names: Vec<(Symbol, Span)>,
    /// Size binders (`let [n] …`) with the sizes found for them.
    pub(crate) binders: Vec<(ValueId, Option<Size>)>,
    /// Was a `*` written?
    pub(crate) unique: bool,
}

impl Group {
    /// A group with size binders, which must be in scope.
    pub(crate) fn with_binders(binders: impl Iterator<Item = ValueId>) -> Group {
        Group { binders: binders.map(|id| (id, None)).collect(), ..Group::default() }
    }
}

impl Checker<'_> {
    /// Checks a pattern that takes a value of type `ty`, and binds its names.
    pub(crate) fn pattern(&mut self, pattern: &ast::Pattern, ty: &Type, group: &mut Group) -> Pattern {
        let span = pattern.span;
        match &pattern.node {
            ast::PatternNode::Name(name) => {
                if let Some((_, first)) = group.names.iter().find(|(bound, _)| bound == name) {
                    let first = *first;
                    self.duplicate_name(*name, span, first);
                }
                group.names.push((*name, span));
                let id = self.bind(*name, ty.clone());
                Pattern { node: PatternNode::Name(id, *name), ty: ty.clone(), span }
            }
            ast::PatternNode::Wildcard => Pattern { node: PatternNode::Wildcard, ty: ty.clone(), span },
            ast::PatternNode::Tuple(parts) => {
                let types = match self.unifier.head(ty) {
                    Type::Tuple(types) if types.len() == parts.len() => types,
                    known => {
                        let types: Vec<Type> = parts.iter().map(|part| self.fresh_type(part.span)).collect();
                        self.unify(span, &known, &Type::Tuple(types.clone()), Context::Pattern);
                        types
                    }
                };
                let parts: Vec<Pattern> =
                    parts.iter().zip(&types).map(|(part, ty)| self.pattern(part, ty, group)).collect();
                let ty = Type::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
                Pattern { node: PatternNode::Tuple(parts), ty, span }
            }
            ast::PatternNode::Ascribed(inner, written) => {
                let written_span = written.span;
                let written = self.type_exp(written);
                group.unique |= written.unique;
                let ty = self.ascribe(&written.ty, ty, written_span, group);
                Pattern { span, ..self.pattern(inner, &ty, group) }
            }
            ast::PatternNode::Record(_) => self.limited_pattern(Limitation::Records, span),
            ast::PatternNode::Constructor(..) | ast::PatternNode::Literal(_) => {
                self.limited_pattern(Limitation::Sums, span)
            }
            ast::PatternNode::Attributed(attribute, inner) => {
                self.attribute(attribute);
                self.pattern(inner, ty, group)
            }
        }
    }

    /// The written type for a value of a known one; a size binder takes the size it stands at.
    fn ascribe(&mut self, written: &Type, known: &Type, span: Span, group: &mut Group) -> Type {
        let binders = &mut group.binders;
        if matches!(self.unifier.head(known), Type::Param(id) if id.0 >= FLEXIBLE) {
            // Nothing is known yet, and what will be does not speak of the binders.
            let ids: Vec<ValueId> = binders.iter().map(|(id, _)| *id).collect();
            let sizes: Vec<Size> = ids.iter().map(|_| self.unifier.fresh_size(span)).collect();
            self.unify(span, &written.with_sizes(&ids, &sizes), known, Context::Ascription);
        }
        let joined = self.unifier.join(written, known, &mut |unifier, written, known| {
            let binder = binders.iter_mut().find(|(id, _)| *written == Size::Var(*id));
            match binder {
                Some((_, Some(found))) => unifier.unify_size(&found.clone(), known)?,
                Some((_, found)) => *found = Some(known.clone()),
                None => unifier.unify_size(written, known)?,
            }
            Ok(written.clone())
        });
        match joined {
            // The written type, not the joined one, which has lost the names where `known` was open.
            Ok(_) => written.clone(),
            Err(mismatch) => {
                self.report(span, written, known, &mismatch, Context::Ascription);
                ERROR
            }
        }
    }

    fn limited_pattern(&mut self, limitation: Limitation, span: Span) -> Pattern {
        self.limit(limitation, span);
        Pattern { node: PatternNode::Wildcard, ty: ERROR, span }
    }
}
