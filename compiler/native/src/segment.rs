//! Segments: the host starts them by `fork`; each of their phases is a function of its own that
//! runs the points of one chunk.
//!
//! A phase function finds what the segment captures as words in its environment. It walks its
//! points by counters: the flat index for failures, the inner index, and, once a row, the outer ones.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Function, InstBuilder, Value};
use cranelift_codegen::isa::TargetIsa;
use cranelift_frontend::FunctionBuilderContext;
use ravel_kernel::{GridSegment, SegmentKind, Uses, Var, VarTable};

use crate::emitter::Emitter;

/// A segment function to be made.
pub(crate) struct Outlined<'p> {
    /// The variables of the entry point.
    pub vars: &'p VarTable,
    /// The segment.
    pub segment: &'p GridSegment,
    /// What the function does with its points.
    pub phase: Phase,
    /// The variables whose values the environment begins with.
    pub captured: Vec<Var>,
}

/// What a segment function does with its points.
#[derive(Clone, Copy)]
pub(crate) enum Phase {
    /// Runs the body.
    Map,
    /// Combines the results of the body, and stores what they come to among the partial results.
    Fold,
    /// Combines the results of the body with what came before the chunk, and stores each prefix.
    Prefix,
}

/// What a segment function knows besides the variables it captured.
pub(crate) struct Chunk {
    /// Its number.
    pub number: Value,
    /// Its first point.
    pub first: Value,
    /// The point behind its last one.
    pub last: Value,
    /// Where the partial results are (of reductions and scans).
    pub partials: Value,
}

