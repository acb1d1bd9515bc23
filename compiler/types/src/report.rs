//! Types that do not go together, told to the user.

use ravel_base::{Code, Diagnostic, Span, Symbol};

use crate::checker::Checker;
use crate::class::Class;
use crate::print::TypeNames;
use crate::tast::{Exp, Size, Type, ValueId};
use crate::unify::{FLEXIBLE, Mismatch};

/// What the place at fault is there for. Said at the caret, with the type found there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Context {
    /// An argument of a function, which is named if it has a name.
    Argument(Option<Symbol>),
    /// An operand of an operator.
    Operand(Symbol),
    /// A condition.
    Condition,
    /// The second branch of an `if`.
    Branch,
    /// The body of a function with a written result type.
    Result,
    /// What a type is written for.
    Ascription,
    /// What a pattern takes apart.
    Pattern,
    /// A further element of an array.
    Element,
    /// An index or a bound of a slice.
    Index,
    /// The indexed value.
    Indexed,
    /// What is put into an array.
    Update,
    /// The first values of a loop's parameters.
    LoopInit,
    /// The result of one round of a loop.
    LoopBody,
    /// A bound of a loop or a range.
    Bound,
    /// What a `for … in` goes through.
    Sequence,
}

impl Context {
    fn caret(self, actual: &str) -> String {
        match self {
            Context::Argument(Some(name)) => format!("this argument of `{name}` has type {actual}"),
            Context::Argument(None) => format!("this argument has type {actual}"),
            Context::Operand(op) => format!("this operand of `{op}` has type {actual}"),
            Context::Condition => format!("this condition has type {actual}"),
            Context::Branch => format!("this branch has type {actual}"),
            Context::Result => format!("the function returns a value of type {actual}"),
            Context::Ascription => format!("this type is written for a value of type {actual}"),
            Context::Pattern => format!("this pattern takes a value of type {actual}"),
            Context::Element => format!("this element has type {actual}"),
            Context::Index => format!("this index has type {actual}"),
            Context::Indexed => format!("this has type {actual}"),
            Context::Update => format!("the new value has type {actual}"),
            Context::LoopInit => format!("the loop starts with a value of type {actual}"),
            Context::LoopBody => format!("a round of the loop gives a value of type {actual}"),
            Context::Bound => format!("this bound has type {actual}"),
            Context::Sequence => format!("the loop goes through a value of type {actual}"),
        }
    }
}

