//! Diagnostics of syntax errors: the token found, and the tokens expected. Hints come from [`mistake`].

use lalrpop_util::ParseError;
use ravel_base::{Code, Diagnostic, NESTING_LIMIT};

use crate::actions::Context;
use crate::expected_tokens::ExpectedTokens;
use crate::foreign::{self, LAMBDA};
use crate::lexer::Lexeme;
use crate::mistake::{self, END_OF_LET};
use crate::token::{LexError, Token};

type Error = ParseError<usize, Token, Box<Diagnostic>>;

/// The error for text that is not a token.
pub(crate) fn bad_token(cx: &Context, text: &str, lexeme: &Lexeme, error: &LexError) -> Diagnostic {
    let span = cx.span(lexeme.start, lexeme.end);
    let slice = shorten(&text[lexeme.start..lexeme.end]);
    match error {
        LexError::BadToken if slice == "'" => {
            Diagnostic::error(Code::BadToken, span, "This character literal is not closed")
        }
        LexError::BadToken => {
            let message =
                format!("Invalid lexical syntax: `{}` is not part of the language", slice.escape_debug());
            Diagnostic::error(Code::BadToken, span, message)
        }
        LexError::BadLiteral(why) => Diagnostic::error(Code::BadLiteral, span, why.clone()),
        LexError::TooDeep => {
            Diagnostic::error(Code::TooDeep, span, format!("More than {NESTING_LIMIT} levels of nesting"))
                .caret("the limit is passed here")
                .help("name inner parts with `let`, or move them into functions")
        }
        LexError::TooLong => Diagnostic::error(Code::TooDeep, span, "This expression is too long")
            .caret("the limit is passed here")
            .help("put parts of it into brackets or into functions"),
        LexError::TooLarge => Diagnostic::error(Code::TooDeep, span, "This program is too large")
            .caret("the limit is passed here")
            .help("write long tables and texts as data that the program reads"),
    }
}

/// The index of the lexeme at fault, or `lexemes.len()` if the error is at the end of the file.
pub(crate) fn position(lexemes: &[Lexeme], error: &Error) -> usize {
    let offset = match error {
        ParseError::UnrecognizedToken { token, .. } | ParseError::ExtraToken { token } => token.0,
        ParseError::InvalidToken { location } => *location,
        ParseError::UnrecognizedEof { .. } => return lexemes.len(),
        ParseError::User { error } => error.span.map_or(usize::MAX, |span| span.start as usize),
    };
    lexemes.partition_point(|lexeme| lexeme.end <= offset)
}

