//! Syntax errors for people: what was found, what could have stood there, and how to mend the common slips.

use lalrpop_util::ParseError;
use ravel_base::{Code, Diagnostic, NESTING_LIMIT};

use crate::actions::Context;
use crate::lexer::Lexeme;
use crate::token::{LexError, Token};

type Error = ParseError<usize, Token, Box<Diagnostic>>;

/// The error of a stretch of text that is no token.
pub(crate) fn bad_token(cx: &Context, text: &str, lexeme: &Lexeme, error: &LexError) -> Diagnostic {
    let span = cx.span(lexeme.start, lexeme.end);
    let slice = shorten(&text[lexeme.start..lexeme.end]);
    match error {
        LexError::BadToken if slice == "'" => {
            Diagnostic::error(Code::BadToken, span, "this character literal is not closed")
        }
        LexError::BadToken => {
            let message =
                format!("Invalid lexical syntax: `{}` is no part of the language", slice.escape_debug());
            let diagnostic = Diagnostic::error(Code::BadToken, span, message);
            match slice.as_str() {
                "#" => diagnostic.help(COMMENT),
                ";" => diagnostic
                    .help("nothing separates declarations; a binding ends with `in`: `let x = e in …`"),
                _ => diagnostic,
            }
        }
        LexError::BadLiteral(why) => Diagnostic::error(Code::BadLiteral, span, why.clone()),
        LexError::TooDeep => {
            Diagnostic::error(Code::TooDeep, span, format!("more than {NESTING_LIMIT} levels of nesting"))
                .caret("the limit is passed here")
                .help("name inner parts with `let`, or move them into functions")
        }
        LexError::TooLong => Diagnostic::error(Code::TooDeep, span, "this expression is too long")
            .caret("the limit is passed here")
            .help("put parts of it into brackets or into functions"),
        LexError::TooLarge => Diagnostic::error(Code::TooDeep, span, "this program is too large")
            .caret("the limit is passed here")
            .help("write long tables and texts as data that the program reads"),
    }
}

/// The index of the lexeme that the error is about; the number of lexemes at the end of the file.
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
pub(crate) fn explain(
    cx: &Context,
    text: &str,
    lexemes: &[Lexeme],
    begin: usize,
    error: Error,
) -> Diagnostic {
    let at = position(lexemes, &error);
    let expected = match error {
        ParseError::User { error } => return *error,
        ParseError::UnrecognizedToken { expected, .. } | ParseError::UnrecognizedEof { expected, .. } => {
            Expected::new(expected)
        }
        ParseError::ExtraToken { .. } | ParseError::InvalidToken { .. } => Expected::default(),
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
            let message =
                special(lexemes, begin, at).unwrap_or_else(|| format!("Unexpected token: '{slice}'"));
            Diagnostic::error(Code::UnexpectedToken, span, message).caret(wanted)
        }
        (None, last) => {
            let (start, end) = last.map_or((0, 0), |last| (last.start, last.end));
            Diagnostic::error(Code::UnexpectedToken, cx.span(start, end), "Unexpected end of file")
                .caret(wanted)
        }
    };
    let ends = found.is_none_or(Lexeme::begins_declaration);
    let closes = found.and_then(closes);
    if expected.has("in")
        && (ends || closes.is_some())
        && let Some((binding, result)) = forgotten_in(text, &lexemes[begin.min(at)..at])
    {
        let span = cx.span(result.start, result.end);
        let message = missing_in(&text[result.start..result.end]);
        return Diagnostic::error(Code::UnexpectedToken, span, message)
            .caret("Expected `in` in front of this")
            .label(cx.span(binding.start, binding.end), "this `let` waits for its `in`")
            .help(END_OF_LET);
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
        diagnostic.message = missing_in(&text[found.start..found.end]);
    }
    let foreign = foreign(text, &lexemes[begin.min(at)..], at - begin.min(at));
    match foreign.or_else(|| advice(found, ends, &expected, &lexemes[at.min(lexemes.len())..])) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// A declaration or a result stands where a `let` goes on.
fn missing_in(found: &str) -> String {
    format!("Unexpected \"{}\" - missing \"in\"?", shorten(found))
}

/// What is wrong with a form that only seems to be one of the language, in the declaration that begins at
/// the lexeme `begin`, with an error at the lexeme `at`.
fn special(lexemes: &[Lexeme], begin: usize, at: usize) -> Option<String> {
    let is = |at: usize, token: &Token| lexemes.get(at).is_some_and(|lexeme| lexeme.is(token));
    let found = lexemes.get(at)?;
    let before = at.checked_sub(1)?;
    let declares = is(begin, &Token::Def) || is(begin, &Token::Let) || is(begin, &Token::Entry);
    match found.token.as_ref().ok()? {
        Token::Equals if declares && is(begin + 1, &Token::LeftParen) && is(before, &Token::RightParen) => {
            Some("Cannot bind patterns at top level".to_owned())
        }
        token if declares && before == begin && is_qualified(token) => {
            Some("Cannot use a qualified name in binding position".to_owned())
        }
        Token::Bang => {
            Some("Unexpected token: '!'. '!' is a prefix operator, not an infix operator".to_owned())
        }
        Token::LeftParen if is(before, &Token::Dot) => Some(
            "Unexpected token: '('. Can only locally open module names, not arbitrary expressions".to_owned(),
        ),
        _ => None,
    }
}

