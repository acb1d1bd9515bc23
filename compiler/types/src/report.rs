//! Types that do not go together, told to the user.

use ravel_base::{Code, Diagnostic, Kind, Span, Symbol};
use ravel_prim::PrimType;

use crate::checker::Checker;
use crate::class::Class;
use crate::composite::component;
use crate::show::{UNKNOWN, describe_function, signature};
use crate::tast::{Exp, Liftedness, Size, Type, TypeParamId};
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
    /// What a type is written for in a pattern, which is written so.
    PatternType(Symbol),
    /// What a pattern takes apart.
    Pattern,
    /// What a pattern takes apart, as its type is written.
    AscribedPattern,
    /// A further element of an array.
    Element,
    /// An index or a bound of a slice.
    Index,
    /// The indexed value.
    Indexed,
    /// What is put into an array.
    Update,
    /// What is put into a record.
    FieldUpdate,
    /// The first values of a loop's parameters.
    LoopInit,
    /// The result of one round of a loop.
    LoopBody,
    /// A bound of a loop or a range.
    Bound,
    /// What a `for … in` goes through.
    Sequence,
    /// An argument of a type.
    TypeArgument,
}

impl Context {
    /// What is wrong at the place where `text` stands, which is `actual` and not `expected`.
    fn claim(self, text: Symbol, expected: &str, actual: &str) -> Option<String> {
        Some(match self {
            Context::Argument(Some(name)) | Context::Operand(name) => {
                format!("Cannot apply `{name}` to `{text}` (invalid type)")
            }
            Context::Argument(None) => format!("Cannot apply function to `{text}` (invalid type)"),
            Context::Branch => "Branches differ in type".to_owned(),
            Context::Result => "Function body does not have expected type".to_owned(),
            Context::Ascription => "Expression does not have expected type from type ascription".to_owned(),
            Context::PatternType(pattern) => {
                format!("Pattern `{pattern}` cannot match {}", is(actual, "value of type", ""))
            }
            Context::Pattern => {
                format!("Pattern `{text}` cannot match {}", is(expected, "value of type", ""))
            }
            Context::AscribedPattern => {
                format!("Pattern `{text}` cannot match {}", is(expected, "ascribed type", "ascribed"))
            }
            Context::FieldUpdate => "Type mismatch when updating record field".to_owned(),
            Context::LoopInit => "Initial loop values do not have expected type".to_owned(),
            Context::LoopBody => "Loop body does not have expected type".to_owned(),
            Context::Condition
            | Context::Element
            | Context::Index
            | Context::Indexed
            | Context::Update
            | Context::Bound
            | Context::Sequence
            | Context::TypeArgument => return None,
        })
    }

    /// What to see at the caret, of a type in the words of [`Checker::show`].
    fn caret(self, actual: &str) -> String {
        let kind = is(actual, "has type", "is");
        let value = is(actual, "a value of type", "");
        match self {
            Context::Argument(Some(name)) => format!("this argument of `{name}` {kind}"),
            Context::Argument(None) => format!("this argument {kind}"),
            Context::Operand(op) => format!("this operand of `{op}` {kind}"),
            Context::Condition => format!("this condition {kind}"),
            Context::Branch => format!("this branch {kind}"),
            Context::Result => format!("the function returns {value}"),
            Context::Ascription | Context::PatternType(_) => format!("this type is written for {value}"),
            Context::Pattern | Context::AscribedPattern => format!("this pattern takes {value}"),
            Context::Element => format!("this element {kind}"),
            Context::Index => format!("this index {kind}"),
            Context::Indexed => format!("this {kind}"),
            Context::Update | Context::FieldUpdate => format!("the new value {kind}"),
            Context::LoopInit => format!("the loop starts with {value}"),
            Context::LoopBody => format!("a round of the loop gives {value}"),
            Context::Bound => format!("this bound {kind}"),
            Context::Sequence => format!("the loop goes through {value}"),
            Context::TypeArgument => format!("this argument {}", is(actual, "is", "is")),
        }
    }

    /// The two types in the words of [`Checker::show`], told apart.
    fn contrast(self, expected: &str, actual: &str) -> String {
        let (first, second) = match self {
            Context::Branch => ("Former", "Latter"),
            _ => ("Expected", "Actual"),
        };
        format!("{first}: {}. {second}: {}", bare(expected), bare(actual))
    }
}

/// A type in the words of [`Checker::show`] in a list.
fn bare(shown: &str) -> &str {
    shown.trim_matches('`')
}

