//! Strands: reductions by short commutative operators.
//!
//! Point `i` of a chunk, of a part of a long row, or of a long loop, goes into strand `i` modulo the number of strands.
//! So a combination need not wait for the one just before it, and the lanes of a vector are strands. The number depends
//! only on the types: as many as 512 bits hold of the widest. At the end, neighbouring strands are combined pair by
//! pair, until one is left. Points run in lanes or one by one; both give the same results, bit for bit, because the
//! order of combination is the same.
//!
//! In lanes, the strands stay in vector registers (`ravel_vector::Strip::state`). Between strips and points that run one by
//! one they lie on the stack, with room for the combinations of pairs after them. There they have the types of lanes
//! (`ravel_vector::lane_type`): a strand of an i8 takes 32 bits, as in a register.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use ravel_kernel::{Combiner, Target, Type, Var, VarTable};
use ravel_prim::PrimType;
use ravel_vector::{Strip, lane_type};
use ravel_x86::STRANDS;

use crate::emitter::{Emitter, TRUSTED, clif_type};
use crate::lanes::{Lanes, Strips, lanes};

/// Strands and the combinations of pairs fit into the memory of a value.
const _: () = assert!(2 * Target::CPU.strand_bytes as usize == STRANDS);

/// The number of strands of a reduction; `None` if it combines in order.
pub(crate) fn count(combiners: &[Combiner], vars: &VarTable, target: &Target) -> Option<usize> {
    let stms: usize = combiners.iter().map(|combiner| combiner.body.stms.len()).sum();
    let commutes = combiners.iter().all(|combiner| combiner.commutative);
    count_of(types(combiners, vars).into_iter(), target)
        .filter(|_| stms as i64 <= target.max_strand_statements && commutes)
}

/// The types of what operators combine.
pub(crate) fn types(combiners: &[Combiner], vars: &VarTable) -> Vec<PrimType> {
    let operands = combiners.iter().flat_map(|combiner| &combiner.left);
    let types = operands.map(|&operand| match vars[operand].ty {
        Type::Scalar(ty) => ty,
        _ => unreachable!("verified: a scalar"),
    });
    types.collect()
}

/// The number of strands of a reduction whose results have these types; `None` if they are too many.
pub(crate) fn count_of(types: impl Iterator<Item = PrimType>, target: &Target) -> Option<usize> {
    let bytes: Vec<usize> = types.map(PrimType::bytes).collect();
    let widest = bytes.iter().max().filter(|_| bytes.len() as i64 <= target.max_strand_values);
    widest.map(|&widest| target.strand_bytes as usize / widest.max(4))
}

/// A reduction in strands.
pub(crate) struct Fold<E, C> {
    /// The number of strands.
    pub count: usize,
    /// The types of the results.
    pub types: Vec<PrimType>,
    /// The neutral elements.
    pub neutral: Vec<Value>,
    /// Emits one point. Returns its results.
    pub element: E,
    /// Combines earlier results with later ones.
    pub combine: C,
}

/// Consecutive points along the innermost dimension.
pub(crate) struct Span {
    /// The inner counter of the first point, and the one after the last.
    pub between: (Value, Value),
    /// The inner counter, if the space has dimensions.
    pub counter: Option<Var>,
    /// The number of points of the rows before; `None` if these are iterations, which belong to the current point.
    pub before: Option<Value>,
    /// After how many points the stop flag is polled.
    pub interval: Option<u64>,
}

/// The strands of a reduction.
struct Strands<C> {
    combine: C,
    types: Vec<PrimType>,
    count: usize,
    /// The address of the first one.
    memory: Value,
}

/// The blocks of a walk over a span.
struct Walk {
    /// Runs the points from a counter to another one by one.
    point: Block,
    /// Continues from a counter that goes into the first strand, or ends.
    next: Block,
}

