//! The parser: runs the grammar, and resumes after a broken declaration.
//!
//! The grammar stops at the first unexpected token. The parser reports it and resumes where the next
//! declaration begins. So each broken declaration causes one error, and the others are kept.

use logos::Logos;
use ravel_base::{Code, Diagnostic, FileId, Span, Symbol};

use crate::actions::Context;
use crate::ast::{Dec, Program};
use crate::grammar::ProgramParser;
use crate::lexer::{Lexeme, lex};
use crate::nesting;
use crate::syntax_error;
use crate::token::Token;

/// The result of parsing a source file: a tree in any case, and the errors.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The declarations. A broken declaration is a [`Dec::Error`], which has only its place in the text.
    pub program: Program,
    /// The errors, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the text ends in the middle of a declaration, so that more text may complete it.
    pub is_incomplete: bool,
}

/// Parses a source file.
pub fn parse(file: FileId, text: &str) -> Parsed {
    parse_with_prefix(&[], file, text)
}

/// Parses an expression, as the body of a definition of this name or, if `entry`, of an entry point.
pub fn parse_expression(name: Symbol, entry: bool, file: FileId, text: &str) -> Parsed {
    let keyword = if entry { Token::Entry } else { Token::Def };
    parse_with_prefix(&[keyword, Token::Name(name), Token::Equals], file, text)
}

/// The first token of a text, as it is written, if neither a declaration nor an expression can begin with it. Such a token,
/// for example `in` or `|>`, continues the text before it.
pub fn continuation(text: &str) -> Option<&str> {
    let nowhere = FileId(0);
    let (_, range) = Token::lexer(text).spanned().find(|(token, _)| *token != Ok(Token::Comment))?;
    let first = &text[range];
    let begins = |parsed: Parsed| parsed.is_incomplete || parsed.diagnostics.is_empty();
    let begun =
        begins(parse(nowhere, first)) || begins(parse_expression(Symbol::new("it"), false, nowhere, first));
    (!begun).then_some(first)
}

/// Parses a text as if the tokens of `prefix` stood before it. Their spans are empty and lie at the start of the text.
fn parse_with_prefix(prefix: &[Token], file: FileId, text: &str) -> Parsed {
    let lexed = lex(text);
    let lexeme = |token: &Token| Lexeme { start: 0, token: Ok(token.clone()), end: 0, unindented: false };
    let mut lexemes: Vec<Lexeme> = prefix.iter().map(lexeme).chain(lexed.lexemes).collect();
    nesting::mark_deep(&mut lexemes);
    let cx = Context { file, docs: lexed.docs };
    let parser = ProgramParser::new();
    let mut decs: Vec<Dec> = Vec::new();
    let mut diagnostics: Vec<Diagnostic> =
        lexed.stray_docs.iter().map(|&(start, end)| stray_doc(cx.span(start, end))).collect();
    let mut from = 0;
    let mut is_incomplete = false;
    loop {
        let parsed = decs.len();
        let tokens = lexemes[from..].iter().map(|lexeme| match &lexeme.token {
            Ok(token) => Ok((lexeme.start, token.clone(), lexeme.end)),
            Err(error) => Err(Box::new(syntax_error::bad_token(&cx, text, lexeme, error))),
        });
        let Err(error) = parser.parse(&cx, &mut decs, tokens) else { break };
        let done = decs[parsed..].last().map_or(0, |dec| dec.span().end as usize);
        let begin = from + lexemes[from..].partition_point(|lexeme| lexeme.start < done);
        let at = syntax_error::position(&lexemes, &error);
        is_incomplete = at == lexemes.len();
        // A `let` that begins a line may belong to the broken declaration before it. Then its `in` is not
        // another mistake.
        let tail = begin > 0
            && matches!(lexemes.get(begin), Some(Lexeme { token: Ok(Token::Let), .. }))
            && matches!(lexemes.get(at), Some(Lexeme { token: Ok(Token::In), .. }))
            && matches!(decs.last(), Some(Dec::Error(_)));
        if !tail {
            diagnostics.push(syntax_error::diagnose(&cx, text, &lexemes, begin, error));
        }
        from = resume(&lexemes, begin, at);
        let end = lexemes[..from].last().map_or(0, |lexeme| lexeme.end);
        let start = lexemes.get(begin).map_or(end, |lexeme| lexeme.start);
        decs.push(Dec::Error(cx.span(start, end)));
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.map(|span| span.start));
    Parsed { program: Program { decs }, diagnostics, is_incomplete }
}

fn stray_doc(span: Span) -> Diagnostic {
    Diagnostic::error(Code::UnexpectedToken, span, "No declaration follows this documentation comment")
        .note("Documentation comments ('-- |') are only permitted when preceding declarations")
        .help("for any other comment, leave out the `|`")
}

/// The index of the lexeme where parsing resumes after an error at the lexeme `at`, in the declaration that begins at `begin`.
///
/// A declaration inside braces belongs to a module, so parsing does not resume there, unless it begins a line without
/// indentation. The `type` of `module type` does not begin a declaration.
fn resume(lexemes: &[Lexeme], begin: usize, at: usize) -> usize {
    let mut braces = 0_usize;
    for (index, lexeme) in lexemes.iter().enumerate().skip(begin) {
        let inner = braces > 0 && !lexeme.unindented;
        let after_module = index > 0 && lexeme.is(&Token::Type) && lexemes[index - 1].is(&Token::Module);
        if index > begin && index >= at && lexeme.begins_declaration() && !inner && !after_module {
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
