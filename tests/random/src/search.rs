//! The search for a case that is wrong: one case after the other, all passes on each, and the code
//! of a share of them run.

use std::fmt;

use ravel_core::Program;
use ravel_driver::Passes;

use crate::case::Case;
use crate::generate::Wishes;
use crate::property::{Counts, Wrong, kernel, native_refines, optimised_kernel, passes_refine};
use crate::shrink::shrink;

/// Of every so many cases without floats, one is compiled to native code.
const NATIVE_SHARE: u64 = 4;

/// A case that is wrong.
#[derive(Debug)]
pub struct Found {
    /// Its number.
    pub index: u64,
    /// The case.
    pub case: Case,
    /// What is wrong with it.
    pub wrong: Wrong,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Found { index, case, wrong } = self;
        writeln!(f, "case {index}:\n\n{}", ravel_core::print(&case.program()))?;
        let args = ravel_abi::write_text(&case.args());
        writeln!(f, "called with (seed {})\n{args}\n{}: {}", case.seed, wrong.by, wrong.what)
    }
}

/// The case of this number: every other one has no floats.
pub fn numbered(seed: u64, index: u64) -> Case {
    Case::numbered(seed, index, Wishes { exact: index % 2 == 1, reads: false })
}

/// The case of this number of those that read what may be out of bounds.
pub fn reading(seed: u64, index: u64) -> Case {
    Case::numbered(seed, index, Wishes { exact: true, reads: true })
}

/// What a search has seen.
#[derive(Debug, Default)]
pub struct Seen {
    /// How many programs.
    pub programs: u64,
    /// How many of them were left out, for they take too many steps.
    pub left_out: u64,
    /// How often every rule fired.
    pub counts: Counts,
}

/// Everything that is demanded of a case; gives the optimised program, unless it takes too many steps.
pub fn holds(case: &Case, counts: &mut Counts) -> Result<Option<Program>, Wrong> {
    let Some(core) = passes_refine(case, counts)? else { return Ok(None) };
    if let Some(kernel) = kernel(case, &core)? {
        let after_all = optimised_kernel(case, kernel.clone(), Passes::all().kernel, counts)?;
        if case.wishes.exact && case.seed.is_multiple_of(NATIVE_SHARE) {
            native_refines(case, &kernel, &after_all)?;
        }
    }
    Ok(Some(core))
}

/// Looks at the cases of these numbers, made by [`numbered`] or [`reading`]; `watch` is called after each.
///
/// # Errors
/// The first case that is wrong, made small if that is wished.
pub fn search(
    made: fn(u64, u64) -> Case,
    seed: u64,
    cases: std::ops::Range<u64>,
    small: bool,
    watch: &mut dyn FnMut(&Seen),
) -> Result<Seen, Box<Found>> {
    let mut seen = Seen::default();
    for index in cases {
        let case = made(seed, index);
        match holds(&case, &mut seen.counts) {
            Ok(core) => seen.left_out += u64::from(core.is_none()),
            Err(wrong) if small => return Err(Box::new(smallest(index, &case, wrong))),
            Err(wrong) => return Err(Box::new(Found { index, case, wrong })),
        }
        seen.programs += 1;
        watch(&seen);
    }
    Ok(seen)
}

/// A smaller case that the same is wrong with.
fn smallest(index: u64, case: &Case, wrong: Wrong) -> Found {
    let wrong_alike =
        |case: &Case| holds(case, &mut Counts::new()).err().filter(|other| other.by == wrong.by);
    let small = shrink(case, &|case| wrong_alike(case).is_some());
    match wrong_alike(&small) {
        Some(wrong) => Found { index, case: small, wrong },
        None => Found { index, case: case.clone(), wrong },
    }
}
