//! The parser: runs the grammar, and resumes after a broken declaration.
//!
//! The grammar stops at the first token that cannot stand where it stands. That is reported, and
//! parsing resumes where the next declaration begins, so that each broken declaration costs one
//! error and the others are kept.

use logos::Logos;
use ravel_base::{Code, Diagnostic, FileId, Span, Symbol};

use crate::actions::Context;
use crate::ast::{Dec, Program};
use crate::explain;
use crate::grammar::ProgramParser;
use crate::lexer::{Lexeme, lex};
use crate::nesting;
use crate::token::Token;

/// What became of a source file: always a tree, and what is wrong with the text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The declarations that could be parsed, and where the others stood.
    pub program: Program,
    /// The errors, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Does the text break off in the midst of a declaration? Whoever types it may go on.
    pub breaks_off: bool,
}

/// Parses a source file.
pub fn parse(file: FileId, text: &str) -> Parsed {
    parse_behind(&[], file, text)
}

/// Parses an expression, as the body of a definition of this name or, if `entry`, of an entry point.
pub fn parse_expression(name: Symbol, entry: bool, file: FileId, text: &str) -> Parsed {
    let keyword = if entry { Token::Entry } else { Token::Def };
    parse_behind(&[keyword, Token::Name(name), Token::Equals], file, text)
}

/// The first token of a text, as it is written, if neither declarations nor an expression can begin with it: it goes on
/// with something, as `in` and `|>` do.
pub fn continuation(text: &str) -> Option<&str> {
    let nowhere = FileId(0);
    let (_, range) = Token::lexer(text).spanned().find(|(token, _)| *token != Ok(Token::Comment))?;
    let first = &text[range];
    let begins = |parsed: Parsed| parsed.breaks_off || parsed.diagnostics.is_empty();
    let begun =
        begins(parse(nowhere, first)) || begins(parse_expression(Symbol::new("it"), false, nowhere, first));
    (!begun).then_some(first)
}

/// Parses a text with these tokens before it, which take no room in it.
fn parse_behind(tokens: &[Token], file: FileId, text: &str) -> Parsed {
    let lexed = lex(text);
    let unwritten = |token: &Token| Lexeme { start: 0, token: Ok(token.clone()), end: 0, unindented: false };
    let mut lexemes: Vec<Lexeme> = tokens.iter().map(unwritten).chain(lexed.lexemes).collect();
    nesting::mark_deep(&mut lexemes);
    let cx = Context { file, docs: lexed.docs };
    let parser = ProgramParser::new();
    let mut decs: Vec<Dec> = Vec::new();
    let mut diagnostics: Vec<Diagnostic> =
        lexed.stray_docs.iter().map(|&(start, end)| stray_doc(cx.span(start, end))).collect();
    let mut from = 0;
    let mut breaks_off = false;
    loop {
        let parsed = decs.len();
        let tokens = lexemes[from..].iter().map(|lexeme| match &lexeme.token {
            Ok(token) => Ok((lexeme.start, token.clone(), lexeme.end)),
            Err(error) => Err(Box::new(explain::bad_token(&cx, text, lexeme, error))),
        });
        let Err(error) = parser.parse(&cx, &mut decs, tokens) else { break };
        let done = decs[parsed..].last().map_or(0, |dec| dec.span().end as usize);
        let begin = from + lexemes[from..].partition_point(|lexeme| lexeme.start < done);
        let at = explain::position(&lexemes, &error);
        breaks_off = at == lexemes.len();
        // A `let` that begins a line may belong to the broken declaration before it, and then its
        // `in` is no further mistake.
        let tail = begin > 0
            && matches!(lexemes.get(begin), Some(Lexeme { token: Ok(Token::Let), .. }))
            && matches!(lexemes.get(at), Some(Lexeme { token: Ok(Token::In), .. }))
            && matches!(decs.last(), Some(Dec::Error(_)));
        if !tail {
            diagnostics.push(explain::explain(&cx, text, &lexemes, begin, error));
        }
        from = resume(&lexemes, begin, at);
        let end = lexemes[..from].last().map_or(0, |lexeme| lexeme.end);
        let start = lexemes.get(begin).map_or(end, |lexeme| lexeme.start);
        decs.push(Dec::Error(cx.span(start, end)));
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    Parsed { program: Program { decs }, diagnostics, breaks_off }
}

fn stray_doc(span: Span) -> Diagnostic {
    let message = "Documentation comments ('-- |') are only permitted when preceding declarations";
    Diagnostic::error(Code::UnexpectedToken, span, message).help("for any other comment, leave out the `|`")
}

/// Where parsing goes on after an error at the lexeme `at` of the declaration that begins at `begin`.
///
/// A declaration inside braces belongs to a module, unless it begins a line.
fn resume(lexemes: &[Lexeme], begin: usize, at: usize) -> usize {
    let mut braces = 0_usize;
    for (index, lexeme) in lexemes.iter().enumerate().skip(begin) {
        let inner = braces > 0 && !lexeme.unindented;
        let second = index > 0 && lexeme.is(&Token::Type) && lexemes[index - 1].is(&Token::Module);
        if index > begin && index >= at && lexeme.begins_declaration() && !inner && !second {
            return index;
        }
        match lexeme.token {
            Ok(Token::LeftBrace) => braces += 1,
            Ok(Token::RightBrace) => braces = braces.saturating_sub(1),
            _ => {}
        }
    }
    lexemes.len()
}

#[cfg(test)]
mod tests;
