//! Places of a program where a type is expected, in the words of messages.

use ravel_base::Symbol;

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
    /// A tuning parameter.
    Parameter,
    /// An index or a bound of a slice.
    Index,
    /// The indexed value.
    Indexed,
    /// What is put into an array.
    Update,
    /// What is put into a field of a record, which is written so.
    FieldUpdate(Symbol),
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
    pub(super) fn claim(self, text: Symbol, expected: &str, actual: &str) -> Option<String> {
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
            Context::FieldUpdate(field) => format!("Type mismatch when updating record field `{field}`"),
            Context::LoopInit => "Initial loop values do not have expected type".to_owned(),
            Context::LoopBody => "Loop body does not have expected type".to_owned(),
            Context::Condition | Context::Parameter => {
                format!("Expression must have type {}", bare(expected))
            }
            Context::Sequence => {
                let found = is(actual, "has type", "is");
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

    /// What to see at the caret, of a type in the words of [`Checker::show`].
    pub(super) fn caret(self, actual: &str) -> String {
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
            Context::Parameter => format!("this tuning parameter {kind}"),
            Context::Index => format!("this index {kind}"),
            Context::Indexed => format!("this {kind}"),
            Context::Update | Context::FieldUpdate(_) => format!("the new value {kind}"),
            Context::LoopInit => format!("the loop starts with {value}"),
            Context::LoopBody => format!("a round of the loop gives {value}"),
            Context::Bound => format!("this bound {kind}"),
            Context::Sequence => format!("the loop goes through {value}"),
            Context::TypeArgument => format!("this argument {}", is(actual, "is", "is")),
        }
    }

    /// What may be no function here.
    pub(super) fn place(self) -> &'static str {
        match self {
            Context::Branch => "what a branch gives",
            Context::LoopInit | Context::LoopBody => "a loop parameter",
            Context::Element => "an element of an array",
            Context::Argument(Some(_)) => "what a type parameter stands for",
            _ => "what stands here",
        }
    }

    /// The two types in the words of [`Checker::show`], distinguished.
    pub(super) fn contrast(self, expected: &str, actual: &str) -> String {
        let (first, second) = match self {
            Context::Branch => ("Former", "Latter"),
            _ => ("Expected", "Actual"),
        };
        format!("{first}: {}. {second}: {}", bare(expected), bare(actual))
    }
}

/// A type in the words of [`Checker::show`] in a list.
fn bare(shown: &str) -> &str {
    // A description may end with a name in backquotes.
    shown.strip_prefix('`').and_then(|shown| shown.strip_suffix('`')).unwrap_or(shown)
}

/// A type in the words of [`Checker::show`] in a sentence: `shown` goes before a type, and
/// `described` before a description.
pub(crate) fn is(actual: &str, shown: &str, described: &str) -> String {
    let before = if actual.starts_with('`') { shown } else { described };
    format!("{before} {actual}").trim_start().to_owned()
}
