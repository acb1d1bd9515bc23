//! Diagnostics for type mismatches.

use ravel_base::{Code, Diagnostic, Section, Span, Symbol};
use ravel_prim::PrimType;
use rustc_hash::FxHashMap;

mod context;
mod difference;
mod part;
mod size;

pub(crate) use context::{Context, in_sentence};

use self::difference::{DifferingPart, one_sided_names};
use self::part::wrong_payload;
use crate::checker::Checker;
use crate::class::Class;
use crate::show::{describe_function, signature};
use crate::tast::{Exp, FunctionType, Liftedness, Type, TypeParamId, ValueId};
use crate::unify::{FLEXIBLE, Mismatch};
use crate::uniqueness::Uniqueness;

/// How Futhark's compiler calls a type mismatch in a context for which it has no words.
const MISMATCH: &str = "Cannot unify types that do not match";

impl Checker<'_> {
    /// Unifies two types, or reports that they differ.
    pub(crate) fn unify(&mut self, span: Span, expected: &Type, actual: &Type, context: Context) -> bool {
        match self.unifier.unify(expected, actual) {
            Ok(()) => true,
            Err(mismatch) => {
                self.report(span, expected, actual, &mismatch, context);
                false
            }
        }
    }

    /// Constrains a type to a class, or reports that it is not in the class.
    pub(crate) fn restrict(&mut self, exp: &Exp, class: Class, context: Context) -> bool {
        match self.unifier.restrict(&exp.ty, class) {
            Ok(()) => true,
            Err(mismatch) if class.has_params() => {
                self.report(exp.span, &exp.ty, &exp.ty, &mismatch, context);
                false
            }
            Err(_) => {
                let shown = self.show(&exp.ty);
                let code = match context {
                    Context::Operand(_) => Code::BadOperand,
                    _ => Code::TypeMismatch,
                };
                let mut diagnostic = match class {
                    Class::EQUALITY => {
                        let values = in_sentence(&shown, "values of type", "");
                        Diagnostic::error(code, exp.span, "These values cannot be compared for equality")
                            .note(format!("Comparing equality of {values}, which does not support equality"))
                    }
                    _ => {
                        let reference = context.reference(self.quote(exp.span), class.describe(), &shown);
                        let headline = context.headline("type", class.describe());
                        context
                            .types(Diagnostic::error(code, exp.span, headline), class.describe(), &shown)
                            .note(reference.as_deref().unwrap_or(MISMATCH))
                    }
                };
                diagnostic = diagnostic.caret(context.caret(&shown) + &must_be(class, "but"));
                diagnostic.help = self.promise(&exp.ty).or_else(|| match context {
                    Context::Operand(op) => self.operand_advice(op.as_str(), &exp.ty).map(str::to_owned),
                    _ => None,
                });
                self.diagnostics.push(diagnostic);
                false
            }
        }
    }

    /// Reports a type mismatch at `span`. `mismatch` is the innermost pair at fault.
    pub(crate) fn report(
        &mut self,
        span: Span,
        expected: &Type,
        actual: &Type,
        mismatch: &Mismatch,
        context: Context,
    ) {
        let advice = self.advice(expected, actual, mismatch, context, span);
        let size_names = match mismatch {
            Mismatch::Sizes(a, b) if self.show_size(a) == self.show_size(b) => {
                self.distinct_size_names([a, b])
            }
            _ => self.names.clone(),
        };
        let whole = self.show_both(expected, actual, &size_names);
        let reference = context.reference(self.quote(span), &whole.0, &whole.1);
        let reference = match mismatch {
            // A function as a branch or loop value is not a mismatch of two types.
            Mismatch::Class(class, _) if class.has_params() && !matches!(context, Context::Argument(_)) => {
                None
            }
            Mismatch::Types(..) | Mismatch::Class(..) | Mismatch::Classes => {
                Some(reference.unwrap_or_else(|| MISMATCH.to_owned()))
            }
            _ => reference,
        };
        let mut caret = context.caret(&whole.1);
        if let Mismatch::Class(class, _) = mismatch {
            let is_open = |ty: &Type| matches!(self.unifier.head(ty), Type::Param(id) if id.0 >= FLEXIBLE);
            match (is_open(expected), is_open(actual)) {
                (_, true) => caret += &must_be(*class, "whose type"),
                (true, false) => caret += &must_be(*class, "but"),
                (false, false) => {}
            }
        }
        let diagnostic = match mismatch {
            Mismatch::Types(a, b) => self.report_types(whole, [Some(a), Some(b)], span, context),
            Mismatch::Class(class, ty) if class.has_params() => match self.unifier.liftedness(ty) {
                Liftedness::SizeLifted => self.irregular(ty, span),
                _ => self.report_function(ty, span, context),
            },
            Mismatch::Class(_, ty) => self.report_types(whole, [Some(ty), None], span, context),
            Mismatch::Classes => self.report_types(whole, [None, None], span, context),
            Mismatch::Sizes(a, b) => {
                let diagnostic = self.report_sizes(whole, [a, b], &size_names, span, context);
                self.with_scope_violation(diagnostic, [a, b], actual)
            }
            Mismatch::Infinite => type_mismatch(Code::InfiniteType, whole, span, context)
                .note(
                    "Occurs check: cannot instantiate the type of this expression with one that contains it",
                )
                .section(Section::OccursCheck),
            Mismatch::NoField(field, ty, at) => self.no_field(*field, ty, *at, span),
            Mismatch::NoConstructor(constructor, ty, at) => self.no_constructor(*constructor, ty, *at, span),
            Mismatch::Payload { constructor, expected, found, span: at } => {
                wrong_payload(*constructor, *expected, *found, *at)
            }
            Mismatch::Escape => self.report_escape(expected, actual, span),
            Mismatch::Consumes(functions) => self.report_consuming(functions, &whole.1, span, context),
            Mismatch::Scope(param) => self.report_scope(*param, span),
        };
        let is_whole = !matches!(
            mismatch,
            Mismatch::NoField(..) | Mismatch::NoConstructor(..) | Mismatch::Payload { .. }
        );
        let mut diagnostic = match diagnostic.caret.is_empty() && is_whole {
            true => diagnostic.caret(caret),
            false => diagnostic,
        };
        diagnostic.help = diagnostic.help.or(advice.filter(|_| is_whole));
        // The words of the reference come first, then what this mismatch is about, then the parts that differ.
        let reference = reference.filter(|reference| *reference != diagnostic.message);
        let sizes = match mismatch {
            Mismatch::Types(..) => self.differing_sizes(expected, actual),
            _ => None,
        };
        let part = self.differing_part(expected, actual, &size_names);
        let notes = std::mem::take(&mut diagnostic.notes);
        let notes = reference.into_iter().chain(notes).chain(sizes).chain(part);
        let diagnostic = notes.fold(diagnostic, Diagnostic::note);
        self.diagnostics.push(diagnostic);
    }

    /// The diagnostic for a functional value in a place that must be first-order.
    fn report_function(&self, ty: &Type, span: Span, context: Context) -> Diagnostic {
        let shown = self.show(ty);
        let is_quoted = shown.starts_with('`');
        let what = match ty {
            Type::Param(_) if is_quoted => "It is lifted and may be a functional type".to_owned(),
            _ if is_quoted => format!("Type {shown} found to be functional"),
            _ => format!("Value found to be functional ({shown})"),
        };
        let reference = match context {
            Context::Element => Some(format!(
                "Cannot create array with elements of {} (might contain function)",
                in_sentence(&shown, "lifted type", "")
            )),
            _ => None,
        };
        let lifted = match ty {
            Type::Param(_) if is_quoted => {
                Some(format!("Type parameter {shown} is lifted and cannot be an array element"))
            }
            _ => None,
        };
        let what = Some(format!("{what}, but {} may not be of function type", context.place()));
        let instance = match context {
            Context::Argument(Some(name)) => Some(format!("When instantiating type parameter of `{name}`")),
            _ => None,
        };
        let diagnostic = Diagnostic::error(Code::BadFunctionUse, span, context.headline_of_function())
            .fact("Type", shown)
            .help("arrays, branches, loops and type parameters `'a` may not contain functions");
        [reference, lifted, what, instance].into_iter().flatten().fold(diagnostic, Diagnostic::note)
    }

    /// The diagnostic for a function that consumes an argument which the expected function does not consume.
    fn report_consuming(
        &self,
        functions: &[FunctionType; 2],
        actual: &str,
        span: Span,
        context: Context,
    ) -> Diagnostic {
        let [expected, found] = functions.each_ref().map(|function| self.show_parameter(function));
        let reason = format!(
            "Parameter types {expected} and {found} are incompatible regarding consuming their arguments"
        );
        let (reference, section) = match context {
            Context::Argument(_) => {
                let what = in_sentence(actual, "Argument of functional type", "This argument,");
                let reference = format!("{what} contains consumption, but one without is expected");
                (Some(reference), Section::ConsumingArgument)
            }
            _ => (None, Section::UnifyConsumingParam),
        };
        let message = "This function consumes its argument, which is not allowed here";
        let diagnostic = Diagnostic::error(Code::NotConsumable, span, message)
            .types(expected, found)
            .caret(in_sentence(actual, "its type is", "it is"))
            .help("consume a `copy` in the function, or mark the parameter in the expected type with `*`")
            .section(section);
        reference.into_iter().chain([reason]).fold(diagnostic, Diagnostic::note)
    }

    /// The parameter type of a function, with its `*`, in backquotes.
    fn show_parameter(&self, function: &FunctionType) -> String {
        let unit = Type::Tuple(Vec::new());
        let unique = Uniqueness::None;
        let alone = FunctionType { to: unit, unique, name: None, exists: Vec::new(), ..function.clone() };
        self.show(&Type::Function(Box::new(alone))).replace(" -> ()`", "`")
    }

    /// The diagnostic for an array element type whose values may differ in size.
    pub(crate) fn irregular(&self, ty: &Type, span: Span) -> Diagnostic {
        let shown = self.show(ty);
        let caret = match ty {
            Type::Param(_) => {
                "its values may differ in size: the type parameter is lifted and cannot be an array element"
            }
            _ => "its values may differ in size",
        };
        Diagnostic::error(Code::IrregularArray, span, "Elements of an array may not differ in size")
            .caret(caret)
            .note(format!(
                "Cannot create array with elements of size-lifted type {shown} (might cause irregular array)"
            ))
            .help(
                "make the size a parameter of the type; a type parameter `'a` cannot stand for such a type either",
            )
    }

    /// The two types as text; for functions with different numbers of arguments, those numbers.
    fn show_both(
        &self,
        expected: &Type,
        actual: &Type,
        size_names: &FxHashMap<ValueId, Symbol>,
    ) -> (String, String) {
        let count = |ty: &Type| signature(&self.unifier.resolve(ty)).0.len();
        match (count(expected), count(actual)) {
            (a, b) if a > 0 && b > 0 && a != b => (describe_function(a), describe_function(b)),
            _ => self.show_with_sizes([expected, actual], size_names).into(),
        }
    }

    /// The diagnostic for a mismatch of two types.
    fn report_types(
        &self,
        whole: (String, String),
        core: [Option<&Type>; 2],
        span: Span,
        context: Context,
    ) -> Diagnostic {
        // If the whole types read the same, show the innermost parts that differ.
        let (expected, actual) = match core {
            [Some(a), Some(b)] if whole.0 == whole.1 => self.show_together([a, b]).into(),
            _ => whole,
        };
        let promise = core.into_iter().flatten().find_map(|ty| self.promise(ty));
        let hidden = core.into_iter().flatten().find_map(hidden_type);
        let one_sided_names = match core {
            [Some(a), Some(b)] if matches!(context, Context::Result) => one_sided_names(a, b),
            [Some(a), Some(b)] => one_sided_names(b, a),
            _ => None,
        };
        let code = if promise.is_some() { Code::TooGeneral } else { Code::TypeMismatch };
        let diagnostic = type_mismatch(code, (expected, actual), span, context);
        [promise, hidden, one_sided_names].into_iter().flatten().fold(diagnostic, Diagnostic::note)
    }

    /// Names the only part that differs between two types of the same form.
    fn differing_part(
        &self,
        expected: &Type,
        actual: &Type,
        size_names: &FxHashMap<ValueId, Symbol>,
    ) -> Option<String> {
        let (expected, actual) = (self.unifier.resolve(expected), self.unifier.resolve(actual));
        let DifferingPart { kind, path, types } = DifferingPart::of(&expected, &actual)?;
        let [expected, actual] = self.show_with_sizes(types, size_names);
        let path = path.join(".");
        Some(format!("When matching types of {kind} `{path}`: {expected} and {actual} differ"))
    }

    /// Explains that a type parameter of the definition must stay arbitrary.
    fn promise(&self, ty: &Type) -> Option<String> {
        match self.unifier.head(ty) {
            Type::Param(id) if id.0 < FLEXIBLE => Some(format!(
                "the definition promises to work for every type {}, and this does not",
                self.show(ty)
            )),
            _ => None,
        }
    }

    fn report_scope(&self, param: TypeParamId, span: Span) -> Diagnostic {
        let param = self.show(&Type::Param(param));
        let message = format!("Type parameter {param} is not known outside its function");
        Diagnostic::error(Code::TooGeneral, span, message)
            .note(format!(
                "Cannot unify the type of `{}` with {param} (scope violation): {param} is rigidly bound in a deeper \
                 scope, as type parameter of a local function",
                self.quote(span)
            ))
            .help("write the types of the outer variables that the function uses")
            .section(Section::ScopeViolation)
    }
}