const COMMENT: &str = "a comment begins with `--`";

/// How to write what is written so in other languages: the lexemes of a declaration, with an error at one.
fn foreign(text: &str, lexemes: &[Lexeme], at: usize) -> Option<&'static str> {
    let slice = |lexeme: &Lexeme| &text[lexeme.start..lexeme.end];
    let is_elif = |lexeme: &Lexeme| ["elif", "elsif", "elseif"].contains(&slice(lexeme));
    let found = lexemes.get(at);
    match found.map(slice) {
        Some("<-") => Some("an update is written `xs with [i] = e`"),
        Some("?") => Some("a choice is written `if c then a else b`"),
        Some(found) if found.starts_with("//") => Some(COMMENT),
        Some("then" | "else" | ":") if lexemes[..at].iter().any(is_elif) => Some("written `else if`"),
        _ => None,
    }
}

const END_OF_LET: &str = "the bindings of a `let` end with `in` and the result";

/// The last `let`, if it has no `in`, and where its result seems to begin all the same: on a line of
/// its own, no further to the right than the `let`.
fn forgotten_in<'l>(text: &str, lexemes: &'l [Lexeme]) -> Option<(&'l Lexeme, &'l Lexeme)> {
    let last = lexemes.iter().rposition(|lexeme| lexeme.is(&Token::Let) || lexeme.is(&Token::In))?;
    let binding = lexemes.get(last).filter(|lexeme| lexeme.is(&Token::Let))?;
    let column = |lexeme: &Lexeme| lexeme.start - text[..lexeme.start].rfind('\n').map_or(0, |end| end + 1);
    let mut open = 0_usize;
    for (before, next) in lexemes[last..].iter().zip(&lexemes[last + 1..]) {
        if opens(before).is_some() {
            open += 1;
        } else if closes(before).is_some() {
            open = open.saturating_sub(1);
        }
        let begins_line = text[before.end..next.start].contains('\n') && column(next) <= column(binding);
        if open == 0 && begins_line && ends_operand(before) && begins_operand(next) {
            return Some((binding, next));
        }
    }
    None
}

/// May an operand end with this token?
fn ends_operand(lexeme: &Lexeme) -> bool {
    closes(lexeme).is_some() || is_atom(lexeme) || matches!(lexeme.token, Ok(Token::DotNumber(_)))
}

/// May an operand begin with this token?
fn begins_operand(lexeme: &Lexeme) -> bool {
    use Token::{Backslash, If, Loop, Match};
    opens(lexeme).is_some() || is_atom(lexeme) || matches!(lexeme.token, Ok(Backslash | If | Loop | Match))
}

/// Is the token an operand, or a function, of its own?
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

/// Whether a `for` goes over the elements of an array, as `for x in xs` does.
fn goes_over_elements(after: &[Lexeme]) -> bool {
    let sign = after.iter().find(|lexeme| lexeme.is(&Token::In) || lexeme.is(&Token::Less));
    sign.is_some_and(|sign| sign.is(&Token::In))
}

/// How to mend a common slip. `after` begins with what was found.
fn advice(found: Option<&Lexeme>, ends: bool, expected: &Expected, after: &[Lexeme]) -> Option<&'static str> {
    let token = found.and_then(|found| found.token.as_ref().ok());
    let help = match token {
        Some(Token::Equals) if expected.has("|>…") => "two values are compared with `==`",
        Some(Token::Equals) if expected.has("<") && !expected.has("|>…") => {
            "a loop goes `for i < n`, or `for x in xs`"
        }
        Some(Token::RightBrace) if expected.has("=") => {
            "braces hold the fields of a record, `{x = 1}`; a branch is `if c then a else b`"
        }
        Some(Token::Arrow) if expected.has("=") && expected.has("_") => {
            "the type of a function's result stands after a colon: `def f (x: i32): i32 = …`"
        }
        Some(Token::While) => "a loop is written `loop x = e while c do …`",
        Some(Token::For) if goes_over_elements(after) => "a loop is written `loop x = e for y in ys do …`",
        Some(Token::For) => "a loop is written `loop x = e for i < n do …`",
        Some(Token::In) if expected.has("if") => "a value is missing before `in`",
        Some(Token::In) if expected.has("def") => "there is no `let` that this `in` could end",
        Some(Token::Apostrophe) if expected.has("if") => "a character literal holds one character",
        _ if expected.range_end() => {
            "use '...' for ranges, not '..': a range ends with `...`, `..<` or `..>` and its last element"
        }
        _ if ends && expected.has("in") => END_OF_LET,
        _ if expected.has("then") && !expected.has("in") => "an `if` goes on with `then` and `else`",
        _ if expected.has("else") => "an `if` always has an `else`",
        _ if expected.has("do") => "the body of a `loop` stands after `do`",
        Some(token) if is_keyword(token) && !ends && expected.names_something() => {
            "a keyword cannot be a name"
        }
        _ => return None,
    };
    Some(help)
}

