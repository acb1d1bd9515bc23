//! The verifier: the law book of core IR.
//!
//! It checks, function by function:
//!
//! * **Scope.** Every variable is in the function's table, bound once, and used only where its
//!   binder reaches: behind it in the same body and in the bodies inside.
//! * **Types.** Operators take their operands' types (by [`ravel_prim`]); every expression gives
//!   as many values as there are binders, and of their types. Of an existential size the equation
//!   counts: what is handed to `(m: i64, ys: [m]i32)` is a size and an array of that size.
//! * **Sizes** are i64, not negative if constant, and compared as atoms. Where two atoms differ
//!   the sizes count as different, even if they are equal at run time: [`Exp::Assert`] restates
//!   them, [`Exp::Reshape`] and [`Exp::Concat`] take them on trust.
//! * **Lambdas.** Parameters and results fit what feeds and takes them; the shapes of results
//!   name nothing bound inside.
//! * **Screma.** Sources have the width; map, scans, post and sinks agree in number and type.
//! * **Streams.** Sources have the width; the chunk takes its size, an offset and a stretch of every
//!   source; what is mapped is as long as the chunk, and what is reduced as the operator wants it.
//! * **Calls and entries** name functions of the program and fit them; an entry lists every
//!   parameter and result of its function, sizes of listed arrays aside. Names are unique.
//! * **Consumption** ([`consume`]). What an update, a write, a combine, a call or a loop consumes
//!   is not used afterwards under any name, is used only once by the consumer itself, and belongs
//!   to the body that consumes it: a lambda consumes nothing from outside and no parameter.
//!
//! It does not check that indices are in bounds, that divisors are not zero, that the sizes of
//! `reshape` and `concat` fit, that operators are associative, that arrays from `scratch` are
//! written before they are read, nor anything about origins.

mod check;
mod consume;
mod entry;
mod screma;
mod stream;
#[cfg(test)]
mod tests;

use std::fmt;

use ravel_base::Symbol;
use rustc_hash::FxHashMap;

use crate::alias::{Aliases, Summaries};
use crate::print::print_stm;
use crate::syntax::*;

/// The first breach of the law that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The function, or the entry point.
    pub place: String,
    /// The text of the innermost statement, if a statement is to blame.
    pub statement: Option<String>,
    /// What is wrong.
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

/// Is this a lawful program?
pub fn verify(program: &Program) -> Result<(), VerifyError> {
    let mut functions = FxHashMap::default();
    for function in &program.functions {
        if functions.insert(function.name, function).is_some() {
            return Err(VerifyError {
                place: format!("function {}", function.name),
                statement: None,
                message: "another function has this name".to_owned(),
            });
        }
    }
    let context = |kind: &str, name: Symbol| {
        let place = format!("{kind} {name}");
        move |fault: Fault| VerifyError { place, statement: fault.statement, message: fault.message }
    };
    for function in &program.functions {
        check::function(&functions, function).map_err(context("function", function.name))?;
    }
    let summaries = Summaries::of(program);
    let mut aliases = FxHashMap::default();
    for function in &program.functions {
        let found = Aliases::of(function, &summaries);
        consume::function(&summaries, &found, function).map_err(context("function", function.name))?;
        aliases.insert(function.name, found);
    }
    for (index, entry) in program.entries.iter().enumerate() {
        let again = program.entries[..index].iter().any(|other| other.name == entry.name);
        require(!again, || "another entry has this name".to_owned()).map_err(context("entry", entry.name))?;
        entry::entry(&functions, &aliases, entry).map_err(context("entry", entry.name))?;
    }
    Ok(())
}

/// Where consumption first breaks the law in a function, such that a copy mends it.
pub fn conflict(summaries: &Summaries, function: &Function) -> Option<Conflict> {
    consume::function(summaries, &Aliases::of(function, summaries), function).err()?.conflict
}

/// What a copy sets apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// An array that the statement with this first binder consumes, although others see it.
    Consumed {
        /// The first binder of the statement.
        by: Var,
        /// The array.
        array: Var,
    },
    /// What a loop hands to a parameter that it consumes, although others see it.
    Next {
        /// The first binder of the loop.
        of: Var,
        /// The number of the parameter.
        param: usize,
    },
}

/// A breach, and the statement to blame once it is known.
struct Fault {
    statement: Option<String>,
    message: String,
    conflict: Option<Conflict>,
}

impl Fault {
    /// Blames `stm`, unless a statement inside it is already to blame.
    fn blame(mut self, vars: &VarTable, stm: &Stm) -> Fault {
        self.statement.get_or_insert_with(|| print_stm(vars, stm));
        self
    }

    /// A copy would mend it.
    fn mended_by(self, conflict: Option<Conflict>) -> Fault {
        Fault { conflict, ..self }
    }
}

type Verified<T = ()> = Result<T, Fault>;

fn fault<T>(message: impl Into<String>) -> Verified<T> {
    Err(Fault { statement: None, message: message.into(), conflict: None })
}

/// A fault with this message unless `condition` holds.
fn require(condition: bool, message: impl FnOnce() -> String) -> Verified {
    if condition { Ok(()) } else { fault(message()) }
}
