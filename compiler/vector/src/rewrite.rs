//! The rewrites of strips: their names, and what each requires. `--without NAME` switches one off.

use ravel_kernel::Target;

use crate::{rows, vectorise};

/// A rewrite of strips.
#[derive(Debug)]
pub struct Rewrite {
    /// The name.
    pub name: &'static str,
    /// What it does, as a sentence.
    pub about: &'static str,
    /// What it requires: each premise with its name, as a sentence without its full stop.
    pub premises: &'static [(&'static str, &'static str)],
    /// Changes the target to one for which the rewrite never fires.
    pub switch_off: fn(&mut Target),
}

/// The rewrites, in the order in which they run.
pub const REWRITES: [Rewrite; 2] = [vectorise::INTERIOR, rows::ROW_LOOPS];
