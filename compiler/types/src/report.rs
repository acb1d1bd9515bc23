//! Diagnostics for type mismatches.

use ravel_base::{Code, Diagnostic, Section, Span, Symbol};
use ravel_prim::PrimType;

mod context;
mod difference;

pub(crate) use context::{Context, aligned_types, in_sentence};

use self::difference::{DifferingPart, differing_sizes, unshared};
use crate::checker::Checker;
use crate::class::Class;
use crate::composite::component;
use crate::show::{UNKNOWN, describe_function, signature};
use crate::tast::{Exp, FunctionType, Liftedness, Size, Type, TypeParamId};
use crate::unify::{FLEXIBLE, Mismatch};
use crate::uniqueness::Uniqueness;

/// The headline of a type mismatch in a context without one.
const MISMATCH: &str = "Cannot unify types that do not match";

/// Why a value that is no record has no fields.
const NOT_RECORD: &str = "Cannot unify a record type with a non-record type";

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
                let message = match class {
                    Class::EQUALITY => format!(
                        "Comparing equality of {}, which does not support equality",
                        in_sentence(&shown, "values of type", "")
                    ),
                    _ => {
                        let headline = self.headline(context, exp.span, class.describe(), &shown);
                        let types = context.aligned_types(class.describe(), &shown);
                        format!("{}\n{types}", headline.as_deref().unwrap_or(MISMATCH))
                    }
                };
                let code = match context {
                    Context::Operand(_) => Code::BadOperand,
                    _ => Code::TypeMismatch,
                };
                let caret = context.caret(&shown) + &must_be(class, "but");
                let mut diagnostic = Diagnostic::error(code, exp.span, message).caret(caret);
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
        let advice = self
            .advice(expected, actual, mismatch, context, span)
            .or_else(|| self.differing_part(expected, actual));
        let whole = self.show_both(expected, actual);
        let headline = self.headline(context, span, &whole.0, &whole.1);
        let headline = match mismatch {
            // A function as a branch or loop value is no mismatch of two types, so the context's headline is left out.
            Mismatch::Class(class, _) if class.has_params() && !matches!(context, Context::Argument(_)) => {
                None
            }
            Mismatch::Types(..) | Mismatch::Class(..) | Mismatch::Classes => {
                Some(headline.unwrap_or_else(|| MISMATCH.to_owned()))
            }
            _ => headline,
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
            Mismatch::Types(a, b) => {
                let diagnostic = self.report_types(whole, [Some(a), Some(b)], span, context);
                match self.differing_sizes(expected, actual) {
                    Some(sizes) => diagnostic.headline(sizes),
                    None => diagnostic,
                }
            }
            Mismatch::Class(class, ty) if class.has_params() => match self.unifier.liftedness(ty) {
                Liftedness::SizeLifted => self.irregular(ty, span),
                _ => self.report_function(ty, span, context),
            },
            Mismatch::Class(_, ty) => self.report_types(whole, [Some(ty), None], span, context),
            Mismatch::Classes => self.report_types(whole, [None, None], span, context),
            Mismatch::Sizes(a, b) => {
                let diagnostic = self.report_sizes(whole, [a, b], span, context);
                self.with_scope_violation(diagnostic, [a, b], actual)
            }
            Mismatch::Infinite => Diagnostic::error(
                Code::InfiniteType,
                span,
                "Occurs check: cannot instantiate the type of this expression with one that contains it",
            )
            .section(Section::OccursCheck),
            Mismatch::NoField(field, ty, at) => self.no_field(*field, ty, *at, span),
            Mismatch::NoConstructor(constructor, ty, at) => self.no_constructor(*constructor, ty, *at, span),
            Mismatch::Payload { constructor, expected, found, span: at } => {
                let found = if *found == 1 { "one is".to_owned() } else { format!("{found} are") };
                let message = format!(
                    "Cannot unify types of constructor `#{constructor}`, because they differ in arity: it has {}, \
                     but {found} written here",
                    payloads(*expected)
                );
                Diagnostic::error(Code::TypeMismatch, *at, message).caret("this constructor")
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
        self.diagnostics.push(match headline {
            Some(headline) => diagnostic.headline(headline),
            None => diagnostic,
        });
    }

    /// The headline of the context.
    fn headline(&self, context: Context, span: Span, expected: &str, actual: &str) -> Option<String> {
        context.headline(self.quote(span), expected, actual)
    }

    /// The diagnostic for a functional value in a place that must be first-order.
    fn report_function(&self, ty: &Type, span: Span, context: Context) -> Diagnostic {
        let shown = self.show(ty);
        let what = match ty {
            Type::Param(_) if shown.starts_with('`') => {
                format!(
                    "Type parameter {shown} is lifted and cannot be an array element\nIt is lifted and may be a \
                     functional type"
                )
            }
            _ if shown.starts_with('`') => format!("Type {shown} found to be functional"),
            _ => format!("Value found to be functional ({shown})"),
        };
        let what = format!("{what}, but {} may not be of function type", context.place());
        let message = match context {
            Context::Element => format!(
                "Cannot create array with elements of {} (might contain function)\n{what}",
                in_sentence(&shown, "lifted type", "")
            ),
            Context::Argument(Some(name)) => {
                format!("{what}\nWhen instantiating type parameter of `{name}`")
            }
            _ => what,
        };
        let help = "arrays, branches, loops and type parameters `'a` may not contain functions";
        Diagnostic::error(Code::BadFunctionUse, span, message).help(help)
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
        let (message, section) = match context {
            Context::Argument(_) => {
                let what = in_sentence(actual, "Argument of functional type", "This argument,");
                let message = format!("{what} contains consumption, but one without is expected\n{reason}");
                (message, Section::ConsumingArgument)
            }
            _ => {
                let message =
                    format!("{reason}: this function contains consumption, but one without is expected");
                (message, Section::UnifyConsumingParam)
            }
        };
        Diagnostic::error(Code::NotConsumable, span, message)
            .caret(in_sentence(actual, "its type is", "it is"))
            .help("consume a `copy` in the function, or mark the parameter in the expected type with `*`")
            .section(section)
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
        let message = format!(
            "Cannot create array with elements of size-lifted type {} (might cause irregular array)",
            self.show(ty)
        );
        let caret = match ty {
            Type::Param(_) => {
                "its values may differ in size: the type parameter is lifted and cannot be an array element"
            }
            _ => "its values may differ in size",
        };
        Diagnostic::error(Code::IrregularArray, span, message).caret(caret).help(
            "make the size a parameter of the type; a type parameter `'a` cannot stand for such a type either",
        )
    }

    /// The two types as text; for functions with different numbers of arguments, those numbers.
    fn show_both(&self, expected: &Type, actual: &Type) -> (String, String) {
        let count = |ty: &Type| signature(&self.unifier.resolve(ty)).0.len();
        match (count(expected), count(actual)) {
            (a, b) if a > 0 && b > 0 && a != b => (describe_function(a), describe_function(b)),
            _ => self.show_together([expected, actual]).into(),
        }
    }

    /// The diagnostic for a mismatch of two types, without a headline.
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
        let unshared = match core {
            [Some(a), Some(b)] if matches!(context, Context::Result) => unshared(a, b),
            [Some(a), Some(b)] => unshared(b, a),
            _ => None,
        };
        let code = if promise.is_some() { Code::TooGeneral } else { Code::TypeMismatch };
        let mut diagnostic = Diagnostic::error(code, span, context.aligned_types(&expected, &actual));
        diagnostic.help = promise.or(hidden).or(unshared);
        diagnostic
    }

    /// Names the only part that differs between two types of the same form.
    fn differing_part(&self, expected: &Type, actual: &Type) -> Option<String> {
        let (expected, actual) = (self.unifier.resolve(expected), self.unifier.resolve(actual));
        let DifferingPart { kind, path, types } = DifferingPart::of(&expected, &actual)?;
        let [expected, actual] = self.show_together(types);
        let path = path.join(".");
        Some(format!("When matching types of {kind} \"{path}\": {expected} and {actual} differ"))
    }

    /// Names two sizes that differ, beside the element types.
    fn differing_sizes(&self, expected: &Type, actual: &Type) -> Option<String> {
        let [a, b] = differing_sizes(&self.unifier.resolve(expected), &self.unifier.resolve(actual))?;
        self.named_sizes_differ(&a, &b)
    }

    /// Says that two sizes differ, if both have names and these tell them apart.
    pub(crate) fn named_sizes_differ(&self, a: &Size, b: &Size) -> Option<String> {
        let [a, b] = [a, b].map(|size| self.show_size(size));
        (a != b && a != UNKNOWN && b != UNKNOWN).then(|| format!("Sizes {a} and {b} do not match"))
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

    fn report_sizes(
        &self,
        whole: (String, String),
        sizes: [&Size; 2],
        span: Span,
        context: Context,
    ) -> Diagnostic {
        let sizes = sizes.map(|size| self.unifier.size(size));
        let [a, b] = &sizes;
        let message = match (self.show_size(a), self.show_size(b)) {
            (a, b) if a == b && a != UNKNOWN => format!("Sizes {a} and another {b} do not match"),
            (a, b) if a == b => "Sizes that are unknown do not match".to_owned(),
            (a, b) if a != UNKNOWN => format!("Sizes {a} and {b} do not match"),
            (a, b) => format!("Sizes {b} and {a} do not match"),
        };
        let contains = |part: &Size, whole: &Size| match part {
            Size::Var(id) if id.0 >= FLEXIBLE => whole.any(&mut |other| other == *id),
            _ => false,
        };
        let is_infinite = contains(a, b) || contains(b, a);
        let message = match is_infinite {
            true => format!("Occurs check: cannot instantiate a size with one that contains it\n{message}"),
            false => message,
        };
        let (expected, actual) = whole;
        let (message, mut caret, here) = match expected == actual {
            true => (message, "this may have another size".to_owned(), ", known"),
            false => {
                let message = format!("{message}\n{}", context.aligned_types(&expected, &actual));
                (message, context.caret(&actual), ", of unknown size, known")
            }
        };
        let mut diagnostic = Diagnostic::error(Code::SizeMismatch, span, message);
        diagnostic.section = is_infinite.then_some(Section::OccursCheck);
        for size in &sizes {
            match size {
                Size::Var(id) if let Some(&origin) = self.origins.get(id) => {
                    if origin == span {
                        caret += &format!("{here} only when it is evaluated");
                    } else {
                        let known = match context {
                            Context::LoopInit => "inside the loop body",
                            _ => "when it is evaluated",
                        };
                        diagnostic =
                            diagnostic.label(origin, format!("this has an unknown size, known only {known}"));
                    }
                }
                _ => {}
            }
        }
        let constant = sizes.iter().all(|size| matches!(size, Size::Const(_)));
        let of_loop = |size: &Size| matches!(size, Size::Var(id) if self.loop_results.contains(id));
        let help = match context {
            _ if sizes.iter().any(of_loop) => {
                Some("if the loop keeps the size, state it where the loop begins: `loop (xs: [n]t) = …`")
            }
            Context::LoopBody => Some(
                "if the size may change in each iteration, write `[]` in the type of the loop parameter; if not, state the \
                 size with `:>`",
            ),
            Context::Element if constant => Some("the rows of an array have one size"),
            _ if constant => None,
            _ => Some("if they are equal whenever the program runs, say so with `:>`, which checks it then"),
        };
        diagnostic.help = help.map(str::to_owned);
        diagnostic.caret(caret)
    }

    /// Adds to the report of two sizes that both mention a parameter of the same function why neither can stand outside
    /// of it.
    fn with_scope_violation(
        &self,
        mut diagnostic: Diagnostic,
        sizes: [&Size; 2],
        function: &Type,
    ) -> Diagnostic {
        let function = self.unifier.resolve(function);
        let [a, b] = sizes.map(|size| self.unifier.size(size));
        let own = function.steps(usize::MAX).into_iter().filter_map(|step| step.name);
        let shared = own.into_iter().find(|&id| [&a, &b].iter().all(|size| size.any(&mut |var| var == id)));
        if let Some(name) = shared.and_then(|id| self.names.get(&id)) {
            diagnostic.message +=
                &format!("\n\"{name}\" is rigidly bound in a deeper scope, as a parameter (scope violation)");
        }
        diagnostic
    }

    /// The diagnostic for a field that the value's type does not have. `known` is the place that determines this type.
    fn no_field(&self, field: Symbol, ty: &Type, at: Span, known: Span) -> Diagnostic {
        let what = if component(field).is_some() { "component" } else { "field" };
        let reason = match self.unifier.head(ty) {
            Type::Record(_) | Type::Tuple(_) => {
                format!("Cannot unify record type with fields `{field}` and the type of this value")
            }
            _ => NOT_RECORD.to_owned(),
        };
        let message = format!(
            "Attempt to access {what} `{field}` of {}, which has no {what} `{field}`\n{reason}",
            in_sentence(&self.show(ty), "value of type", "")
        );
        let mut diagnostic = Diagnostic::error(Code::UnknownField, at, message);
        let hidden = self.hidden_module_before(at, field);
        diagnostic.help = hidden.or_else(|| fields(&self.unifier.resolve(ty)));
        if at != known {
            diagnostic = diagnostic.label(known, "its type is known from here");
        }
        diagnostic
    }

    fn report_scope(&self, param: TypeParamId, span: Span) -> Diagnostic {
        let param = self.show(&Type::Param(param));
        let message = format!(
            "Cannot unify the type of `{}` with {param} (scope violation): {param} is rigidly bound in a deeper scope, as \
             type parameter of a local function",
            self.quote(span)
        );
        Diagnostic::error(Code::TooGeneral, span, message)
            .help("write the types of the outer variables that the function uses")
            .section(Section::ScopeViolation)
    }

    /// The diagnostic for a constructor that the type does not have.
    fn no_constructor(&self, constructor: Symbol, ty: &Type, at: Span, known: Span) -> Diagnostic {
        let known_type = self.unifier.head(ty);
        let unshared = match &known_type {
            Type::Sum(_) => format!("\nUnshared constructors: #{constructor}."),
            _ => String::new(),
        };
        let message = format!(
            "Cannot unify type with constructors `#{constructor}` with {}{unshared}",
            in_sentence(&self.show(ty), "type", "")
        );
        let mut diagnostic = Diagnostic::error(Code::UnknownConstructor, at, message);
        if let Type::Sum(constructors) = known_type {
            let names: Vec<String> = constructors.iter().map(|(name, _)| format!("`#{name}`")).collect();
            diagnostic = diagnostic.help(format!("its constructors are {}", enumerate(&names)));
        }
        if at != known {
            diagnostic = diagnostic.label(known, "the type is known from here");
        }
        diagnostic
    }

    /// The parameters of a function, quoted, that the sizes of its result mention.
    fn names_of_sizes(&self, function: &Type) -> Vec<String> {
        let ty = self.unifier.resolve(function);
        let named = ty.steps(usize::MAX).into_iter().filter_map(|step| step.name);
        named.filter_map(|id| self.names.get(&id).map(|name| format!("`{name}`"))).collect()
    }

    /// If the function that `expected` leaves to its result has a parameter whose sizes mention earlier parameters: its type.
    fn parameter_with_sizes(&self, expected: &Type, actual: &Type) -> Option<String> {
        let taken = self.unifier.resolve(expected).steps(usize::MAX).len();
        let actual = self.unifier.resolve(actual);
        let steps = actual.steps(usize::MAX);
        let named: Vec<_> = steps.iter().take(taken).filter_map(|step| step.name).collect();
        let late = steps.get(taken).filter(|step| named.iter().any(|&id| step.from.mentions(id)))?;
        Some(self.show(&Type::Function(Box::new(FunctionType::clone(late)))))
    }

    fn report_escape(&self, expected: &Type, actual: &Type, span: Span) -> Diagnostic {
        if let Type::Function(taker) = self.unifier.head(expected)
            && taker.name.is_some()
        {
            let message = "Causality check: the size of an argument is the one in front of it, so the function must say \
                           so of its parameters";
            return Diagnostic::error(Code::Causality, span, message)
                .caret("the second parameter has an arbitrary size here")
                .help("write the size with the parameter: `\\k (xs: [k]a) -> …`")
                .section(Section::CausalityCheck);
        }
        let names = self.names_of_sizes(actual);
        if let Type::Param(id) = self.unifier.head(self.unifier.resolve(expected).last_result())
            && self
                .unifier
                .constraints(id)
                .is_some_and(|constraints| constraints.class.liftedness() > Liftedness::Unlifted)
            && !names.is_empty()
        {
            let mut message =
                format!("Parameter(s) {} used as size(s) would go out of scope", names.join(", "));
            if let Some(parameter) = self.parameter_with_sizes(expected, actual) {
                message += &format!(
                    "\nExistential size would appear in function parameter of return type: {parameter}"
                );
            }
            return Diagnostic::error(Code::Causality, span, message)
                .caret("the type of this function's result cannot be written without them")
                .help(
                    "return a value of that size together with the result, or fix the size inside with `:>`",
                )
                .section(Section::UnifyParamExistential);
        }
        let message = "Causality check: Sizes of the results of different calls do not match\nThe existential size \
                       cannot be determined statically, but is needed before the function is called";
        Diagnostic::error(Code::Causality, span, message)
            .caret("the results of different calls may differ in size, so that an array of them is irregular")
            .help("make the function return values of one size, if necessary with `:>`")
            .section(Section::CausalityCheck)
    }
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

/// "a, b and c".
pub(crate) fn enumerate(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [words @ .., last] => format!("{} and {last}", words.join(", ")),
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
