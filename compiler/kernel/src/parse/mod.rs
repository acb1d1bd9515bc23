//! Parses kernel text: the output of [`crate::print`], and programs written by hand in tests.
//!
//! The printer writes a variable as `name_number`, or as `vnumber` if it has no name. To the parser the whole word is
//! the name, so text written by hand may leave the numbers out. Variables are numbered in the order of their binders;
//! `parse(print(p)) == p` for a program numbered in this order ([`Program::renumber`]). `--` starts a comment.
//!
//! The parser checks only what it needs to build the tree. The verifier checks the rest.

mod body;
mod lex;
mod segment;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use ravel_base::{CallPath, FileId, IdMap, ParseError, ResultPlaces, Span, Symbol};
use ravel_prim::{PrimType, PrimValue};
use rustc_hash::FxHashMap;

use self::lex::{Token, tokens};
use self::segment::ParsedLevel;
use crate::literal;
use crate::syntax::*;

type Parsed<T> = Result<T, ParseError>;

/// Parses a program.
///
/// # Errors
/// The first syntax error.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    Parser::new(text, None)?.program()
}

/// Parses a program for messages about its text, which is that of `file`: statements, functions and entry points have their
/// places as origins, and variables are named as [`Names::Written`](ravel_base::Names::Written) says. Also returns the places
/// of results.
pub(crate) fn parse_as_written(text: &str, file: FileId) -> Result<(Program, ResultPlaces), ParseError> {
    let mut parser = Parser::new(text, Some(file))?;
    Ok((parser.program()?, parser.results))
}

