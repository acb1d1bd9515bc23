//! Contexts in which a type is expected, and their wording in messages.

use ravel_base::{Diagnostic, Symbol};

/// The role of the expression, pattern or type at fault.
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
    /// A further case of a `match`.
    Case,
    /// The body of a function with a written result type.
    Result,
    /// An expression with an ascribed type.
    Ascription,
    /// The type ascribed to a pattern, with the pattern's text.
    PatternType(Symbol),
    /// A pattern for a value.
    Pattern,
    /// A pattern for a value with an ascribed type.
    AscribedPattern,
    /// A further element of an array.
    Element,
    /// A tuning parameter.
    Parameter,
    /// An index or a bound of a slice.
    Index,
    /// The indexed value.
    Indexed,
    /// The new value in the update of an array.
    Update,
    /// The new value of a record field, with the field's text.
    FieldUpdate(Symbol),
    /// The initial values of a loop's parameters.
    LoopInit,
    /// The result of the body of a loop.
    LoopBody,
    /// A bound of a loop or a range.
    Bound,
    /// The array of a `for … in`.
    Sequence,
    /// An argument of a type.
    TypeArgument,
}

impl Context {
    /// The headline if the thing at fault has the wrong `what`: its type or its size. `expected` is the type that it
    /// should have.
    pub(super) fn headline(self, what: &str, expected: &str) -> String {
        match self {
            Context::Argument(Some(name)) => format!("Argument of `{name}` has the wrong {what}"),
            Context::Argument(None) => format!("Argument of the function has the wrong {what}"),
            Context::Operand(op) => format!("Operand of `{op}` has the wrong {what}"),
            Context::Condition => format!("Condition must have type {}", bare(expected)),
            Context::Branch | Context::Case => "Branches differ in type".to_owned(),
            Context::Result => "Function body does not have expected type".to_owned(),
            Context::Ascription => format!("Expression does not have the {what} written for it"),
            Context::PatternType(_) | Context::Pattern => {
                format!("Pattern does not match the {what} of the value")
            }
            Context::AscribedPattern => format!("Pattern does not match the {what} written for it"),
            Context::Element => format!("Elements of the array differ in {what}"),
            Context::Parameter => format!("Tuning parameter must have type {}", bare(expected)),
            Context::Index => "Index has the wrong type".to_owned(),
            Context::Indexed => "Indexed value is not an array".to_owned(),
            Context::Update => format!("New value has the wrong {what} for this place"),
            Context::FieldUpdate(field) => format!("New value of field `{field}` has the wrong {what}"),
            Context::LoopInit => "Initial loop values do not have expected type".to_owned(),
            Context::LoopBody => "Loop body does not have expected type".to_owned(),
            Context::Bound => "Bound has the wrong type".to_owned(),
            Context::Sequence => "A loop `for … in` needs an array".to_owned(),
            Context::TypeArgument => format!("Type argument has the wrong {what}"),
        }
    }

    /// How Futhark's compiler calls the error, if it has words for this context. `text` is the source text of the place.
    pub(super) fn reference(self, text: Symbol, expected: &str, actual: &str) -> Option<String> {
        Some(match self {
            Context::Argument(Some(name)) | Context::Operand(name) => {
                format!("Cannot apply `{name}` to `{text}` (invalid type)")
            }
            Context::Argument(None) => format!("Cannot apply function to `{text}` (invalid type)"),
            Context::Ascription => "Expression does not have expected type from type ascription".to_owned(),
            Context::PatternType(pattern) => {
                format!("Pattern `{pattern}` cannot match {}", in_sentence(actual, "value of type", ""))
            }
            Context::Pattern => {
                format!("Pattern `{text}` cannot match {}", in_sentence(expected, "value of type", ""))
            }
            Context::AscribedPattern => {
                format!(
                    "Pattern `{text}` cannot match {}",
                    in_sentence(expected, "ascribed type", "ascribed")
                )
            }
            Context::FieldUpdate(field) => format!("Type mismatch when updating record field `{field}`"),
            Context::Condition | Context::Parameter => {
                format!("Expression must have type {}", bare(expected))
            }
            Context::Sequence => {
                let found = in_sentence(actual, "has type", "is");
                format!("Iteratee of a for-in loop must be an array, but expression {found}")
            }
            Context::Branch | Context::Case | Context::Result | Context::LoopInit | Context::LoopBody => {
                self.headline("type", expected)
            }
            Context::Element
            | Context::Index
            | Context::Indexed
            | Context::Update
            | Context::Bound
            | Context::TypeArgument => return None,
        })
    }