impl<'p> Emitter<'p, '_> {
    /// Runs a segment from the host.
    pub fn segment(&mut self, segment: &'p GridSegment) {
        match &segment.kind {
            SegmentKind::Map => {
                let mut points = self.index(1);
                for &(_, size) in &segment.space {
                    let size = self.atom(size);
                    points = self.builder.ins().imul(points, size);
                }
                let captured = self.captured(segment);
                let environment = self.environment(&captured, None);
                let chunk = self.atom(segment.chunk);
                let function = Outlined { vars: self.vars, segment, phase: Phase::Map, captured };
                self.fork(function, environment, points, chunk);
            }
            SegmentKind::Reduce(combiners) => self.reduce(segment, combiners),
            SegmentKind::Scan(combiners) => self.scan(segment, combiners),
        }
    }

    /// The scalars and blocks that a segment uses but does not bind.
    pub fn captured(&self, segment: &GridSegment) -> Vec<Var> {
        let Uses { mut scalars, blocks, .. } = Uses::of_segment(segment, self.vars);
        scalars.extend(blocks.iter().map(|block| block.block));
        scalars
    }

    /// Stores the environment of a segment function; gives its address.
    pub fn environment(&mut self, captured: &[Var], partials: Option<Value>) -> Value {
        let mut words = Vec::new();
        for &var in captured {
            let value = self.value(var);
            words.push(self.word_of(value));
        }
        words.extend(partials);
        self.spill(&words)
    }

    /// Runs `round` for the points of a chunk in order, with the counters of the segment bound.
    /// It gets the values that the last round gave (`first_state` in the beginning).
    pub fn points(
        &mut self,
        segment: &'p GridSegment,
        chunk: &Chunk,
        first_state: Vec<Value>,
        mut round: impl FnMut(&mut Self, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let state_types: Vec<_> =
            first_state.iter().map(|&value| self.builder.func.dfg.value_type(value)).collect();
        let (inner, outer) = match segment.space.split_last() {
            Some((inner, outer)) => (Some(*inner), outer),
            None => (None, &[][..]),
        };
        let (exit, last_state) = self.block(&state_types);

        // The counters of the first point.
        let mut rest = chunk.first;
        let mut start = Vec::new();
        for &(_, size) in segment.space.iter().skip(1).rev() {
            let size = self.atom(size);
            start.push(self.builder.ins().urem(rest, size));
            rest = self.builder.ins().udiv(rest, size);
        }
        start.push(rest);
        start.reverse();
        let outer_types = vec![I64; outer.len()];

        // A row: the points that differ in the inner counter only.
        let (row, given) = self.block(&[&[I64, I64][..], &outer_types, &state_types].concat());
        let inner_start = start.pop().expect("one counter at least");
        self.jump(row, &[&[chunk.first, inner_start][..], &start, &first_state].concat());
        self.builder.switch_to_block(row);
        let (row_point, row_inner) = (given[0], given[1]);
        let (row_outer, row_state) = given[2..].split_at(outer.len());
        for (&(var, _), &counter) in outer.iter().zip(row_outer) {
            self.bind(var, counter);
        }
        let left = self.builder.ins().isub(chunk.last, row_point);
        let mut row_end = self.builder.ins().iadd(row_inner, left);
        if let (Some((_, size)), false) = (inner, outer.is_empty()) {
            let size = self.atom(size);
            row_end = self.builder.ins().smin(row_end, size);
        }

        // A point.
        let (point, given) = self.block(&[&[I64][..], &state_types].concat());
        self.jump(point, &[&[row_inner][..], row_state].concat());
        self.builder.switch_to_block(point);
        let counter = given[0];
        let travelled = self.builder.ins().isub(counter, row_inner);
        self.point = self.builder.ins().iadd(row_point, travelled);
        if let Some((var, _)) = inner {
            self.bind(var, counter);
        }
        let state = round(self, &given[1..]);
        let counter = self.builder.ins().iadd_imm_s(counter, 1);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, counter, row_end);
        let (row_done, _) = self.block(&[]);
        self.branch(more, (point, &[&[counter][..], &state].concat()), (row_done, &[]));

        // The next row.
        self.builder.switch_to_block(row_done);
        if outer.is_empty() {
            self.jump(exit, &state);
        } else {
            let travelled = self.builder.ins().isub(counter, row_inner);
            let next_point = self.builder.ins().iadd(row_point, travelled);
            let zero = self.index(0);
            let mut next_outer = row_outer.to_vec();
            let mut carry = self.index(1);
            for (counter, &(_, size)) in next_outer.iter_mut().zip(outer).rev() {
                let size = self.atom(size);
                let raised = self.builder.ins().iadd(*counter, carry);
                let full = self.builder.ins().icmp(IntCC::Equal, raised, size);
                *counter = self.builder.ins().select(full, zero, raised);
                carry = self.builder.ins().uextend(I64, full);
            }
            let more = self.builder.ins().icmp(IntCC::SignedLessThan, next_point, chunk.last);
            let next = [&[next_point, zero][..], &next_outer, &state].concat();
            self.branch(more, (row, &next), (exit, &state));
        }
        self.builder.switch_to_block(exit);
        last_state
    }
}

/// Makes a segment function.
pub(crate) fn emit<'p>(
    outlined: &Outlined<'p>,
    function: &mut Function,
    builder_context: &mut FunctionBuilderContext,
    isa: &dyn TargetIsa,
) {
    let mut none = Vec::new();
    let (mut emitter, given) = Emitter::begin(function, builder_context, isa, outlined.vars, 4, &mut none);
    let environment = given[0];
    for (number, &var) in outlined.captured.iter().enumerate() {
        let value = emitter.load_word(emitter.var_type(var), environment, number);
        emitter.bind(var, value);
    }
    let partials = match outlined.phase {
        Phase::Map => environment,
        Phase::Fold | Phase::Prefix => emitter.load_word(I64, environment, outlined.captured.len()),
    };
    let chunk = Chunk { number: given[1], first: given[2], last: given[3], partials };
    match (outlined.phase, &outlined.segment.kind) {
        (Phase::Fold, SegmentKind::Reduce(combiners) | SegmentKind::Scan(combiners)) => {
            emitter.fold_chunk(outlined.segment, combiners, &chunk);
        }
        (Phase::Prefix, SegmentKind::Scan(combiners)) => {
            emitter.prefix_chunk(outlined.segment, combiners, &chunk);
        }
        _ => {
            emitter.points(outlined.segment, &chunk, Vec::new(), |emitter, _| {
                emitter.body(&outlined.segment.body, [])
            });
        }
    }
    emitter.finish(isa);
}
