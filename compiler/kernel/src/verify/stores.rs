//! Checks that an entry point or a function stores only to parameters that it consumes.

use ravel_base::Span;

use super::{Checked, Verifier};
use crate::syntax::*;
use crate::uses::Uses;
use crate::visit::Visit;

impl Verifier<'_> {
    /// Checks that the code, which has these uses, stores to no parameter that the caller keeps.
    pub(super) fn stores_to_consumed<L: Level>(
        &self,
        body: &Body<L>,
        uses: &Uses,
        kept: impl Fn(Var) -> bool,
    ) -> Checked {
        let Some(used) = uses.blocks.iter().find(|used| used.written && kept(used.block)) else {
            return Ok(());
        };
        let mut finder = Finder { block: used.block, uses, vars: self.vars, around: None, found: None };
        finder.body(body);
        self.fail(format!("{} is stored to but not consumed", self.show(used.block)))
            .map_err(|error| super::VerifyError { span: finder.found, ..error })
    }
}

/// Finds the first statement that stores to a block.
struct Finder<'a> {
    block: Var,
    uses: &'a Uses,
    vars: &'a VarTable,
    /// The place of the innermost statement around the current one.
    around: Option<Span>,
    /// The place of the statement.
    found: Option<Span>,
}

impl Finder<'_> {
    fn store(&mut self, block: Var) {
        if self.uses.may_alias(block, self.block) {
            self.found = self.found.or(self.around);
        }
    }
}

impl Visit for Finder<'_> {
    fn step<L: Level>(&mut self, step: &Step<L>) {
        let around = std::mem::replace(&mut self.around, step.origin.place());
        self.stm(&step.stm);
        self.around = around;
    }

    fn write(&mut self, array: &Var) {
        if let Some(Type::Array(view)) = self.vars.get(*array).map(|info| &info.ty) {
            self.store(view.block);
        }
    }

    fn borrow(&mut self, value: &Atom, consumed: bool) {
        if let (Atom::Var(block), true) = (*value, consumed) {
            self.store(block);
        }
    }
}
