//! The verifier: the rules that every core IR program obeys.
//!
//! It checks, function by function:
//!
//! * **Scope.** Every variable is in the function's table, bound once, and used only in its scope:
//!   after its binder, in the same body and in the bodies nested there.
//! * **Types.** Operators support the types of their operands (as [`ravel_prim`] defines). Every expression
//!   has as many results as there are binders, and their types match. A binder's size may name another binder of the
//!   same statement (an existential size): the values of `(m: i64, ys: [m]i32)` are a size and an array of that size.
//! * **Sizes** are i64, not negative if constant, and compared as atoms. Two different atoms are
//!   different sizes, even if they are equal at run time. [`Exp::Assert`] may give
//!   its values other sizes, but no other rank. [`Exp::Reshape`] and [`Exp::Concat`] take
//!   the sizes of their binders without a check.
//! * **Lambdas.** Arguments and parameters agree, as do results and their consumers. The shapes of
//!   results name no variable bound inside the lambda.
//! * **Screma.** Sources have the width; map, scans, post and sinks agree in number and type.
//! * **Segments.** The rules for scremas also hold for the Screma of a segment. Its sources are iotas. The counters are
//!   i64, and in scope only in `map` and `post`. Mapped and reduced results have the outer dimensions in front of their
//!   own.
//! * **Levels** ([`level`]). A grid segment is host code, an inner segment is part of the body of a workgroup, and neither
//!   is inside a lambda of another construct. The body of a workgroup is uniform: it contains no other construct, no call, and no
//!   iota, replicate or scratch, whose arrays a segment has to fill. So values that vary from thread to thread exist only
//!   inside inner segments, whose results are arrays and reduced values. Neither a thread nor an operator calls a function that has segments.
//! * **Streams.** Sources have the width. The chunk function takes the chunk's size, an offset and a slice of every
//!   source. A mapped value has the chunk's size, and a reduced value the type of the operator.
//! * **Calls and entries** name functions of the program and match their types. An entry lists every
//!   parameter and result of its function, except sizes of listed arrays. Names are unique.
//! * **Consumption** ([`consume`]). After an update, a write, a combine, a call or a loop has consumed an array,
//!   neither the array nor an alias of it is used. The consumer itself uses it only once. The array belongs to the body
//!   that consumes it: a lambda consumes no free variable and no parameter. Only the code of a segment of exactly one
//!   point, which runs once, may consume arrays of the body around it.
//!
//! Not checked: that indices are in bounds, that divisors are not zero, that the sizes of
//! `reshape` and `concat` are right, that operators are associative, that arrays from `scratch` are
//! written before they are read, and anything about origins.

mod check;
mod consume;
mod entry;
mod level;
mod screma;
mod segment;
mod stream;
#[cfg(test)]
mod tests;

use std::fmt;

use ravel_base::{FileId, Names, Origin, Span, TextFault};
use rustc_hash::FxHashMap;

use crate::alias::{Aliases, Summaries};
use crate::parse::parse_as_written;
use crate::print::print_stm;
use crate::syntax::*;

/// The first violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The function, or the entry point.
    pub place: String,
    /// The text of the innermost statement, if a statement is to blame.
    pub statement: Option<String>,
    /// The place in the source of the statement, otherwise of the function or the entry point, if its origin has one.
    pub span: Option<Span>,
    /// If the results of a body there are to blame: its number among the bodies of the statement or the function, in the order
    /// of the text.
    pub body: Option<usize>,
    /// The message.
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in {}: {}", self.place, self.message)?;
        if let Some(statement) = &self.statement {
            write!(f, "\n{statement}")?;
        }
        Ok(())
    }
}

impl std::error::Error for VerifyError {}

/// The first violation in a text of this file, if it can be parsed.
pub fn fault_in_text(text: &str, file: FileId) -> Option<TextFault> {
    let (program, results) = parse_as_written(text, file).ok()?;
    let VerifyError { span, body, message, .. } = verify_naming(&program, Names::Written).err()?;
    Some(TextFault { span: results.place(span, body), message })
}

/// Checks that the program obeys all rules.
pub fn verify(program: &Program) -> Result<(), VerifyError> {
    verify_naming(program, Names::Printed)
}

