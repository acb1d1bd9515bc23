//! Diagnostics of wrong arguments, and how to mend them.

use std::rc::Rc;

use ravel_base::{Code, Diagnostic, Kind, Section, Span};
use ravel_syntax::ast::{self, ExpNode as Ast, QualName};
use ravel_syntax::foreign;

use crate::advice::argument_advice;
use crate::checker::Checker;
use crate::env::Scheme;
use crate::names::{ValueBinding, source_text};
use crate::report::in_sentence;
use crate::show::signature;
use crate::tast::{Exp, FunctionType, Type};

const INDEX: &str = "write an index directly after the array, without a blank: `a[i]`, `(f x)[i]`";

impl Checker<'_> {
    /// Explains a causality error of a composition: an existential size in one function's result would be a size
    /// in the parameter of a later one.
    pub(super) fn explain_composition(&mut self, taker: &FunctionType) {
        let given = self.unifier.head(taker.from.last_result());
        let takes = |param: &Type| match param {
            Type::Function(later) => {
                matches!(given, Type::Param(_)) && self.unifier.head(&later.from) == given
            }
            _ => false,
        };
        let is_composition = signature(&taker.to).0.iter().any(takes);
        if let Some(diagnostic) = self.diagnostics.last_mut()
            && diagnostic.kind == Kind::Error(Code::Causality)
            && is_composition
        {
            diagnostic.message = "Size of this function's result is known only when it is called".to_owned();
            diagnostic.notes = vec![
                "Causality check: Existential size would appear in function parameter of return type"
                    .to_owned(),
            ];
            diagnostic.caret = "each call of this may return an array of another size".to_owned();
            diagnostic.help = Some("apply one function after the other: `x |> f |> g`".to_owned());
            diagnostic.section = Some(Section::ExistentialParamRet);
        }
    }

    /// Adds the function's type and advice to the report of a wrong argument.
    pub(super) fn advise(
        &mut self,
        function: &Exp,
        name: Option<&QualName>,
        expected: &Type,
        argument: &ast::Exp,
    ) {
        let scheme = name.and_then(|name| match self.find(name)? {
            ValueBinding::Local(local) => Some(local.scheme),
            ValueBinding::Global(entry) => Some(Rc::new(entry.scheme.clone())),
        });
        let shown = scheme.map(|scheme| {
            let ty = self.unifier.resolve(&scheme.ty);
            self.show_scheme(&Scheme { ty, ..(*scheme).clone() })
        });
        let label = shown.map(|shown| format!("this has type {shown}"));
        let advice = argument_advice(&self.unifier.resolve(expected), argument);
        if let Some(diagnostic) = self.diagnostics.last_mut()
            && diagnostic.kind != Kind::Error(Code::Causality)
        {
            diagnostic.help = advice.or(diagnostic.help.take());
            if let Some(text) = label {
                *diagnostic = diagnostic.clone().label(function.span, text);
            }
        }
    }

    /// Advice to exchange a wrong argument with a later one, if both would then fit. `arguments` begins with the wrong
    /// one, whose index is `index`.
    pub(super) fn exchanged_argument(
        &self,
        taker: &FunctionType,
        index: usize,
        arguments: &[Type],
    ) -> Option<String> {
        const ORDINALS: [&str; 5] = ["second", "third", "fourth", "fifth", "sixth"];
        let types: Vec<Type> = arguments.iter().map(|ty| self.unifier.resolve(ty)).collect();
        let (wrong, later) = types.split_first()?;
        let wanted = self.unifier.resolve(&taker.from);
        if self.are_of_one_kind(wrong, &wanted) {
            return None;
        }
        let mut rest = self.unifier.resolve(&taker.to);
        for (ty, place) in later.iter().zip(ORDINALS.iter().skip(index)) {
            let Type::Function(taker) = rest else { return None };
            if self.are_of_one_kind(ty, &wanted)
                && (matches!(taker.from, Type::Param(_)) || self.are_of_one_kind(wrong, &taker.from))
            {
                return Some(format!("the {place} argument would fit here: exchange the two"));
            }
            rest = taker.to;
        }
        None
    }

    fn ends_with_digit(&self, span: Span) -> bool {
        let text = self.text.get(span.start as usize..span.end as usize);
        text.is_some_and(|text| text.ends_with(|end: char| end.is_ascii_digit()))
    }

    pub(super) fn report_arguments(
        &mut self,
        function: &Exp,
        name: Option<&QualName>,
        taken: usize,
        known: &Type,
        argument: &ast::Exp,
    ) {
        let what = name.map_or_else(|| "expression".to_owned(), |name| format!("`{}`", source_text(name)));
        let diagnostic = if taken == 0 {
            let shown = self.show(known);
            let reference = format!(
                "Cannot apply {what} as function, as it {}",
                in_sentence(&shown, "has non-function type", "is")
            );
            let message = match name {
                Some(name) => format!("`{}` is not a function", source_text(name)),
                None => "This is not a function".to_owned(),
            };
            let diagnostic = Diagnostic::error(Code::NotAFunction, function.span, message)
                .types("a function", shown)
                .label(argument.span, "so it cannot be applied to this")
                .note(reference);
            match (known, &argument.node) {
                (Type::Array(..), Ast::Array(_)) if function.span.end == argument.span.start => {
                    diagnostic.help("write the array in parentheses before an index: `(a)[i]`")
                }
                (Type::Array(..), Ast::Array(_)) => diagnostic.help(INDEX),
                _ => diagnostic,
            }
        } else {
            let callee =
                name.map_or_else(|| "The function".to_owned(), |name| format!("`{}`", source_text(name)));
            let count = match taken {
                1 => "one argument".to_owned(),
                n => format!("{n} arguments"),
            };
            let message = format!("{callee} takes only {count}");
            let reference = format!(
                "Cannot apply {what} to `{}`: Function accepts only {taken} arguments.",
                self.quote(argument.span)
            );
            let shown = self.show(&function.ty);
            Diagnostic::error(Code::NotAFunction, argument.span, message)
                .caret("this argument is one too many")
                .label(function.span, format!("this has type {shown}"))
                .note(reference)
        };
        let foreign = match &argument.node {
            Ast::Array(parts) if parts.len() == 1 && matches!(known, Type::Array(..)) => Some(INDEX),
            Ast::Name(_)
                if self.ends_with_digit(function.span) && function.span.end == argument.span.start =>
            {
                Some("a literal ends with its type: `2i64`, `2.0f32`")
            }
            Ast::Name(name) if name.quals.is_empty() => foreign::advice_for(name.name.as_str()),
            _ => None,
        };
        let general =
            (taken > 0).then_some("remove it; parentheses group an argument that is a call: `f (g x)`");
        let help = diagnostic.help.clone().or(foreign.or(general).map(str::to_owned));
        self.diagnostics.push(Diagnostic { help, ..diagnostic });
    }
}
