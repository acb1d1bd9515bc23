//! Common mistakes, such as forms of other languages, recognised by the tokens around a syntax error.
//!
//! [`table`] lists them as data. This file matches them.

use ravel_prim::PrimType;

use crate::expected_tokens::ExpectedTokens;
use crate::foreign;
use crate::lexer::Lexeme;
use crate::token::Token;

mod table;

pub(crate) use table::END_OF_LET;

/// A mistake, with a hint that mends it.
///
/// A pattern is a list of words, each for one token, and each with alternatives that are separated by blanks: the
/// token's text, or a class of tokens (see [`Source::is_one_of`]). `~` before a word requires that the token stands
/// directly after the one before it. `^` requires that it is the first of its line. `…` stands for any number of
/// tokens with balanced brackets; `(…)`, `[…]` and `#[…]` stand for a bracket with its contents.
struct Mistake {
    /// The tokens before the error.
    before: &'static [&'static str],
    /// The token at the error and those after it. `…` and brackets with contents are not matched here.
    found: &'static [&'static str],
    expects: Expects,
    hint: &'static str,
    /// A program that contains the mistake.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the tests"))]
    example: &'static str,
}

/// What the parser expects at the error.
#[derive(Clone, Copy)]
enum Expects {
    Anything,
    Declaration,
    Operand,
    Operator,
    Type,
    /// A further parameter of a definition, or its `=`.
    Head,
    /// A name to bind.
    Name,
    /// The sign and the last element of a range.
    RangeEnd,
    /// This token.
    Token(&'static str),
}

impl Expects {
    fn holds(self, expected: &ExpectedTokens) -> bool {
        match self {
            Expects::Anything => true,
            Expects::Declaration => expected.is_declaration(),
            Expects::Operand => expected.has("if"),
            Expects::Operator => expected.has("|>…"),
            Expects::Type => expected.has("?") && !expected.has("if"),
            Expects::Head => expected.has("=") && expected.has("_"),
            Expects::Name => expected.names_something(),
            Expects::RangeEnd => expected.range_end(),
            Expects::Token(token) => expected.has(token),
        }
    }
}

/// How to mend the error at the lexeme `at`.
pub(crate) fn hint(
    text: &str,
    lexemes: &[Lexeme],
    at: usize,
    expected: &ExpectedTokens,
) -> Option<&'static str> {
    let source = Source { text, lexemes };
    let mistake = table::MISTAKES.iter().find(|mistake| {
        mistake.expects.holds(expected)
            && source.starts(at, mistake.found)
            && source.ends_before(at, mistake.before)
    });
    let foreign = || foreign::advice_for(source.slice(lexemes.get(at)?));
    mistake.map(|mistake| mistake.hint).or_else(foreign)
}

/// A text with its tokens.
#[derive(Clone, Copy)]
struct Source<'s> {
    text: &'s str,
    lexemes: &'s [Lexeme],
}

impl<'s> Source<'s> {
    fn slice(self, lexeme: &Lexeme) -> &'s str {
        &self.text[lexeme.start..lexeme.end]
    }

    /// Whether tokens of this pattern stand from the index `at` on.
    fn starts(self, at: usize, pattern: &[&str]) -> bool {
        pattern.iter().zip(at..).all(|(word, at)| self.is(at, word))
    }

    /// Whether tokens of this pattern end before the index `at`.
    fn ends_before(self, at: usize, pattern: &[&str]) -> bool {
        let Some((word, others)) = pattern.split_last() else { return true };
        match word.split_once('…') {
            Some(("", _)) => {
                let mut start = Some(at);
                while let Some(at) = start {
                    if self.ends_before(at, others) {
                        return true;
                    }
                    start = self.step_back(at);
                }
                false
            }
            Some((opener, closer)) => {
                let start = at.checked_sub(1).filter(|&last| self.is(last, closer));
                let start = start.and_then(|_| self.step_back(at)).filter(|&start| self.is(start, opener));
                start.is_some_and(|start| self.ends_before(start, others))
            }
            None => {
                let last = at.checked_sub(1).filter(|&last| self.is(last, word));
                last.is_some_and(|last| self.ends_before(last, others))
            }
        }
    }

    /// The index of the token before `at`; if that token is a closing bracket, the index of its opening bracket. `None`
    /// at the beginning of a bracket or of a declaration.
    fn step_back(self, at: usize) -> Option<usize> {
        let last = at.checked_sub(1)?;
        let mut open = 0_usize;
        for start in (0..=last).rev() {
            let lexeme = &self.lexemes[start];
            if lexeme.begins_declaration() {
                return None;
            }
            if lexeme.closes().is_some() {
                open += 1;
            } else if lexeme.opens().is_some() {
                open = open.checked_sub(1)?;
            }
            if open == 0 {
                return Some(start);
            }
        }
        None
    }

    /// Whether the token at this index fits the word of a pattern.
    fn is(self, at: usize, word: &str) -> bool {
        let start = self.lexemes.get(at).map_or(self.text.len(), |lexeme| lexeme.start);
        let end = at.checked_sub(1).and_then(|last| self.lexemes.get(last)).map_or(0, |last| last.end);
        let (stands_there, word) = match word.split_at(1) {
            (_, "") => (true, word),
            ("~", word) => (start == end, word),
            ("^", word) => (at == 0 || self.text[end..start].contains('\n'), word),
            _ => (true, word),
        };
        stands_there && word.split(' ').any(|alternative| self.is_one_of(at, alternative))
    }

    /// Whether the token at this index has this text or is of this class.
    fn is_one_of(self, at: usize, class: &str) -> bool {
        let Some(lexeme) = self.lexemes.get(at) else { return ["ANY", "END"].contains(&class) };
        let slice = self.slice(lexeme);
        match (class, &lexeme.token) {
            ("ANY", _) => true,
            ("END", _) => lexeme.begins_declaration(),
            ("COMMENT", _) => slice.starts_with("//") || slice.starts_with("/*"),
            ("NAME", Ok(token)) => matches!(token, Token::Name(_)),
            ("TYPE", Ok(Token::Name(_))) => {
                PrimType::from_name(slice).is_some() || foreign::type_name(slice).is_some()
            }
            ("NUMBER", Ok(token)) => matches!(token, Token::Natural(_)),
            ("FRACTION", Ok(token)) => matches!(token, Token::DotNumber(_)),
            ("KEYWORD", Ok(token)) => token.is_keyword() && !lexeme.begins_declaration(),
            _ => slice == class,
        }
    }
}

#[cfg(test)]
mod tests;
