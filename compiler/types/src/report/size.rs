//! Diagnostics for sizes that differ, and for sizes that are not known where they are needed.

use ravel_base::{Code, Diagnostic, Section, Span};

use super::difference::differing_sizes;
use super::{Context, mismatched};
use crate::checker::Checker;
use crate::show::UNKNOWN;
use crate::tast::{FunctionType, Liftedness, Size, Type};
use crate::unify::FLEXIBLE;

impl Checker<'_> {
    /// Names two sizes that differ, beside the element types.
    pub(super) fn differing_sizes(&self, expected: &Type, actual: &Type) -> Option<String> {
        let [a, b] = differing_sizes(&self.unifier.resolve(expected), &self.unifier.resolve(actual))?;
        self.named_sizes_differ(&a, &b)
    }

    /// Says that two sizes differ, if both have names and these tell them apart.
    pub(crate) fn named_sizes_differ(&self, a: &Size, b: &Size) -> Option<String> {
        let [a, b] = [a, b].map(|size| self.show_size(size));
        (a != b && a != UNKNOWN && b != UNKNOWN).then(|| format!("Sizes {a} and {b} do not match"))
    }

    pub(super) fn report_sizes(
        &self,
        whole: (String, String),
        sizes: [&Size; 2],
        span: Span,
        context: Context,
    ) -> Diagnostic {
        let sizes = sizes.map(|size| self.unifier.size(size));
        let [a, b] = &sizes;
        let difference = match (self.show_size(a), self.show_size(b)) {
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
        let (expected, actual) = whole;
        let reads_alike = expected == actual;
        let (mut caret, here) = match reads_alike {
            true => ("this may have another size".to_owned(), ", known"),
            false => (context.caret(&actual), ", of unknown size, known"),
        };
        let mut diagnostic = match reads_alike {
            true => Diagnostic::error(Code::SizeMismatch, span, context.headline("size", &expected)),
            false => mismatched(Code::SizeMismatch, (expected, actual), span, context),
        };
        if is_infinite {
            diagnostic = diagnostic
                .note("Occurs check: cannot instantiate a size with one that contains it")
                .section(Section::OccursCheck);
        }
        diagnostic = diagnostic.note(difference);
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
    pub(super) fn with_scope_violation(
        &self,
        diagnostic: Diagnostic,
        sizes: [&Size; 2],
        function: &Type,
    ) -> Diagnostic {
        let function = self.unifier.resolve(function);
        let [a, b] = sizes.map(|size| self.unifier.size(size));
        let own = function.steps(usize::MAX).into_iter().filter_map(|step| step.name);
        let shared = own.into_iter().find(|&id| [&a, &b].iter().all(|size| size.any(&mut |var| var == id)));
        match shared.and_then(|id| self.names.get(&id)) {
            Some(name) => diagnostic.note(format!(
                "`{name}` is rigidly bound in a deeper scope, as a parameter (scope violation)"
            )),
            None => diagnostic,
        }
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

    pub(super) fn report_escape(&self, expected: &Type, actual: &Type, span: Span) -> Diagnostic {
        if let Type::Function(taker) = self.unifier.head(expected)
            && taker.name.is_some()
        {
            let message = "The function must name the size of its parameter";
            return Diagnostic::error(Code::Causality, span, message)
                .caret("the second parameter has an arbitrary size here")
                .note(
                    "Causality check: the size of an argument is the one in front of it, so the function must say so of \
                     its parameters",
                )
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
            let message = "Size of the result is not known where the function is used";
            let escaping = format!("Parameter(s) {} used as size(s) would go out of scope", names.join(", "));
            let error = Diagnostic::error(Code::Causality, span, message)
                .caret("the type of this function's result cannot be written without them")
                .note(escaping)
                .help(
                    "return a value of that size together with the result, or fix the size inside with `:>`",
                );
            return match self.parameter_with_sizes(expected, actual) {
                Some(parameter) => error
                    .note(format!(
                        "Existential size would appear in function parameter of return type: {parameter}"
                    ))
                    .section(Section::ExistentialParamRet),
                None => error,
            };
        }
        Diagnostic::error(Code::Causality, span, "Results of different calls may differ in size")
            .caret("the results of different calls may differ in size, so that an array of them is irregular")
            .note("Causality check: Sizes of the results of different calls do not match")
            .note(
                "The existential size cannot be determined statically, but is needed before the function is called",
            )
            .help("make the function return values of one size, if necessary with `:>`")
            .section(Section::CausalityCheck)
    }
}
