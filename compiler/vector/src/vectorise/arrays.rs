//! The arrays of the thread.
//!
//! A small array of constant size that is only accessed through views is a memory of its own. All other arrays of an
//! element type lie one after the other in one *preallocated* memory. There, a block is the position where the array begins,
//! an i64, so it flows through branches and loops like other scalars.
//!
//! The sizes of arrays in preallocated memory are known before the strip, and so is the sum. Where points select sizes, all
//! get the largest. The sum stays far from overflow, because a size counts at most [`LARGEST`]: the caller provides no
//! memory as large as that, and then runs no strips.
//!
//! An array has one place, although it may be allocated in each iteration of a loop. So an array that is allocated in a
//! loop must not flow, since the next iteration could still need it.
//!
//! In a strip of points that are alike, sizes are computed in the strip. Then the preallocated memory has a constant size,
//! and the strip restarts if the arrays do not fit, or if those over which inner loops run are larger than a near cache. Each
//! lane gets as much as the one that needs most. Such an array is allocated outside all loops and branches.

use std::collections::BTreeMap;

use ravel_base::IdMap;
use ravel_kernel::{self as ir, Atom, ScalarExp, Thread, Type, Var, Visit};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue};

use super::{Scalar, Vectoriser};
use crate::form::{Exp, Memory, MemoryInfo, Operand, Place};
use crate::refusal::Refusal;

/// The most bytes of the small arrays of a lane. With eight lanes they take a quarter of a first-level cache.
const MAX_SMALL_BYTES: i64 = 1024;

/// The most elements that an array counts for.
const LARGEST: i64 = 1 << 40;

/// The bytes of the preallocated memory of a lane for each type, if sizes are computed in the strip. With eight lanes they fit
/// a second-level cache.
const COMPUTED_BYTES: i64 = 32 << 10;

/// The most bytes of the arrays of a lane over which inner loops run. With eight lanes they are little more than a first-level
/// cache. Longer inner loops take less time if they run in lanes themselves, point by point.
const NEAR_BYTES: i64 = 8 << 10;

/// The arrays of a thread.
#[derive(Default)]
pub(super) struct Arrays {
    /// The blocks that are results of branches or loops, or first values of merge parameters.
    flowing: Vec<Var>,
    /// The blocks that are allocated in a loop.
    repeated: Vec<Var>,
    /// The largest values that i64 selections can have, where these are known before the strip.
    largest: BTreeMap<Var, Operand>,
    /// The bytes of the small arrays of a lane so far.
    small_bytes: i64,
    /// The preallocated memory for each element type, and the number of its elements so far.
    preallocated: BTreeMap<PrimType, (Memory, Operand)>,
    /// For each element type, the elements so far of arrays as long as inner loops, if sizes are computed in the strip.
    near: BTreeMap<PrimType, Operand>,
    /// The blocks that are allocated in a branch or a loop.
    inside: Vec<Var>,
    /// The number of loops around the statement that is visited.
    depth: usize,
    /// The number of loops and branches around it.
    around: usize,
}

impl Arrays {
    pub fn of(body: &ir::Body<Thread>) -> Arrays {
        let mut arrays = Arrays::default();
        arrays.body(body);
        arrays
    }
}

impl Visit for Arrays {
    fn stm<L: ir::Level>(&mut self, stm: &ir::Stm<L>) {
        if let ir::Stm::Alloc { block, .. } = stm {
            self.repeated.extend((self.depth > 0).then_some(block));
            self.inside.extend((self.around > 0).then_some(block));
        }
        let is_loop = matches!(stm, ir::Stm::Loop { .. });
        let is_around = is_loop || matches!(stm, ir::Stm::If { .. });
        self.depth += usize::from(is_loop);
        self.around += usize::from(is_around);
        self.children(stm);
        self.depth -= usize::from(is_loop);
        self.around -= usize::from(is_around);
    }

    fn transfer(&mut self, value: &Atom) {
        self.flowing.extend(value.var());
    }
}

