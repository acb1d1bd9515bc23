//! Failures at run time, with the same messages on every backend.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;

use ravel_prim::{PrimType, PrimValue};
use serde::{Deserialize, Serialize};

use crate::Backtrace;

/// The failure messages of a compiled program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Messages {
    all: Vec<Message>,
    /// Places in the source such as `a.dsl:3:5-9`, each once.
    places: Vec<String>,
}

/// The message of an assertion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Message {
    parts: Vec<MessagePart>,
    cause: Cause,
    /// The numbers of the places in its backtrace, innermost first.
    path: Vec<u32>,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MessagePart {
    /// Literal text.
    Text(String),
    /// The next argument.
    Value(PrimType),
}

/// What is to blame if an assertion fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Cause {
    /// The program, or its data.
    #[default]
    Program,
    /// The machine: the program is right, but does not run there.
    Machine,
}

/// The maximum number of nested calls, the same on every backend. A call is counted with the inlined calls that lead to
/// it, so compiled code, which inlines more calls, has the same limit as the interpreter.
pub const MAX_CALLS: u32 = 200_000;

/// The reason why a call returned no result.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// An assertion of the program failed: the complete message, and its place.
    Program {
        /// The message.
        message: String,
        /// The place of the assertion, and the calls that lead to it.
        backtrace: Backtrace,
    },
    /// The arguments do not match the parameters of the entry point.
    Arguments(String),
    /// There is too little memory for the program: the complete message, and the place that needed the memory.
    Memory {
        /// The message.
        message: String,
        /// The place of the statement that needed the memory, and the calls that lead to it.
        backtrace: Backtrace,
    },
    /// This backend or device cannot run the program.
    Limitation(String),
    /// The device or the system failed.
    System(String),
    /// A bug: compiler and runtime do not agree.
    Bug(String),
}

impl Messages {
    /// Messages from their parts and causes, each with the spans of its backtrace, innermost first. `describe` names a span.
    pub fn new<P: Copy + Eq + Hash>(
        messages: impl IntoIterator<Item = (Vec<MessagePart>, Cause, impl IntoIterator<Item = P>)>,
        describe: impl Fn(P) -> String,
    ) -> Messages {
        let (mut all, mut places, mut known) = (Vec::new(), Vec::new(), HashMap::new());
        for (parts, cause, path) in messages {
            let path = path.into_iter().map(|place| {
                *known.entry(place).or_insert_with(|| {
                    places.push(describe(place));
                    u32::try_from(places.len() - 1).unwrap_or(u32::MAX)
                })
            });
            let path = path.collect();
            all.push(Message { parts, cause, path });
        }
        Messages { all, places }
    }

    /// All messages in their order: the parts, and the places innermost first.
    pub fn iter(&self) -> impl Iterator<Item = (&[MessagePart], Vec<&str>)> {
        self.all.iter().map(|Message { parts, path, .. }| (&parts[..], self.path(path).collect()))
    }

    fn path<'m>(&'m self, path: &'m [u32]) -> impl Iterator<Item = &'m str> {
        path.iter().filter_map(|&place| self.places.get(place as usize)).map(String::as_str)
    }

    /// The types of the arguments of the message with this number; `None` if there is no such message.
    pub fn args(&self, message: usize) -> Option<impl Iterator<Item = PrimType> + '_> {
        let parts = &self.all.get(message)?.parts;
        Some(parts.iter().filter_map(|part| match part {
            MessagePart::Text(_) => None,
            MessagePart::Value(ty) => Some(*ty),
        }))
    }

    /// Adds the path of a message to the backtrace of a failure. The message is that of the call inside which the failure
    /// is, or that of the statement that needed memory.
    pub fn add_call(&self, message: usize, failure: &mut Failure) {
        if let Some(Message { path, .. }) = self.all.get(message) {
            failure.add_places(self.path(path), str::to_owned);
        }
    }

    /// The failure of an assertion with this message and these arguments.
    pub fn fail(&self, message: usize, args: &[PrimValue]) -> Failure {
        let Some(Message { parts, cause, path }) = self.all.get(message) else {
            return Failure::Bug(format!("there is no message {message}"));
        };
        let mut backtrace = Backtrace::default();
        backtrace.extend(self.path(path), str::to_owned);
        Failure::of_assertion(fill(parts, args), *cause, backtrace)
    }
}

/// The text of a message with these arguments. Scalars print as in source, without type suffix.
pub fn fill(parts: &[MessagePart], args: &[PrimValue]) -> String {
    let mut args = args.iter();
    let mut message = String::new();
    for part in parts {
        match part {
            MessagePart::Text(text) => message.push_str(text),
            MessagePart::Value(_) => match args.next() {
                Some(&value) => message.push_str(&plain(value)),
                None => message.push('?'),
            },
        }
    }
    message
}

