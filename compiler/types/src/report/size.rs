//! Diagnostics for sizes that differ, and for sizes that are not known where they are needed.

use ravel_base::{Code, Diagnostic, Section, Span, Symbol};
use rustc_hash::FxHashMap;

use super::difference::differing_sizes;
use super::{Context, enumerate, type_mismatch};
use crate::checker::Checker;
use crate::show::UNKNOWN;
use crate::tast::{FunctionType, Liftedness, Size, Type, ValueId};
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

    /// The diagnostic for two types, given as text, that differ in `sizes`.
    pub(super) fn report_sizes(
        &self,
        (expected, actual): (String, String),
        sizes: [&Size; 2],
        names: &FxHashMap<ValueId, Symbol>,
        span: Span,
        context: Context,
    ) -> Diagnostic {
        let sizes = sizes.map(|size| self.unifier.size(size));
        let [a, b] = &sizes;
        let difference = match (self.show_size_with(a, names), self.show_size_with(b, names)) {
            (a, b) if a != UNKNOWN => format!("Sizes {a} and {b} do not match"),
            (a, b) => format!("Sizes {b} and {a} do not match"),
        };
        let contains = |part: &Size, whole: &Size| match part {
            Size::Var(id) if id.0 >= FLEXIBLE => whole.any(&mut |other| other == *id),
            _ => false,
        };
        let is_infinite = contains(a, b) || contains(b, a);
        let mut caret = context.caret(&actual);
        let mut diagnostic = type_mismatch(Code::SizeMismatch, (expected, actual), span, context);
        if is_infinite {
            diagnostic = diagnostic
                .note("Occurs check: cannot instantiate a size with one that contains it")
                .section(Section::OccursCheck);
        }
        diagnostic = diagnostic.note(difference);
        diagnostic.notes.extend(self.explain_size_names(&sizes, names));
        let known = match context {
            Context::LoopInit => "inside the loop body",
            _ => "when it is evaluated",
        };
        let mut origins: Vec<(Span, Vec<String>)> = Vec::new();
        for size in &sizes {
            let Size::Var(id) = size else { continue };
            let Some(&origin) = self.origins.get(id) else { continue };
            let name = names.get(id).map(|name| format!("`{name}`"));
            match origins.iter_mut().find(|(span, _)| *span == origin) {
                Some((_, names)) => names.extend(name),
                None => origins.push((origin, name.into_iter().collect())),
            }
        }
        for (origin, names) in origins {
            if origin == span {
                caret += ", whose size is known only when it is evaluated";
                continue;
            }
            let text = match &names[..] {
                [] => format!("the size of this is known only {known}"),
                [name] => format!("the size {name} of this is known only {known}"),
                names => format!("the sizes {} of this are known only {known}", enumerate(names)),
            };
            diagnostic = diagnostic.label(origin, text);
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
            _ => Some(
                "if they are equal whenever the program runs, write `:>`: it checks at run time that they are",
            ),
        };
        diagnostic.help = help.map(str::to_owned);
        diagnostic.caret(caret)
    }

    /// A note on the names in `names` that the program does not use, if they occur in the sizes.
    fn explain_size_names(&self, sizes: &[Size; 2], names: &FxHashMap<ValueId, Symbol>) -> Option<String> {
        let (mut unnamed, mut renamed) = (Vec::new(), None);
        for size in sizes {
            size.each_id(&mut |id| match (self.names.get(&id), names.get(&id)) {
                (None, Some(name)) => unnamed.push(format!("`{name}`")),
                (Some(name), Some(shown)) if name != shown => {
                    renamed = Some(format!("`{shown}` is another size of the name `{name}`"));
                }
                _ => {}
            });
        }
        unnamed.sort();
        unnamed.dedup();
        match &unnamed[..] {
            [] => renamed,
            [name] => Some(format!("{name} is a size that the program does not name")),
            unnamed => Some(format!("{} are sizes that the program does not name", enumerate(unnamed))),
        }
    }

    /// If both sizes mention the same parameter, adds a note: the parameter is not in scope outside its function.
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

    /// After the parameters of `expected` are applied, the type of the first remaining parameter whose sizes mention an
    /// applied one.
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
