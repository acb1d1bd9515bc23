//! Segments whose points are blocks: a workgroup takes each point, with all its threads.
//!
//! Every thread computes the scalars of the block body alike, so that all of them take the same branches and rounds.
//! The threads of a block segment take its points in turn.
//!
//! * **Barriers.** There is a barrier before a block segment, unless there was one since the last segment. Where control
//!   flow branches or joins, the last segment is unknown, and the next one has a barrier.
//! * **Uniform loads.** A scalar that the block loads from memory it stores to comes from `workgroupUniformLoad`, which is
//!   a barrier before and after the load. So no thread sees a later value.
//! * **Failure.** A thread that fails leaves its point and its segment. After the segment all threads test whether one of
//!   them failed, and leave the block together (`failure/block.wgsl`).
//!
//! `kernel` writes the kernel, `segment` its block segments, `combine` the reductions and scans among them.

mod combine;
mod kernel;
mod segment;

use std::collections::BTreeSet;

use ravel_abi::plan;
use ravel_base::Diagnostic;
use ravel_kernel::{Atom, Block, Space, Stm, Type, Var};
use ravel_prim::PrimValue;

use crate::function::{Function, Index};
use crate::scalar::{from_stored, stored_type};
use crate::statement::Code;

pub(crate) use kernel::Blocks;

/// What the statements of a block keep track of.
#[derive(Default)]
pub(crate) struct State {
    /// Can a thread still be in an earlier segment?
    apart: bool,
    /// The blocks of device memory that the block both stores to and loads from.
    reread: BTreeSet<Var>,
    /// The number of block segments so far.
    segments: usize,
    /// The type of the numbers of points in block segments.
    index: Index,
}

/// A function of a block in the making.
type BlockFunction<'m, 'a> = Function<'m, 'a, Block>;

impl Code for Block {
    type State = State;

    const REPORTS: &'static str = "lane == 0u && ";

    fn own(function: &mut BlockFunction, stm: &Stm<Block>) -> Result<(), Diagnostic> {
        match stm {
            Stm::Alloc { block, count } => alloc(function, *block, *count),
            Stm::Load { var, array, indices } => load(function, *var, *array, indices),
            Stm::Segment(segment) => segment::write(function, segment),
            _ => Err(Diagnostic::bug("wgsl: a statement that no block may hold")),
        }
    }

    fn watch(function: &mut BlockFunction, when: &str) {
        function.open(&format!("if ({when}) {{"));
        function.line("if (lane == 0u) { skip = select(0u, 1u, stopped()); }");
        function.line("if (workgroupUniformLoad(&skip) != 0u) { return; }");
        function.close();
    }

    fn cross(function: &mut BlockFunction) {
        function.state.apart = true;
    }
}

fn alloc(function: &mut BlockFunction, block: Var, count: Atom) -> Result<(), Diagnostic> {
    match (&function.module.vars[block].ty, count) {
        (Type::Block(ty), Atom::Const(PrimValue::I64(count))) if ty.space == Space::Workgroup => {
            let capacity = u32::try_from(count.max(1)).unwrap_or(u32::MAX);
            function.module.workgroup_block(block, ty.elem, capacity);
            Ok(())
        }
        _ => Err(Diagnostic::bug("wgsl: workgroup memory of a size that no GPU program may have")),
    }
}

fn load(function: &mut BlockFunction, var: Var, array: Var, indices: &[Atom]) -> Result<(), Diagnostic> {
    let indices = function.atoms(indices)?;
    let view = function.module.view(array)?;
    if function.module.workgroup_capacity(view.block).is_some() {
        let place = function.place(view, &indices, false)?;
        function.bind(var, &from_stored(view.elem, format!("workgroupUniformLoad(&{place})")));
        function.have_met();
    } else if function.state.reread.contains(&view.block) {
        function.meet();
        let place = function.place(view, &indices, false)?;
        let elem = stored_type(view.elem);
        let word = format!("uniform_{elem}");
        function.module.workgroup_var(&word, elem, plan::device_bytes(view.elem));
        function.line(&format!("if (lane == 0u) {{ {word} = {place}; }}"));
        function.bind(var, &from_stored(view.elem, format!("workgroupUniformLoad(&{word})")));
    } else {
        let element = function.load(array, &indices)?;
        function.bind(var, &element);
    }
    Ok(())
}

impl BlockFunction<'_, '_> {
    /// Writes a barrier, unless there was one since the last segment.
    fn meet(&mut self) {
        if self.state.apart {
            if !self.state.reread.is_empty() {
                self.line("storageBarrier();");
            }
            self.line("workgroupBarrier();");
            self.state.apart = false;
        }
    }

    /// Notes a barrier after which all threads see what was stored to workgroup memory.
    fn have_met(&mut self) {
        self.state.apart &= !self.state.reread.is_empty();
    }

    /// Writes how all threads leave the block if one of them failed.
    fn leave_if_failed(&mut self) {
        self.open("{");
        self.line("note_failure();");
        self.line("let least = workgroupUniformLoad(&least_failure);");
        self.line("if (least != NO_FAILURE) { report_failure(group, least); return; }");
        self.close();
    }
}
