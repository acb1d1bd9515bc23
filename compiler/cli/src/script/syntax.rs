//! The parser of FutharkScript.

use ravel_abi::{Value, read_any};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Exp {
    /// A literal.
    Value(Value),
    /// A literal in double quotes.
    Text(String),
    /// A name, or a function applied to arguments.
    Apply(String, Vec<Exp>),
    /// `(a, b)`.
    Tuple(Vec<Exp>),
    /// `{x = a, y = b}`.
    Record(Vec<(String, Exp)>),
    /// `[a, b]`.
    Array(Vec<Exp>),
    /// `let x = a in b` or `let (x, y) = a in b`.
    Let(Vec<String>, Box<Exp>, Box<Exp>),
}

/// The maximum nesting depth.
const MAX_NESTING: usize = 200;

/// Parses an expression.
///
/// # Errors
/// A syntax error with its place.
pub fn parse(text: &str) -> Result<Exp, String> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let exp = parser.exp()?;
    match parser.next() {
        None => Ok(exp),
        Some(_) => Err(parser.expected("the end of the expression")),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    /// The next character that is not a blank.
    fn next(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn expected(&self, what: &str) -> String {
        let rest = &self.text[self.at..];
        match rest.split_whitespace().next() {
            Some(found) => format!("expected {what}, found `{found}`"),
            None => format!("expected {what}, found the end"),
        }
    }

    fn accept(&mut self, wanted: char) -> bool {
        let found = self.next() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn require(&mut self, wanted: char) -> Result<(), String> {
        if self.accept(wanted) { Ok(()) } else { Err(self.expected(&format!("`{wanted}`"))) }
    }

    /// The word at the current position: a number or name.
    fn peek_word(&mut self) -> &'t str {
        self.next();
        let rest = &self.text[self.at..];
        let bytes = rest.as_bytes();
        let is_in_word = |at: usize| match bytes[at] {
            b'-' | b'+' => at == 0 || matches!(bytes[at - 1], b'e' | b'E') && bytes[0].is_ascii_digit(),
            b'$' => at == 0,
            byte => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'\''),
        };
        let end = (0..bytes.len()).find(|&at| !is_in_word(at)).unwrap_or(bytes.len());
        &rest[..end]
    }

    fn word(&mut self) -> &'t str {
        let word = self.peek_word();
        self.at += word.len();
        word
    }

    fn name(&mut self) -> Result<String, String> {
        let word = self.peek_word();
        if !word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$') {
            return Err(self.expected("a name"));
        }
        Ok(self.word().to_owned())
    }

    fn exp(&mut self) -> Result<Exp, String> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(format!("nested more than {MAX_NESTING} deep"));
        }
        let exp = if self.peek_word() == "let" { self.binding() } else { self.application() };
        self.depth -= 1;
        exp
    }

    fn binding(&mut self) -> Result<Exp, String> {
        self.word();
        let pattern = if self.accept('(') { self.list(')', Parser::name)? } else { vec![self.name()?] };
        self.require('=')?;
        let value = self.exp()?;
        if self.peek_word() != "in" {
            return Err(self.expected("`in`"));
        }
        self.word();
        Ok(Exp::Let(pattern, Box::new(value), Box::new(self.exp()?)))
    }

    fn application(&mut self) -> Result<Exp, String> {
        match self.atom()? {
            Exp::Apply(name, _) => {
                let mut args = Vec::new();
                while self.at_atom() {
                    args.push(self.atom()?);
                }
                Ok(Exp::Apply(name, args))
            }
            exp => Ok(exp),
        }
    }

    fn at_atom(&mut self) -> bool {
        match self.next() {
            Some('(' | '[' | '{' | '"') => true,
            Some(_) => !matches!(self.peek_word(), "" | "in" | "let"),
            None => false,
        }
    }

    fn atom(&mut self) -> Result<Exp, String> {
        if self.accept('(') {
            let mut parts = self.list(')', Parser::exp)?;
            return Ok(if parts.len() == 1 { parts.remove(0) } else { Exp::Tuple(parts) });
        }
        if self.accept('[') {
            return Ok(Exp::Array(self.list(']', Parser::exp)?));
        }
        if self.accept('{') {
            let field = |parser: &mut Self| {
                let name = parser.name()?;
                parser.require('=')?;
                Ok((name, parser.exp()?))
            };
            return Ok(Exp::Record(self.list('}', field)?));
        }
        if self.accept('"') {
            let rest = &self.text[self.at..];
            let end = rest.find('"').ok_or("text without a closing `\"`")?;
            self.at += end + 1;
            return Ok(Exp::Text(rest[..end].to_owned()));
        }
        let start = self.at;
        let mut word = self.word();
        if word == "empty" && self.accept('(') {
            let end = self.text[self.at..].find(')').ok_or("`empty(` without a closing `)`")?;
            self.at += end + 1;
            word = self.text[start..self.at].trim_start();
        }
        match read_any(word.as_bytes()).as_deref() {
            Ok([value]) => Ok(Exp::Value(value.clone())),
            _ => {
                self.at = start;
                Ok(Exp::Apply(self.name()?, Vec::new()))
            }
        }
    }

    /// Items separated by commas, up to the closing bracket.
    fn list<T>(
        &mut self,
        close: char,
        item: impl Fn(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let mut items = Vec::new();
        while !self.accept(close) {
            if !items.is_empty() {
                self.require(',')?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }
}
