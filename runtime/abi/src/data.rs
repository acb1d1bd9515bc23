//! The data formats of arguments and results.
//!
//! A stream is a sequence of values, each either text or binary: a value that begins with the letter `b` is binary,
//! since no text value does. Both formats are Futhark's. Readers trust no input: for any bytes they return values or a
//! [`DataError`] with its place. They reserve no more memory than the input fills, and they stop reading an endless
//! input.

mod binary;
mod generate;
mod npy;
mod stream;
mod text;

use std::fmt;
use std::io::{self, Write};

use ravel_prim::PrimType;

use crate::Value;

pub use generate::{Bounds, ValueRequest, generate, read_requests};
pub use npy::{read_npy, write_npy};
pub use stream::{InputError, read_values_from};

/// The value that a reader expects next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected<'a> {
    /// The name of the parameter, for messages.
    pub name: Option<&'a str>,
    /// The type of the scalar or of the elements.
    pub elem: PrimType,
    /// Number of dimensions; 0 for a scalar.
    pub rank: usize,
}

impl fmt::Display for Expected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", "[]".repeat(self.rank), self.elem)
    }
}

/// The error about bytes that are not the expected values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError {
    /// The place in the stream.
    pub place: Place,
    /// The number of the value, from 1, and its name, if the error is in a value.
    pub value: Option<(usize, Option<String>)>,
    /// The message.
    pub message: String,
}

