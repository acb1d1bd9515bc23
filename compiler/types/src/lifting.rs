//! Advice for functions and operators applied to arrays where they take elements.
//!
//! Some languages lift functions to arrays implicitly. This one does not; the advice names the `map` to
//! write instead.

use ravel_base::Symbol;
use ravel_syntax::ast::QualName;

use crate::checker::Checker;
use crate::class::Class;
use crate::names::source_text;
use crate::report::in_sentence;
use crate::tast::Type;

impl Checker<'_> {
    /// Advice if the argument at index `wrong` is an array whose elements the function takes.
    pub(crate) fn lifted_application(
        &self,
        name: Option<&QualName>,
        params: &[Type],
        arguments: &[Type],
        wrong: usize,
    ) -> Option<String> {
        let depths: Vec<usize> = (arguments.iter().zip(params))
            .map(|(argument, param)| self.further_dimensions(argument, param).unwrap_or(0))
            .collect();
        let &depth = depths.get(wrong).filter(|&&depth| depth > 0)?;
        let (first, last) = depths.split_at(depths.len() - 1);
        let function = match name {
            Some(name) if arguments.len() == params.len() => as_argument(name),
            _ => return Some(use_map("a function")),
        };
        Some(match map_of(arguments.len()) {
            Some(map) if depths.iter().all(|&other| other == depth) => {
                apply_to_elements(map, depth, &function)
            }
            _ if first.iter().all(|&other| other == 0) && last == [depth] => {
                apply_to_elements("map", depth, &format!("({function} …)"))
            }
            _ => use_map("a function"),
        })
    }

    /// Advice if the operands are arrays whose elements are in the class that the operator takes.
    pub(crate) fn lifted_operator(&self, op: Symbol, class: Class, operands: &[&Type]) -> Option<String> {
        let depths: Vec<usize> =
            operands.iter().map(|ty| self.dimensions_of(ty, class)).collect::<Option<_>>()?;
        if let [left, right] = operands
            && !self.have_like_elements(left, right)
        {
            return None;
        }
        let &depth = depths.iter().max().filter(|&&depth| depth > 0)?;
        let is_even = depths.iter().all(|&other| other == depth);
        Some(match operands {
            _ if is_even && class.has_data() => return None,
            [_, _] if is_even => apply_to_elements("map2", depth, &format!("({op})")),
            _ => use_map("an operator"),
        })
    }

    /// Advice if the argument at index `wrong` is missing: the arguments from there on fit the parameters after that
    /// index.
    pub(crate) fn missing_argument(
        &self,
        params: &[Type],
        arguments: &[Type],
        wrong: usize,
    ) -> Option<String> {
        const ORDINALS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
        if arguments.len() >= params.len() {
            return None;
        }
        let has_shifted = arguments[wrong..]
            .iter()
            .zip(&params[wrong + 1..])
            .all(|(argument, param)| self.may_fit(argument, param));
        let missing = self.show(&params[wrong]);
        let kind = in_sentence(&missing, "it has type", "it is");
        has_shifted
            .then(|| format!("the {} argument is missing: {kind}", ORDINALS.get(wrong).unwrap_or(&"next")))
    }

    /// Whether the argument may be of the parameter's kind, as far as its type is known.
    fn may_fit(&self, argument: &Type, param: &Type) -> bool {
        let (argument, param) = (self.unifier.head(argument), self.unifier.head(param));
        match (&argument, &param) {
            (Type::Array(argument, _), Type::Array(param, _)) => self.may_fit(argument, param),
            (Type::Function(_), Type::Param(_)) => false,
            (_, Type::Param(id))
                if self.unifier.constraints(*id).is_some_and(|open| open.class.has_data()) =>
            {
                true
            }
            _ => self.are_of_one_kind(&argument, &param),
        }
    }

    /// Advice if the function takes a tuple at index `wrong`, and the arguments from there on are its components.
    pub(crate) fn untupled_arguments(
        &self,
        params: &[Type],
        arguments: &[Type],
        wrong: usize,
    ) -> Option<String> {
        let Type::Tuple(parts) = self.unifier.head(&params[wrong]) else { return None };
        let arguments = arguments.get(wrong..wrong + parts.len())?;
        let fits = arguments.iter().zip(&parts).all(|(argument, part)| self.may_fit(argument, part));
        fits.then(|| format!("the function takes a tuple of {} values here: `(x, …)`", parts.len()))
    }

    /// How many more dimensions the array has than `wanted`; `None` if the types of their elements differ.
    fn further_dimensions(&self, array: &Type, wanted: &Type) -> Option<usize> {
        let (array, wanted) = (self.unifier.resolve(array), self.unifier.resolve(wanted));
        let ((element, has), (other, needs)) = (element(&array), element(&wanted));
        let is_open = |ty: &Type| matches!(ty, Type::Prim(_) | Type::Param(_));
        let match_types = element == other || is_open(element) && self.are_of_one_kind(element, other);
        has.checked_sub(needs).filter(|_| match_types)
    }

    /// Whether the elements of two arrays, or an element and a scalar, may have one type.
    fn have_like_elements(&self, left: &Type, right: &Type) -> bool {
        let (left, right) = (self.unifier.resolve(left), self.unifier.resolve(right));
        self.are_of_one_kind(element(&left).0, element(&right).0)
    }

    /// The number of dimensions (0 for a scalar), if the elements are in the class, or may be.
    fn dimensions_of(&self, ty: &Type, class: Class) -> Option<usize> {
        let ty = self.unifier.resolve(ty);
        let (element, dimensions) = element(&ty);
        let fits = match element {
            Type::Prim(prim) => class.has(*prim),
            Type::Param(id) => {
                self.unifier.constraints(*id).is_some_and(|open| open.class.meet(class).is_some())
            }
            _ => false,
        };
        fits.then_some(dimensions)
    }
}

/// The element type of an array, and its number of dimensions.
fn element(ty: &Type) -> (&Type, usize) {
    let (mut element, mut dimensions) = (ty, 0);
    while let Type::Array(row, _) = element {
        (element, dimensions) = (row, dimensions + 1);
    }
    (element, dimensions)
}

/// The `map` that takes this many arrays.
fn map_of(arrays: usize) -> Option<&'static str> {
    ["map", "map2", "map3", "map4", "map5"].get(arrays.checked_sub(1)?).copied()
}

/// A function's name in the form that it has as an argument: an operator is in parentheses.
fn as_argument(name: &QualName) -> String {
    let is_word = name.name.as_str().starts_with(|c: char| c.is_alphabetic() || c == '_');
    if is_word { source_text(name) } else { format!("({})", source_text(name)) }
}

/// Advice with `depth` nested `map`s.
fn apply_to_elements(map: &str, depth: usize, function: &str) -> String {
    let inner = (1..depth).fold(function.to_owned(), |inner, _| format!("({map} {inner})"));
    format!("`{map} {inner}` applies it to each element")
}

/// Advice if the exact `map` is unclear.
fn use_map(what: &str) -> String {
    format!("to apply {what} to each element of an array, use `map`")
}