impl Emitter<'_, '_> {
    /// Combines the points of a span in strands.
    pub fn fold_in_strands<E, C>(
        &mut self,
        span: &Span,
        fold: Fold<E, C>,
        strips: Option<&Strips>,
    ) -> Vec<Value>
    where
        E: FnOnce(&mut Self) -> Vec<Value>,
        C: Fn(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    {
        let Fold { count, types, neutral, element, combine } = fold;
        let memory = self.on_stack((STRANDS * types.len()) as u32);
        let strands = Strands { combine, types, count, memory };
        let all = self.index(count as i64);
        self.count_to(all, true, Some(count as u64), Some(count as u64), &[], |emitter, strand, _| {
            emitter.store_strand(&strands, strand, &neutral);
            Vec::new()
        });
        // A check of the operator that fails between strands belongs to no point of the span.
        let before = self.point;
        self.walk_span(span, element, &strands, strips);
        self.point = before;
        self.combine_strands(&strands)
    }

    fn walk_span<C>(
        &mut self,
        span: &Span,
        element: impl FnOnce(&mut Self) -> Vec<Value>,
        strands: &Strands<C>,
        strips: Option<&Strips>,
    ) where
        C: Fn(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    {
        let (first, end) = span.between;
        let ((begin, begun), (point, at)) = (self.block(&[I64]), self.block(&[I64, I64]));
        let ((next, reached), (done, _)) = (self.block(&[I64]), self.block(&[]));
        let walk = Walk { point, next };
        let function = match strips {
            Some(Strips::Function { number, strip, words, .. }) => {
                Some(self.strip_function(*number, strip, words, strands.memory))
            }
            _ => None,
        };
        self.jump(next, &[first]);

        self.builder.switch_to_block(begin);
        self.poll_stop();
        let whole = |points: u64| (points / strands.count as u64).max(1) * strands.count as u64;
        let stop = span.interval.map_or(end, |points| self.interval_end(begun[0], end, whole(points)));
        match (strips, function) {
            (Some(Strips::Inline(strip)), _) => {
                self.strips_of_span(strip, strands, first, (begun[0], stop), &walk)
            }
            (_, Some(function)) => {
                let ((call, _), (one_by_one, _)) = (self.block(&[]), self.block(&[]));
                self.branch(function.address, (call, &[]), (one_by_one, &[]));
                self.builder.switch_to_block(one_by_one);
                self.builder.set_cold_block(one_by_one);
                self.jump(point, &[begun[0], stop]);
                self.builder.switch_to_block(call);
                let args = [function.arguments, begun[0], stop, function.results];
                let after = self.call_strip(function.address, &args);
                self.finish_round(strands, first, (after, stop), &walk);
            }
            (None, None) => self.jump(point, &[begun[0], stop]),
            _ => unreachable!("a strip function has an address"),
        }

        self.builder.switch_to_block(point);
        if span.interval.is_none() {
            self.poll_stop();
        }
        if let Some(counter) = span.counter {
            self.bind(counter, at[0]);
        }
        if let Some(before) = span.before {
            self.point = self.builder.ins().iadd(before, at[0]);
        }
        let element = element(self);
        let strand = self.strand_of(strands, first, at[0]);
        let before = self.load_strand(strands, strand);
        let total = (strands.combine)(self, &before, &element);
        self.store_strand(strands, strand, &total);
        let after = self.builder.ins().iadd_imm_s(at[0], 1);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, after, at[1]);
        self.branch(more, (point, &[after, at[1]]), (next, &[after]));

        self.builder.switch_to_block(next);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, reached[0], end);
        self.branch(more, (begin, &[reached[0]]), (done, &[]));
        self.builder.switch_to_block(done);
    }