impl Checker<'_> {
    /// Makes two types one, or reports that they are not.
    pub(crate) fn unify(&mut self, span: Span, expected: &Type, actual: &Type, context: Context) -> bool {
        match self.unifier.unify(expected, actual) {
            Ok(()) => true,
            Err(mismatch) => {
                self.report(span, expected, actual, &mismatch, context);
                false
            }
        }
    }

    /// Demands a class of a type, or reports that it is not of it.
    pub(crate) fn restrict(&mut self, exp: &Exp, class: Class, context: Context) -> bool {
        match self.unifier.restrict(&exp.ty, class) {
            Ok(()) => true,
            Err(mismatch) if class.has_params() => {
                self.report(exp.span, &exp.ty, &exp.ty, &mismatch, context);
                false
            }
            Err(_) => {
                let (class, shown) = (class.describe(), self.show(&exp.ty));
                let message = format!("{class} is needed here, but the type is {shown}");
                let code = match context {
                    Context::Operand(_) => Code::BadOperand,
                    _ => Code::TypeMismatch,
                };
                let caret = context.caret(&shown);
                self.diagnostics.push(Diagnostic::error(code, exp.span, message).caret(caret));
                false
            }
        }
    }

    /// The type in backquotes; of an open type, what is known of it.
    pub(crate) fn show(&self, ty: &Type) -> String {
        let ty = self.unifier.resolve(ty);
        if let Type::Param(id) = ty
            && let Some(demand) = self.unifier.demand(id)
        {
            return demand.class.describe().to_owned();
        }
        format!("`{}`", self.type_names().ty(&ty))
    }

    pub(crate) fn type_names(&self) -> TypeNames<'_> {
        TypeNames { values: &self.names, types: &self.type_names }
    }

    fn show_size(&self, size: &Size) -> String {
        match self.type_names().size(&self.unifier.size(size)) {
            text if text.is_empty() => "an unknown one".to_owned(),
            text => format!("`{text}`"),
        }
    }

    /// Reports types that do not go together: those at `span`, of which `mismatch` is the core.
    pub(crate) fn report(
        &mut self,
        span: Span,
        expected: &Type,
        actual: &Type,
        mismatch: &Mismatch,
        context: Context,
    ) {
        let caret = context.caret(&self.show(actual));
        let (expected, actual) = (self.show(expected), self.show(actual));
        let diagnostic = match mismatch {
            Mismatch::Types(a, b) => self.report_types((expected, actual), [Some(a), Some(b)], span),
            Mismatch::Class(class, ty) if class.has_params() => {
                let message = format!("a function may not stand here, but this has type {}", self.show(ty));
                let help = "arrays, branches, loops and type parameters `'a` hold no functions";
                Diagnostic::error(Code::BadFunctionUse, span, message).help(help)
            }
            Mismatch::Class(_, ty) => self.report_types((expected, actual), [Some(ty), None], span),
            Mismatch::Classes => self.report_types((expected, actual), [None, None], span),
            Mismatch::Sizes(a, b) => self.report_sizes((expected, actual), a, b, span),
            Mismatch::Infinite => Diagnostic::error(
                Code::InfiniteType,
                span,
                "this expression would need a type that contains itself",
            ),
            Mismatch::NoField(field, ty, at) => {
                let message = format!("a value of type {} has no component `{field}`", self.show(ty));
                let mut diagnostic = Diagnostic::error(Code::UnknownField, *at, message);
                if *at != span {
                    diagnostic = diagnostic.label(span, "its type is known from here");
                }
                self.diagnostics.push(diagnostic);
                return;
            }
            Mismatch::Escape(id) => self.report_escape(*id, span),
        };
        let diagnostic = if diagnostic.caret.is_empty() { diagnostic.caret(caret) } else { diagnostic };
        self.diagnostics.push(diagnostic);
    }

    fn report_types(&self, whole: (String, String), core: [Option<&Type>; 2], span: Span) -> Diagnostic {
        let (expected, actual) = whole;
        let rigid = |ty: &Type| matches!(ty, Type::Param(id) if id.0 < FLEXIBLE);
        let param = core.into_iter().flatten().find(|ty| rigid(ty));
        let message = format!("types do not match: expected {expected}, but found {actual}");
        match param {
            Some(param) => Diagnostic::error(Code::TooGeneral, span, message).help(format!(
                "the definition promises to work for every type {}, and this does not",
                self.show(param)
            )),
            None => Diagnostic::error(Code::TypeMismatch, span, message),
        }
    }

    fn report_sizes(&self, whole: (String, String), a: &Size, b: &Size, span: Span) -> Diagnostic {
        let (expected, actual) = whole;
        let message = match (self.show_size(a), self.show_size(b)) {
            (a, b) if a == b && a.starts_with('`') => format!("two sizes called {a} do not match"),
            (a, b) if a == b => "two unknown sizes do not match".to_owned(),
            (a, b) if a.starts_with('`') => format!("sizes {a} and {b} do not match"),
            (a, b) => format!("sizes {b} and {a} do not match"),
        };
        let mut diagnostic = Diagnostic::error(Code::SizeMismatch, span, message);
        for size in [a, b] {
            if let Size::Var(id) = self.unifier.size(size)
                && let Some(&origin) = self.origins.get(&id)
            {
                diagnostic =
                    diagnostic.label(origin, "how large this is, is known only when it is evaluated");
            }
        }
        diagnostic
            .caret(format!("expected {expected}, but found {actual}"))
            .help("if they are equal whenever the program runs, say so with `:>`, which checks it then")
    }

    fn report_escape(&self, id: ValueId, span: Span) -> Diagnostic {
        let size = self.names.get(&id).map_or_else(String::new, |name| format!(" `{name}`"));
        let message = format!(
            "Causality: the size{size} of this function's result is known only when it has been called, \
             but is needed before"
        );
        Diagnostic::error(Code::Causality, span, message)
            .caret("the results of different calls may differ in size")
            .help("let the function return values of one size, with `:>` if need be")
    }
}
