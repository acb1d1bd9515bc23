//! # lower: from the typed tree to core IR
//!
//! Core IR has no functions as values, tuples, records, sums or polymorphism. Lowering compiles them
//! away by **evaluating the program at compile time** as far as possible:
//!
//! * A compile-time `value::Value` is an atom of core IR (a scalar or an array of primitives), a
//!   tuple of values, or a closure. An array of tuples is a tuple of
//!   arrays, so `zip` and `unzip` cost nothing.
//! * A record is the tuple of its fields in the order of its type. A value of a sum type is a tuple
//!   too: the number of its constructor, then the payloads of all constructors. The payloads of the other
//!   constructors are zero, so that equal values have equal leaves.
//! * A function application is inlined, or calls a core function
//!   that is generated once for each form of its calls (`program`, `form`, `calls`). Functions as
//!   values and type parameters vanish either way.
//! * Sizes are evaluated like values. If the shape of a value is unknown before its evaluation,
//!   it is read from the value and bound to the size's name (`sizes`).
//! * Constants of the program are evaluated once per entry point, before its code, and passed
//!   to the functions that need them.
//! * Every run-time check is an assertion that returns the operands of the checked operation. For `iota n` this is `n`:
//!   after the check, types with the size `n` use the result of the check (`sizes`).
//! * A size that is used as a number depends on the checks that its array needs (`dependence`, `size_checks`).
//!
//! A statement from the prelude has the place in the user's program that called the prelude.
//!
//! Trees nest as deeply as the source: callers provide the stack.
#![forbid(unsafe_code)]

mod apply;
mod branch;
mod calls;
mod conflicts;
mod cx;
mod data;
mod demand;
mod dependence;
mod entry;
mod errors;
mod exp;
mod form;
mod index;
mod intrinsics;
mod loops;
mod pattern;
mod positions;
mod precondition;
mod program;
mod range;
mod scope;
mod size_checks;
mod sizes;
mod value;
mod warnings;

use ravel_base::{Diagnostic, FileId};
use ravel_types::tast;

/// The rules that lowering applies. The origins of the statements that they generate list them.
pub const RULES: &[&str] = &[intrinsics::SCATTER];

/// Loads the definitions of prelude and library on demand.
pub type Library<'p, 'a> = &'p dyn Fn(tast::ValueId) -> Option<&'a tast::Definition>;

/// Lowers every entry point of the program. Returns it with the warnings that its attributes ask for.
///
/// `library` finds the definitions of the prelude, whose source is `prelude_file`, and of the library. The
/// diagnostics are limitations, at most one per entry point, and bugs.
pub fn lower<'a>(
    program: &'a tast::Program,
    library: Library<'_, 'a>,
    prelude_file: FileId,
) -> Result<(ravel_core::Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let known = program::Program::new(&program.definitions, library, prelude_file);
    let mut lowered = ravel_core::Program::default();
    let mut diagnostics = Vec::new();
    for definition in program.definitions.iter().filter(|definition| definition.entry) {
        match cx::Lowering::new(&known, definition.span).entry(definition) {
            Ok((function, entry)) => {
                known.generated.borrow_mut().functions.push(function);
                lowered.entries.push(entry);
            }
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    lowered.functions = std::mem::take(&mut known.generated.borrow_mut().functions);
    conflicts::resolve_conflicts(&mut lowered);
    entry::mark_unique_results(&mut lowered);
    Ok((lowered, known.warnings.into_inner()))
}

#[cfg(test)]
mod tests;
