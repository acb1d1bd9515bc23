//! The lexer of kernel text.

use std::ops::Range;

use ravel_base::ParseError;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A name or a keyword.
    Word(&'a str),
    /// A constant with its type: `1i32`, `-1.5f64`, `-f32.inf`, `f32#7fc00001`. Or a number without a type, which
    /// occurs in source places such as `0:3..7`.
    Number(&'a str),
    /// The text between quotes, still escaped.
    Text(&'a str),
    /// Any other token, such as `->` and `..`.
    Sign(&'a str),
    /// The end of the text.
    End,
}

/// All tokens with their ranges of bytes. The last one is `End`.
pub(super) fn tokens(text: &str) -> Result<Vec<(Range<usize>, Token<'_>)>, ParseError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (length, token) = match first {
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '-' if rest.starts_with("--") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            c if c.is_alphabetic() || c == '_' || rest.starts_with("-f") => {
                let length = c.len_utf8() + word(&rest[c.len_utf8()..]);
                let special = rest[length..].strip_prefix(['.', '#']).map_or(0, |special| 1 + word(special));
                let part = &rest[..length + special];
                let token = if special > 0 { Token::Number(part) } else { Token::Word(part) };
                (length + special, token)
            }
            c if c.is_ascii_digit() || (c == '-' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) => {
                let length = number(rest);
                (length, Token::Number(&rest[..length]))
            }
            '`' => {
                let length = rest[1..].find('`').map(|end| end + 2);
                let length = length.ok_or_else(|| ParseError::new(text, at, "unclosed backquotes"))?;
                let length = length + word(&rest[length..]);
                (length, Token::Word(&rest[..length]))
            }
            '"' => {
                let length = quoted(rest).ok_or_else(|| ParseError::new(text, at, "unclosed quotes"))?;
                (length, Token::Text(&rest[1..length - 1]))
            }
            c => {
                let length = match rest {
                    _ if rest.starts_with("->") || rest.starts_with("..") => 2,
                    _ => c.len_utf8(),
                };
                (length, Token::Sign(&rest[..length]))
            }
        };
        tokens.push((at..at + length, token));
        at += length;
    }
    tokens.push((text.len()..text.len(), Token::End));
    Ok(tokens)
}

/// Length of the letters, digits, `_` and `'` at the start.
fn word(text: &str) -> usize {
    text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'')).unwrap_or(text.len())
}

/// Length of the number at the start: a sign, digits, a fraction, an exponent, a type.
fn number(text: &str) -> usize {
    let mut end = 1;
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(end) {
        let goes_on = match byte {
            b'.' => bytes.get(end + 1).is_some_and(u8::is_ascii_digit),
            b'-' | b'+' => bytes[end - 1] == b'e',
            byte => byte.is_ascii_alphanumeric(),
        };
        if !goes_on {
            break;
        }
        end += 1;
    }
    end
}

/// Length of the quoted text at the start, quotes included.
fn quoted(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return Some(at + 1),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}
