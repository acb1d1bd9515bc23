//! Diagnostics of module type matching: one for everything that is missing, and one for each thing that differs.

use ravel_base::{Code, Diagnostic, Span, Symbol};

use super::{MatchError, qualified};
use crate::checker::Checker;
use crate::env::{Module, ModuleEntry, Scheme, TypeEntry, TypeParam, ValueEntry};
use crate::tast::{Liftedness, Type};
use crate::type_dec::constructive_sizes;
use crate::unify::Mismatch;

/// Advice for two types of one item that differ.
const ONE_TYPE: &str = "write the same type in the module and in the module type";

/// A specification without a definition.
struct MissingItem {
    /// "type", "value" or "module".
    kind: &'static str,
    name: Symbol,
    /// The text of the specification.
    shown: String,
}

impl Checker<'_> {
    /// Reports all that the module type specifies and the module does not define.
    pub(super) fn report_missing(&mut self, module: &Module, wanted: &Module, path: &str, span: Span) {
        const SHOWN: usize = 8;
        let mut missing = Vec::new();
        self.collect_missing(module, wanted, path, &mut missing);
        let Some(MissingItem { kind, name, .. }) = missing.first() else { return };
        let message = match missing.len() {
            1 => format!("Module has no {kind} `{name}`, which module type requires"),
            count => format!("Module lacks {count} items that module type requires"),
        };
        let mut error = Diagnostic::error(Code::ModuleMismatch, span, message)
            .note(format!("Module does not define a {kind} named {name}, which module type requires"));
        for (at, missing) in missing.iter().take(SHOWN).enumerate() {
            error = error.fact(if at == 0 { "Missing" } else { "" }, &missing.shown);
        }
        if let Some(more) = missing.len().checked_sub(SHOWN).filter(|&more| more > 0) {
            error = error.fact("", format!("… and {more} more"));
        }
        self.diagnostics.push(error.help("define it in the module, or remove it from the module type"));
    }

    /// Adds the specifications without a definition, with names qualified by `path`.
    fn collect_missing(&self, module: &Module, wanted: &Module, path: &str, missing: &mut Vec<MissingItem>) {
        let qualified = |name: Symbol| qualified(path, name);
        let bare = |shown: String| shown.trim_matches('`').to_owned();
        for (&name, spec) in wanted.types.iter().filter(|(name, _)| !module.types.contains_key(name)) {
            let shown = bare(self.show_type_definition(qualified(name), spec));
            missing.push(MissingItem { kind: "type", name, shown });
        }
        for (&name, spec) in wanted.values.iter().filter(|(name, _)| !module.values.contains_key(name)) {
            let shown = bare(self.show_value_definition(qualified(name), &spec.scheme));
            missing.push(MissingItem { kind: "value", name, shown });
        }
        for (&name, spec) in &wanted.modules {
            match (module.module(name), &**spec) {
                (None, _) => {
                    let shown = format!("module {}", qualified(name));
                    missing.push(MissingItem { kind: "module", name, shown });
                }
                (Some(ModuleEntry::Structure(module)), ModuleEntry::Structure(wanted)) => {
                    self.collect_missing(module, wanted, &format!("{path}{name}."), missing);
                }
                (Some(_), _) => {}
            }
        }
    }

    /// Reports a type whose definition differs from its specification.
    pub(super) fn report_type(&mut self, name: Symbol, actual: &TypeEntry, spec: &TypeEntry, span: Span) {
        let wanted = self.show_type_definition(name, spec);
        let found = match &actual.ty {
            // Unlike the type of a specification, an abstract type of a module has a name elsewhere.
            Type::Abstract(known) if actual.params.is_empty() => format!("`type {name} = {}`", known.name),
            _ => self.show_type_definition(name, actual),
        };
        self.diagnostics.push(type_mismatch(name, &found, &wanted, span));
    }

    /// Whether the type may implement the abstract one.
    pub(super) fn fits_abstract(
        &mut self,
        name: Symbol,
        actual: &TypeEntry,
        spec: &TypeEntry,
        span: Span,
    ) -> bool {
        let needed = actual.needed_liftedness();
        let general = actual.liftedness.max(needed);
        let constructive = constructive_sizes(&actual.ty);
        let unconstructive = actual.params.iter().find_map(|param| match param {
            TypeParam::Size(id) if !constructive.contains(id) => {
                Some(self.names.get(id).map_or("_", |name| name.as_str()))
            }
            _ => None,
        });
        if let Some(size) = unconstructive {
            let found = self.show_type_definition(name, actual);
            let message = format!("Type `{name}` cannot be abstract: no array in it has size `{size}`");
            let error = Diagnostic::error(Code::ModuleMismatch, span, message).fact("Defined", &found).help(
                "use the size in an array outside function types, or remove it",
            ).note(
                format!(
                    "Module defines {found}, which cannot be made abstract because size parameter `{size}` is not used \
                     as an array size in the definition: it is not used constructively"
                ),
            );
            self.diagnostics.push(error);
        } else if !self.takes_params_of(actual, spec) {
            self.report_type(name, actual, spec, span);
        } else if general > spec.liftedness {
            let (sign, what) = match (general, general == needed) {
                (Liftedness::Lifted, true) => ('^', ", which may be functional"),
                (Liftedness::Lifted, false) => ('^', ""),
                (_, true) => ('~', ", with existential sizes"),
                (_, false) => ('~', ""),
            };
            let found = format!("{}{what}", self.show_type_definition(name, actual));
            // A lifted type takes any.
            let kind = if spec.liftedness == Liftedness::SizeLifted { "size-lifted" } else { "non-lifted" };
            let wanted = format!("a {kind} type, {}", self.show_type_definition(name, spec));
            let diagnostic = type_mismatch(name, &found, &wanted, span);
            let help = format!("declare it as `type{sign} {name}` in the module type");
            self.diagnostics.push(diagnostic.help(help));
        } else {
            return true;
        }
        false
    }

    /// Reports a value that does not match its specification.
    pub(super) fn report_value(
        &mut self,
        name: Symbol,
        actual: &ValueEntry,
        spec: &Scheme,
        error: &MatchError,
        span: Span,
    ) {
        let (wanted, found) =
            (self.show_value_definition(name, spec), self.show_value_definition(name, &actual.scheme));
        let message = format!("Value `{name}` does not match module type");
        let mut diagnostic = Diagnostic::error(Code::ModuleMismatch, span, message)
            .types(&wanted, &found)
            .note(format!("Module type specifies {wanted}, but module provides {found}"));
        if let MatchError::Types(Mismatch::Sizes(a, b)) = error {
            diagnostic = self.named_sizes_differ(a, b).into_iter().fold(diagnostic, Diagnostic::note);
        }
        self.diagnostics.push(match error {
            MatchError::Consumes => diagnostic
                .caret(format!("`{name}` consumes its argument"))
                .help("mark the consumed parameter with `*` in the module type"),
            MatchError::Shared => diagnostic
                .caret(format!("the result of `{name}` may share memory with an argument"))
                .help("remove the `*` of the result in the module type, or add it in the definition"),
            MatchError::Known => diagnostic
                .caret(format!("`{name}` has known sizes, but the type hides them"))
                .help(format!("write its type in the module, such as `def {name}: t = …`")),
            MatchError::Types(Mismatch::Sizes(..)) => {
                diagnostic.caret("the sizes do not match").help(ONE_TYPE)
            }
            MatchError::Types(_) => diagnostic.caret("the types do not match").help(ONE_TYPE),
        });
    }
}

/// A type that does not match its specification.
fn type_mismatch(name: Symbol, found: &str, wanted: &str, span: Span) -> Diagnostic {
    let message = format!("Type `{name}` does not match module type");
    Diagnostic::error(Code::ModuleMismatch, span, message)
        .types(wanted, found)
        .note(format!("Module defines {found}, but module type requires {wanted}"))
        .help(ONE_TYPE)
}
