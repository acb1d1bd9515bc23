//! The allocations in the code of a segment.

use std::sync::Arc;

use ravel_base::{Diagnostic, Origin};
use ravel_kernel::visit::Visit;
use ravel_kernel::*;
use ravel_prim::PrimType;

use super::Result;
use crate::arithmetic::ZERO;

/// The allocation of a block.
pub(super) struct Allocation {
    /// The origin of the statement.
    pub origin: Arc<Origin>,
    pub block: Var,
    /// The type of the elements.
    pub elem: PrimType,
    /// The sizes of the array for which it is allocated.
    pub sizes: Vec<Atom>,
}

/// The allocations in this kind of memory, in the order of the code. `visit` visits the code.
pub(super) fn allocations(
    vars: &VarTable,
    space: Space,
    visit: impl FnOnce(&mut Finder<'_>),
) -> Result<Vec<Allocation>> {
    let mut finder =
        Finder { vars, space, origin: Arc::default(), found: Vec::new(), unnamed: None, is_unlawful: false };
    visit(&mut finder);
    if finder.is_unlawful || finder.unnamed.is_some() {
        return Err(Diagnostic::bug("fit: a block is allocated, but not named as an array"));
    }
    Ok(finder.found)
}

pub(super) struct Finder<'v> {
    vars: &'v VarTable,
    space: Space,
    /// The origin of the statement under visit.
    origin: Arc<Origin>,
    found: Vec<Allocation>,
    /// A block that is allocated, but not yet named.
    unnamed: Option<Var>,
    /// Whether a block is not named directly after its allocation.
    is_unlawful: bool,
}

impl Visit for Finder<'_> {
    fn step<L: Level>(&mut self, step: &Step<L>) {
        self.origin = Arc::clone(&step.origin);
        self.stm(&step.stm);
    }

    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        if let Stm::Alloc { block, .. } = stm
            && let Type::Block(ty) = self.vars[*block].ty
            && ty.space == self.space
        {
            self.is_unlawful |= self.unnamed.replace(*block).is_some();
        }
        self.children(stm);
    }

    fn binder(&mut self, var: &Var) {
        if let Type::Array(view) = &self.vars[*var].ty
            && self.unnamed == Some(view.block)
            && view.offset == ZERO
        {
            let (origin, sizes) = (Arc::clone(&self.origin), view.shape.clone());
            self.found.push(Allocation { origin, block: view.block, elem: view.elem, sizes });
            self.unnamed = None;
        }
    }
}
