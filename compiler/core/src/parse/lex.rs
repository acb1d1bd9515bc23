//! The tokens of core text.

use ravel_base::ParseError;

/// A token with its offsets in the text.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A word: a keyword, a name, or a special constant such as `f32.nan` or `f32#7fc00001`.
    Word(String),
    /// A name in backquotes, with the number after it, if any.
    Quoted(String, Option<u32>),
    /// A number, with its sign and its type.
    Number(String),
    /// A string.
    Text(String),
    /// The text between `#[` and `]`.
    Attribute(String),
    /// Punctuation.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// Longer signs come before their prefixes.
const SIGNS: [&str; 15] = ["->", "..", "(", ")", "{", "}", "[", "]", ",", ":", "=", "\\", "*", "<", "@"];

struct Lexer<'a> {
    text: &'a str,
    rest: &'a str,
}

/// All tokens of the text; the last is [`Kind::End`].
pub(super) fn lex(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut lexer = Lexer { text, rest: text };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let start = lexer.offset();
        let kind = lexer.token()?;
        let is_last = kind == Kind::End;
        tokens.push(Token { kind, start, end: lexer.offset() });
        if is_last {
            return Ok(tokens);
        }
    }
}

impl<'a> Lexer<'a> {
    fn offset(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    fn error(&self, message: impl Into<String>) -> ParseError {
        self.error_at(self.offset(), message)
    }

    fn error_at(&self, offset: usize, message: impl Into<String>) -> ParseError {
        ParseError::new(self.text, offset, message)
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.rest = &self.rest[char.len_utf8()..];
        Some(char)
    }

    /// Consumes the first `bytes` bytes.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        taken
    }

    fn skip_blanks(&mut self) {
        while let Some(char) = self.peek() {
            if self.rest.starts_with("--") {
                self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if char.is_whitespace() {
                self.next();
            } else {
                break;
            }
        }
    }

    fn token(&mut self) -> Result<Kind, ParseError> {
        let Some(first) = self.peek() else { return Ok(Kind::End) };
        if let Some(sign) = SIGNS.into_iter().find(|sign| self.rest.starts_with(sign)) {
            self.take(sign.len());
            return Ok(Kind::Sign(sign));
        }
        if let Some(rest) = self.rest.strip_prefix("#[") {
            let Some(length) = rest.find([']', '\n']).filter(|&end| rest[end..].starts_with(']')) else {
                return Err(self.error("this attribute has no `]`"));
            };
            return Ok(Kind::Attribute(self.take(length + 3)[2..length + 2].to_owned()));
        }
        match first {
            '"' => self.quoted('"').map(Kind::Text),
            '`' => {
                let name = self.quoted('`')?;
                let number = match self.rest.strip_prefix('_') {
                    None => None,
                    Some(_) => {
                        self.take(1);
                        let digits = self.take(prefix(self.rest, |char| char.is_ascii_digit()));
                        Some(digits.parse().map_err(|_| self.error("a variable without a number"))?)
                    }
                };
                Ok(Kind::Quoted(name, number))
            }
            '-' => {
                let length = 1 + number_length(&self.rest[1..]);
                Ok(Kind::Number(self.take(length).to_owned()))
            }
            digit if digit.is_ascii_digit() => {
                Ok(Kind::Number(self.take(number_length(self.rest)).to_owned()))
            }
            letter if letter.is_ascii_alphabetic() || letter == '_' => {
                let length = prefix(self.rest, |char| {
                    char.is_ascii_alphanumeric() || matches!(char, '_' | '\'' | '.' | '#')
                });
                Ok(Kind::Word(self.take(length).to_owned()))
            }
            other => Err(self.error(format!("no token starts with {other:?}"))),
        }
    }

    /// The text between two `quote`s.
    fn quoted(&mut self, quote: char) -> Result<String, ParseError> {
        let open = self.offset();
        self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                None => return Err(self.error_at(open, format!("this {quote} has no closing {quote}"))),
                Some('\\') => text.push(self.escape()?),
                Some(char) if char == quote => return Ok(text),
                Some(char) => text.push(char),
            }
        }
    }

    /// The character of an escape, after its backslash.
    fn escape(&mut self) -> Result<char, ParseError> {
        let start = self.offset();
        let char = match self.next() {
            Some('n') => Some('\n'),
            Some('u') if self.rest.starts_with('{') => {
                self.take(1);
                let digits = self.take(prefix(self.rest, |char| char.is_ascii_hexdigit()));
                let char = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
                char.filter(|_| self.next() == Some('}'))
            }
            Some(char @ ('\\' | '"' | '`')) => Some(char),
            _ => None,
        };
        char.ok_or_else(|| self.error_at(start, "an unknown escape"))
    }
}

/// The length of the longest prefix of accepted characters, all of them ASCII.
fn prefix(text: &str, accept: impl Fn(char) -> bool) -> usize {
    text.find(|char| !accept(char)).unwrap_or(text.len())
}

/// The length of a number with its type: letters, digits, one point, and the sign of an exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1);
        let exponent_sign = matches!(byte, b'-' | b'+')
            && at >= 2
            && bytes[at - 1] == b'e'
            && bytes[at - 2].is_ascii_digit()
            && next.is_some_and(u8::is_ascii_digit);
        let point = byte == b'.' && next.is_some_and(u8::is_ascii_alphanumeric);
        if !(byte.is_ascii_alphanumeric() || byte == b'_' || exponent_sign || point) {
            break;
        }
        at += 1;
    }
    at
}
