//! Diagnostics for fields, components and constructors that a type does not have.

use ravel_base::{Code, Diagnostic, Span, Symbol};
use ravel_syntax::ast::Name;

use super::{enumerate, in_sentence};
use crate::checker::Checker;
use crate::composite::component;
use crate::tast::Type;

impl Checker<'_> {
    /// The diagnostic for a field that the value's type does not have. `known` is the place that determines this type.
    pub(super) fn no_field(&self, field: Symbol, ty: &Type, at: Span, known: Span) -> Diagnostic {
        let what = if component(field).is_some() { "component" } else { "field" };
        let shown = self.show(ty);
        let value = in_sentence(&shown, "value of type", "");
        let message = format!("This value has no {what} `{field}`");
        let mut diagnostic = Diagnostic::error(Code::UnknownField, at, message)
            .fact("Type", shown)
            .note(format!("Attempt to access field `{field}` of {value}, which has no field `{field}`"));
        diagnostic = diagnostic.note(match self.unifier.head(ty) {
            Type::Record(_) | Type::Tuple(_) => "Cannot unify record types with different fields",
            _ => "Cannot unify a record type with a non-record type",
        });
        let hidden = self.hidden_module_before(at, field);
        diagnostic.help = hidden.or_else(|| fields(&self.unifier.resolve(ty)));
        if diagnostic.help.is_none() && at != known {
            diagnostic.help = self.advice_for_later_field(ty, &Name { node: field, span: at });
        }
        if at != known {
            diagnostic = diagnostic.label(known, "its type is known from here");
        }
        diagnostic
    }

    /// The diagnostic for a constructor that the type does not have.
    pub(super) fn no_constructor(&self, constructor: Symbol, ty: &Type, at: Span, known: Span) -> Diagnostic {
        let shown = self.show(ty);
        let reference = format!(
            "Cannot unify type with constructors `#{constructor}` with {}",
            in_sentence(&shown, "type", "")
        );
        let message = format!("This type has no constructor `#{constructor}`");
        let mut diagnostic =
            Diagnostic::error(Code::UnknownConstructor, at, message).fact("Type", shown).note(reference);
        if let Type::Sum(constructors) = self.unifier.head(ty) {
            let names: Vec<String> = constructors.iter().map(|(name, _)| format!("`#{name}`")).collect();
            diagnostic = diagnostic
                .note(format!("Unshared constructors: #{constructor}."))
                .help(format!("its constructors are {}", enumerate(&names)));
        }
        if at != known {
            diagnostic = diagnostic.label(known, "the type is known from here");
        }
        diagnostic
    }
}

/// The diagnostic for a constructor with another number of payloads than its type has.
pub(super) fn wrong_payload(constructor: Symbol, expected: usize, found: usize, at: Span) -> Diagnostic {
    let message = format!("Constructor `#{constructor}` has the wrong number of payloads");
    Diagnostic::error(Code::TypeMismatch, at, message)
        .types(payloads(expected), payloads(found))
        .caret("this constructor")
        .help("a constructor always has the same number of payloads; several values fit in a tuple")
        .note(format!("Cannot unify types of constructor `#{constructor}`, because they differ in arity"))
}

/// Lists the fields of a record or the components of a tuple.
fn fields(ty: &Type) -> Option<String> {
    match ty {
        Type::Tuple(parts) if parts.len() == 2 => Some("its components are `.0` and `.1`".to_owned()),
        Type::Tuple(parts) if parts.len() > 2 => {
            Some(format!("its components are `.0` to `.{}`", parts.len() - 1))
        }
        Type::Record(fields) => {
            let names: Vec<String> = fields.iter().map(|(name, _)| format!("`{name}`")).collect();
            Some(match &names[..] {
                [name] => format!("its only field is {name}"),
                names => format!("its fields are {}", enumerate(names)),
            })
        }
        _ => None,
    }
}

/// "two payloads".
fn payloads(count: usize) -> String {
    match count {
        0 => "no payload".to_owned(),
        1 => "one payload".to_owned(),
        n => format!("{n} payloads"),
    }
}
