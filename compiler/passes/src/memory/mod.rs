//! # memory: passes from kernel IR to kernel IR
//!
//! The translation gives every array a block of its own, made where the array is made. These passes
//! let arrays share blocks and let loops make theirs once. Each takes a lawful program to a lawful
//! one; [`MEMORY`] is their table of contents.

mod blocks;
mod guard;
pub mod hoist;
mod rename;
pub mod reuse;
pub mod swap;
#[cfg(test)]
mod testing;

use ravel_base::Span;
use ravel_core::Origin;
use ravel_kernel::Program;

use crate::Cx;
use crate::kernelise::sweep;

/// A pass over kernel IR, as a value.
#[derive(Clone, Copy, Debug)]
pub struct MemoryPass {
    /// The name.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// The names of its rules: what it may record that it did, or did not do.
    pub rules: &'static [&'static str],
    /// Does it. It prints nothing, reads no file, and iterates over no hash map.
    pub run: fn(&mut Program, &mut Cx),
}

/// The passes over kernel IR, in the order in which they run, each once.
pub const MEMORY: &[MemoryPass] = &[
    // What writes over dead memory needs no block, which the others would keep.
    reuse::PASS,
    // Takes blocks that flow out of a round, which cannot be made before the loop otherwise.
    swap::PASS,
    // Inner loops' buffers go on to leave outer loops.
    hoist::PASS,
];

/// Leaves no names of views and no blocks that nobody uses, and numbers variables as the text does.
fn tidy(program: &mut Program) {
    sweep(program);
    program.renumber();
}

/// The origin of a statement of kernel IR, as far as it has one.
fn origin(span: Option<Span>) -> Origin {
    span.map(Origin::at).unwrap_or_default()
}
