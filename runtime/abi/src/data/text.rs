//! Values in text.
//!
//! Numbers with or without suffix, `true` and `false`, nested brackets, `empty([0][3]i32)` for an
//! array without elements, `"text"` for the array of its bytes, also as a row of a larger array, comments from `--` to
//! the end of the line.
//!
//! An integer that fits the width of its type, signed or unsigned, stands for its bits: `255i8` is -1
//! and `-1u8` is 255. A float beyond the range of its type is an infinity.

use std::io::{self, Write};

use half::f16;
use ravel_prim::{PrimType, PrimValue};

use super::{Cursor, Expected, Fault, fits};
use crate::{Array, Data, Element, Value, with_data, with_element};

/// The maximum number of dimensions: the binary format cannot state more.
const MAX_DIMENSIONS: usize = 255;

/// Reads a value of the expected type.
pub fn read_as(cursor: &mut Cursor, expected: &Expected) -> Result<Value, Fault> {
    let start = cursor.at;
    let value = match at_empty(cursor) {
        true => read_empty(cursor).and_then(|value| fits(value, expected, start)),
        false if cursor.peek() == Some(b'"') => {
            read_string(cursor).and_then(|value| fits(value, expected, start))
        }
        false => with_element!(expected.elem, T => elements::<T>(cursor, expected.rank)),
    };
    value.map_err(|fault| {
        // If the rank differs, a message about the whole value is better.
        let mut again = Cursor { at: start, ..*cursor };
        match read(&mut again) {
            Ok(value) if value.shape().len() != expected.rank => {
                Fault::unexpected(start, expected, value.type_text())
            }
            _ => fault,
        }
    })
}

/// Reads a value of any type. The first element determines the type of all.
pub fn read(cursor: &mut Cursor) -> Result<Value, Fault> {
    if at_empty(cursor) {
        return read_empty(cursor);
    }
    if cursor.peek() == Some(b'"') {
        return read_string(cursor);
    }
    let mut ahead = Cursor { ..*cursor };
    let mut rank = 0;
    while ahead.peek() == Some(b'[') {
        rank += 1;
        ahead.at += 1;
        ahead.skip_space();
    }
    let is_string = ahead.peek() == Some(b'"');
    rank += usize::from(is_string);
    if rank > MAX_DIMENSIONS {
        return Err(Fault::new(cursor.at, format!("arrays have at most {MAX_DIMENSIONS} dimensions")));
    }
    if is_string {
        return elements::<u8>(cursor, rank);
    }
    with_element!(type_of(token(&mut ahead)), T => elements::<T>(cursor, rank))
}

/// Writes the value.
pub fn write(value: &Value, out: &mut impl Write) -> io::Result<()> {
    match value {
        Value::Scalar(scalar) => write!(out, "{scalar}"),
        Value::Array(array) if array.data.is_empty() => write!(out, "empty({})", value.type_text()),
        Value::Array(array) => with_data!(&array.data, data => write_rows(data, &array.shape, out)),
    }
}

fn write_rows<T: Element + Into<PrimValue>>(
    data: &[T],
    shape: &[usize],
    out: &mut impl Write,
) -> io::Result<()> {
    let Some((&count, row)) = shape.split_first() else {
        return data.iter().try_for_each(|&element| write!(out, "{}", element.into()));
    };
    out.write_all(b"[")?;
    for (index, row_data) in data.chunks_exact((data.len() / count).max(1)).enumerate() {
        if index > 0 {
            out.write_all(b", ")?;
        }
        write_rows(row_data, row, out)?;
    }
    out.write_all(b"]")
}

fn at_empty(cursor: &Cursor) -> bool {
    cursor.rest().starts_with(b"empty")
}

/// `empty([0][3]i32)`: the word, the sizes and the type.
fn read_empty(cursor: &mut Cursor) -> Result<Value, Fault> {
    let start = cursor.at;
    cursor.at += b"empty".len();
    punctuation(cursor, b'(')?;
    let mut shape = Vec::new();
    loop {
        cursor.skip_space();
        if cursor.peek() != Some(b'[') {
            break;
        }
        cursor.at += 1;
        cursor.skip_space();
        let at = cursor.at;
        let size = i64::parse(token(cursor)).ok().and_then(|size| usize::try_from(size).ok());
        shape.push(size.ok_or_else(|| Fault::new(at, "expected a size"))?);
        punctuation(cursor, b']')?;
    }
    let at = cursor.at;
    let elem =
        PrimType::from_name(token(cursor)).ok_or_else(|| Fault::new(at, "expected an element type"))?;
    punctuation(cursor, b')')?;
    if !shape.contains(&0) || shape.len() > MAX_DIMENSIONS {
        return Err(Fault::new(start, "an empty array has a size that is 0"));
    }
    Ok(Value::Array(Array { shape, data: Data::from_bytes(elem, &[]) }))
}

