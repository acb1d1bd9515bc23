//! Failures at run time: what is said is the same on every backend.

use ravel_prim::{PrimType, PrimValue};

/// What an assertion of a compiled program says when it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Literal text and arguments, in turn as they come.
    pub parts: Vec<MessagePart>,
    /// The place in the source, such as `a.dsl:3:5-9`.
    pub place: Option<String>,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
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
}

impl Message {
    /// The failure with these arguments. Scalars print as in source, without type suffix.
    pub fn fail(&self, args: &[PrimValue]) -> Failure {
        let _ = args;
        Failure::Program { message: String::new(), place: self.place.clone() }
    }
}