/// A type in the words of [`Checker::show`] in a sentence: `shown` goes before a type, and
/// `described` before a description.
pub(crate) fn is(actual: &str, shown: &str, described: &str) -> String {
    let before = if actual.starts_with('`') { shown } else { described };
    format!("{before} {actual}").trim_start().to_owned()
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
                let shown = self.show(&exp.ty);
                let message = match class {
                    Class::EQUALITY => format!(
                        "Comparing equality of {}, which does not support equality",
                        is(&shown, "values of type", "")
                    ),
                    _ => {
                        let claim = self.claim(context, exp.span, class.describe(), &shown);
                        let contrast = context.contrast(class.describe(), &shown);
                        format!("{claim}Cannot unify types that do not match. {contrast}")
                    }
                };
                let code = match context {
                    Context::Operand(_) => Code::BadOperand,
                    _ => Code::TypeMismatch,
                };
                let caret = context.caret(&shown) + &must_be(class, "but");
                let mut diagnostic = Diagnostic::error(code, exp.span, message).caret(caret);
                diagnostic.help =
                    self.promise(&exp.ty).or_else(|| match (context, self.unifier.head(&exp.ty)) {
                        (Context::Operand(_), Type::Function(_)) => Some(
                            "an operator that is an argument stands in parentheses: `(+)`, `(+ 1)`"
                                .to_owned(),
                        ),
                        _ => None,
                    });
                self.diagnostics.push(diagnostic);
                false
            }
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
        let advice = self
            .advice(expected, actual, mismatch, context)
            .or_else(|| differing_part(&self.unifier.resolve(expected), &self.unifier.resolve(actual)));
        let whole = self.show_both(expected, actual);
        let claim = self.claim(context, span, &whole.0, &whole.1);
        let mut caret = context.caret(&whole.1);
        if let Mismatch::Class(class, _) = mismatch {
            let is_open = |ty: &Type| matches!(self.unifier.head(ty), Type::Param(id) if id.0 >= FLEXIBLE);
            match (is_open(expected), is_open(actual)) {
                (_, true) => caret += &must_be(*class, "which"),
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
            Mismatch::Sizes(a, b) => self.report_sizes(whole, [a, b], span, context),
            Mismatch::Infinite => Diagnostic::error(
                Code::InfiniteType,
                span,
                "Occurs check: cannot instantiate the type of this expression with one that contains it",
            ),
            Mismatch::NoField(field, ty, at) => {
                self.no_field(*field, ty, *at, span);
                return;
            }
            Mismatch::NoConstructor(constructor, ty, at) => {
                self.no_constructor(*constructor, ty, *at, span, &claim);
                return;
            }
            Mismatch::Payload { constructor, expected, found, span: at } => {
                let found = if *found == 1 { "one is".to_owned() } else { format!("{found} are") };
                let message = format!(
                    "Cannot unify types of constructor `#{constructor}`, because they differ in arity: it has {}, \
                     but {found} written here",
                    payloads(*expected)
                );
                let diagnostic = Diagnostic::error(Code::TypeMismatch, *at, message);
                self.diagnostics.push(diagnostic.caret("this constructor"));
                return;
            }
            Mismatch::Escape => self.report_escape(expected, span),
            Mismatch::Consumes => {
                let what = match context {
                    Context::Argument(_) => "this argument of functional type",
                    _ => "this function",
                };
                let message = format!(
                    "Parameters are incompatible regarding consuming their arguments: {what} contains \
                     consumption, but one without is expected"
                );
                let help = "let the function take a `copy`, or mark with `*` what is expected to consume";
                Diagnostic::error(Code::NotConsumable, span, message)
                    .caret(is(&whole.1, "its type is", "it is"))
                    .help(help)
            }
            Mismatch::Scope(param) => self.report_scope(*param, span),
        };
        let mut diagnostic = if diagnostic.caret.is_empty() { diagnostic.caret(caret) } else { diagnostic };
        diagnostic.help = diagnostic.help.or(advice);
        if let Kind::Error(Code::TypeMismatch | Code::TooGeneral | Code::SizeMismatch | Code::InfiniteType) =
            diagnostic.kind
            && !matches!(mismatch, Mismatch::Scope(_))
        {
            diagnostic = diagnostic.preceded(&claim);
        }
        self.diagnostics.push(diagnostic);
    }

    /// What is wrong with the place, as a sentence to begin a message with.
    fn claim(&self, context: Context, span: Span, expected: &str, actual: &str) -> String {
        let claim = context.claim(self.quote(span), expected, actual);
        claim.map_or_else(String::new, |claim| claim + ". ")
    }

    /// A function, or what may be one, where there may be none.
    fn report_function(&self, ty: &Type, span: Span, context: Context) -> Diagnostic {
        let shown = self.show(ty);
        let what = match ty {
            Type::Param(_) if shown.starts_with('`') => {
                format!(
                    "Type parameter {shown} is lifted and cannot be an array element: it is lifted and may be a \
                     functional type"
                )
            }
            _ if shown.starts_with('`') => format!("Type {shown} found to be functional"),
            _ => format!("Value found to be functional ({shown})"),
        };
        let message = match context {
            Context::Element => format!(
                "Cannot create array with elements of {} (might contain function): {what}",
                is(&shown, "lifted type", "")
            ),
            Context::Argument(Some(name)) => {
                format!(
                    "{what}, but no function may stand here. When instantiating type parameter of `{name}`"
                )
            }
            _ => format!("{what}, but no function may stand here"),
        };
        let help = "arrays, branches, loops and type parameters `'a` hold no functions";
        Diagnostic::error(Code::BadFunctionUse, span, message).help(help)
    }

    /// A type whose values may differ in size, for elements of an array.
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
            "make the size a parameter of the type; a type parameter `'a` stands for no such type either",
        )
    }

    /// The two types; of functions that differ in the number of their arguments, that number.
    fn show_both(&self, expected: &Type, actual: &Type) -> (String, String) {
        let count = |ty: &Type| signature(&self.unifier.resolve(ty)).0.len();
        match (count(expected), count(actual)) {
            (a, b) if a > 0 && b > 0 && a != b => (describe_function(a), describe_function(b)),
            _ => self.show_together([expected, actual]).into(),
        }
    }

    fn report_types(
        &self,
        whole: (String, String),
        core: [Option<&Type>; 2],
        span: Span,
        context: Context,
    ) -> Diagnostic {
        // Where too little is known of the whole types to tell them apart, their parts may tell.
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
        let contrast = context.contrast(&expected, &actual);
        let message = format!("Cannot unify types that do not match. {contrast}");
        let mut diagnostic = Diagnostic::error(code, span, message);
        diagnostic.help = promise.or(hidden).or(unshared);
        diagnostic
    }

    /// What a definition promises with a type parameter of its own.
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
        let message = match contains(a, b) || contains(b, a) {
            true => format!("Occurs check: cannot instantiate a size with one that contains it. {message}"),
            false => message,
        };
        let (expected, actual) = whole;
        let mut caret = match expected == actual {
            true => "this may have another size".to_owned(),
            false => context.contrast(&expected, &actual),
        };
        let here = if expected == actual { ", known" } else { ", of unknown size, known" };
        let mut diagnostic = Diagnostic::error(Code::SizeMismatch, span, message);
        for size in &sizes {
            match size {
                Size::Var(id) if let Some(&origin) = self.origins.get(id) => {
                    if origin == span {
                        caret += &format!("{here} only when it is evaluated");
                    } else {
                        diagnostic = diagnostic
                            .label(origin, "this has an unknown size, known only when it is evaluated");
                    }
                }
                _ => {}
            }
        }
        let constant = sizes.iter().all(|size| matches!(size, Size::Const(_)));
        let help = match context {
            Context::Element if constant => Some("the rows of an array have one size"),
            _ if constant => None,
            _ => Some("if they are equal whenever the program runs, say so with `:>`, which checks it then"),
        };
        diagnostic.help = help.map(str::to_owned);
        diagnostic.caret(caret)
    }

    /// Reports a field that a value does not have. `known` is where its type becomes known.
    pub(crate) fn no_field(&mut self, field: Symbol, ty: &Type, at: Span, known: Span) {
        let what = if component(field).is_some() { "component" } else { "field" };
        let message = format!(
            "Attempt to access {what} `{field}` of {}, which has no such {what} (Cannot unify record type with \
             fields `{field}`)",
            is(&self.show(ty), "value of type", "")
        );
        let mut diagnostic = Diagnostic::error(Code::UnknownField, at, message);
        diagnostic.help = fields(&self.unifier.resolve(ty));
        if at != known {
            diagnostic = diagnostic.label(known, "its type is known from here");
        }
        self.diagnostics.push(diagnostic);
    }

    fn report_scope(&self, param: TypeParamId, span: Span) -> Diagnostic {
        let param = self.show(&Type::Param(param));
        let message = format!(
            "Cannot unify types (scope violation): {param} is rigidly bound in a deeper scope, as type parameter of a local function"
        );
        Diagnostic::error(Code::TooGeneral, span, message)
            .help("write the types of what the function uses from outside")
    }

    /// Reports a constructor that a type does not have.
    fn no_constructor(&mut self, constructor: Symbol, ty: &Type, at: Span, known: Span, claim: &str) {
        let known_type = self.unifier.head(ty);
        let unshared = match &known_type {
            Type::Sum(_) => format!(". Unshared constructors: #{constructor}"),
            _ => String::new(),
        };
        let message = format!(
            "{claim}Cannot unify type with constructors `#{constructor}` with {}{unshared}",
            is(&self.show(ty), "type", "")
        );
        let mut diagnostic = Diagnostic::error(Code::UnknownConstructor, at, message);
        if let Type::Sum(constructors) = known_type {
            let names: Vec<String> = constructors.iter().map(|(name, _)| format!("`#{name}`")).collect();
            diagnostic = diagnostic.help(format!("its constructors are {}", enumerate(&names)));
        }
        if at != known {
            diagnostic = diagnostic.label(known, "the type is known from here");
        }
        self.diagnostics.push(diagnostic);
    }

    fn report_escape(&self, expected: &Type, span: Span) -> Diagnostic {
        if let Type::Function(taker) = self.unifier.head(expected)
            && taker.name.is_some()
        {
            let message = "Causality check: the size of an argument is the one in front of it, so the function must say \
                           so of its parameters";
            return Diagnostic::error(Code::Causality, span, message)
                .caret("the parameter behind the first one has any size here")
                .help("write the size with the parameter: `\\k (xs: [k]a) -> …`");
        }
        let message = "Causality check: Sizes of the results of different calls do not match: the existential size \
                       cannot be determined statically, but is needed before the function is called";
        Diagnostic::error(Code::Causality, span, message)
            .caret("the results of different calls may differ in size, so that an array of them is irregular")
            .help("let the function return values of one size, with `:>` if need be")
    }
}

