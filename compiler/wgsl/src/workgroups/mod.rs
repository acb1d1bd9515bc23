//! Segments of workgroups: each point is computed by one workgroup, with all its threads.
//!
//! Every thread computes the same scalars of the workgroup's body, so all threads take the same branches and run loops
//! equally often. The points of an inner segment are distributed over the threads.
//!
//! * **Barriers.** A barrier comes before an inner segment, unless there was a barrier after the previous segment. Where
//!   control flow branches or joins, the previous segment is unknown, so a barrier comes before the next one.
//! * **Uniform loads.** If the workgroup loads a scalar from memory to which it also stores, it uses `workgroupUniformLoad`,
//!   which is a barrier before and after the load. So no thread sees a later value.
//! * **Failure.** A thread that fails leaves its point and its segment. After the segment all threads test whether one of
//!   them failed, and leave the kernel together (`failure/block.wgsl`).
//!
//! `kernel` builds the kernel, `segment` its inner segments, `combine` the reductions and scans among them.

mod combine;
mod kernel;
mod segment;

use std::collections::BTreeSet;

use ravel_abi::plan;
use ravel_base::Diagnostic;
use ravel_kernel::{Atom, Space, Stm, Type, Var, Workgroup};
use ravel_prim::{PrimType, PrimValue};

use crate::exchange::{skip_if_stopped, uniform};
use crate::function::{Function, Index};
use crate::scalar::{from_stored, stored};
use crate::shader::{self, Exp};
use crate::statement::Code;

pub(crate) use kernel::Blocks;

/// The state while the statements of a workgroup are translated.
#[derive(Default)]
pub(crate) struct State {
    /// Whether a thread may still run an earlier segment, because no barrier has followed it.
    needs_barrier: bool,
    /// The blocks of device memory that the workgroup both stores to and loads from.
    reread: BTreeSet<Var>,
    /// The blocks of workgroup memory into which threads combine.
    combined: BTreeSet<Var>,
    /// The type of the numbers of points in inner segments.
    index: Index,
}

/// A function of a workgroup under construction.
type WorkgroupFunction<'m, 'a> = Function<'m, 'a, Workgroup>;

impl Code for Workgroup {
    type State = State;

    fn fail(body: &mut shader::Block, fails: Exp, reports: shader::Block) {
        // All threads fail together, so only the first one reports the failure.
        body.branch(lane().equals(0).and(fails), reports, shader::Block::default());
    }

    fn level_specific(function: &mut WorkgroupFunction, stm: &Stm<Workgroup>) -> Result<(), Diagnostic> {
        match stm {
            Stm::Alloc { block, count } => alloc(function, *block, *count),
            Stm::Load { var, array, indices } => load(function, *var, *array, indices),
            Stm::Segment(segment) => segment::build(function, segment),
            _ => Err(Diagnostic::bug("wgsl: a statement that no block may hold")),
        }
    }

    fn watch(when: Exp) -> shader::Block {
        let skip = Exp::word("skip");
        shader::Block::new(|body| body.when(when, |body| skip_if_stopped(body, &skip, &lane(), None)))
    }

    fn record_control_flow(function: &mut WorkgroupFunction) {
        function.state.needs_barrier = true;
    }
}

fn alloc(function: &mut WorkgroupFunction, block: Var, count: Atom) -> Result<(), Diagnostic> {
    match (&function.kernel.vars[block].ty, count) {
        (Type::Block(ty), Atom::Const(PrimValue::I64(count))) if ty.space == Space::Workgroup => {
            let capacity = u32::try_from(count.max(1))
                .map_err(|_| Diagnostic::bug("wgsl: more workgroup memory than a target has"))?;
            let is_combined = function.state.combined.contains(&block);
            function.kernel.workgroup_block(block, ty.elem, capacity, is_combined);
            Ok(())
        }
        _ => Err(Diagnostic::bug("wgsl: workgroup memory of a size that no GPU program may have")),
    }
}

fn load(function: &mut WorkgroupFunction, var: Var, array: Var, indices: &[Atom]) -> Result<(), Diagnostic> {
    let indices = function.atoms(indices)?;
    let view = function.kernel.view(array)?;
    if function.kernel.workgroup_memory(view.block).is_some() {
        let place = function.place(view, &indices, false)?;
        function.bind(var, from_stored(view.elem, uniform(place)));
        function.record_barrier();
    } else if function.state.reread.contains(&view.block) {
        function.barrier_if_needed();
        let place = function.place(view, &indices, false)?;
        let word = match stored(view.elem) {
            PrimType::I32 => "uniform_i32",
            PrimType::I64 => "uniform_i64",
            PrimType::U64 => "uniform_u64",
            PrimType::F32 => "uniform_f32",
            PrimType::F64 => "uniform_f64",
            _ => "uniform_u32",
        };
        let bytes = plan::device_bytes(view.elem);
        let word = function.kernel.workgroup_var(word, shader::Type::stored(view.elem), bytes);
        function.body.when(lane().equals(0), |body| body.assign(&word, place));
        function.bind(var, from_stored(view.elem, uniform(word)));
    } else {
        let element = function.load(array, &indices)?;
        function.bind(var, element);
    }
    Ok(())
}

impl WorkgroupFunction<'_, '_> {
    /// Adds a barrier, unless there was one after the last segment.
    fn barrier_if_needed(&mut self) {
        if self.state.needs_barrier {
            if !self.state.reread.is_empty() {
                self.body.run(Exp::call("storageBarrier", shader::Type::Nothing, []));
            }
            self.body.barrier();
            self.state.needs_barrier = false;
        }
    }

    /// Records that there was a barrier: all threads now see what was stored to workgroup memory.
    fn record_barrier(&mut self) {
        self.state.needs_barrier &= !self.state.reread.is_empty();
    }
}

/// The number of the workgroup, which is also the number of the point.
fn group() -> Exp {
    Exp::word("group")
}

/// The number of the thread in its workgroup.
fn lane() -> Exp {
    Exp::word("lane")
}

/// How many neighbouring threads can exchange values within a subgroup: a power of two, and 1 without subgroups. The
/// number of the first of these threads is a multiple of it.
fn span() -> Exp {
    Exp::word("span")
}