impl Failure {
    /// The failure of an assertion with this message. A limitation states the places that are known here.
    pub fn of_assertion(message: String, cause: Cause, backtrace: Backtrace) -> Failure {
        let failure = Failure::Program { message, backtrace };
        match cause {
            Cause::Program => failure,
            Cause::Machine => Failure::Limitation(failure.to_string()),
        }
    }

    /// The failure to allocate an array of this many bytes. A number beyond an i64 is omitted from the message, since
    /// not every backend knows it exactly.
    pub fn out_of_memory(bytes: u128) -> Failure {
        const MOST: u128 = i64::MAX as u128;
        let bytes = if bytes > MOST { format!("more than {MOST}") } else { bytes.to_string() };
        Failure::memory(format!("not enough memory for an array of {bytes} bytes"))
    }

    /// The failure when more than [`MAX_CALLS`] calls nest, or when the stack is too small for the calls that nest.
    pub fn out_of_stack() -> Failure {
        Failure::memory(format!("not enough memory for calls nested this deeply; the limit is {MAX_CALLS}"))
    }

    /// Too little memory, at a place that is not known so far.
    pub fn memory(message: String) -> Failure {
        Failure::Memory { message, backtrace: Backtrace::default() }
    }

    /// Adds outer places to the backtrace of a failure that has one. `describe` names a place.
    pub fn add_places<P>(&mut self, places: impl IntoIterator<Item = P>, describe: impl Fn(P) -> String) {
        if let Failure::Program { backtrace, .. } | Failure::Memory { backtrace, .. } = self {
            backtrace.extend(places, describe);
        }
    }

    /// If memory was lacking and no place is known, the failure with that of a value that is passed between the caller and
    /// the program. A device may report an earlier failure of the program when results are read; it keeps its places.
    pub fn at(mut self, value: impl FnOnce() -> String) -> Failure {
        if let Failure::Memory { backtrace, .. } = &mut self
            && backtrace.innermost().is_none()
        {
            backtrace.extend(std::iter::once_with(value), |place| place);
        }
        self
    }

    /// The failure of a call that the caller stopped.
    pub fn stopped() -> Failure {
        Failure::System("stopped".to_owned())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Program { message, backtrace } | Failure::Memory { message, backtrace }
                if backtrace.innermost().is_some() =>
            {
                write!(f, "{message}\n\nBacktrace:\n{backtrace}")
            }
            Failure::Program { message: text, .. }
            | Failure::Memory { message: text, .. }
            | Failure::Arguments(text)
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
    fn messages_take_their_arguments_in_order() {
        let parts = vec![
            MessagePart::Text("index ".into()),
            MessagePart::Value(PrimType::I64),
            MessagePart::Text(" of ".into()),
            MessagePart::Value(PrimType::F64),
        ];
        let messages = Messages::new([(parts, Cause::Program, Vec::<u8>::new())], |_| String::new());
        let failure = messages.fail(0, &[PrimValue::I64(-7), PrimValue::F64(0.1)]);
        assert_eq!(failure.to_string(), "index -7 of 0.1");
        assert_eq!(messages.fail(0, &[]).to_string(), "index ? of ?");
        assert!(matches!(messages.fail(1, &[]), Failure::Bug(_)));
    }

    #[test]
    fn each_message_has_its_path_and_each_place_is_kept_once() {
        let no = |path| (vec![MessagePart::Text("no".into())], Cause::Program, path);
        let messages = Messages::new([no(vec![3, 5]), no(vec![3, 7])], |line| format!("a.dsl:{line}"));
        assert_eq!(messages.places, ["a.dsl:3", "a.dsl:5", "a.dsl:7"]);
        let failure = messages.fail(1, &[]).to_string();
        assert_eq!(failure, "no\n\nBacktrace:\n-> #0  a.dsl:3\n   #1  a.dsl:7");
    }

    #[test]
    fn an_assertion_about_the_machine_is_a_limitation() {
        let small = vec![MessagePart::Text("too small".into())];
        let messages = Messages::new([(small, Cause::Machine, vec![3])], |line| format!("a.dsl:{line}"));
        let limitation = "too small\n\nBacktrace:\n-> #0  a.dsl:3".to_owned();
        assert_eq!(messages.fail(0, &[]), Failure::Limitation(limitation));
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

    #[test]
    fn the_place_of_a_failure_may_be_an_argument() {
        let failure = Failure::out_of_memory(8).at(|| "argument 1 (`xs`) of `main`".to_owned());
        let Failure::Memory { backtrace, .. } = failure else { panic!("{failure:?}") };
        assert_eq!(backtrace.innermost(), Some("argument 1 (`xs`) of `main`"));
        let messages =
            Messages::new([(vec![MessagePart::Text("no".into())], Cause::Program, vec![3])], |line| {
                line.to_string()
            });
        for failure in [Failure::stopped(), messages.fail(0, &[])] {
            assert_eq!(failure.clone().at(|| "the results of `main`".to_owned()), failure);
        }
    }
}
