//! Sections: the points of a chunk of a scan, divided so that several run side by side.
//!
//! Each point of a scan waits for the prefix of the point before it. A processor could do several points in that time. So a
//! chunk is divided into sections of neighbouring points of equal length, and an iteration of the loop runs one point of
//! each. Each section has a row of partial results of its own, as if it were a chunk. The last section also has the points
//! that are left over.
//!
//! If the code of a point runs in lanes, a strip function first computes a batch of results of each section. Then the
//! batches are combined side by side.
//!
//! The order of combination depends only on the number of points of the chunk. A scan that gives the same bits however
//! values are grouped has no sections: a thread alone then folds nothing, and integers are scanned in lanes. The points of a
//! scan with sections are short, since their code is emitted once for each section. They cannot fail, since points of later
//! sections run before those of earlier ones.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use ravel_kernel::{
    Atom, Body, Combiner, GridSegment, ScalarExp, SegmentKind, Step, Stm, Target, Thread, Type, Var, VarTable,
};
use ravel_vector::Strip;
use ravel_x86::{BATCH, Word};

use crate::emitter::Emitter;
use crate::lanes::{self, Strips};
use crate::segment::Chunk;
use crate::walk::PointCode;

/// The most sections of a chunk.
const MAX_SECTIONS: usize = 4;

/// The most scalars that all sections carry together, so that most of them stay in registers.
const MAX_CARRIED: usize = 12;

/// The most statements of a point, its operators and what follows them.
const MAX_STATEMENTS: usize = 48;

/// The number of statements for which an operator counts that takes several instructions.
const LONG: usize = 8;

/// The number of sections of each chunk of a segment; 1 if its points run in order.
pub(crate) fn count(segment: &GridSegment, vars: &VarTable, target: &Target) -> usize {
    let Some((kind @ SegmentKind::Scan(combiners, _), body)) = segment.threads() else { return 1 };
    let bodies = combiners.iter().map(|combiner| &combiner.body);
    let bodies = bodies.chain([body]).chain(kind.finish().map(|finish| &finish.body));
    let statements: Option<usize> = bodies.map(statements).sum();
    let is_short = statements.is_some_and(|statements| statements <= MAX_STATEMENTS);
    let carried: usize = combiners.iter().map(|combiner| combiner.left.len()).sum();
    let sections = (MAX_CARRIED / carried.max(1)).clamp(1, MAX_SECTIONS);
    match is_short && segment.space.len() == 1 && !group_alike(combiners, vars) {
        true if lanes::strip_of_scan(segment, vars, target).is_err() => sections,
        _ => 1,
    }
}

/// Whether operators give the same bits however values are grouped: their operations commute, and none is an operation of
/// floats.
pub(crate) fn group_alike(combiners: &[Combiner], vars: &VarTable) -> bool {
    let is_float = |&operand: &Var| matches!(vars[operand].ty, Type::Scalar(ty) if ty.is_float());
    combiners.iter().all(|combiner| combiner.commutative && !combiner.left.iter().any(is_float))
}

/// The number of statements of a body; `None` if it may fail or has loops.
fn statements(body: &Body<Thread>) -> Option<usize> {
    let statement = |step: &Step<Thread>| match &step.stm {
        Stm::Let { exp: ScalarExp::Unary(op, _), .. } if !op.is_short() => Some(LONG),
        Stm::Let { exp: ScalarExp::Binary(op, ..), .. } if !op.is_short() => Some(LONG),
        Stm::Let { .. } | Stm::View(_) | Stm::Load { .. } | Stm::Store { .. } => Some(1),
        Stm::If { then, otherwise, .. } => Some(1 + statements(then)? + statements(otherwise)?),
        _ => None,
    };
    body.stms.iter().map(statement).sum()
}

/// The sections of a chunk while they run side by side.
struct Sections {
    /// The number of sections.
    count: usize,
    /// The number of points of each.
    length: Value,
}

/// A strip function and where it stores a batch of results of each section.
struct Batches<'s> {
    strip: &'s Strip,
    address: Value,
    arguments: Value,
    results: Vec<Value>,
}

impl Emitter<'_, '_> {
    /// The section with this number as a chunk.
    pub fn section(&mut self, chunk: &Chunk, sections: usize, number: Value) -> Chunk {
        let all = self.index(sections as i64);
        // At least one point is left over, since the loop over the last section's points begins with one.
        let points = self.builder.ins().isub(chunk.end, chunk.first);
        let others = self.builder.ins().iadd_imm_s(points, -1);
        let length = self.builder.ins().udiv(others, all);
        let start = self.builder.ins().imul(number, length);
        let first = self.builder.ins().iadd(chunk.first, start);
        let end = self.builder.ins().iadd(first, length);
        let is_last = self.builder.ins().icmp_imm_s(IntCC::Equal, number, sections as i64 - 1);
        let end = self.builder.ins().select(is_last, chunk.end, end);
        let row = self.builder.ins().imul(chunk.number, all);
        let row = self.builder.ins().iadd(row, number);
        Chunk { number: row, first, end, partials: chunk.partials }
    }