/// A place in a stream of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In text: both from 1, columns in bytes.
    Text {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// In or after a binary value: the offset.
    Byte(usize),
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Text { line, column } => write!(f, "{line}:{column}: ")?,
            Place::Byte(offset) => write!(f, "byte {offset}: ")?,
        }
        match &self.value {
            Some((number, Some(name))) => write!(f, "value {number} (`{name}`): ")?,
            Some((number, None)) => write!(f, "value {number}: ")?,
            None => {}
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for DataError {}

/// Reads exactly these values. Numbers without a suffix take the type that is expected.
pub fn read_values(bytes: &[u8], expected: &[Expected]) -> Result<Vec<Value>, DataError> {
    try_read(bytes, expected).map_err(|failed| failed.error)
}

/// The error of a read, and whether more bytes could complete the values.
struct ReadError {
    error: DataError,
    /// Whether more bytes could complete the values.
    open: bool,
}

fn try_read(bytes: &[u8], expected: &[Expected]) -> Result<Vec<Value>, ReadError> {
    let mut cursor = Cursor::new(bytes);
    let mut values = Vec::with_capacity(expected.len());
    for (index, expected) in expected.iter().enumerate() {
        cursor.skip_space();
        let start = cursor.at;
        let value = match cursor.peek() {
            None => Err(Fault::unexpected(start, expected, "the end of the input")),
            Some(binary::MARK) => binary::read(&mut cursor).and_then(|value| fits(value, expected, start)),
            Some(_) => text::read_as(&mut cursor, expected),
        };
        let name = || Some((index + 1, expected.name.map(str::to_owned)));
        values.push(value.map_err(|fault| cursor.read_error(fault, name()))?);
    }
    cursor.skip_space();
    match cursor.peek() {
        None => Ok(values),
        Some(_) => {
            let message = format!("expected the end of the input, found {}", cursor.word_at_cursor());
            Err(cursor.read_error(Fault::new(cursor.at, message), None))
        }
    }
}

/// Reads all values. Numbers without a suffix are i32, or f64 if they have a point or an exponent.
pub fn read_any(bytes: &[u8]) -> Result<Vec<Value>, DataError> {
    let mut cursor = Cursor::new(bytes);
    let mut values = Vec::new();
    loop {
        cursor.skip_space();
        let value = match cursor.peek() {
            None => return Ok(values),
            Some(binary::MARK) => binary::read(&mut cursor),
            Some(_) => text::read(&mut cursor),
        };
        values.push(value.map_err(|fault| cursor.error(fault, Some((values.len() + 1, None))))?);
    }
}

/// The values in text, one per line.
pub fn write_text(values: &[Value]) -> String {
    let mut out = Vec::new();
    // A vector takes everything, and all that is written are the texts of numbers.
    let _ = write_text_to(values, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

/// Writes the values in text, one per line, without a copy of all of it.
///
/// # Errors
/// The error of the writer.
pub fn write_text_to(values: &[Value], out: &mut impl Write) -> io::Result<()> {
    values.iter().try_for_each(|value| {
        text::write(value, out)?;
        out.write_all(b"\n")
    })
}

/// The values in binary, concatenated.
pub fn write_binary(values: &[Value]) -> Vec<u8> {
    let mut out = Vec::new();
    // A vector takes everything.
    let _ = write_binary_to(values, &mut out);
    out
}

/// Writes the values in binary, concatenated, without a copy of all of it.
///
/// # Errors
/// The error of the writer.
pub fn write_binary_to(values: &[Value], out: &mut impl Write) -> io::Result<()> {
    values.iter().try_for_each(|value| binary::write(value, out))
}

/// Writes the header and then the elements, which are copied in parts.
fn write_elements(header: Vec<u8>, value: &Value, out: &mut impl Write) -> io::Result<()> {
    /// The number of elements that are copied at once.
    const AT_ONCE: usize = 1 << 16;
    let mut bytes = header;
    let Value::Array(array) = value else {
        value.write_bytes(&mut bytes);
        return out.write_all(&bytes);
    };
    let starts = (0..array.data.len()).step_by(AT_ONCE);
    for part in starts.filter_map(|start| array.data.slice(start, AT_ONCE.min(array.data.len() - start))) {
        part.write_bytes(&mut bytes);
        out.write_all(&bytes)?;
        bytes.clear();
    }
    out.write_all(&bytes)
}

/// The value, if its type is the one expected.
fn fits(value: Value, expected: &Expected, start: usize) -> Result<Value, Fault> {
    match value.elem() == expected.elem && value.shape().len() == expected.rank {
        true => Ok(value),
        false => Err(Fault::unexpected(start, expected, value.type_text())),
    }
}

/// An error at an offset.
struct Fault {
    at: usize,
    message: String,
    /// Whether the bytes only end too early.
    cut: bool,
}

impl Fault {
    /// Input that does not have the expected type. Both stand on lines of their own.
    fn unexpected(at: usize, expected: impl fmt::Display, actual: impl fmt::Display) -> Fault {
        Fault::new(at, format!("unexpected input\n  Expected: {expected}\n  Actual:   {actual}"))
    }

    fn new(at: usize, message: impl Into<String>) -> Fault {
        Fault { at, message: message.into(), cut: false }
    }

    fn cut(at: usize, message: impl Into<String>) -> Fault {
        Fault { cut: true, ..Fault::new(at, message) }
    }
}

/// A position in a stream of values.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// True after the first binary value: bytes from there on have no line numbers.
    binary: bool,
}

impl<'a> Cursor<'a> {
    fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0, binary: false }
    }

    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The next `count` bytes, unless fewer are left.
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.rest().get(..count)?;
        self.at += count;
        Some(taken)
    }

    /// Skips blanks, line ends and comments.
    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte.is_ascii_whitespace() {
                self.at += 1;
            } else if self.rest().starts_with(b"--") {
                let line = self.rest().iter().position(|&byte| byte == b'\n');
                self.at = line.map_or(self.bytes.len(), |end| self.at + end);
            } else {
                break;
            }
        }
    }

    /// The word at the cursor, for messages.
    fn word_at_cursor(&self) -> String {
        match self.peek() {
            None => "the end of the input".to_owned(),
            Some(_) => {
                let rest = self.rest();
                let word =
                    rest.iter().take(24).take_while(|byte| byte.is_ascii_graphic() && !b",]".contains(byte));
                let end = word.count().max(1);
                format!("`{}`", rest[..end].escape_ascii())
            }
        }
    }

    /// The error for a fault. A word at the end of the bytes may be incomplete.
    fn read_error(&self, fault: Fault, value: Option<(usize, Option<String>)>) -> ReadError {
        let rest = &self.bytes[fault.at..];
        let in_word = || rest.iter().skip(1).all(|&byte| text::is_in_word(byte));
        let open = fault.cut || !self.binary && in_word();
        ReadError { error: self.error(fault, value), open }
    }

    fn error(&self, fault: Fault, value: Option<(usize, Option<String>)>) -> DataError {
        let place = match self.binary {
            true => Place::Byte(fault.at),
            false => {
                let before = &self.bytes[..fault.at];
                let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
                let lines = before.iter().filter(|&&byte| byte == b'\n').count();
                Place::Text { line: lines + 1, column: fault.at - line_start + 1 }
            }
        };
        DataError { place, value, message: fault.message }
    }
}

#[cfg(test)]
mod tests;