/// The diagnostic for a thing that does not have the expected type, with both types as text.
fn type_mismatch(
    code: Code,
    (expected, actual): (String, String),
    span: Span,
    context: Context,
) -> Diagnostic {
    let what = if code == Code::SizeMismatch { "size" } else { "type" };
    let headline = context.headline(what, &expected);
    context.types(Diagnostic::error(code, span, headline), &expected, &actual)
}

/// Explains an abstract type.
fn hidden_type(ty: &Type) -> Option<String> {
    match ty {
        Type::Abstract(named) => Some(format!(
            "Type `{}` is abstract: its definition is visible only inside its module",
            named.name
        )),
        _ => None,
    }
}

/// ", but must be one of i32, i64", if the class contains only primitive types.
fn must_be(class: Class, conjunction: &str) -> String {
    if class.has_data() {
        return String::new();
    }
    let names: Vec<&str> =
        PrimType::ALL.into_iter().filter(|&prim| class.has(prim)).map(PrimType::name).collect();
    let listed = match names[..] {
        [a, b, c, _, .., last] => format!("{a}, {b}, {c}, …, {last}"),
        _ => names.join(", "),
    };
    format!(", {conjunction} must be one of {listed}")
}

/// "a, b and c".
pub(crate) fn enumerate(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [words @ .., last] => format!("{} and {last}", words.join(", ")),
    }
}
