//! Tuning parameters: a function asks for all of its own when it begins, and what is inside of it uses the answers.
//!
//! Only the host of a GPU's program knows how parameters are set. In core IR they may stand anywhere, but they depend
//! on nothing, so that the beginning is as good a place as any.

use ravel_base::{Diagnostic, Symbol};
use ravel_core::parameters_in;
use ravel_kernel::{Atom, ScalarExp};
use ravel_prim::PrimType;

use super::scope::{Cx, Made, Scope};
use super::site::Site;

impl<L: Site> Scope<'_, '_, L> {
    /// Asks for the parameters of the function.
    pub fn parameters(&mut self) {
        for (name, default) in parameters_in(self.cx.function) {
            let value = self.scalar(Some(name), PrimType::I64, ScalarExp::Param(name, default));
            self.cx.parameters.insert((name, default), value);
        }
    }
}

impl Cx<'_> {
    /// The value of a parameter.
    pub fn parameter(&self, name: Symbol, default: i64) -> Made<Atom> {
        let known = self.parameters.get(&(name, default)).copied();
        known.ok_or_else(|| Diagnostic::bug(format!("kernelise: the parameter `{name}` was not asked for")))
    }
}