/// The diagnostic for an error in the declaration that begins at the lexeme `begin`.
pub(crate) fn diagnose(
    cx: &Context,
    text: &str,
    lexemes: &[Lexeme],
    begin: usize,
    error: Error,
) -> Diagnostic {
    let at = position(lexemes, &error);
    let expected = match error {
        ParseError::User { mut error } => {
            let hint = || mistake::hint(text, lexemes, at, &ExpectedTokens::default());
            error.help = error.help.or_else(|| hint().map(str::to_owned));
            return *error;
        }
        ParseError::UnrecognizedToken { expected, .. } | ParseError::UnrecognizedEof { expected, .. } => {
            ExpectedTokens::new(expected)
        }
        ParseError::ExtraToken { .. } | ParseError::InvalidToken { .. } => ExpectedTokens::default(),
    };
    let found = lexemes.get(at);
    let before = at.checked_sub(1).map(|last| &lexemes[last]);
    let after = if found.is_none() { " after this" } else { "" };
    let wanted = match before.and_then(|before| before.token.as_ref().ok()) {
        Some(Token::Def | Token::Entry) => format!("Expected a name{after}"),
        Some(Token::LeftParen) if expected.has("_") && !expected.has("if") => {
            format!("Expected a pattern{after}")
        }
        _ => expected.sentence(after),
    };
    let mut diagnostic = match (found, before) {
        (Some(found), _) => {
            let slice = shorten(&text[found.start..found.end]);
            let span = cx.span(found.start, found.end);
            let unexpected = format!("Unexpected token: '{slice}'");
            match special(lexemes, begin, at) {
                Some((message, reference)) => {
                    let error = Diagnostic::error(Code::UnexpectedToken, span, message);
                    reference.into_iter().fold(error, Diagnostic::note)
                }
                None => Diagnostic::error(Code::UnexpectedToken, span, unexpected),
            }
            .caret(wanted)
        }
        (None, last) => {
            let (start, end) = last.map_or((0, 0), |last| (last.start, last.end));
            let message = format!("Unexpected {END_OF_FILE}");
            Diagnostic::error(Code::UnexpectedToken, cx.span(start, end), message).caret(wanted)
        }
    };
    let ends = found.is_none_or(Lexeme::begins_declaration);
    let closes = found.and_then(Lexeme::closes);
    if expected.has("in")
        && (ends || closes.is_some())
        && let Some((binding, result)) = forgotten_in(text, &lexemes[begin.min(at)..at])
    {
        let span = cx.span(result.start, result.end);
        let result = &text[result.start..result.end];
        let what = if found.is_some() { format!("\"{}\"", shorten(result)) } else { END_OF_FILE.to_owned() };
        return Diagnostic::error(Code::UnexpectedToken, span, missing_in(result))
            .caret("Expected `in` in front of this")
            .note(format!("Unexpected {what} - missing \"in\"?"))
            .label(cx.span(binding.start, binding.end), "this `let` waits for its `in`")
            .help(foreign::advice_for(result).unwrap_or(END_OF_LET));
    }
    let inner = found.is_some_and(ends_expression) && !expected.has("_");
    match innermost_open(&lexemes[begin.min(at)..at]) {
        Some((open, closer))
            if (expected.has(closer) && (ends || inner)) || closes.is_some_and(|found| found != closer) =>
        {
            let span = cx.span(open.start, open.end);
            diagnostic = diagnostic.label(span, format!("this waits for its `{closer}`"));
        }
        None if closes.is_some() => {
            return diagnostic.help("no bracket is open here");
        }
        _ => {}
    }
    if ends
        && expected.has("in")
        && let Some(found) = found
    {
        let found = &text[found.start..found.end];
        diagnostic.message = missing_in(found);
        diagnostic = diagnostic.note(format!("Unexpected \"{}\" - missing \"in\"?", shorten(found)));
    }
    let hint = mistake::hint(text, lexemes, at, &expected);
    diagnostic.help = hint.map(str::to_owned);
    let slice = |lexeme: &Lexeme| &text[lexeme.start..lexeme.end];
    let is_lambda = |lexeme: &&Lexeme| foreign::advice_for(slice(lexeme)) == Some(LAMBDA);
    if hint == Some(LAMBDA)
        && let Some(word) = lexemes[begin.min(at)..at].iter().rfind(is_lambda)
    {
        // The parser takes a word such as `fn` or `lambda` for the name of a function, so it finds an error only
        // after the parameter that follows.
        diagnostic.span = Some(cx.span(word.start, word.end));
        diagnostic.message = format!("Functions do not begin with '{}'", slice(word));
        diagnostic.caret = String::new();
    }
    diagnostic
}

const END_OF_FILE: &str = "end of file";

/// The message if a declaration, or the result of a `let`, is found where `in` is expected.
fn missing_in(found: &str) -> String {
    format!("Missing \"in\" before \"{}\"", shorten(found))
}

/// If the lexeme `at` belongs to a form that the language forbids: the message for this form, and a note with the
/// words of Futhark's compiler if they differ. `begin` is the first lexeme of the declaration.
fn special(lexemes: &[Lexeme], begin: usize, at: usize) -> Option<(&'static str, Option<&'static str>)> {
    let is = |at: usize, token: &Token| lexemes.get(at).is_some_and(|lexeme| lexeme.is(token));
    let found = lexemes.get(at)?;
    let before = at.checked_sub(1)?;
    let declares = is(begin, &Token::Def) || is(begin, &Token::Let) || is(begin, &Token::Entry);
    match found.token.as_ref().ok()? {
        Token::Equals if declares && is(begin + 1, &Token::LeftParen) && is(before, &Token::RightParen) => {
            Some(("Cannot bind patterns at top level", None))
        }
        token if declares && before == begin && is_qualified(token) => {
            Some(("Cannot use a qualified name in binding position", None))
        }
        Token::Bang => {
            Some(("Unexpected token: '!', which is not an infix operator", Some("'!' is a prefix operator")))
        }
        Token::LeftParen if is(before, &Token::Dot) => Some((
            "Only a module can stand in front of \".(\"",
            Some("Unexpected token: '('. Can only locally open module names, not arbitrary expressions"),
        )),
        _ => None,
    }
}

