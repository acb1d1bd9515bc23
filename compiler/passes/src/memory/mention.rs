//! The variables that code uses and binds, and their blocks.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::Span;
use ravel_kernel::visit::{Bound, Used};
use ravel_kernel::*;

/// Calls `each` with every variable that a statement uses, including nested statements.
pub fn used<L: Level>(stm: &Stm<L>, each: &mut dyn FnMut(Var)) {
    Used(each).stm(stm);
}

/// The same for a body.
pub fn used_in<L: Level>(body: &Body<L>, each: &mut dyn FnMut(Var)) {
    Used(each).body(body);
}

/// Calls `each` with every variable that a statement binds, including nested statements.
pub fn bound<L: Level>(stm: &Stm<L>, each: &mut dyn FnMut(Var)) {
    Bound(each).stm(stm);
}

/// The same for a body.
pub fn bound_in<L: Level>(body: &Body<L>, each: &mut dyn FnMut(Var)) {
    Bound(each).body(body);
}

/// The code of the threads of a grid segment. The passes do not change the memory of blocks.
pub fn threads<L: Level>(segment: &L::Segment) -> Option<&Body<Thread>> {
    match L::segment(segment) {
        AnySegment::Grid(segment) => segment.threads().map(|(_, body)| body),
        AnySegment::Block(_) => None,
    }
}

/// The same, to be changed.
pub fn threads_mut<L: Level>(segment: &mut L::Segment) -> Option<&mut Body<Thread>> {
    match L::segment_mut(segment) {
        AnySegmentMut::Grid(GridSegment { points: Points::Threads { body, .. }, .. }) => Some(body),
        _ => None,
    }
}

/// For each block, the place of the first segment that mentions it, also in branches and loops: that segment fills a
/// fresh block.
pub fn places<L: Level>(body: &Body<L>, vars: &VarTable) -> BTreeMap<Var, Span> {
    struct Places<'a> {
        vars: &'a VarTable,
        places: BTreeMap<Var, Span>,
    }
    impl Visit for Places<'_> {
        fn stm<L: Level>(&mut self, stm: &Stm<L>) {
            let Stm::Segment(segment) = stm else { return self.children(stm) };
            let Some(span) = L::segment(segment).span() else { return };
            used(stm, &mut |var| {
                block_of(var, self.vars).map(|block| *self.places.entry(block).or_insert(span));
            });
        }
    }
    let mut places = Places { vars, places: BTreeMap::new() };
    places.body(body);
    places.places
}

/// The variables that a body binds, including nested statements.
pub fn binders<L: Level>(body: &Body<L>) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    bound_in(body, &mut |var| {
        found.insert(var);
    });
    found
}

/// The block itself, or the block of an array.
pub fn block_of(var: Var, vars: &VarTable) -> Option<Var> {
    match &vars.get(var)?.ty {
        Type::Block(_) => Some(var),
        Type::Array(view) => Some(view.block),
        Type::Scalar(_) => None,
    }
}

/// The view of an array.
pub fn view_of(array: Var, vars: &VarTable) -> Option<&View> {
    match &vars.get(array)?.ty {
        Type::Array(view) => Some(view),
        _ => None,
    }
}

/// Whether two views select the same elements of their blocks, in the same order.
pub fn same_function(a: &View, b: &View) -> bool {
    a.elem == b.elem && a.shape == b.shape && a.offset == b.offset && a.strides == b.strides
}