/// `"text"`: an array of u8.
fn read_string(cursor: &mut Cursor) -> Result<Value, Fault> {
    let bytes = string(cursor)?;
    Ok(Value::Array(Array { shape: vec![bytes.len()], data: Data::U8(bytes.into()) }))
}

/// The bytes of `"text"`. `\n`, `\t`, `\"` and `\\` mean the same as in a program.
fn string(cursor: &mut Cursor) -> Result<Vec<u8>, Fault> {
    let start = cursor.at;
    cursor.at += 1;
    let mut bytes = Vec::new();
    loop {
        let at = cursor.at;
        match cursor.take(1) {
            None => return Err(Fault::cut(start, "a string without its closing quote")),
            Some(b"\"") => break,
            Some(b"\\") => bytes.push(match cursor.take(1) {
                None => return Err(Fault::cut(start, "a string without its closing quote")),
                Some(b"n") => b'\n',
                Some(b"t") => b'\t',
                Some([escaped @ (b'"' | b'\\')]) => *escaped,
                Some(_) => return Err(Fault::new(at, "an escape that a string cannot hold")),
            }),
            Some(byte) => bytes.extend(byte),
        }
    }
    Ok(bytes)
}

fn punctuation(cursor: &mut Cursor, byte: u8) -> Result<(), Fault> {
    cursor.skip_space();
    if cursor.peek() != Some(byte) {
        let message = format!("expected `{}`, found {}", char::from(byte), cursor.word_at_cursor());
        return Err(Fault::new(cursor.at, message));
    }
    cursor.at += 1;
    Ok(())
}

/// A scalar (rank 0), or elements in `rank` levels of brackets.
fn elements<T: Number>(cursor: &mut Cursor, rank: usize) -> Result<Value, Fault> {
    if rank == 0 {
        return element::<T>(cursor).map(|element| Value::Scalar(element.into()));
    }
    let mut data = Vec::new();
    // A size is known once its first row is closed; `counts` holds the lengths of the open rows.
    let mut shape: Vec<Option<usize>> = vec![None; rank];
    let mut counts = vec![0; rank];
    let mut depth = 0;
    loop {
        cursor.skip_space();
        if T::TYPE == PrimType::U8 && rank > 1 && depth == rank - 1 && cursor.peek() == Some(b'"') {
            // A string is a whole row.
            let row = string(cursor)?;
            check_size(&mut shape[depth], row.len(), cursor)?;
            data.extend(row.iter().map(|byte| T::read(std::slice::from_ref(byte))));
        } else if depth < rank {
            punctuation(cursor, b'[')?;
            counts[depth] = 0;
            depth += 1;
            continue;
        } else {
            data.push(element::<T>(cursor)?);
        }
        loop {
            counts[depth - 1] += 1;
            cursor.skip_space();
            if cursor.peek() == Some(b',') {
                cursor.at += 1;
                cursor.skip_space();
                // A comma may follow the last element, as in a program.
                if cursor.peek() != Some(b']') {
                    break;
                }
            }
            match cursor.peek() {
                Some(b']') => {
                    check_size(&mut shape[depth - 1], counts[depth - 1], cursor)?;
                    cursor.at += 1;
                    depth -= 1;
                }
                _ => {
                    let message = format!("expected `,` or `]`, found {}", cursor.word_at_cursor());
                    return Err(Fault::new(cursor.at, message));
                }
            }
            if depth == 0 {
                let shape = shape.into_iter().map(|size| size.unwrap_or(0)).collect();
                return Ok(Value::Array(Array { shape, data: T::wrap(data) }));
            }
        }
    }
}

/// Checks that a row has the size of the rows before it, if there are any.
fn check_size(size: &mut Option<usize>, count: usize, cursor: &Cursor) -> Result<(), Fault> {
    let size = *size.get_or_insert(count);
    if size == count {
        return Ok(());
    }
    let message = format!("irregular array: this row has size {count}, those before it {size}");
    Err(Fault::new(cursor.at, message))
}

fn element<T: Number>(cursor: &mut Cursor) -> Result<T, Fault> {
    let start = cursor.at;
    if cursor.peek() == Some(b']') {
        return Err(Fault::new(start, format!("an array without elements is written empty([0]{})", T::TYPE)));
    }
    T::parse(token(cursor)).map_err(|misread| {
        let found = Cursor { at: start, ..*cursor }.word_at_cursor();
        match misread {
            Misread::Range => Fault::new(start, format!("{found} does not fit in {}", T::TYPE)),
            Misread::Other => Fault::unexpected(start, T::TYPE, found),
        }
    })
}

/// The word at the cursor: letters, digits, `_` and `.`, and signs in front or after an `e` or `p`.
pub fn token<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    let rest = cursor.rest();
    let mut end = 0;
    while let Some(byte) = rest.get(end) {
        let is_sign = matches!(byte, b'-' | b'+');
        if !is_in_word(*byte) || is_sign && end > 0 && !matches!(rest[end - 1], b'e' | b'E' | b'p' | b'P') {
            break;
        }
        end += 1;
    }
    cursor.at += end;
    std::str::from_utf8(&rest[..end]).unwrap_or_default()
}

