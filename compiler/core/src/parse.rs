//! The parser: reads the text that [`crate::print()`] writes.
//!
//! A recursive-descent parser over the tokens of [`mod@lex`]. It is total: for a text with a mistake, it returns the place
//! of the first one, and nesting is limited. Variables are numbered in the order in which the text binds them. A name
//! needs no number (`x` instead of `x_4`), and a constant without a type is an i64. [`crate::verify()`] checks scope
//! and types.

mod exp;
mod lex;
#[cfg(test)]
mod tests;

use ravel_base::{CallPath, FileId, NESTING_LIMIT, Names, ParseError, ResultPlaces, Span, Symbol};
use ravel_prim::{PrimType, PrimValue};
use rustc_hash::FxHashMap;

use crate::syntax::*;
use lex::{Kind, Token, lex};

/// Parses a program. Its statements have no origins.
///
/// # Errors
/// The first mistake.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    Parser::new(text, None, Names::Printed)?.program()
}

/// Parses a program from the text of `file`. Statements, functions and entry points have their places as origins.
///
/// # Errors
/// The first mistake.
pub fn parse_with_places(text: &str, file: FileId) -> Result<Program, ParseError> {
    Parser::new(text, Some(file), Names::Printed)?.program()
}

/// Parses a program for messages about the text of `file`: with places, and with variables named as [`Names::Written`] says.
/// Also returns the places of results.
pub(crate) fn parse_as_written(text: &str, file: FileId) -> Result<(Program, ResultPlaces), ParseError> {
    let mut parser = Parser::new(text, Some(file), Names::Written)?;
    Ok((parser.program()?, parser.results))
}

type Parsed<T> = Result<T, ParseError>;

/// The name of a variable in the text: hint and number.
type Name = (Option<Symbol>, Option<u32>);