    /// The text at the caret. `actual` is a type as shown by `Checker::show`.
    pub(super) fn caret(self, actual: &str) -> String {
        let kind = in_sentence(actual, "has type", "is");
        let value = in_sentence(actual, "a value of type", "");
        match self {
            Context::Argument(Some(name)) => format!("this argument of `{name}` {kind}"),
            Context::Argument(None) => format!("this argument {kind}"),
            Context::Operand(op) => format!("this operand of `{op}` {kind}"),
            Context::Condition => format!("this condition {kind}"),
            Context::Branch | Context::Case => format!("this branch {kind}"),
            Context::Result => format!("the function returns {value}"),
            Context::Ascription | Context::PatternType(_) => format!("this type is written for {value}"),
            Context::Pattern | Context::AscribedPattern => format!("this pattern matches {value}"),
            Context::Element => format!("this element {kind}"),
            Context::Parameter => format!("this tuning parameter {kind}"),
            Context::Index => format!("this index {kind}"),
            Context::Indexed => format!("this {kind}"),
            Context::Update | Context::FieldUpdate(_) => format!("the new value {kind}"),
            Context::LoopInit => format!("the loop starts with {value}"),
            Context::LoopBody => format!("the loop body returns {value}"),
            Context::Bound => format!("this bound {kind}"),
            Context::Sequence => format!("the loop iterates over {value}"),
            Context::TypeArgument => format!("this argument {}", in_sentence(actual, "is", "is")),
        }
    }

    /// The place, in the words of Futhark's compiler, where a function is not allowed.
    pub(super) fn place(self) -> &'static str {
        match self {
            Context::Branch => "type returned from branch",
            Context::Case => "type returned from pattern match",
            Context::LoopInit | Context::LoopBody => "a value used as loop variable",
            Context::Element => "an element of an array",
            Context::Argument(Some(_)) => "an instance of a type parameter",
            _ => "this value",
        }
    }

    /// The headline for a function where none is allowed.
    pub(super) fn headline_of_function(self) -> String {
        match self {
            Context::Branch | Context::Case => "Branches may not return functions".to_owned(),
            Context::LoopInit | Context::LoopBody => "A loop parameter may not be a function".to_owned(),
            Context::Element => "Elements of an array may not be functions".to_owned(),
            Context::Argument(Some(name)) => {
                format!("A type parameter of `{name}` may not stand for a function")
            }
            _ => "This value may not be a function".to_owned(),
        }
    }

    /// Adds the two types to a diagnostic, on lines of their own.
    pub(super) fn types(self, diagnostic: Diagnostic, expected: &str, actual: &str) -> Diagnostic {
        match self {
            Context::Branch | Context::Case => diagnostic.fact("Former", expected).fact("Latter", actual),
            _ => diagnostic.types(expected, actual),
        }
    }
}

/// A type, as shown by `Checker::show`, without quotes.
fn bare(shown: &str) -> &str {
    // A description may end with a name in backquotes.
    shown.strip_prefix('`').and_then(|shown| shown.strip_suffix('`')).unwrap_or(shown)
}

/// A type, as shown by `Checker::show`, in a sentence: `shown` precedes a quoted type, and
/// `described` precedes a description.
pub(crate) fn in_sentence(actual: &str, shown: &str, described: &str) -> String {
    let before = if actual.starts_with('`') { shown } else { described };
    format!("{before} {actual}").trim_start().to_owned()
}
