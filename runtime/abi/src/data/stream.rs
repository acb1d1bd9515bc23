//! Reads values from an input that may be endless.
//!
//! The bytes read so far are parsed as if they were the whole input. If more bytes could complete the values, more are
//! read. They are parsed again once there are four times as many, so that repeated parsing costs little.

use std::io::{self, Read};

use super::{DataError, Expected, try_read};
use crate::Value;

/// The error about an input that is not the expected values.
#[derive(Debug)]
pub enum InputError {
    /// The input cannot be read.
    Read(io::Error),
    /// The input contains something else.
    Data(DataError),
    /// The input has not ended after this many bytes, which fill the memory.
    Endless(u64),
}

impl std::fmt::Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InputError::Read(trouble) => write!(f, "cannot be read: {trouble}"),
            InputError::Data(error) => error.fmt(f),
            InputError::Endless(bytes) => {
                write!(f, "does not end within {bytes} bytes, and so does not fit in the memory")
            }
        }
    }
}

impl std::error::Error for InputError {}

/// Reads exactly these values, like [`read_values`](super::read_values), and stops at the first wrong byte
/// without waiting for the end.
///
/// # Errors
/// [`InputError`] if the input is something else.
pub fn read_values_from(input: &mut dyn Read, expected: &[Expected]) -> Result<Vec<Value>, InputError> {
    read_within(crate::memory_limit(), input, expected)
}

fn read_within(limit: u64, input: &mut dyn Read, expected: &[Expected]) -> Result<Vec<Value>, InputError> {
    let mut chunk = vec![0; 1 << 16];
    let mut bytes = Vec::new();
    let mut tried = 0;
    loop {
        let count = match input.read(&mut chunk) {
            Err(trouble) if trouble.kind() == io::ErrorKind::Interrupted => continue,
            count => count.map_err(InputError::Read)?,
        };
        bytes.try_reserve(count).map_err(|_| InputError::Endless(bytes.len() as u64))?;
        bytes.extend_from_slice(&chunk[..count]);
        let ended = count == 0;
        if !ended && bytes.len() / 4 < tried {
            continue;
        }
        match try_read(&bytes, expected) {
            Ok(values) if ended => return Ok(values),
            Err(failed) if ended || !failed.open => return Err(InputError::Data(failed.error)),
            _ if bytes.len() as u64 > limit => return Err(InputError::Endless(limit)),
            _ => tried = bytes.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use ravel_prim::PrimType;

    use super::*;

    fn scalar(elem: PrimType) -> [Expected<'static>; 1] {
        [Expected { name: None, elem, rank: 0 }]
    }

    /// The error about an input that repeats these bytes for ever.
    fn endless(pattern: &[u8], rank: usize) -> String {
        struct Endless<'a>(std::iter::Cycle<std::slice::Iter<'a, u8>>);
        impl Read for Endless<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer.iter_mut().zip(&mut self.0).for_each(|(to, from)| *to = *from);
                Ok(buffer.len())
            }
        }
        let expected = [Expected { name: None, elem: PrimType::I32, rank }];
        let mut input = Endless(pattern.iter().cycle());
        read_within(1 << 20, &mut input, &expected).expect_err("it has no end").to_string()
    }

    #[test]
    fn an_endless_input_is_read_up_to_its_first_error() {
        assert_eq!(endless(b"1\n", 0), "2:1: expected the end of the input, found `1`");
        assert_eq!(endless(&[0], 0), "1:1: value 1: unexpected input\n  Expected: i32\n  Actual:   `\\x00`");
        assert_eq!(
            endless(b"b", 0),
            "byte 1: value 1: binary values of version 98 are unknown, only version 2 is"
        );
        assert_eq!(endless(b"[1, ", 1), "1:5: value 1: unexpected input\n  Expected: i32\n  Actual:   `[1`");
    }

    #[test]
    fn a_valid_prefix_is_read_up_to_the_limit_of_memory() {
        let message = "does not end within 1048576 bytes, and so does not fit in the memory";
        assert_eq!(endless(b"\n", 0), message);
        assert_eq!(endless(b"1", 0), message);
        assert_eq!(endless(b"--", 0), message);
    }

    #[test]
    fn values_read_in_pieces_are_complete() {
        /// A reader that returns one byte at a time.
        struct Slow<'a>(&'a [u8]);
        impl Read for Slow<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let count = self.0.len().min(buffer.len()).min(1);
                self.0.read(&mut buffer[..count])
            }
        }
        for text in ["12345i64", " -17 ", "9223372036854775807", "-- a comment\n5"] {
            let values = read_values_from(&mut Slow(text.as_bytes()), &scalar(PrimType::I64));
            let whole = super::super::read_values(text.as_bytes(), &scalar(PrimType::I64));
            assert_eq!(values.ok(), whole.ok(), "{text}");
        }
        let long = format!("[{}7]", "1, ".repeat(100_000));
        let expected = [Expected { name: None, elem: PrimType::I32, rank: 1 }];
        let values = read_values_from(&mut long.as_bytes(), &expected).expect("an array");
        assert_eq!(values[0].shape(), [100_001]);
        let binary = super::super::write_binary(&values);
        assert_eq!(read_values_from(&mut binary.as_slice(), &expected).expect("the same array"), values);
    }
}
