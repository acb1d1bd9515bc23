//! Parsing the text of literals.

use logos::Lexer;
use ravel_prim::PrimType;

use crate::token::{LexError, Token};

pub(crate) fn integer_token(lexer: &mut Lexer<Token>) -> Result<(i128, Option<PrimType>), LexError> {
    integer(lexer.slice())
}

/// The value of an integer literal, and its suffix.
pub(crate) fn integer(text: &str) -> Result<(i128, Option<PrimType>), LexError> {
    let (radix, digits) = match text.get(..2) {
        Some("0x" | "0X") => (Some(16), &text[2..]),
        Some("0b" | "0B") => (Some(2), &text[2..]),
        Some("0r" | "0R") => (None, &text[2..]),
        _ => (Some(10), text),
    };
    let (digits, suffix) = split_suffix(digits, &['i', 'u']);
    let digits = digits.replace('_', "");
    let value = match radix {
        Some(radix) => i128::from_str_radix(&digits, radix)
            .map_err(|_| LexError::BadLiteral("Literal out of bounds for every integer type".to_owned()))?,
        None => roman(&digits),
    };
    Ok((value, suffix))
}

/// The value of a Roman numeral, read from the left.
fn roman(mut numerals: &str) -> i128 {
    const VALUES: [(&str, i128); 13] = [
        ("M", 1000),
        ("CM", 900),
        ("D", 500),
        ("CD", 400),
        ("C", 100),
        ("XC", 90),
        ("L", 50),
        ("XL", 40),
        ("X", 10),
        ("IX", 9),
        ("V", 5),
        ("IV", 4),
        ("I", 1),
    ];
    let mut sum = 0;
    while let Some((numeral, value)) = VALUES.iter().find(|(numeral, _)| numerals.starts_with(numeral)) {
        sum += value;
        numerals = &numerals[numeral.len()..];
    }
    sum
}

/// A float literal in decimal, without underscores and suffix, and its suffix.
pub(crate) fn float_token(lexer: &mut Lexer<Token>) -> Result<(String, Option<PrimType>), LexError> {
    let text = lexer.slice().replace('_', "");
    match text.split_once(['p', 'P']) {
        Some((digits, exponent)) => {
            let (exponent, suffix) = split_suffix(exponent, &['f']);
            let value = ravel_prim::hexadecimal(&digits[2..], exponent).filter(|value| value.is_finite());
            let value = value.ok_or_else(|| {
                LexError::BadLiteral("this number is larger than any float type holds".to_owned())
            })?;
            Ok((format!("{value:e}"), suffix))
        }
        None => {
            let (digits, suffix) = split_suffix(&text, &['f']);
            Ok((digits.to_owned(), suffix))
        }
    }
}

/// Splits off a suffix that is the name of a type and begins with one of `initials`.
fn split_suffix<'a>(text: &'a str, initials: &[char]) -> (&'a str, Option<PrimType>) {
    match text.find(initials) {
        Some(at) => (&text[..at], PrimType::from_name(&text[at..])),
        None => (text, None),
    }
}

pub(crate) fn character_token(lexer: &mut Lexer<Token>) -> Result<char, LexError> {
    let text = lexer.slice();
    let mut chars = unescape(&text[1..text.len() - 1])?.chars().collect::<Vec<_>>();
    match (chars.pop(), chars.is_empty()) {
        (Some(c), true) => Ok(c),
        _ => Err(LexError::BadLiteral("a character literal holds one character".to_owned())),
    }
}

pub(crate) fn string_token(lexer: &mut Lexer<Token>) -> Result<String, LexError> {
    let text = lexer.slice();
    unescape(&text[1..text.len() - 1])
}

pub(crate) fn unterminated(_: &mut Lexer<Token>) -> Result<String, LexError> {
    Err(LexError::BadLiteral("Unclosed string literal: it is not closed on its line".to_owned()))
}

/// Replaces the escapes `\n`, `\t`, `\r`, `\a`, `\b`, `\f`, `\v`, `\\`, `\"`, `\'`, `\&` (nothing) and
/// code points in decimal, hexadecimal (`\x41`) and octal (`\o101`).
fn unescape(text: &str) -> Result<String, LexError> {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        result.push_str(&rest[..at]);
        let escape = &rest[at + 1..];
        let Some(first) = escape.chars().next() else {
            return Err(bad_escape(""));
        };
        let (radix, digits) = match first {
            'x' => (16, &escape[1..]),
            'o' => (8, &escape[1..]),
            _ => (10, escape),
        };
        let length = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        if length > 0 {
            let code = u32::from_str_radix(&digits[..length], radix).ok();
            result.push(code.and_then(char::from_u32).ok_or_else(|| bad_escape(&digits[..length]))?);
            rest = &digits[length..];
            continue;
        }
        match first {
            'n' => result.push('\n'),
            't' => result.push('\t'),
            'r' => result.push('\r'),
            'a' => result.push('\x07'),
            'b' => result.push('\x08'),
            'f' => result.push('\x0c'),
            'v' => result.push('\x0b'),
            '\\' | '"' | '\'' => result.push(first),
            '&' => {}
            _ => return Err(bad_escape(&escape[..first.len_utf8()])),
        }
        rest = &escape[first.len_utf8()..];
    }
    result.push_str(rest);
    Ok(result)
}

fn bad_escape(text: &str) -> LexError {
    LexError::BadLiteral(format!("Invalid lexical syntax: `\\{text}` is not an escape sequence"))
}