    /// Runs the points of the sections of a chunk side by side from these states. Returns the states after them.
    pub fn points_in_sections<E, A>(
        &mut self,
        space: &[(Var, Atom)],
        interval: Option<u64>,
        sections: &[Chunk],
        states: &[Vec<Value>],
        code: &PointCode<'_, E, A>,
    ) -> Vec<Vec<Value>>
    where
        E: Fn(&mut Self) -> Vec<Value>,
        A: Fn(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    {
        let [first, .., last] = sections else { unreachable!("several sections") };
        let length = self.builder.ins().isub(first.end, first.first);
        let side_by_side = Sections { count: sections.len(), length };
        let element = |emitter: &mut Self, _: usize, point: Value| {
            emitter.point = point;
            space.iter().for_each(|&(counter, _)| emitter.bind(counter, point));
            (code.element)(emitter)
        };
        let one_by_one = |emitter: &mut Self, state: &[Value]| {
            emitter.point_of_each(&side_by_side, state, element, &code.absorb)
        };
        let each = interval.map(|points| (points / sections.len() as u64).max(1));
        let firsts = sections.iter().map(|section| section.first);
        let state: Vec<Value> = firsts.chain(states.iter().flatten().copied()).collect();
        let after = match code.strips {
            Some(Strips::Function { number, strip, words, .. }) => {
                let batches = self.batches_of_sections(*number, strip, words, sections.len());
                let in_batches = |emitter: &mut Self, place: Value, state: &[Value]| {
                    let element = |emitter: &mut Self, section: usize, _: Value| {
                        emitter.result_of_batch(batches.strip, batches.results[section], place)
                    };
                    emitter.point_of_each(&side_by_side, state, element, &code.absorb)
                };
                self.walk_batches(&side_by_side, &batches, each, &state, in_batches, one_by_one)
            }
            _ => self
                .count_to(length, true, None, each, &state, |emitter, _, state| one_by_one(emitter, state)),
        };
        let (ends, after) = after.split_at(sections.len());
        let width = states.first().map_or(0, Vec::len).max(1);
        let mut after: Vec<Vec<Value>> = after.chunks(width).map(<[Value]>::to_vec).collect();
        if let (Some(state), Some(&first)) = (after.last_mut(), ends.last()) {
            let rest = Chunk { number: last.number, first, end: last.end, partials: last.partials };
            let code = PointCode { element: &code.element, absorb: &code.absorb, strips: None };
            *state = self.points(space, interval, &rest, std::mem::take(state), code);
        }
        after
    }

    /// Runs one point of each section. The state has the number of that point for each section, and then the scalars of
    /// each. Returns the state after them.
    ///
    /// The numbers are in the state, although they differ by constants, since the addresses that depend on them would
    /// otherwise be hoisted: several for each section.
    fn point_of_each<A>(
        &mut self,
        sections: &Sections,
        state: &[Value],
        element: impl Fn(&mut Self, usize, Value) -> Vec<Value>,
        absorb: &A,
    ) -> Vec<Value>
    where
        A: Fn(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    {
        let (points, states) = state.split_at(sections.count);
        let mut after: Vec<Value> = Vec::new();
        for &point in points {
            after.push(self.builder.ins().iadd_imm_s(point, 1));
        }
        let width = (states.len() / sections.count).max(1);
        for (section, (&point, state)) in points.iter().zip(states.chunks(width)).enumerate() {
            let results = element(self, section, point);
            self.point = point;
            after.extend(absorb(self, state, &results));
        }
        after
    }

    fn batches_of_sections<'s>(
        &mut self,
        number: usize,
        strip: &'s Strip,
        words: &[Word],
        sections: usize,
    ) -> Batches<'s> {
        let results: Vec<Value> = (0..sections).map(|_| self.batch(strip)).collect();
        let function = self.strip_function(number, strip, words, results[0]);
        Batches { strip, address: function.address, arguments: function.arguments, results }
    }

    /// Runs the points of sections in batches: a strip function computes the results of a batch of each section, and
    /// `absorb` takes the results at a place. The function may leave points at the end of a batch; these run by `one`.
    fn walk_batches(
        &mut self,
        sections: &Sections,
        batches: &Batches<'_>,
        interval: Option<u64>,
        state: &[Value],
        absorb: impl Fn(&mut Self, Value, &[Value]) -> Vec<Value>,
        one: impl Fn(&mut Self, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let raised = self.builder.ins().iadd_imm_s(sections.length, BATCH as i64 - 1);
        let batch = self.index(BATCH as i64);
        let count = self.builder.ins().udiv(raised, batch);
        let interval = interval.map(|points| (points / BATCH as u64).max(1));
        self.count_to(count, true, None, interval, state, |emitter, number, state| {
            let begin = emitter.builder.ins().imul(number, batch);
            let left = emitter.builder.ins().isub(sections.length, begin);
            let points = emitter.builder.ins().smin(left, batch);
            let in_lanes = emitter.compute_batches(&state[..sections.count], batches, points);
            let most = Some(BATCH as u64);
            let state = emitter.count_to(in_lanes, true, most, most, state, absorb);
            let rest = emitter.builder.ins().isub(points, in_lanes);
            emitter.count_to(rest, true, most, most, &state, |emitter, _, state| one(emitter, state))
        })
    }

    /// Computes the results of the next points of each section. Returns how many results each has: none if the function
    /// cannot run.
    fn compute_batches(&mut self, firsts: &[Value], batches: &Batches<'_>, points: Value) -> Value {
        let ((call, _), (done, ran)) = (self.block(&[]), self.block(&[I64]));
        let none = self.index(0);
        self.branch(batches.address, (call, &[]), (done, &[none]));
        self.builder.switch_to_block(call);
        let mut least = points;
        for (&first, &results) in firsts.iter().zip(&batches.results) {
            let end = self.builder.ins().iadd(first, points);
            let next = self.call_strip(batches.address, &[batches.arguments, first, end, results]);
            let ran = self.builder.ins().isub(next, first);
            least = self.builder.ins().smin(least, ran);
        }
        self.jump(done, &[least]);
        self.builder.switch_to_block(done);
        ran[0]
    }
}
