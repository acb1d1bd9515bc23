//! Warnings that attributes ask for: `#[warn(safety_checks)]`, about each check that runs inside the expression, and
//! `#[unroll]`, if the number of iterations is not known.
//!
//! Lowering inlines functions, so it knows more than the checker: a check whose condition always holds is not generated,
//! and a bound that is a number in the caller is a number here.

use ravel_base::{Code, Diagnostic};
use ravel_core::Atom;

use crate::cx::Lowering;

/// The attribute that asks for warnings about checks.
pub(crate) const SAFETY_CHECKS: &str = "warn(safety_checks)";

impl Lowering<'_, '_> {
    /// Warns of a check here, if the program asks for it.
    pub fn warn_of_check(&self) {
        if self.shows_checks && !self.unsafely {
            let message = "Safety check required: the program is checked here when it runs";
            let help = "inside `#[unsafe]` there are no checks";
            self.warn(Diagnostic::warning(Code::ShownCheck, self.span, message).help(help));
        }
    }

    /// Warns of a loop that cannot be unrolled although the program asks for it.
    pub fn warn_of_bound(&self, bound: Atom) {
        if !matches!(bound, Atom::Const(_)) {
            let message = "Loop with `#[unroll]` has no constant number of iterations";
            let help = "loop over a constant number, or over an array of constant size";
            self.warn(Diagnostic::warning(Code::NotUnrolled, self.span, message).help(help));
        }
    }

    /// Reports each place once: inlined calls lower the same code again.
    fn warn(&self, warning: Diagnostic) {
        let mut warnings = self.program.warnings.borrow_mut();
        if !warnings.iter().any(|known| known.span == warning.span && known.kind == warning.kind) {
            warnings.push(warning);
        }
    }
}
