//! Records and values of sum types.

use ravel_base::{Code, Diagnostic, Section, Span, Symbol};
use ravel_syntax::ast;

use crate::checker::{Checker, exp};
use crate::report::Context;
use crate::tast::{Exp, ExpNode, Type};

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
        if let Some(part) = self.field(&value.ty, field) {
            return exp(ExpNode::Project(Box::new(value), field.node), part, span);
        }
        let advice = self.field_advice(&value, field);
        if let Some(diagnostic) = self.diagnostics.last_mut() {
            diagnostic.help = diagnostic.help.take().or(advice);
        }
        self.broken(span)
    }

    /// The type of a field. A type that is still open is constrained to be a record with this field.
    fn field(&mut self, record: &Type, field: &ast::Name) -> Option<Type> {
        let known = self.unifier.head(record);
        if let Some(at) = known.field(field.node) {
            return Some(known.parts()[at].clone());
        }
        let part = self.fresh_type(field.span);
        if let Err(mismatch) = self.unifier.project(&known, field.node, &part, field.span) {
            self.report(field.span, &known, &known, &mismatch, Context::Indexed);
            return None;
        }
        Some(part)
    }

    /// The record with the field at a path replaced. The new value has the type of the old one, but may have other
    /// sizes. When the update is checked, the type of the record must be known as far as the path leads.
    pub(crate) fn record_update(
        &mut self,
        record: Exp,
        path: &[&ast::Name],
        value: &ast::Exp,
        span: Span,
    ) -> Exp {
        // The new value may make the type of the record known.
        let early = (!self.is_known(&record.ty)).then(|| self.exp(value));
        let old = path.iter().try_fold(record.ty.clone(), |ty, field| {
            let is_known = self.is_known(&ty);
            if !is_known {
                self.unknown_record(record.span, field);
            }
            is_known.then(|| self.field(&ty, field))?
        });
        let Some(old) = old.map(|old| self.unifier.resolve(&old)) else { return self.broken(span) };
        let old = old.map_own_sizes(&mut |_| self.unifier.fresh_size(value.span));
        let path: Vec<Symbol> = path.iter().map(|field| field.node).collect();
        let text = path.iter().map(|field| field.as_str()).collect::<Vec<_>>().join(".");
        let value = early.unwrap_or_else(|| self.exp(value));
        self.unify(value.span, &old, &value.ty, Context::FieldUpdate(Symbol::new(&text)));
        // Functions in the field keep the uniqueness of the old type.
        let new = if old.has_function() { &old } else { &value.ty };
        let ty = with_field(&self.unifier.resolve(&record.ty), &path, new);
        exp(ExpNode::RecordUpdate(Box::new(record), path, Box::new(value)), ty, span)
    }

    /// Whether the outermost type constructor is known at this point of inference.
    fn is_known(&self, ty: &Type) -> bool {
        match self.unifier.head(ty) {
            Type::Param(id) => self.unifier.constraints(id).is_none(),
            _ => true,
        }
    }

    /// Reports the update of a field of a record of unknown type.
    fn unknown_record(&mut self, record: Span, field: &ast::Name) {
        let name = self.quote(record);
        let message = format!("Full type of `{name}` is not known at this point");
        let diagnostic = Diagnostic::error(Code::AmbiguousType, record, message)
            .caret(format!("has a field `{}`, but which others?", field.node))
            .help("add a type annotation where the record is bound; the type of a result comes too late")
            .section(Section::RecordTypeNotKnown);
        self.diagnostics.push(diagnostic);
    }

    /// `#c e …`.
    pub(crate) fn constructor(&mut self, name: Symbol, payload: &[ast::Exp], span: Span) -> Exp {
        let payload: Vec<Exp> = payload.iter().map(|value| self.exp(value)).collect();
        let types: Vec<Type> = payload.iter().map(|value| value.ty.clone()).collect();
        let ty = self.fresh_type(span);
        let constrained = self.unifier.construct(&ty, name, &types, span);
        debug_assert!(constrained.is_ok(), "an open type takes any constructor");
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