struct Parser<'a> {
    text: &'a str,
    /// The file of the text, if origins and hints describe the text.
    file: Option<FileId>,
    tokens: Vec<(Range<usize>, Token<'a>)>,
    next: usize,
    depth: usize,
    /// The variables of the current entry point or function, and their names.
    vars: VarTable,
    names: FxHashMap<&'a str, Var>,
    /// The origin of the enclosing segment, which its statements share.
    origin: Arc<Origin>,
    /// The places of the results of bodies, if origins describe the text.
    results: ResultPlaces,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, file: Option<FileId>) -> Parsed<Parser<'a>> {
        Ok(Parser {
            text,
            file,
            tokens: tokens(text)?,
            next: 0,
            depth: 0,
            vars: IdMap::new(),
            names: FxHashMap::default(),
            origin: Arc::default(),
            results: ResultPlaces::default(),
        })
    }

    fn program(&mut self) -> Parsed<Program> {
        let mut program = Program::default();
        while self.peek() != Token::End {
            match self.peek() {
                Token::Word("entry") => program.entries.push(self.entry()?),
                Token::Word("host") => program.host_functions.push(self.function()?),
                Token::Word("thread") => program.thread_functions.push(self.function()?),
                Token::Word(word) if !word.starts_with("message") => {
                    return self.fail("expected `entry`, `host`, `thread` or a message, such as `message0`");
                }
                _ => {
                    let start = self.next;
                    let id = self.message_id()?;
                    if id.0 as usize != program.messages.len() {
                        return self.fail_at(start, "messages are numbered in order");
                    }
                    let message = self.message()?;
                    program.messages.push(message);
                }
            }
        }
        Ok(program)
    }

    fn message(&mut self) -> Parsed<Message> {
        let path = self.path()?;
        self.sign("=")?;
        let cause = if self.take_word("limitation") { Cause::Machine } else { Cause::Program };
        let mut parts = Vec::new();
        loop {
            match self.peek() {
                Token::Text(_) => parts.push(MessagePart::Text(self.quoted()?)),
                Token::Word(word) if PrimType::from_name(word).is_some() => {
                    parts.push(MessagePart::Value(self.prim()?));
                }
                _ => return Ok(Message { parts, cause, path }),
            }
            if !self.take_sign(",") {
                return Ok(Message { parts, cause, path });
            }
        }
    }

    /// Forgets the variables of the last entry point or function.
    fn begin(&mut self) {
        self.vars = IdMap::new();
        self.names = FxHashMap::default();
    }

    fn function<L: ParsedLevel>(&mut self) -> Parsed<Function<L>> {
        self.keyword(&L::NAME.to_string())?;
        self.keyword("function")?;
        self.begin();
        let start = self.next;
        let name = Symbol::new(&self.quoted()?);
        let origin = self.origin_from(start).unwrap_or_default();
        let params = self.list("(", ")", |p| {
            let consumed = p.take_sign("*");
            Ok(FunctionParam { var: p.binder()?, consumed })
        })?;
        self.sign("->")?;
        let results = self.list("(", ")", Self::value_type)?;
        let body = self.body_of(start)?;
        Ok(Function { name, vars: std::mem::take(&mut self.vars), params, results, body, origin })
    }

    fn entry(&mut self) -> Parsed<Entry> {
        self.keyword("entry")?;
        self.begin();
        let start = self.next;
        let name = Symbol::new(&self.quoted()?);
        let origin = self.origin_from(start).unwrap_or_default();
        let sizes = self.list("[", "]", |p| p.bind_as(Type::Scalar(PrimType::I64)))?;
        let params = self.list("(", ")", |p| {
            let consumed = p.take_sign("*");
            let name = match p.peek() {
                Token::Text(_) => Some(Symbol::new(&p.quoted()?)),
                _ => None,
            };
            let var = p.binder()?;
            let shape = if p.peek() == Token::Sign("[") { p.list("[", "]", Self::atom)? } else { Vec::new() };
            let constructors = if p.take_word("of") { Some(p.plain_number()?) } else { None };
            Ok(Param { name, shape, var, consumed, constructors })
        })?;
        self.sign("->")?;
        let results = self.list("(", ")", Self::result_type)?;
        let body = self.body_of(start)?;
        Ok(Entry { name, vars: std::mem::take(&mut self.vars), sizes, params, results, body, origin })
    }

    /// The body of the function or the entry point whose name is this token.
    fn body_of<L: ParsedLevel>(&mut self, name: usize) -> Parsed<Body<L>> {
        self.results.enter(self.tokens[name].0.start);
        let body = self.body();
        self.results.leave();
        body
    }

    /// `[]i64`
    fn result_type(&mut self) -> Parsed<ResultType> {
        let mut rank = 0;
        while self.take_sign("[") {
            self.sign("]")?;
            rank += 1;
        }
        Ok(ResultType { elem: self.prim()?, rank })
    }

    /// The origin of what was read from this token on, if origins describe the text: the first line of its text.
    fn origin_from(&self, start: usize) -> Option<Origin> {
        let file = self.file?;
        let (mut tokens, text) = (self.tokens[start..self.next].iter().map(|(range, _)| range), self.text);
        let first = tokens.next()?.clone();
        let last = tokens.try_fold(first.end, |end, token| match text[end..token.start].contains('\n') {
            true => Err(end),
            false => Ok(token.end),
        });
        let (Ok(end) | Err(end)) = last;
        Some(Origin::at(Span::new(file, first.start, end)))
    }

    /// An optional ` at file:start..end`.
    fn at(&mut self) -> Parsed<Option<Span>> {
        if self.take_word("at") { self.span().map(Some) } else { Ok(None) }
    }

    /// An optional ` at file:start..end from file:start..end`: a place and the calls that lead there.
    fn path(&mut self) -> Parsed<Option<CallPath>> {
        let mut spans = Vec::from_iter(self.at()?);
        while !spans.is_empty() && self.take_word("from") {
            spans.push(self.span()?);
        }
        Ok(spans.into_iter().rev().fold(None, |caller, span| Some(CallPath::new(span, caller))))
    }

    fn span(&mut self) -> Parsed<Span> {
        let file = self.plain_number()?;
        self.sign(":")?;
        let start = self.plain_number()?;
        self.sign("..")?;
        let end = self.plain_number()?;
        Ok(Span { file: FileId(file), start, end })
    }

    fn plain_number(&mut self) -> Parsed<u32> {
        let value = match self.peek() {
            Token::Number(text) => text.parse().ok(),
            _ => None,
        };
        self.expect(value, "a number")
    }

    fn message_id(&mut self) -> Parsed<MessageId> {
        let id = match self.peek() {
            Token::Word(word) => word.strip_prefix("message").and_then(|n| n.parse().ok()),
            _ => None,
        };
        Ok(MessageId(self.expect(id, "a message, such as `message0`")?))
    }

    fn quoted(&mut self) -> Parsed<String> {
        let text = match self.peek() {
            Token::Text(text) => literal::unquote(text),
            _ => None,
        };
        self.expect(text, "text in quotes")
    }

    fn prim(&mut self) -> Parsed<PrimType> {
        let ty = match self.peek() {
            Token::Word(word) => PrimType::from_name(word),
            _ => None,
        };
        self.expect(ty, "a primitive type")
    }

    /// `name: type`, bound.
    fn binder(&mut self) -> Parsed<Var> {
        let start = self.next;
        let name = self.word()?;
        self.sign(":")?;
        let ty = self.value_type()?;
        self.bind(start, name, ty)
    }

    /// The type of a scalar or a block.
    fn value_type(&mut self) -> Parsed<Type> {
        Ok(if self.take_word("block") {
            Type::Block(BlockType { elem: self.prim()?, space: Space::Device })
        } else if self.take_word("workgroup") {
            Type::Block(BlockType { elem: self.prim()?, space: Space::Workgroup })
        } else if self.take_word("private") {
            Type::Block(BlockType { elem: self.prim()?, space: Space::Private })
        } else {
            Type::Scalar(self.prim()?)
        })
    }

    /// `name`, bound with this type.
    fn bind_as(&mut self, ty: Type) -> Parsed<Var> {
        let start = self.next;
        let name = self.word()?;
        self.bind(start, name, ty)
    }

    /// Binds the name, which starts at this token.
    fn bind(&mut self, start: usize, name: &'a str, ty: Type) -> Parsed<Var> {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let hint = match name.rsplit_once('_') {
            _ if self.file.is_some() => Some(Symbol::new(name)),
            Some((hint, number)) if !hint.is_empty() && is_number(number) => {
                Some(Symbol::new(hint.trim_matches('`')))
            }
            _ if name.strip_prefix('v').is_some_and(is_number) => None,
            _ => Some(Symbol::new(name)),
        };
        let var = self.vars.push(VarInfo { hint, ty });
        match self.names.insert(name, var) {
            Some(_) => self.fail_at(start, format!("`{name}` is bound twice")),
            None => Ok(var),
        }
    }

    /// The variable of this name, bound before.
    fn var(&mut self) -> Parsed<Var> {
        let var = match self.peek() {
            Token::Word(word) => self.names.get(word).copied(),
            _ => None,
        };
        self.expect(var, "a variable bound before")
    }

    fn atom(&mut self) -> Parsed<Atom> {
        match self.peek() {
            Token::Number(_) | Token::Word("true" | "false") => Ok(Atom::Const(self.constant()?)),
            _ => Ok(Atom::Var(self.var()?)),
        }
    }

    fn constant(&mut self) -> Parsed<PrimValue> {
        let value = match self.peek() {
            Token::Number(text) => literal::parse(text),
            Token::Word("true") => Some(PrimValue::Bool(true)),
            Token::Word("false") => Some(PrimValue::Bool(false)),
            _ => None,
        };
        self.expect(value, "a constant with its type")
    }

    /// A list of items in brackets, separated by commas.
    fn list<T>(
        &mut self,
        open: &str,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        self.sign(open)?;
        let mut items = Vec::new();
        while !self.take_sign(close) {
            if !items.is_empty() {
                self.sign(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn peek(&self) -> Token<'a> {
        self.tokens[self.next].1
    }

    fn advance(&mut self) {
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
    }

    /// Advances past the current token if `made` has a value; otherwise reports that `what` was expected.
    fn expect<T>(&mut self, made: Option<T>, what: &str) -> Parsed<T> {
        match made {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => self.fail(format!("expected {what}")),
        }
    }

    fn word(&mut self) -> Parsed<&'a str> {
        let word = match self.peek() {
            Token::Word(word) => Some(word),
            _ => None,
        };
        self.expect(word, "a name")
    }

    fn take_word(&mut self, word: &str) -> bool {
        let taken = matches!(self.peek(), Token::Word(found) if found == word);
        if taken {
            self.advance();
        }
        taken
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let taken = matches!(self.peek(), Token::Sign(found) if found == sign);
        if taken {
            self.advance();
        }
        taken
    }

    fn keyword(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) { Ok(()) } else { self.fail(format!("expected `{word}`")) }
    }

    fn sign(&mut self, sign: &str) -> Parsed<()> {
        if self.take_sign(sign) { Ok(()) } else { self.fail(format!("expected `{sign}`")) }
    }

    fn fail<T>(&self, message: impl Into<String>) -> Parsed<T> {
        self.fail_at(self.next, message)
    }

    /// Fails at this token.
    fn fail_at<T>(&self, token: usize, message: impl Into<String>) -> Parsed<T> {
        Err(ParseError::new(self.text, self.tokens[token].0.start, message))
    }
}