fn verify_naming(program: &Program, names: Names) -> Result<(), VerifyError> {
    let mut functions = FxHashMap::default();
    for function in &program.functions {
        if functions.insert(function.name, function).is_some() {
            return fault("another function has this name").map_err(in_function(function));
        }
    }
    let mut levels = level::Levels::default();
    for function in &program.functions {
        let found = check::function(&functions, function, names).map_err(in_function(function))?;
        levels.insert(function.name, found);
    }
    levels.check().map_err(|(name, fault)| in_function(functions[&name])(fault))?;
    let summaries = Summaries::of(program);
    let mut aliases = FxHashMap::default();
    for function in &program.functions {
        let function_aliases = Aliases::of(function, &summaries);
        consume::function(&summaries, &function_aliases, function, names).map_err(in_function(function))?;
        aliases.insert(function.name, function_aliases);
    }
    for (index, entry) in program.entries.iter().enumerate() {
        let in_entry = |fault: Fault| fault.within(format!("entry {}", entry.name), &entry.origin);
        let again = program.entries[..index].iter().any(|other| other.name == entry.name);
        require(!again, || "another entry has this name".to_owned()).map_err(in_entry)?;
        entry::entry(&functions, &aliases, entry, names).map_err(in_entry)?;
    }
    Ok(())
}

/// Turns a fault in this function into an error.
fn in_function(function: &Function) -> impl Fn(Fault) -> VerifyError {
    |fault| fault.within(format!("function {}", function.name), &function.origin)
}

/// The first illegal consumption in a function, if a copy of the array would make it legal.
pub fn conflict(summaries: &Summaries, function: &Function) -> Option<Conflict> {
    consume::function(summaries, &Aliases::of(function, summaries), function, Names::Printed).err()?.conflict
}

/// An illegal consumption that a copy makes legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// The statement with this first binder consumes an array that has another use.
    Consumed {
        /// The first binder of the statement.
        by: Var,
        /// The array.
        array: Var,
    },
    /// The next value of a consumed loop parameter is an array that has another use.
    Next {
        /// The first binder of the loop.
        of: Var,
        /// The index of the parameter.
        param: usize,
    },
}

/// A violation, and the statement to blame, if it is known yet. If `body` is there, the results of this body of the statement are
/// to blame.
struct Fault {
    statement: Option<Blamed>,
    body: Option<usize>,
    message: String,
    conflict: Option<Conflict>,
}

/// A statement to blame: its text, and its place in the source.
#[derive(Clone, Debug)]
struct Blamed {
    text: String,
    span: Option<Span>,
}

impl Blamed {
    fn new(vars: &VarTable, stm: &Stm) -> Blamed {
        Blamed { text: print_stm(vars, stm), span: stm.origin.place() }
    }
}

impl Fault {
    /// Blames `stm`, unless a statement inside it is already to blame.
    fn blame(mut self, vars: &VarTable, stm: &Stm) -> Fault {
        self.statement.get_or_insert_with(|| Blamed::new(vars, stm));
        self
    }

    /// Blames the results of the body with this number, unless something inside it is already to blame.
    fn in_results(self, body: usize) -> Fault {
        match self {
            Fault { statement: None, body: None, .. } => Fault { body: Some(body), ..self },
            _ => self,
        }
    }

    /// The error for a fault in a function or an entry point of this origin.
    fn within(self, place: String, origin: &Origin) -> VerifyError {
        let (statement, span) = match self.statement {
            Some(Blamed { text, span }) => (Some(text), span),
            None => (None, origin.place()),
        };
        VerifyError { place, statement, span, body: self.body, message: self.message }
    }

    /// Adds the conflict that a copy would resolve.
    fn with_conflict(self, conflict: Option<Conflict>) -> Fault {
        Fault { conflict, ..self }
    }
}

type Verified<T = ()> = Result<T, Fault>;

fn fault<T>(message: impl Into<String>) -> Verified<T> {
    Err(Fault { statement: None, body: None, message: message.into(), conflict: None })
}

/// A fault with this message unless `condition` holds.
fn require(condition: bool, message: impl FnOnce() -> String) -> Verified {
    if condition { Ok(()) } else { fault(message()) }
}