impl Vectoriser<'_> {
    /// Gives each lane an array of its own.
    pub(super) fn alloc(&mut self, block: Var, count: Atom) -> Result<(), Refusal> {
        let Type::Block(ty) = &self.vars[block].ty else { return Err(Refusal::Allocation) };
        let (elem, flows) = (ty.elem, self.arrays.flowing.contains(&block));
        if flows && self.arrays.repeated.contains(&block) {
            return Err(Refusal::FlowingBlock);
        }
        let size = count;
        let count = match self.largest(count) {
            Some(count) => count,
            None if self.strip.alike => self.computed(count),
            None => return Err(Refusal::Allocation),
        };
        let constant = match count {
            Operand::Const(count) => {
                Some(count.as_i64().filter(|&count| count >= 0).ok_or(Refusal::Allocation)?)
            }
            Operand::Value(_) => None,
        };
        if let Some(count) = constant.filter(|_| !flows) {
            let bytes = self.arrays.small_bytes.saturating_add(count.saturating_mul(elem.bytes() as i64));
            if bytes <= MAX_SMALL_BYTES {
                self.arrays.small_bytes = bytes;
                let memory = self.strip.memories.push(MemoryInfo { elem, place: Place::Private(count) });
                self.memories.insert(block, memory);
                return Ok(());
            }
        }
        let memories = &mut self.strip.memories;
        let (memory, start) = *self
            .arrays
            .preallocated
            .entry(elem)
            .or_insert_with(|| (unsized_memory(memories, elem), Operand::i64(0)));
        let positive = self.push(Exp::Binary(BinOp::Max, count, Operand::i64(0)));
        let bounded = self.push(Exp::Binary(BinOp::Min, positive, Operand::i64(LARGEST)));
        let end = self.push(Exp::Binary(BinOp::Add, start, bounded));
        if self.strip.alike {
            if self.arrays.inside.contains(&block) {
                return Err(Refusal::Allocation);
            }
            self.restart_above(COMPUTED_BYTES, elem, end);
            if self.uniformity.atom(size).is_uniform() {
                let before = self.arrays.near.get(&elem).copied().unwrap_or(Operand::i64(0));
                let near = self.push(Exp::Binary(BinOp::Add, before, bounded));
                self.arrays.near.insert(elem, near);
                self.restart_above(NEAR_BYTES, elem, near);
            }
        }
        self.arrays.preallocated.insert(elem, (memory, end));
        self.memories.insert(block, memory);
        self.scalars.insert(block, Scalar { first: Some(start), lanes: start });
        Ok(())
    }

    /// Notes the largest value of a selection.
    pub(super) fn note_largest(&mut self, var: Var, exp: &ScalarExp) {
        if let ScalarExp::Select(_, a, b) = *exp
            && self.vars[var].ty == Type::Scalar(PrimType::I64)
            && let (Some(a), Some(b)) = (self.largest(a), self.largest(b))
        {
            let largest = self.push(Exp::Binary(BinOp::Max, a, b));
            self.arrays.largest.insert(var, largest);
        }
    }

    /// The largest value that an atom can have, if that is known before the strip.
    fn largest(&mut self, atom: Atom) -> Option<Operand> {
        let known = self.operands(atom).first.filter(|&operand| self.outside(operand) == Some(true));
        known.or_else(|| self.arrays.largest.get(&atom.var()?).copied())
    }

    /// Restarts if the arrays of a lane have more than so many bytes of elements of a type.
    fn restart_above(&mut self, bytes: i64, elem: PrimType, count: Operand) {
        let most = Operand::i64(bytes / elem.bytes() as i64);
        let is_more = self.push(Exp::Compare(CmpOp::Lt, most, count));
        self.restart_if(is_more, None);
    }

    /// A size that is computed in the strip: the greatest in all lanes.
    fn computed(&mut self, count: Atom) -> Operand {
        let Scalar { first, lanes } = self.operands(count);
        first
            .filter(|_| self.uniformity.atom(count).is_uniform())
            .unwrap_or_else(|| self.push(Exp::Most(lanes)))
    }

    /// States the sizes of the preallocated memories, when all arrays have their places.
    pub(super) fn provide(&mut self) {
        for (&elem, &(memory, count)) in &self.arrays.preallocated {
            let count =
                if self.strip.alike { Operand::i64(COMPUTED_BYTES / elem.bytes() as i64) } else { count };
            self.strip.memories[memory].place = Place::Preallocated(count);
        }
    }

    /// Refuses a branch or a loop that passes on blocks which the thread has not allocated.
    pub(super) fn own_blocks(&self, atoms: &[Atom]) -> Result<(), Refusal> {
        let is_block = |var: &Var| matches!(self.vars[*var].ty, Type::Block(_));
        let mut blocks = atoms.iter().filter_map(|atom| atom.var()).filter(is_block);
        if blocks.all(|block| self.uniformity.is_private(block)) {
            Ok(())
        } else {
            Err(Refusal::FlowingBlock)
        }
    }

    /// Records the memory of each binder that is a block. It is the memory of the atom that flows into the binder.
    pub(super) fn same_memory(&mut self, binders: &[Var], atoms: &[Atom]) -> Result<(), Refusal> {
        for (&binder, atom) in binders.iter().zip(atoms) {
            if !matches!(self.vars[binder].ty, Type::Block(_)) {
                continue;
            }
            let memory = atom.var().and_then(|var| self.memories.get(&var)).copied();
            let memory =
                memory.filter(|&memory| matches!(self.strip.memories[memory].place, Place::Preallocated(_)));
            self.memories.insert(binder, memory.ok_or(Refusal::FlowingBlock)?);
        }
        Ok(())
    }
}

/// A preallocated memory whose size is stated later.
fn unsized_memory(memories: &mut IdMap<Memory, MemoryInfo>, elem: PrimType) -> Memory {
    memories.push(MemoryInfo { elem, place: Place::Preallocated(Operand::Const(PrimValue::I64(0))) })
}
