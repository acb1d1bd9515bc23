//! Tuning parameters: a function reads all its parameters at its beginning.
//!
//! On a GPU, only the host knows the settings of parameters. In core IR they may occur anywhere, but they depend on
//! nothing, so they can be read at the beginning.

use ravel_base::{Diagnostic, Symbol};
use ravel_core::parameters_in;
use ravel_kernel::{Atom, ScalarExp};
use ravel_prim::PrimType;

use super::level::CodeLevel;
use super::scope::{Cx, Result, Scope};

impl<L: CodeLevel> Scope<'_, '_, L> {
    /// Reads the parameters of the function.
    pub fn parameters(&mut self) {
        for (name, default) in parameters_in(self.cx.function) {
            let value = self.scalar(Some(name), PrimType::I64, ScalarExp::Param(name, default));
            self.cx.parameters.insert((name, default), value);
        }
    }
}

impl Cx<'_> {
    /// The value of a parameter.
    pub fn parameter(&self, name: Symbol, default: i64) -> Result<Atom> {
        let known = self.parameters.get(&(name, default)).copied();
        known.ok_or_else(|| Diagnostic::bug(format!("kernelise: the parameter `{name}` was not asked for")))
    }
}
