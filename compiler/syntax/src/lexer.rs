//! The lexer: runs logos, refines its tokens, and separates the comments.

use std::collections::BTreeMap;

use logos::Logos;
use ravel_base::Symbol;

use crate::token::{LexError, Operator, Token};

/// The maximum number of tokens of a file. Each byte of a string literal counts as a token. The tree takes hundreds of
/// bytes for each token.
const SIZE_LIMIT: usize = 2_000_000;

/// A token, or a lexical error, with its place in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Lexeme {
    pub(crate) start: usize,
    pub(crate) token: Result<Token, LexError>,
    pub(crate) end: usize,
    /// True if it begins a line, without indentation.
    pub(crate) unindented: bool,
}

impl Lexeme {
    pub(crate) fn is(&self, token: &Token) -> bool {
        self.token.as_ref() == Ok(token)
    }

    /// True if a declaration may begin here. Some keywords always begin one. `let` and attributes begin one at the
    /// beginning of a line, and are otherwise parts of expressions.
    pub(crate) fn begins_declaration(&self) -> bool {
        use Token::{AttributeBracket, Def, Entry, Import, Let, Local, Module, Open, Type};
        match self.token {
            Ok(Def | Entry | Module | Type | Open | Local) => true,
            Ok(Let | AttributeBracket | Import) => self.unindented,
            _ => false,
        }
    }

    /// The closing bracket, if this is an opening bracket.
    pub(crate) fn opens(&self) -> Option<&'static str> {
        match &self.token {
            Ok(Token::LeftParen) => Some(")"),
            Ok(Token::LeftBracket | Token::Index | Token::AttributeBracket) => Some("]"),
            Ok(Token::LeftBrace) => Some("}"),
            _ => None,
        }
    }

    /// The text of the bracket, if this is a closing bracket.
    pub(crate) fn closes(&self) -> Option<&'static str> {
        match &self.token {
            Ok(Token::RightParen) => Some(")"),
            Ok(Token::RightBracket) => Some("]"),
            Ok(Token::RightBrace) => Some("}"),
            _ => None,
        }
    }
}

/// The tokens of a file.
#[derive(Debug, Default)]
pub(crate) struct TokenStream {
    /// The tokens in order, without comments.
    pub(crate) lexemes: Vec<Lexeme>,
    /// Doc comments by the offset of the token after them.
    pub(crate) docs: BTreeMap<usize, String>,
    /// The places of doc comments without a declaration after them.
    pub(crate) stray_docs: Vec<(usize, usize)>,
}

impl TokenStream {
    /// Removes the modules directly before an operator at `start`, as in `m.n.+`. Returns them, outermost first,
    /// and the offset at which they begin.
    fn take_modules(&mut self, mut start: usize) -> (Vec<Symbol>, usize) {
        let mut quals = Vec::new();
        while let [.., name, dot] = &self.lexemes[..]
            && let (Ok(Token::Name(qual)), Ok(Token::Dot)) = (&name.token, &dot.token)
            && (name.end, dot.end) == (dot.start, start)
        {
            quals.push(*qual);
            start = name.start;
            self.lexemes.truncate(self.lexemes.len() - 2);
        }
        quals.reverse();
        (quals, start)
    }
}

pub(crate) fn lex(text: &str) -> TokenStream {
    let mut lexed = TokenStream::default();
    let mut doc: Option<DocComment> = None;
    let mut begun: Vec<(usize, usize)> = Vec::new();
    let mut size = 0;
    for (token, range) in Token::lexer(text).spanned() {
        if token == Ok(Token::Comment) {
            if text[range.clone()].starts_with(DOC) {
                begun.push((range.start, range.start + DOC.len()));
            }
            doc = DocComment::extend(doc, text, range);
            continue;
        }
        let begun = begun.drain(..);
        if !token.as_ref().is_ok_and(may_have_doc) {
            lexed.stray_docs.extend(begun);
        }
        if let Some(doc) = doc.take() {
            lexed.docs.insert(range.start, doc.text);
        }
        let mut start = range.start;
        let token = token.map(|token| match token {
            Token::Symbol(name) => {
                let quals;
                (quals, start) = lexed.take_modules(start);
                Operator { quals, name }.classify()
            }
            Token::LeftBracket if follows_operand(text, start) => Token::Index,
            other => other,
        });
        size += match &token {
            Ok(Token::String(bytes)) => bytes.len(),
            _ => 1,
        };
        if size > SIZE_LIMIT {
            return too_large(text, start);
        }
        let unindented = start == 0 || text[..start].ends_with('\n');
        lexed.lexemes.push(Lexeme { start, token, end: range.end, unindented });
    }
    lexed.stray_docs.extend(begun);
    lexed
}

/// The result for a file that is too large: a single error at the first token beyond the limit.
fn too_large(text: &str, start: usize) -> TokenStream {
    let end = start + text[start..].chars().next().map_or(0, char::len_utf8);
    let lexeme = Lexeme { start, token: Err(LexError::TooLarge), end, unindented: true };
    TokenStream { lexemes: vec![lexeme], ..TokenStream::default() }
}

/// The beginning of a doc comment.
const DOC: &str = "-- |";

/// Whether a doc comment may stand before this token: it may before the first token of a declaration.
fn may_have_doc(token: &Token) -> bool {
    use Token::{AttributeBracket, Def, Entry, Import, Include, Let, Local, Module, Open, Type, Val};
    matches!(
        token,
        Def | Entry | Let | Local | Open | Import | Module | Type | Val | Include | AttributeBracket
    )
}

/// True if the character before `at` ends a name, a number, a parenthesis or a bracket.
fn follows_operand(text: &str, at: usize) -> bool {
    text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | ')' | ']'))
}

/// Consecutive comment lines, the first of which begins with `-- |`.
struct DocComment {
    text: String,
    end: usize,
}

impl DocComment {
    /// Adds a comment line to the doc comment, or begins one. `None` if the line belongs to no doc comment.
    fn extend(doc: Option<DocComment>, text: &str, line: std::ops::Range<usize>) -> Option<DocComment> {
        let content = text[line.clone()].trim_end_matches('\r');
        if let Some(first) = content.strip_prefix(DOC) {
            return Some(DocComment { text: first.trim().to_owned(), end: line.end });
        }
        let mut doc = doc?;
        if text[doc.end..line.start].matches('\n').count() > 1 {
            return None;
        }
        let next = &content[2..];
        doc.text.push('\n');
        doc.text.push_str(next.strip_prefix(' ').unwrap_or(next).trim_end());
        doc.end = line.end;
        Some(doc)
    }
}
