//! The body of a workgroup: sequential code of one worker.
//!
//! A worker runs the workgroups of a chunk sequentially, and also the threads of each workgroup. An inner segment is a loop over
//! its points in row-major order and needs no barrier. So the first failure in program order leaves the function, and
//! it is the one to report.
//!
//! Workgroup memory that is not on the stack is allocated once in a chunk, when one of its workgroups first reaches the
//! allocation. The size is known before the segment, so it is the same for all workgroups.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use ravel_kernel::{Atom, Body, InnerSegment, Level, SegmentKind, Stm, Var, Visit, Workgroup};

use crate::emitter::{Emitter, TRUSTED};
use crate::stop;

impl<'p> Emitter<'p, '_> {
    /// Runs an inner segment.
    pub fn inner_segment(&mut self, segment: &'p InnerSegment) {
        if segment.kind != SegmentKind::Map {
            return self.combine_rows(segment);
        }
        let interval = stop::interval([&segment.body], &self.on_stack);
        self.for_each(&segment.space, interval, &[], &mut |emitter, _| {
            emitter.body(&segment.body);
        });
    }

    /// Reduces or scans each row. A row is the points that differ only in the innermost counter. A reduction stores one
    /// total for each row, a scan one prefix for each point.
    fn combine_rows(&mut self, segment: &'p InnerSegment) {
        let combiners = segment.kind.combiners();
        let prefixes = matches!(segment.kind, SegmentKind::Scan(..));
        let interval = stop::thread_interval(&segment.body, combiners, &self.on_stack);
        let (&(counter, size), outer) = segment.space.split_last().expect("verified: a row to combine");
        self.for_each(outer, None, &[], &mut |emitter, row| {
            let neutral = emitter.neutral(combiners);
            let total = emitter.count(size, interval, &neutral, |emitter, index, before| {
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

    /// Runs `point` for all points of an index space and binds the counters. `point` receives the counters of the `outer`
    /// dimensions, then the counters of the space. The innermost loop polls the stop flag every `interval` iterations.
    fn for_each(
        &mut self,
        space: &[(Var, Atom)],
        interval: Option<u64>,
        outer: &[Value],
        point: &mut dyn FnMut(&mut Self, &[Value]),
    ) {
        let Some((&(counter, size), inner)) = space.split_first() else { return point(self, outer) };
        let interval_here = interval.filter(|_| inner.is_empty());
        self.count(size, interval_here, &[], |emitter, index, _| {
            emitter.bind(counter, index);
            emitter.for_each(inner, interval, &[outer, &[index]].concat(), point);
            Vec::new()
        });
    }

    /// Emits `blocks`, the code that runs workgroups with this body. Then releases the workgroup memory that they allocated.
    pub fn with_workgroup_memory(&mut self, body: &Body<Workgroup>, blocks: impl FnOnce(&mut Self)) {
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

    /// The block whose address is stored at `place`. If it is null, allocates the block and stores its address there.
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

/// The memory blocks that the body of a workgroup allocates.
#[derive(Default)]
struct Allocations(Vec<Var>);

impl Visit for Allocations {
    fn stm<L: Level>(&mut self, stm: &Stm<L>) {
        match stm {
            Stm::Alloc { block, .. } => self.0.push(*block),
            _ => self.children(stm),
        }
    }

    /// Threads allocate no blocks of workgroup memory.
    fn inner_segment(&mut self, _: &InnerSegment) {}
}
