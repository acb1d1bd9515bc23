//! Block bodies: sequential code of one worker.
//!
//! A worker runs one block after the other, and the threads of a block one after the other too: a block segment is a
//! loop over its points in row-major order, and needs no barrier. So the first point that fails is the one that
//! counts, and it leaves the function at once, as everywhere.
//!
//! A workgroup block that does not lie on the stack is memory that a worker allocates once in a chunk, when one of its
//! blocks first reaches the allocation. The size is known before the segment, so it is the same for all blocks.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use ravel_kernel::{Atom, Block, BlockSegment, Body, Level, SegmentKind, Stm, Var, Visit};

use crate::emitter::{Emitter, TRUSTED};
use crate::stop;

impl<'p> Emitter<'p, '_> {
    /// Runs a block segment.
    pub fn block_segment(&mut self, segment: &'p BlockSegment) {
        if segment.kind != SegmentKind::Map {
            return self.combine_rows(segment);
        }
        let stretch = stop::stretch([&segment.body], &self.on_stack);
        self.for_each(&segment.space, stretch, &[], &mut |emitter, _| {
            emitter.body(&segment.body);
        });
    }

    /// Combines the points of each row, which differ in the innermost counter only. Stores the total, or in a scan the
    /// prefix of each point.
    fn combine_rows(&mut self, segment: &'p BlockSegment) {
        let combiners = segment.kind.combiners();
        let prefixes = matches!(segment.kind, SegmentKind::Scan(_));
        let stretch = stop::stretch_of_threads(&segment.body, combiners, &self.on_stack);
        let (&(counter, size), outer) = segment.space.split_last().expect("verified: a row to combine");
        self.for_each(outer, None, &[], &mut |emitter, row| {
            let neutral = emitter.neutral(combiners);
            let total = emitter.count(size, stretch, &neutral, |emitter, index, before| {
                emitter.bind(counter, index);
                let element = emitter.body(&segment.body);
                let prefix = emitter.combine(combiners, before, &element);
                if prefixes {
                    emitter.store_outs(combiners, &[row, &[index]].concat(), &prefix);
                }
                prefix
            });
            if !prefixes {
                emitter.store_outs(combiners, row, &total);
            }
        });
    }

    /// Runs `point` for all points of an index space, with the counters bound; it gets them after those of `outer`
    /// dimensions. The innermost dimension is walked in stretches of so many points.
    fn for_each(
        &mut self,
        space: &[(Var, Atom)],
        stretch: Option<u64>,
        outer: &[Value],
        point: &mut dyn FnMut(&mut Self, &[Value]),
    ) {
        let Some((&(counter, size), inner)) = space.split_first() else { return point(self, outer) };
        let stretch_here = stretch.filter(|_| inner.is_empty());
        self.count(size, stretch_here, &[], |emitter, index, _| {
            emitter.bind(counter, index);
            emitter.for_each(inner, stretch, &[outer, &[index]].concat(), point);
            Vec::new()
        });
    }

    /// Runs `blocks`, of which each has this body, and releases the workgroup blocks that they have allocated.
    pub fn with_workgroup_memory(&mut self, body: &Body<Block>, blocks: impl FnOnce(&mut Self)) {
        let mut allocations = Allocations::default();
        allocations.body(body);
        for block in allocations.0 {
            if !self.on_stack.contains(&block) {
                let (place, none) = (self.on_stack(8), self.index(0));
                self.builder.ins().store(TRUSTED, none, place, 0);
                self.kept.insert(block, place);
            }
        }
        blocks(self);
        for place in std::mem::take(&mut self.kept).into_values() {
            let block = self.builder.ins().load(I64, TRUSTED, place, 0);
            self.release(block);
        }
    }

    /// The block whose address is kept at this place; a new one if there is none yet.
    pub fn allocate_once(&mut self, place: Value, count: Value, bytes: usize) -> Value {
        let (missing, _) = self.block(&[]);
        let (present, block) = self.block(&[I64]);
        self.builder.set_cold_block(missing);
        let kept = self.builder.ins().load(I64, TRUSTED, place, 0);
        let none = self.builder.ins().icmp_imm_s(IntCC::Equal, kept, 0);
        self.branch(none, (missing, &[]), (present, &[kept]));
        self.builder.switch_to_block(missing);
        let new = self.allocate(count, bytes);
        self.builder.ins().store(TRUSTED, new, place, 0);
        self.jump(present, &[new]);
        self.builder.switch_to_block(present);
        block[0]
    }
}

/// The workgroup blocks that a block body allocates.
#[derive(Default)]
struct Allocations(Vec<Var>);

impl Visit for Allocations {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        match stm {
            Stm::Alloc { block, .. } => self.0.push(*block),
            _ => self.children(stm),
        }
    }

    /// Threads allocate no workgroup blocks.
    fn block_segment(&mut self, _: &BlockSegment) {}
}