struct Parser<'a> {
    text: &'a str,
    /// The file of the text, if origins describe the text.
    file: Option<FileId>,
    /// How variables are named.
    naming: Names,
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// The variables of the function being read.
    vars: VarTable,
    names: FxHashMap<Name, Var>,
    /// The variables of the functions read so far.
    functions: FxHashMap<Symbol, FxHashMap<Name, Var>>,
    /// The places of the results of bodies, if origins describe the text.
    results: ResultPlaces,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, file: Option<FileId>, naming: Names) -> Parsed<Parser<'a>> {
        Ok(Parser {
            text,
            file,
            naming,
            tokens: lex(text)?,
            at: 0,
            depth: 0,
            vars: VarTable::new(),
            names: FxHashMap::default(),
            functions: FxHashMap::default(),
            results: ResultPlaces::default(),
        })
    }

    fn peek(&self) -> &Kind {
        &self.tokens[self.at].kind
    }

    /// Fails with this message at the next token.
    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(ParseError::new(self.text, self.tokens[self.at].start, message))
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        let found = match self.peek() {
            Kind::Word(text) | Kind::Number(text) => format!("`{text}`"),
            Kind::Quoted(text, _) => format!("the name {text:?}"),
            Kind::Text(text) => format!("the string {text:?}"),
            Kind::Attribute(text) => format!("the attribute `{text}`"),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::End => "the end".to_owned(),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Kind::Sign(found) if *found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Kind::Word(found) if found == word)
    }

    /// Consumes the sign if it is the next token.
    fn has_sign(&mut self, sign: &str) -> bool {
        let has = self.is_sign(sign);
        self.at += usize::from(has);
        has
    }

    /// Consumes the word if it is the next token.
    fn has_word(&mut self, word: &str) -> bool {
        let has = self.is_word(word);
        self.at += usize::from(has);
        has
    }

    fn sign(&mut self, sign: &str) -> Parsed<()> {
        if self.has_sign(sign) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        if self.has_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    /// `open item, item close`.
    fn list<T>(
        &mut self,
        open: &str,
        close: &str,
        mut item: impl FnMut(&mut Parser<'a>) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        self.sign(open)?;
        let mut items = Vec::new();
        if self.has_sign(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.has_sign(close) {
                return Ok(items);
            }
            self.sign(",")?;
        }
    }

    /// Parses the inside of a nested form; fails if the nesting is too deep.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Parser<'a>) -> Parsed<T>) -> Parsed<T> {
        if self.depth == NESTING_LIMIT {
            return self.error(format!("nested more than {NESTING_LIMIT} deep"));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn program(&mut self) -> Parsed<Program> {
        let mut program = Program::default();
        loop {
            if self.is_word("fun") || self.is_word("noinline") {
                let function = self.function()?;
                program.functions.push(function);
            } else if self.has_word("entry") {
                program.entries.push(self.entry()?);
            } else if *self.peek() == Kind::End {
                return Ok(program);
            } else {
                return self.expected("`fun` or `entry`");
            }
        }
    }

    fn function(&mut self) -> Parsed<Function> {
        let noinline = self.has_word("noinline");
        self.word("fun")?;
        let start = self.at;
        let name = self.symbol()?;
        let origin = self.origin_from(start);
        if self.functions.contains_key(&name) {
            self.at = start;
            return self.error(format!("a second function `{name}`"));
        }
        let params = self.list("(", ")", |parser| {
            let consumed = parser.has_sign("*");
            Ok(Param { consumed, var: parser.binder()? })
        })?;
        self.sign("->")?;
        let results = self.list("(", ")", Parser::binder)?;
        self.sign("=")?;
        self.results.enter(self.tokens[start].start);
        let body = self.body()?;
        self.results.leave();
        let vars = std::mem::take(&mut self.vars);
        self.functions.insert(name, std::mem::take(&mut self.names));
        Ok(Function { name, vars, params, results, body, noinline, origin })
    }

    fn entry(&mut self) -> Parsed<Entry> {
        let start = self.at;
        let name = self.symbol()?;
        let origin = self.origin_from(start);
        self.sign("=")?;
        let start = self.at;
        let function = self.symbol()?;
        let Some(names) = self.functions.get(&function).cloned() else {
            self.at = start;
            return self.error(format!("no function `{function}` is defined before this entry"));
        };
        let params = self.list("(", ")", |parser| parser.entry_value(&names))?;
        self.sign("->")?;
        let results = self.list("(", ")", |parser| parser.entry_value(&names))?;
        Ok(Entry { name, function, params, results, origin })
    }

    fn entry_value(&mut self, names: &FxHashMap<Name, Var>) -> Parsed<EntryValue> {
        let unique = self.has_sign("*");
        let named = matches!(self.tokens.get(self.at + 1), Some(token) if token.kind == Kind::Sign("="));
        let mut name = None;
        if named {
            name = Some(self.symbol()?);
            self.sign("=")?;
        }
        let start = self.at;
        let var = self.name()?;
        match names.get(&var) {
            Some(&var) => {
                let constructors = if self.has_word("of") { Some(self.number()?) } else { None };
                Ok(EntryValue { name, var, unique, constructors })
            }
            None => {
                self.at = start;
                self.error("the function has no such variable")
            }
        }
    }

    /// `{ let … in result }`, or only the result.
    fn body(&mut self) -> Parsed<Body> {
        let key = self.results.body();
        if !self.has_sign("{") {
            return Ok(Body { stms: Vec::new(), result: self.result_at(key, self.at)? });
        }
        self.nested(|parser| {
            let mut stms = Vec::new();
            while parser.is_word("let") {
                parser.results.enter(parser.tokens[parser.at].start);
                stms.push(parser.stm()?);
                parser.results.leave();
            }
            let start = parser.at;
            if !parser.has_word("in") {
                return parser.expected("`let` or `in`");
            }
            let result = parser.result_at(key, start)?;
            parser.sign("}")?;
            Ok(Body { stms, result })
        })
    }

    /// The result of a body, whose text begins at this token. The body has this key in the table of results.
    fn result_at(&mut self, key: Option<(u32, usize)>, start: usize) -> Parsed<Vec<Atom>> {
        let result = self.result()?;
        if let Some(file) = self.file {
            self.results.record(key, file, self.tokens[start].start..self.tokens[self.at - 1].end);
        }
        Ok(result)
    }

    fn result(&mut self) -> Parsed<Vec<Atom>> {
        if self.is_sign("(") { self.atoms() } else { Ok(vec![self.atom()?]) }
    }

    fn stm(&mut self) -> Parsed<Stm> {
        let start = self.at;
        self.word("let")?;
        let binders =
            if self.is_sign("(") { self.list("(", ")", Parser::binder)? } else { vec![self.binder()?] };
        self.sign("=")?;
        let attributes = self.attributes();
        let exp = self.exp()?;
        Ok(Stm { binders, exp, origin: Origin { attributes, ..self.origin_from(start) } })
    }

    /// The origin of what was read from this token on: the first line of its text.
    fn origin_from(&self, start: usize) -> Origin {
        let (Some(file), [first, rest @ ..]) = (self.file, &self.tokens[start..self.at]) else {
            return Origin::default();
        };
        let last =
            rest.iter().try_fold(first.end, |end, token| match self.text[end..token.start].contains('\n') {
                true => Err(end),
                false => Ok(token.end),
            });
        let (Ok(end) | Err(end)) = last;
        Origin::at(Span::new(file, first.start, end))
    }

    /// `#[sequential] #[flattening(no_outer)]`.
    fn attributes(&mut self) -> Vec<Symbol> {
        let mut attributes = Vec::new();
        while let Kind::Attribute(text) = self.peek() {
            attributes.push(Symbol::new(text));
            self.at += 1;
        }
        attributes
    }

    /// `x_1: [n_0]i32`.
    fn binder(&mut self) -> Parsed<Var> {
        let start = self.at;
        let name = self.name()?;
        self.sign(":")?;
        let ty = self.ty()?;
        self.bind(start, name, ty)
    }

    /// A binder of type i64, without its type.
    fn counter(&mut self) -> Parsed<Var> {
        let start = self.at;
        let name = self.name()?;
        self.bind(start, name, Type::scalar(PrimType::I64))
    }

    /// Binds the variable whose name starts at this token.
    fn bind(&mut self, start: usize, name: Name, ty: Type) -> Parsed<Var> {
        if self.names.contains_key(&name) {
            self.at = start;
            return self.error("this variable is bound twice");
        }
        let Token { start, end, .. } = self.tokens[start];
        let hint = match self.naming {
            Names::Written => Some(Symbol::new(&self.text[start..end])),
            Names::Printed => name.0,
        };
        let var = self.vars.push(VarInfo { hint, ty });
        self.names.insert(name, var);
        Ok(var)
    }

    fn ty(&mut self) -> Parsed<Type> {
        let mut shape = Vec::new();
        while self.has_sign("[") {
            shape.push(self.atom()?);
            self.sign("]")?;
        }
        Ok(Type { elem: self.prim_type()?, shape })
    }

    fn prim_type(&mut self) -> Parsed<PrimType> {
        let ty = match self.peek() {
            Kind::Word(word) => PrimType::from_name(word),
            _ => None,
        };
        match ty {
            Some(ty) => {
                self.at += 1;
                Ok(ty)
            }
            None => self.expected("a type"),
        }
    }

    /// The name of a tuning parameter: in quotes, as in kernel IR.
    fn text_symbol(&mut self) -> Parsed<Symbol> {
        let Kind::Text(text) = self.peek() else { return self.expected("a name in quotes") };
        let symbol = Symbol::new(text);
        self.at += 1;
        Ok(symbol)
    }

    /// The name of a function, or of an argument or result of an entry.
    fn symbol(&mut self) -> Parsed<Symbol> {
        match self.peek() {
            Kind::Word(text) | Kind::Quoted(text, None) => {
                let symbol = Symbol::new(text);
                self.at += 1;
                Ok(symbol)
            }
            _ => self.expected("a name"),
        }
    }

    /// The name of a variable.
    fn name(&mut self) -> Parsed<Name> {
        let name = match self.peek() {
            Kind::Word(text) => variable_name(text),
            Kind::Quoted(text, number) => (Some(Symbol::new(text)), *number),
            _ => return self.expected("a variable"),
        };
        self.at += 1;
        Ok(name)
    }

    fn var(&mut self) -> Parsed<Var> {
        let start = self.at;
        let name = self.name()?;
        match self.names.get(&name) {
            Some(&var) => Ok(var),
            None => {
                self.at = start;
                self.error("this variable is not bound before its use")
            }
        }
    }

    fn atom(&mut self) -> Parsed<Atom> {
        let constant = match self.peek() {
            Kind::Number(text) => match constant(text) {
                Some(value) => Some(value),
                None => return self.expected("a constant of some type"),
            },
            Kind::Word(text) => constant(text),
            _ => None,
        };
        match constant {
            Some(value) => {
                self.at += 1;
                Ok(Atom::Const(value))
            }
            None => Ok(Atom::Var(self.var()?)),
        }
    }

    fn atoms(&mut self) -> Parsed<Vec<Atom>> {
        self.list("(", ")", Parser::atom)
    }

    fn number<T: std::str::FromStr>(&mut self) -> Parsed<T> {
        let number = match self.peek() {
            Kind::Number(text) => text.parse().ok(),
            _ => None,
        };
        match number {
            Some(number) => {
                self.at += 1;
                Ok(number)
            }
            None => self.expected("a number"),
        }
    }

    /// `@ 0:12..15 from 0:30..40`: a place in the source and the calls that lead there, innermost first.
    fn path(&mut self) -> Parsed<Option<CallPath>> {
        if !self.has_sign("@") {
            return Ok(None);
        }
        let mut spans = vec![self.span()?];
        while self.has_word("from") {
            spans.push(self.span()?);
        }
        Ok(spans.into_iter().rev().fold(None, |caller, span| Some(CallPath::new(span, caller))))
    }

    /// `0:12..15`: a place in a source file.
    fn span(&mut self) -> Parsed<Span> {
        let file = FileId(self.number()?);
        self.sign(":")?;
        let start = self.number()?;
        self.sign("..")?;
        Ok(Span { file, start, end: self.number()? })
    }
}

/// Splits a name into hint and number: `x_4` has both, `v4` only the number 4, and `x` only the hint.
fn variable_name(text: &str) -> Name {
    let number = |digits: &str| {
        if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
    };
    if let Some(number) = text.strip_prefix('v').and_then(number) {
        return (None, Some(number));
    }
    match text.rsplit_once('_').map(|(hint, digits)| (hint, number(digits))) {
        Some((hint, Some(number))) => (Some(Symbol::new(hint)), Some(number)),
        _ => (Some(Symbol::new(text)), None),
    }
}

/// Parses a constant: one with its type, as [`PrimValue::parse`] reads it; a float as its bits, such as `f32#7fc00001`;
/// or an i64 without its type.
fn constant(text: &str) -> Option<PrimValue> {
    if let Some((ty, bits)) = text.split_once('#') {
        let ty = PrimType::from_name(ty).filter(|ty| ty.is_float())?;
        return Some(PrimValue::from_bits(ty, u64::from_str_radix(bits, 16).ok()?));
    }
    PrimValue::parse(text).or_else(|| text.parse().ok().map(PrimValue::I64))
}