/// Does the token go on with a form that was begun outside the innermost bracket?
fn ends_expression(lexeme: &Lexeme) -> bool {
    matches!(lexeme.token, Ok(Token::In | Token::Then | Token::Else | Token::Do))
}

/// Is the token an operator of a module?
fn is_qualified(token: &Token) -> bool {
    use Token::{Add, And, Bits, Compare, Multiply, Or, PipeLeft, PipeRight, Power, Shift};
    match token {
        Add(op) | And(op) | Bits(op) | Compare(op) | Multiply(op) | Or(op) | PipeLeft(op) | PipeRight(op)
        | Power(op) | Shift(op) => !op.quals.is_empty(),
        _ => false,
    }
}

pub(crate) fn is_keyword(token: &Token) -> bool {
    use Token::*;
    matches!(
        token,
        Assert
            | Case
            | Def
            | Do
            | Else
            | Entry
            | False
            | For
            | If
            | Import
            | In
            | Include
            | Let
            | Local
            | Loop
            | Match
            | Module
            | Open
            | Then
            | True
            | Type
            | Val
            | While
            | With
    )
}

/// What closes the bracket that this opens.
fn opens(lexeme: &Lexeme) -> Option<&'static str> {
    match &lexeme.token {
        Ok(Token::LeftParen) => Some(")"),
        Ok(Token::LeftBracket | Token::Index | Token::AttributeBracket) => Some("]"),
        Ok(Token::LeftBrace) => Some("}"),
        _ => None,
    }
}

/// The bracket that a closing bracket is.
fn closes(lexeme: &Lexeme) -> Option<&'static str> {
    match &lexeme.token {
        Ok(Token::RightParen) => Some(")"),
        Ok(Token::RightBracket) => Some("]"),
        Ok(Token::RightBrace) => Some("}"),
        _ => None,
    }
}

/// The innermost bracket left open, and what would close it.
fn innermost_open(lexemes: &[Lexeme]) -> Option<(&Lexeme, &'static str)> {
    let mut open = Vec::new();
    for lexeme in lexemes {
        if let Some(closer) = opens(lexeme) {
            open.push((lexeme, closer));
        } else if closes(lexeme).is_some() {
            open.pop();
        }
    }
    open.pop()
}

/// The tokens that could have stood at the error, by their names in the grammar.
#[derive(Default)]
struct Expected {
    names: Vec<String>,
}

impl Expected {
    fn new(names: Vec<String>) -> Expected {
        Expected { names: names.into_iter().map(|name| name.trim_matches('"').to_owned()).collect() }
    }

    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// True if a name is expected that may not be an expression or a type.
    fn names_something(&self) -> bool {
        self.has("name") && !self.has("if") && !self.has("?")
    }

    /// True if a range was begun and not ended.
    fn range_end(&self) -> bool {
        self.has("..<") && !self.has("..")
    }

    /// "Expected one of the following: `)` or an operator", with `place` after it; empty if nothing is known.
    fn sentence(&self, place: &str) -> String {
        let mut words = self.words();
        let last = words.pop();
        match (words.is_empty(), last) {
            (_, None) => String::new(),
            (true, Some(last)) => format!("Expected {last}{place}"),
            (false, Some(last)) => {
                format!("Expected one of the following{place}: {} or {last}", words.join(", "))
            }
        }
    }

    /// A few words for the many tokens, the most telling first.
    fn words(&self) -> Vec<String> {
        const TELLING: &[&str] =
            &["in", "then", "else", "do", "case", ")", "]", "}", "->", "=", "for", "while", "`", "<"];
        let mut words = Vec::new();
        let anything = self.has("if");
        if self.has("def") && !anything && !self.has("|>…") {
            return vec!["a declaration".to_owned()];
        }
        if anything {
            words.push("an expression".to_owned());
        }
        if self.range_end() {
            words.extend(["`...`", "`..<`", "`..>`"].map(str::to_owned));
        }
        let telling = TELLING.iter().filter(|word| self.has(word) && !(**word == "<" && self.has("|>…")));
        words.extend(
            telling.filter(|word| !(**word == "`" && self.has("|>…"))).map(|word| format!("`{word}`")),
        );
        if !anything {
            if self.has("|>…") {
                words.push("an operator".to_owned());
            } else if self.has("?") {
                words.push("a type".to_owned());
            } else if self.has("_") {
                words.push("a pattern".to_owned());
            } else if self.has("name") {
                words.push("a name".to_owned());
            }
        }
        if words.is_empty() {
            words.extend(self.names.iter().map(|name| match name.as_str() {
                "integer" => "an integer".to_owned(),
                "constructor" | "field number" | "number" | "float" | "character" | "string" => {
                    format!("a {name}")
                }
                _ => format!("`{name}`"),
            }));
        }
        words.truncate(4);
        words
    }
}

fn shorten(text: &str) -> String {
    const LONGEST: usize = 30;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain("…".chars()).collect()
}
