//! Records and values of sum types.

use ravel_base::{Code, Diagnostic, Span, Symbol};
use ravel_syntax::ast;

use crate::checker::{Checker, exp};
use crate::report::Context;
use crate::tast::{Exp, ExpNode, Type};
use crate::unify::ERROR;

impl Checker<'_> {
    /// `{x = e, y}`.
    pub(crate) fn record(&mut self, written: &[(ast::Name, ast::Exp)], span: Span) -> Exp {
        self.distinct(written.iter().map(|(name, _)| name), "Field", "");
        let fields: Vec<(Symbol, Exp)> =
            written.iter().map(|(name, value)| (name.node, self.exp(value))).collect();
        let ty = Type::record(fields.iter().map(|(name, value)| (*name, value.ty.clone())).collect());
        exp(ExpNode::Record(fields), ty, span)
    }

    /// `e.x` of a checked expression.
    pub(crate) fn project(&mut self, value: Exp, field: &ast::Name, span: Span) -> Exp {
        let known = self.unifier.head(&value.ty);
        let part = match known.field(field.node) {
            Some(at) => known.parts()[at].clone(),
            None => {
                let part = self.fresh_type(span);
                if let Err(mismatch) = self.unifier.project(&known, field.node, &part, field.span) {
                    self.report(field.span, &known, &known, &mismatch, Context::Indexed);
                    return self.broken(span);
                }
                part
            }
        };
        exp(ExpNode::Project(Box::new(value), field.node), part, span)
    }

    /// The record with the field at a path replaced. The new value has the type of the old one, but perhaps other sizes.
    pub(crate) fn record_update(
        &mut self,
        record: Exp,
        path: &[&ast::Name],
        value: &ast::Exp,
        span: Span,
    ) -> Exp {
        let Some(old) = self.field_at(&record, path) else { return self.broken(span) };
        let old = old.map_own_sizes(&mut |_| self.unifier.fresh_size(value.span));
        let value = self.expect(value, &old, Context::FieldUpdate);
        let path: Vec<Symbol> = path.iter().map(|field| field.node).collect();
        // What is promised of the functions in it stays promised.
        let new = if old.has_function() { &old } else { &value.ty };
        let ty = with_field(&self.unifier.resolve(&record.ty), &path, new);
        exp(ExpNode::RecordUpdate(Box::new(record), path, Box::new(value)), ty, span)
    }

    /// The type of the field at a path, which must be known already.
    fn field_at(&mut self, record: &Exp, path: &[&ast::Name]) -> Option<Type> {
        let mut ty = self.unifier.resolve(&record.ty);
        for field in path {
            if ty == ERROR {
                return None;
            }
            ty = match (ty.field(field.node), &ty) {
                (Some(at), _) => ty.parts()[at].clone(),
                (None, Type::Param(id)) if self.unifier.demand(*id).is_some() => {
                    let message = "Full type of this record is not known at this point";
                    let diagnostic = Diagnostic::error(Code::AmbiguousType, record.span, message)
                        .label(field.span, "so it is not known whether it has this field")
                        .help("write the type where the record is bound");
                    self.diagnostics.push(diagnostic);
                    return None;
                }
                (None, _) => {
                    self.no_field(field.node, &ty, field.span, field.span);
                    return None;
                }
            };
        }
        Some(ty)
    }

    /// `#c e …`.
    pub(crate) fn constructor(&mut self, name: Symbol, payload: &[ast::Exp], span: Span) -> Exp {
        let payload: Vec<Exp> = payload.iter().map(|value| self.exp(value)).collect();
        let types: Vec<Type> = payload.iter().map(|value| value.ty.clone()).collect();
        let ty = self.fresh_type(span);
        // A new type takes any constructor.
        let demanded = self.unifier.construct(&ty, name, &types, span);
        debug_assert!(demanded.is_ok(), "an open type takes any constructor");
        exp(ExpNode::Constructor(name, payload), ty, span)
    }
}

/// The record type with another type at a path.
fn with_field(record: &Type, path: &[Symbol], ty: &Type) -> Type {
    let Some((first, rest)) = path.split_first() else { return ty.clone() };
    let wanted = record.field(*first);
    let mut at = 0;
    record.map_parts(&mut |part| {
        at += 1;
        if wanted == Some(at - 1) { with_field(part, rest, ty) } else { part.clone() }
    })
}
