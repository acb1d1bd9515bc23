//! Failures at run time: what is said is the same on every backend.

use std::fmt;

use ravel_prim::{PrimType, PrimValue};
use serde::{Deserialize, Serialize};

/// What an assertion of a compiled program says when it fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Literal text and arguments, in turn as they come.
    pub parts: Vec<MessagePart>,
    /// The place in the source, such as `a.dsl:3:5-9`.
    pub place: Option<String>,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MessagePart {
    /// Literal text.
    Text(String),
    /// The next argument.
    Value(PrimType),
}

/// Why a call gave no result.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// An assertion of the program failed: the finished message, and where.
    Program {
        /// What went wrong.
        message: String,
        /// The place in the source.
        place: Option<String>,
    },
    /// The arguments do not fit the entry point.
    Arguments(String),
    /// There is not enough memory for what the program asked for.
    Memory(String),
    /// This backend or device cannot run the program.
    Limitation(String),
    /// The device or the system failed.
    System(String),
    /// Compiler or runtime broke a promise to one another.
    Bug(String),
}

impl Message {
    /// The failure with these arguments. Scalars print as in source, without type suffix.
    pub fn fail(&self, args: &[PrimValue]) -> Failure {
        let mut args = args.iter();
        let mut message = String::new();
        for part in &self.parts {
            match part {
                MessagePart::Text(text) => message.push_str(text),
                MessagePart::Value(_) => match args.next() {
                    Some(&value) => message.push_str(&plain(value)),
                    None => message.push('?'),
                },
            }
        }
        Failure::Program { message, place: self.place.clone() }
    }
}

impl Failure {
    /// What every backend says when it cannot have an array of this many bytes. Beyond what an i64
    /// counts they do not all know the exact number, and so none is told.
    pub fn out_of_memory(bytes: u128) -> Failure {
        const MOST: u128 = i64::MAX as u128;
        let bytes = if bytes > MOST { format!("more than {MOST}") } else { bytes.to_string() };
        Failure::Memory(format!("not enough memory for an array of {bytes} bytes"))
    }

    /// What every backend says when calls nest deeper than its stack.
    pub fn out_of_stack() -> Failure {
        Failure::Memory("not enough memory for calls nested this deeply".to_owned())
    }

    /// What every backend says when it was told to stop.
    pub fn stopped() -> Failure {
        Failure::System("stopped".to_owned())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Program { message, place: Some(place) } => write!(f, "{place}: {message}"),
            Failure::Program { message, place: None } => f.write_str(message),
            Failure::Arguments(text)
            | Failure::Memory(text)
            | Failure::Limitation(text)
            | Failure::System(text)
            | Failure::Bug(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Failure {}

/// A scalar without its suffix: `3`, `0.1`, `nan`, `-inf`, `true`.
fn plain(value: PrimValue) -> String {
    let (ty, text) = (value.ty().name(), value.to_string());
    match value.ty().is_float() && text.contains(ty) && !text.ends_with(ty) {
        true => text.replace(&format!("{ty}."), ""),
        false => text.trim_end_matches(ty).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_take_their_arguments_in_turn() {
        let parts = vec![
            MessagePart::Text("index ".into()),
            MessagePart::Value(PrimType::I64),
            MessagePart::Text(" of ".into()),
            MessagePart::Value(PrimType::F64),
        ];
        let message = Message { parts, place: Some("a.dsl:3:5-9".into()) };
        let failure = message.fail(&[PrimValue::I64(-7), PrimValue::F64(0.1)]);
        assert_eq!(failure.to_string(), "a.dsl:3:5-9: index -7 of 0.1");
        assert_eq!(message.fail(&[]).to_string(), "a.dsl:3:5-9: index ? of ?");
    }

    #[test]
    fn scalars_print_without_suffix() {
        assert_eq!(plain(PrimValue::F32(f32::NAN)), "nan");
        assert_eq!(plain(PrimValue::F64(f64::NEG_INFINITY)), "-inf");
        assert_eq!(plain(PrimValue::F64(-0.0)), "-0.0");
        assert_eq!(plain(PrimValue::F32(1e30)), "1e30");
        assert_eq!(plain(PrimValue::U8(255)), "255");
        assert_eq!(plain(PrimValue::Bool(true)), "true");
    }

    #[test]
    fn failures_without_a_place_are_their_text() {
        let failure = Failure::out_of_memory(1 << 43);
        assert_eq!(failure.to_string(), "not enough memory for an array of 8796093022208 bytes");
        assert_eq!(Failure::out_of_memory(1 << 63), Failure::out_of_memory(u128::MAX));
    }
}
