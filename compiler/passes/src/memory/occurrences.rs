//! The variables that code uses and binds, and their blocks.

use std::collections::BTreeSet;
use std::sync::Arc;

use ravel_kernel::visit::{BinderVisitor, UseVisitor};
use ravel_kernel::*;

/// Calls `each` with every variable that a statement uses, including nested statements.
pub fn visit_uses<L: Level>(stm: &Stm<L>, each: &mut dyn FnMut(Var)) {
    UseVisitor(each).stm(stm);
}

/// Calls `each` with every variable that a body uses, including nested statements.
pub fn visit_uses_in<L: Level>(body: &Body<L>, each: &mut dyn FnMut(Var)) {
    UseVisitor(each).body(body);
}

/// Calls `each` with every variable that a statement binds, including nested statements.
pub fn visit_binders<L: Level>(stm: &Stm<L>, each: &mut dyn FnMut(Var)) {
    BinderVisitor(each).stm(stm);
}

/// Calls `each` with every variable that a body binds, including nested statements.
pub fn visit_binders_in<L: Level>(body: &Body<L>, each: &mut dyn FnMut(Var)) {
    BinderVisitor(each).body(body);
}

/// The code of the threads of a grid segment. `None` for segments of workgroups and for inner segments: the passes do not
/// change their memory.
pub fn threads<L: Level>(segment: &L::Segment) -> Option<&Body<Thread>> {
    match L::segment(segment) {
        AnySegment::Grid(segment) => segment.threads().map(|(_, body)| body),
        AnySegment::Inner(_) => None,
    }
}

/// [`threads`] as a mutable reference.
pub fn threads_mut<L: Level>(segment: &mut L::Segment) -> Option<&mut Body<Thread>> {
    match L::segment_mut(segment) {
        AnySegmentMut::Grid(GridSegment { points: Points::Threads { body, .. }, .. }) => Some(body),
        _ => None,
    }
}

/// The origin of the first segment that mentions the block, also in branches and loops.
pub fn first_segment<L: Level>(body: &Body<L>, block: Var, vars: &VarTable) -> Option<Arc<Origin>> {
    struct FirstMention<'a> {
        vars: &'a VarTable,
        block: Var,
        origin: Option<Arc<Origin>>,
    }
    impl Visit for FirstMention<'_> {
        fn step<L: Level>(&mut self, step: &Step<L>) {
            if self.origin.is_some() {
                return;
            }
            let Stm::Segment(_) = &step.stm else { return self.children(&step.stm) };
            let mut mentions = false;
            visit_uses(&step.stm, &mut |var| mentions |= block_of(var, self.vars) == Some(self.block));
            self.origin = mentions.then(|| step.origin.clone());
        }
    }
    let mut first = FirstMention { vars, block, origin: None };
    first.body(body);
    first.origin
}

/// The variables that a body binds, including nested statements.
pub fn binders<L: Level>(body: &Body<L>) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    visit_binders_in(body, &mut |var| {
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