/// Whether the byte may be part of a word.
pub fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'_' | b'.')
}

/// The type of an element without a suffix, from its form.
fn type_of(token: &str) -> PrimType {
    let magnitude = token.trim_start_matches('-');
    let is_float = magnitude.starts_with("0x") && magnitude.contains(['p', 'P']);
    let based = !is_float && (magnitude.starts_with("0x") || magnitude.starts_with("0b"));
    let named = |ty: &PrimType| {
        let suffixed = token.ends_with(ty.name()) && !(based && ty.is_float());
        suffixed || magnitude.split_once('.').is_some_and(|(name, _)| name == ty.name())
    };
    match PrimType::ALL.iter().find(|ty| named(ty)) {
        Some(&ty) => ty,
        None if matches!(token, "true" | "false") => PrimType::Bool,
        None if is_float || !based && magnitude.contains(['.', 'e', 'E']) => PrimType::F64,
        None => PrimType::I32,
    }
}

/// The reason why a word is not an element.
enum Misread {
    /// It is an integer beyond the width of the type.
    Range,
    /// It is not an element.
    Other,
}

/// An element that can be read from a word.
trait Number: Element + Into<PrimValue> {
    fn parse(token: &str) -> Result<Self, Misread>;
}

macro_rules! integer {
    ($($ty:ident)*) => {$(
        impl Number for $ty {
            fn parse(token: &str) -> Result<$ty, Misread> {
                let number = token.strip_suffix(stringify!($ty)).unwrap_or(token);
                let (negative, digits) = match number.strip_prefix('-') {
                    Some(digits) => (true, digits),
                    None => (false, number),
                };
                let magnitude = i128::from(magnitude(digits)?);
                let number = if negative { -magnitude } else { magnitude };
                let fits = (-1 << ($ty::BITS - 1)..1 << $ty::BITS).contains(&number);
                if fits { Ok(number as $ty) } else { Err(Misread::Range) }
            }
        }
    )*};
}

integer!(i8 i16 i32 i64 u8 u16 u32 u64);

/// Digits with underscores, hexadecimal after `0x`, binary after `0b`.
fn magnitude(text: &str) -> Result<u64, Misread> {
    let (radix, digits) = match text.as_bytes() {
        [b'0', b'x' | b'X', digits @ ..] => (16, digits),
        [b'0', b'b' | b'B', digits @ ..] => (2, digits),
        digits => (10, digits),
    };
    let mut magnitude: u64 = 0;
    if !digits.first().is_some_and(u8::is_ascii_alphanumeric) {
        return Err(Misread::Other);
    }
    let mut fits = true;
    for &digit in digits.iter().filter(|&&digit| digit != b'_') {
        let digit = char::from(digit).to_digit(radix).ok_or(Misread::Other)?;
        let next =
            magnitude.checked_mul(u64::from(radix)).and_then(|shifted| shifted.checked_add(u64::from(digit)));
        fits &= next.is_some();
        magnitude = next.unwrap_or(0);
    }
    if fits { Ok(magnitude) } else { Err(Misread::Range) }
}

macro_rules! float {
    ($($ty:ident: $from:expr;)*) => {$(
        impl Number for $ty {
            fn parse(token: &str) -> Result<$ty, Misread> {
                match token.strip_suffix(stringify!($ty)).unwrap_or(token) {
                    concat!(stringify!($ty), ".nan") => Ok($ty::NAN),
                    concat!(stringify!($ty), ".inf") => Ok($ty::INFINITY),
                    concat!("-", stringify!($ty), ".inf") => Ok($ty::NEG_INFINITY),
                    number => float(number, $from),
                }
            }
        }
    )*};
}

float! {
    f16: |text| text.parse().ok().map(ravel_prim::nearest_f16);
    f32: |text| text.parse().ok();
    f64: |text| text.parse().ok();
}

/// A decimal number with underscores, point and exponent, or a hexadecimal one with an exponent after `p`; `from`
/// parses the decimal digits.
fn float<T>(text: &str, from: impl Fn(&str) -> Option<T>) -> Result<T, Misread> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    if let Some((digits, exponent)) = digits.strip_prefix("0x").and_then(|rest| rest.split_once(['p', 'P'])) {
        let value = ravel_prim::hexadecimal(&digits.replace('_', ""), exponent).ok_or(Misread::Other)?;
        return from(&format!("{sign}{value:e}")).ok_or(Misread::Other);
    }
    // Rust would also read `.5`, `inf` and `nan`.
    let starts_well = digits.starts_with(|first: char| first.is_ascii_digit());
    let value = match text.contains('_') {
        true => from(&text.replace('_', "")),
        false => from(text),
    };
    value.filter(|_| starts_well).ok_or(Misread::Other)
}

impl Number for bool {
    fn parse(token: &str) -> Result<bool, Misread> {
        token.parse().map_err(|_| Misread::Other)
    }
}
