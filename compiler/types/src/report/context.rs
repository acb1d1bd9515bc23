//! Contexts in which a type is expected, and their wording in messages.

use ravel_base::Symbol;

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
    /// The headline for the place with the source text `text`, whose type is `actual` and not `expected`.
    pub(super) fn headline(self, text: Symbol, expected: &str, actual: &str) -> Option<String> {
        Some(match self {
            Context::Argument(Some(name)) | Context::Operand(name) => {
                format!("Cannot apply `{name}` to `{text}` (invalid type)")
            }
            Context::Argument(None) => format!("Cannot apply function to `{text}` (invalid type)"),
            Context::Branch | Context::Case => "Branches differ in type".to_owned(),
            Context::Result => "Function body does not have expected type".to_owned(),
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
            Context::LoopInit => "Initial loop values do not have expected type".to_owned(),
            Context::LoopBody => "Loop body does not have expected type".to_owned(),
            Context::Condition | Context::Parameter => {
                format!("Expression must have type {}", unquoted(expected))
            }
            Context::Sequence => {
                let found = in_sentence(actual, "has type", "is");
                format!("Iteratee of a for-in loop must be an array, but expression {found}")
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

    /// The place, in words, where a function is not allowed.
    pub(super) fn place(self) -> &'static str {
        match self {
            Context::Branch => "type returned from branch",
            Context::Case => "type returned from pattern match",
            Context::LoopInit | Context::LoopBody => "a loop parameter",
            Context::Element => "an element of an array",
            Context::Argument(Some(_)) => "an instance of a type parameter",
            _ => "this value",
        }
    }

    /// The two types, as shown by `Checker::show`, on labelled and aligned lines.
    pub(super) fn aligned_types(self, expected: &str, actual: &str) -> String {
        match self {
            Context::Branch | Context::Case => {
                format!("Former: {}\nLatter: {}", unquoted(expected), unquoted(actual))
            }
            _ => aligned_types(expected, actual),
        }
    }
}

/// The expected and the actual type, as shown by `Checker::show`, on labelled and aligned lines.
pub(crate) fn aligned_types(expected: &str, actual: &str) -> String {
    format!("Expected: {}\nActual:   {}", unquoted(expected), unquoted(actual))
}

/// A type, as shown by `Checker::show`, without quotes.
fn unquoted(shown: &str) -> &str {
    // A description may end with a name in backquotes.
    shown.strip_prefix('`').and_then(|shown| shown.strip_suffix('`')).unwrap_or(shown)
}

/// A type, as shown by `Checker::show`, in a sentence: `shown` precedes a quoted type, and
/// `described` precedes a description.
pub(crate) fn in_sentence(actual: &str, shown: &str, described: &str) -> String {
    let before = if actual.starts_with('`') { shown } else { described };
    format!("{before} {actual}").trim_start().to_owned()
}