/// What to know of an abstract type.
fn hidden_type(ty: &Type) -> Option<String> {
    match ty {
        Type::Abstract(named) => Some(format!(
            "Type `{}` is abstract: what it stands for is known inside its module alone",
            named.name
        )),
        _ => None,
    }
}

/// Which fields or constructors only one of two types has.
fn unshared(a: &Type, b: &Type) -> Option<String> {
    let differing = |a: &[Symbol], b: &[Symbol], sigil: &str| {
        let only = |these: &[Symbol], others: &[Symbol]| {
            let missing = these.iter().filter(|name| !others.contains(name));
            missing.map(|name| format!("{sigil}{name}")).collect::<Vec<_>>()
        };
        [only(a, b), only(b, a)].concat()
    };
    let (what, names) = match (a, b) {
        (Type::Record(a), Type::Record(b)) => {
            let [a, b] = [a, b].map(|fields| fields.iter().map(|(name, _)| *name).collect::<Vec<_>>());
            ("unshared fields", differing(&a, &b, ""))
        }
        (Type::Sum(a), Type::Sum(b)) => {
            let [a, b] = [a, b].map(|sum| sum.iter().map(|(name, _)| *name).collect::<Vec<_>>());
            ("Unshared constructors", differing(&a, &b, "#"))
        }
        (Type::Tuple(a), Type::Tuple(b)) if a.len() != b.len() => {
            return Some(format!("Tuples have {} and {} elements respectively", a.len(), b.len()));
        }
        _ => return None,
    };
    (!names.is_empty()).then(|| format!("{what}: {}", names.join(", ")))
}

/// Which field or constructor of two types of one form differs.
fn differing_part(a: &Type, b: &Type) -> Option<String> {
    let differing = match (a, b) {
        (Type::Record(a), Type::Record(b)) => {
            let mut pairs = a.iter().zip(b).filter(|(a, b)| a.1 != b.1);
            pairs.next().map(|(field, _)| format!("record field \"{}\"", field.0))
        }
        (Type::Sum(a), Type::Sum(b)) => {
            let mut pairs = a.iter().zip(b).filter(|(a, b)| a.1 != b.1);
            pairs.next().map(|(constructor, _)| format!("constructor \"{}\"", constructor.0))
        }
        _ => None,
    };
    differing.filter(|_| a.has_form_of(b)).map(|part| format!("When matching types of {part}"))
}

/// ", but must be one of i32, i64", if the class holds nothing else.
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

/// Which fields a record has, or components a tuple.
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
