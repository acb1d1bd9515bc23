//! # lower: from the typed tree to core IR
//!
//! The one bridge between the language and its intermediate representation. What the typed tree
//! still has and core IR has not is compiled away here by **evaluating the program at compile
//! time** as far as it goes:
//!
//! * A compile-time `value::Value` is an atom of core IR (a scalar or an array of primitives), a
//!   tuple of values, or a function with what it captured. An array of tuples is a tuple of
//!   arrays, so `zip` and `unzip` cost nothing.
//! * A record is the tuple of its fields in the order of its type. A value of a sum type is a tuple
//!   too: the number of its constructor, then the payloads of all constructors. Those of the others
//!   are zero, so that equal values have equal leaves.
//! * Applying a function evaluates its body with the arguments in place, or calls a core function
//!   that is made once for each form of such calls (`program`, `given`, `calls`): functions as
//!   values and type parameters vanish either way.
//! * Sizes are evaluated like values. Where the shape of a value only turns out by evaluating it,
//!   it is read off the value and bound to the size's name (`sizes`).
//! * Constants of the program are evaluated once an entry point, in front of its code, and handed
//!   to the functions that need them.
//! * Every run-time check is an assertion whose handed-through values are what the checked
//!   operation uses. Of `iota n` that is the size: types that state `n` state what the check hands
//!   on from then on (`sizes`).
//!
//! Statements written in the prelude bear the place in the user's program that called for them.
//!
//! Trees nest as deep as the source does: callers provide a stack for it.
#![forbid(unsafe_code)]

mod apart;
mod apply;
mod branch;
mod calls;
mod cx;
mod data;
mod entry;
mod errors;
mod exp;
mod given;
mod index;
mod intrinsics;
mod loops;
mod pattern;
mod positions;
mod precondition;
mod program;
mod range;
mod scope;
mod sizes;
mod value;

use ravel_base::{Diagnostic, FileId};
use ravel_types::tast;

/// The rules that lowering follows itself: the origins of the statements that it makes by them say so.
pub const RULES: &[&str] = &[intrinsics::F0];

/// Where the definitions of prelude and library come from: loaded when asked for.
pub type Library<'p, 'a> = &'p dyn Fn(tast::ValueId) -> Option<&'a tast::Definition>;

/// Lowers every entry point of the program.
///
/// `library` finds the definitions of the prelude, whose source is `prelude_file`, and of the library. The
/// diagnostics are limitations, at most one an entry point, and bugs.
pub fn lower<'a>(
    program: &'a tast::Program,
    library: Library<'_, 'a>,
    prelude_file: FileId,
) -> Result<ravel_core::Program, Vec<Diagnostic>> {
    let known = program::Program::new(&program.definitions, library, prelude_file);
    let mut lowered = ravel_core::Program::default();
    let mut diagnostics = Vec::new();
    for definition in program.definitions.iter().filter(|definition| definition.entry) {
        match cx::Lowering::new(&known, definition.span).entry(definition) {
            Ok((function, entry)) => {
                lowered.functions.append(&mut known.made.borrow_mut().functions);
                lowered.functions.push(function);
                lowered.entries.push(entry);
            }
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    apart::copy_apart(&mut lowered);
    entry::mark_unique_results(&mut lowered);
    Ok(lowered)
}

#[cfg(test)]
mod tests;
