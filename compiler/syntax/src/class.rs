//! The classes of tokens in a text, for syntax highlighting.

use std::ops::Range;

use logos::Logos;
use ravel_prim::PrimType;

use crate::token::Token;

/// The class of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A word of the language.
    Keyword,
    /// The name of a primitive type.
    Type,
    /// A number, a character, a string, or a truth value.
    Literal,
    /// A constructor.
    Constructor,
    /// A comment.
    Comment,
    /// Text that is not a token.
    Wrong,
}

/// The tokens of a text that have a class, in order, with their byte ranges.
pub fn classes(text: &str) -> Vec<(Range<usize>, Class)> {
    let tokens = Token::lexer(text).spanned();
    tokens.filter_map(|(token, range)| Some((range, of(token.as_ref().ok())?))).collect()
}

fn of(token: Option<&Token>) -> Option<Class> {
    use Token::{Character, Comment, Constructor, False, Float, Integer, Name, Natural, String, True};
    let Some(token) = token else { return Some(Class::Wrong) };
    match token {
        Comment => Some(Class::Comment),
        Constructor(_) => Some(Class::Constructor),
        True | False | Character(_) | Float(_) | Integer(_) | Natural(_) | String(_) => Some(Class::Literal),
        Name(name) if PrimType::ALL.iter().any(|prim| prim.name() == name.as_str()) => Some(Class::Type),
        token if token.is_keyword() => Some(Class::Keyword),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_their_classes() {
        let text = "def f (x: i32) = #some \"a\" -- why\n ü true";
        let found: Vec<_> = classes(text).into_iter().map(|(range, class)| (&text[range], class)).collect();
        let wanted = [
            ("def", Class::Keyword),
            ("i32", Class::Type),
            ("#some", Class::Constructor),
            ("\"a\"", Class::Literal),
            ("-- why", Class::Comment),
            ("ü", Class::Wrong),
            ("true", Class::Literal),
        ];
        assert_eq!(found, wanted);
    }
}