    /// Emits strips in vectors of 128 bits from a counter on, as long as there are enough points.
    fn strips_of_span<C>(
        &mut self,
        strip: &Strip,
        strands: &Strands<C>,
        first: Value,
        (from, stop): (Value, Value),
        walk: &Walk,
    ) {
        let width = lanes(strip) as i64;
        let strips_end = self.end_of_strips(from, stop);
        let state = Lanes::load_state(self, strip, strands.count, strands.memory);
        let params = [&[I64][..], &self.types_of(&state)].concat();
        let ((test, tested), (run, _)) = (self.block(&params), self.block(&[]));
        let ((rest, _), (restart, _)) = (self.block(&[]), self.block(&[]));
        self.jump(test, &[&[from][..], &state].concat());

        self.builder.switch_to_block(test);
        let (counter, state) = (tested[0], &tested[1..]);
        let after = self.builder.ins().iadd_imm_s(counter, width);
        let enough = self.builder.ins().icmp(IntCC::SignedLessThanOrEqual, after, strips_end);
        self.branch(enough, (run, &[]), (rest, &[]));
        self.builder.switch_to_block(run);
        let (group, others) = state.split_at(state.len() * width as usize / strands.count);
        let combined = Lanes::combine(self, strip, counter, restart, group);
        self.jump(test, &[&[after][..], others, &combined].concat());

        for (end, is_cold) in [(rest, false), (restart, true)] {
            self.builder.switch_to_block(end);
            let strand = self.strand_of(strands, first, counter);
            Lanes::store_state(self, strip, state, strands.memory, (strand, strands.count));
            if is_cold {
                self.builder.set_cold_block(end);
                self.finish_round(strands, first, (counter, stop), walk);
            } else {
                let more = self.builder.ins().icmp(IntCC::SignedLessThan, counter, stop);
                self.branch(more, (walk.point, &[counter, stop]), (walk.next, &[counter]));
            }
        }
    }

    /// Runs points one by one from a counter until the next point of the first strand, or until `stop`.
    fn finish_round<C>(
        &mut self,
        strands: &Strands<C>,
        first: Value,
        (from, stop): (Value, Value),
        walk: &Walk,
    ) {
        let (part, _) = self.block(&[]);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, from, stop);
        self.branch(more, (part, &[]), (walk.next, &[from]));
        self.builder.switch_to_block(part);
        let strand = self.strand_of(strands, first, from);
        let all = self.index(strands.count as i64);
        let left = self.builder.ins().isub(all, strand);
        let round = self.builder.ins().iadd(from, left);
        let round = self.builder.ins().smin(round, stop);
        self.jump(walk.point, &[from, round]);
    }

    /// The strand of a point.
    fn strand_of<C>(&mut self, strands: &Strands<C>, first: Value, counter: Value) -> Value {
        let from_first = self.builder.ins().isub(counter, first);
        self.builder.ins().band_imm_s(from_first, strands.count as i64 - 1)
    }

    /// The total of all strands.
    fn combine_strands<C>(&mut self, strands: &Strands<C>) -> Vec<Value>
    where
        C: Fn(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    {
        let (count, pairs) = (strands.count as i64, strands.count as u64 - 1);
        let end = self.index(pairs as i64);
        self.count_to(end, true, Some(pairs), Some(pairs), &[], |emitter, pair, _| {
            let left = emitter.builder.ins().ishl_imm_s(pair, 1);
            let right = emitter.builder.ins().iadd_imm_s(left, 1);
            let [left, right] = [left, right].map(|strand| emitter.load_strand(strands, strand));
            let both = (strands.combine)(emitter, &left, &right);
            let place = emitter.builder.ins().iadd_imm_s(pair, count);
            emitter.store_strand(strands, place, &both);
            Vec::new()
        });
        let last = self.index(2 * count - 2);
        self.load_strand(strands, last)
    }

    fn load_strand<C>(&mut self, strands: &Strands<C>, strand: Value) -> Vec<Value> {
        let mut values = Vec::new();
        for (number, &ty) in strands.types.iter().enumerate() {
            let (address, lane) = (self.strand_address(strands, ty, strand), clif_type(lane_type(ty)));
            let value = self.builder.ins().load(lane, TRUSTED, address, (STRANDS * number) as i32);
            values.push(self.convert(lane_type(ty), ty, value));
        }
        values
    }

    fn store_strand<C>(&mut self, strands: &Strands<C>, strand: Value, values: &[Value]) {
        for (number, &value) in values.iter().enumerate() {
            let ty = strands.types[number];
            let address = self.strand_address(strands, ty, strand);
            let value = self.convert(ty, lane_type(ty), value);
            self.builder.ins().store(TRUSTED, value, address, (STRANDS * number) as i32);
        }
    }

    fn strand_address<C>(&mut self, strands: &Strands<C>, ty: PrimType, strand: Value) -> Value {
        let offset = self.builder.ins().imul_imm_s(strand, lane_type(ty).bytes() as i64);
        self.builder.ins().iadd(strands.memory, offset)
    }
}