/// The last `let`, if it has no `in`, and the first token of the expression that is probably its result. This
/// token begins an operand at the start of a line, and stands no further to the right than the `let`.
fn forgotten_in<'l>(text: &str, lexemes: &'l [Lexeme]) -> Option<(&'l Lexeme, &'l Lexeme)> {
    let last = lexemes.iter().rposition(|lexeme| lexeme.is(&Token::Let) || lexeme.is(&Token::In))?;
    let binding = lexemes.get(last).filter(|lexeme| lexeme.is(&Token::Let))?;
    let column = |lexeme: &Lexeme| lexeme.start - text[..lexeme.start].rfind('\n').map_or(0, |end| end + 1);
    let mut open = 0_usize;
    for (before, next) in lexemes[last..].iter().zip(&lexemes[last + 1..]) {
        if before.opens().is_some() {
            open += 1;
        } else if before.closes().is_some() {
            open = open.saturating_sub(1);
        }
        let begins_line = text[before.end..next.start].contains('\n') && column(next) <= column(binding);
        if open == 0 && begins_line && ends_operand(before) && begins_operand(next) {
            return Some((binding, next));
        }
    }
    None
}

/// Whether an operand may end with this token.
fn ends_operand(lexeme: &Lexeme) -> bool {
    lexeme.closes().is_some() || is_atom(lexeme) || matches!(lexeme.token, Ok(Token::DotNumber(_)))
}

/// Whether an operand may begin with this token.
fn begins_operand(lexeme: &Lexeme) -> bool {
    use Token::{Backslash, If, Loop, Match};
    lexeme.opens().is_some() || is_atom(lexeme) || matches!(lexeme.token, Ok(Backslash | If | Loop | Match))
}

/// Whether the token alone is an operand or a function.
fn is_atom(lexeme: &Lexeme) -> bool {
    use Token::{Character, Constructor, False, Float, Integer, Name, Natural, String, True};
    matches!(
        lexeme.token,
        Ok(Character(_)
            | Constructor(_)
            | False
            | Float(_)
            | Integer(_)
            | Name(_)
            | Natural(_)
            | String(_)
            | True)
    )
}

/// Whether the token ends an expression because it belongs to an enclosing form: `then` ends the condition of an
/// `if`.
fn ends_expression(lexeme: &Lexeme) -> bool {
    matches!(lexeme.token, Ok(Token::In | Token::Then | Token::Else | Token::Do))
}

/// Whether the token is a qualified operator.
fn is_qualified(token: &Token) -> bool {
    use Token::{Add, And, Bits, Compare, Multiply, Or, PipeLeft, PipeRight, Power, Shift};
    match token {
        Add(op) | And(op) | Bits(op) | Compare(op) | Multiply(op) | Or(op) | PipeLeft(op) | PipeRight(op)
        | Power(op) | Shift(op) => !op.quals.is_empty(),
        _ => false,
    }
}

/// The innermost open bracket, and its closing bracket.
fn innermost_open(lexemes: &[Lexeme]) -> Option<(&Lexeme, &'static str)> {
    let mut open = Vec::new();
    for lexeme in lexemes {
        if let Some(closer) = lexeme.opens() {
            open.push((lexeme, closer));
        } else if lexeme.closes().is_some() {
            open.pop();
        }
    }
    open.pop()
}

fn shorten(text: &str) -> String {
    const LONGEST: usize = 30;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain("…".chars()).collect()
}
