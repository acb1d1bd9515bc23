//! The memory that a workgroup uses. It limits the number of threads.

use std::collections::BTreeSet;

use ravel_abi::plan::device_bytes;

use crate::syntax::*;
use crate::target::Target;
use crate::visit::Visit;

/// The memory that the code of a workgroup uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkgroupMemory {
    /// The bytes of its arrays in workgroup memory.
    pub arrays: i64,
    /// The maximum number of bytes of values that a thread keeps in workgroup memory for a reduction or scan.
    pub combined: usize,
}

impl WorkgroupMemory {
    /// The memory that this code uses.
    pub fn of(body: &Body<Workgroup>, vars: &VarTable) -> WorkgroupMemory {
        let mut finder = Finder { vars, memory: WorkgroupMemory::default() };
        finder.body(body);
        finder.memory
    }

    /// The number of threads of the workgroup.
    pub fn threads(self, target: &Target) -> u32 {
        target.combining_threads(self.combined, self.arrays)
    }
}

/// The blocks into which the threads of a workgroup combine.
pub fn combined_blocks(body: &Body<Workgroup>, vars: &VarTable) -> BTreeSet<Var> {
    let mut finder = CombinedBlocks { vars, blocks: BTreeSet::new() };
    finder.body(body);
    finder.blocks
}

struct CombinedBlocks<'v> {
    vars: &'v VarTable,
    blocks: BTreeSet<Var>,
}

impl Visit for CombinedBlocks<'_> {
    fn combine(&mut self, array: &Var) {
        if let Some(Type::Array(view)) = self.vars.get(*array).map(|info| &info.ty) {
            self.blocks.insert(view.block);
        }
    }
}

impl Combiner {
    /// For each value that it combines, the bytes in the memory of a device.
    pub fn widths<'v>(&self, vars: &'v VarTable) -> impl Iterator<Item = usize> + use<'_, 'v> {
        self.left.iter().filter_map(|&var| match vars[var].ty {
            Type::Scalar(ty) => Some(device_bytes(ty)),
            _ => None,
        })
    }
}

struct Finder<'v> {
    vars: &'v VarTable,
    memory: WorkgroupMemory,
}

impl Visit for Finder<'_> {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        if let Stm::Alloc { block, count: Atom::Const(count) } = stm
            && let Type::Block(ty) = self.vars[*block].ty
            && ty.space == Space::Workgroup
        {
            let count = count.as_i64().expect("verified: the count of an allocation is an i64");
            let bytes = count.saturating_mul(ty.workgroup_bytes());
            self.memory.arrays = self.memory.arrays.saturating_add(bytes);
        }
        self.children(stm);
    }

    fn inner_segment(&mut self, segment: &InnerSegment) {
        let combiners = segment.kind.combiners().iter();
        let bytes = combiners.flat_map(|combiner| combiner.widths(self.vars)).sum();
        self.memory.combined = self.memory.combined.max(bytes);
        self.threads(&segment.kind, &segment.body);
    }
}
