//! The variables that code uses and binds, and the blocks that they belong to.

use std::collections::{BTreeMap, BTreeSet};

use ravel_base::Span;
use ravel_kernel::*;

/// Calls `each` with every variable that a statement uses, including nested statements.
pub fn used<L: Level>(stm: &Stm<L>, each: &mut dyn FnMut(Var)) {
    let mut atoms = |atoms: &[Atom]| atoms.iter().filter_map(|atom| atom.var()).for_each(&mut *each);
    match stm {
        Stm::Let { exp, .. } => atoms(&exp.operands()),
        Stm::View(_) | Stm::Constants { .. } => (),
        Stm::Alloc { count, .. } => atoms(&[*count]),
        Stm::Load { array, indices, .. } => {
            atoms(indices);
            each(*array);
        }
        Stm::Store { array, indices, value } => {
            atoms(indices);
            atoms(&[*value]);
            each(*array);
        }
        Stm::Copy { to, from } => {
            each(*to);
            each(*from);
        }
        Stm::If { cond, then, otherwise, .. } => {
            atoms(&[*cond]);
            used_in(then, each);
            used_in(otherwise, each);
        }
        Stm::Loop { params, form, body, .. } => {
            params.iter().for_each(|&(_, init)| atoms(&[init]));
            if let LoopForm::For { bound, .. } = form {
                atoms(&[*bound]);
            }
            used_in(body, each);
        }
        Stm::Assert { cond, args, .. } => {
            atoms(&[*cond]);
            atoms(args);
        }
        Stm::Trace { args, .. } => atoms(args),
        Stm::Call { args, .. } => args.iter().filter_map(|arg| arg.value.var()).for_each(each),
        Stm::Segment(segment) => {
            let segment = L::grid(segment);
            segment.space.iter().for_each(|&(_, size)| atoms(&[size]));
            atoms(&[segment.chunk]);
            used_in(&segment.body, each);
            for combiner in segment.kind.combiners() {
                combiner.neutral.iter().filter_map(|atom| atom.var()).for_each(&mut *each);
                used_in(&combiner.body, each);
                combiner.outs.iter().copied().for_each(&mut *each);
            }
        }
    }
}

/// The same for a body.
pub fn used_in<L: Level>(body: &Body<L>, each: &mut dyn FnMut(Var)) {
    body.stms.iter().for_each(|stm| used(stm, each));
    body.result.iter().filter_map(|atom| atom.var()).for_each(each);
}

/// For each block, the place of the first segment that mentions it, also in branches and loops: that segment fills a
/// fresh block.
pub fn places<L: Level>(body: &Body<L>, vars: &VarTable) -> BTreeMap<Var, Span> {
    fn add<L: Level>(body: &Body<L>, vars: &VarTable, places: &mut BTreeMap<Var, Span>) {
        for stm in &body.stms {
            match stm {
                Stm::If { then, otherwise, .. } => {
                    add(then, vars, places);
                    add(otherwise, vars, places);
                }
                Stm::Loop { body, .. } => add(body, vars, places),
                Stm::Segment(segment) => {
                    let Some(span) = L::grid(segment).span else { continue };
                    used(stm, &mut |var| {
                        block_of(var, vars).map(|block| *places.entry(block).or_insert(span));
                    });
                }
                _ => {}
            }
        }
    }
    let mut places = BTreeMap::new();
    add(body, vars, &mut places);
    places
}

/// Calls `each` with every variable that a statement binds, including nested statements.
pub fn bound<L: Level>(stm: &Stm<L>, each: &mut dyn FnMut(Var)) {
    match stm {
        Stm::Let { var, .. }
        | Stm::View(var)
        | Stm::Alloc { block: var, .. }
        | Stm::Constants { block: var, .. }
        | Stm::Load { var, .. } => each(*var),
        Stm::Store { .. } | Stm::Copy { .. } | Stm::Assert { .. } | Stm::Trace { .. } => (),
        Stm::If { binders, then, otherwise, .. } => {
            bound_in(then, each);
            bound_in(otherwise, each);
            binders.iter().copied().for_each(each);
        }
        Stm::Loop { binders, params, form, body } => {
            params.iter().for_each(|&(var, _)| each(var));
            if let LoopForm::For { index, .. } = form {
                each(*index);
            }
            bound_in(body, each);
            binders.iter().copied().for_each(each);
        }
        Stm::Call { binders, .. } => binders.iter().copied().for_each(each),
        Stm::Segment(segment) => {
            let segment = L::grid(segment);
            segment.space.iter().for_each(|&(index, _)| each(index));
            bound_in(&segment.body, each);
            for combiner in segment.kind.combiners() {
                combiner.left.iter().chain(&combiner.right).copied().for_each(&mut *each);
                bound_in(&combiner.body, each);
            }
        }
    }
}

/// The same for a body.
pub fn bound_in<L: Level>(body: &Body<L>, each: &mut dyn FnMut(Var)) {
    body.stms.iter().for_each(|stm| bound(stm, each));
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
