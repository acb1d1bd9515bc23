//! The loops of a segment function over the points of its chunk, in order.
//!
//! Two nested loops: over rows, and over the points of a row. The points of a row differ only in the innermost counter,
//! and a row is at most as long as the interval between two polls of the stop word. The outer counters are updated once
//! a row, without division, and Cranelift can hoist what depends only on them. The stop word is polled between rows,
//! and also between points if a point may take long.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use ravel_kernel::{Atom, Var};

use crate::emitter::Emitter;
use crate::segment::Chunk;

impl<'p> Emitter<'p, '_> {
    /// Runs `round` for each point of a chunk and binds the counters of the space. `round` receives the state, which is
    /// `first_state` at the first point, and returns the next state. Returns the last state. `interval` is the largest
    /// number of points between two polls of the stop word.
    pub fn points(
        &mut self,
        space: &[(Var, Atom)],
        interval: Option<u64>,
        chunk: &Chunk,
        first_state: Vec<Value>,
        round: impl FnOnce(&mut Self, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let types: Vec<_> =
            first_state.iter().map(|&value| self.builder.func.dfg.value_type(value)).collect();
        let inner = space.last().copied();
        let outer = &space[..space.len().saturating_sub(1)];
        let (row, row_params) = self.block(&[&vec![I64; outer.len() + 2][..], &types].concat());
        let (point, point_params) = self.block(&[&[I64][..], &types].concat());
        let (row_done, _) = self.block(&[]);
        let (exit, last_state) = self.block(&types);

        let start = self.counters(space, chunk.first);
        self.jump(row, &[&[chunk.first][..], &start, &first_state].concat());

        self.builder.switch_to_block(row);
        let (row_point, row_outer) = (row_params[0], &row_params[1..=outer.len()]);
        let (row_inner, row_state) = (row_params[outer.len() + 1], &row_params[outer.len() + 2..]);
        for (&(var, _), &counter) in outer.iter().zip(row_outer) {
            self.bind(var, counter);
        }
        let wrapping = inner.filter(|_| !outer.is_empty());
        let row_end = self.row_end(wrapping, row_point, row_inner, chunk.end);
        let row_end = interval.map_or(row_end, |rounds| self.interval_end(row_inner, row_end, rounds));
        self.jump(point, &[&[row_inner][..], row_state].concat());

        self.builder.switch_to_block(point);
        let counter = point_params[0];
        if interval.is_none() {
            self.poll_stop();
        }
        let travelled = self.builder.ins().isub(counter, row_inner);
        self.point = self.builder.ins().iadd(row_point, travelled);
        if let Some((var, _)) = inner {
            self.bind(var, counter);
        }
        let state = round(self, &point_params[1..]);
        let next = self.builder.ins().iadd_imm_s(counter, 1);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, next, row_end);
        self.branch(more, (point, &[&[next][..], &state].concat()), (row_done, &[]));

        self.builder.switch_to_block(row_done);
        let next_point = self.builder.ins().iadd_imm_s(self.point, 1);
        let (next_outer, next_inner) = self.next_row(inner, outer, row_outer, next);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, next_point, chunk.end);
        let next_row = [&[next_point][..], &next_outer, &[next_inner], &state].concat();
        let (between, _) = self.block(&[]);
        self.branch(more, (between, &[]), (exit, &state));
        self.builder.switch_to_block(between);
        self.poll_stop();
        self.jump(row, &next_row);
        self.builder.switch_to_block(exit);
        last_state
    }

    /// The counters of the point with this flat index. If the space has no dimensions, the index itself.
    pub fn counters(&mut self, space: &[(Var, Atom)], flat: Value) -> Vec<Value> {
        let mut rest = flat;
        let mut counters = Vec::new();
        for &(_, size) in space.iter().skip(1).rev() {
            let size = self.atom(size);
            counters.push(self.builder.ins().urem(rest, size));
            rest = self.builder.ins().udiv(rest, size);
        }
        counters.push(rest);
        counters.reverse();
        counters
    }

    /// The end of the inner counter in this row: the end of the chunk, or the size of the innermost dimension if that is
    /// smaller. `inner` is `None` if there are no outer dimensions.
    fn row_end(&mut self, inner: Option<(Var, Atom)>, point: Value, counter: Value, last: Value) -> Value {
        let left = self.builder.ins().isub(last, point);
        let end = self.builder.ins().iadd(counter, left);
        match inner {
            Some((_, size)) => {
                let size = self.atom(size);
                self.builder.ins().smin(end, size)
            }
            None => end,
        }
    }

    /// The outer counters and the inner counter of the next row. `next` is the inner counter after the last point of this
    /// row. If it has reached the size of its dimension, it becomes 0, and a carry is added to the outer counters.
    fn next_row(
        &mut self,
        inner: Option<(Var, Atom)>,
        outer: &[(Var, Atom)],
        counters: &[Value],
        next: Value,
    ) -> (Vec<Value>, Value) {
        let Some((_, size)) = inner.filter(|_| !outer.is_empty()) else { return (Vec::new(), next) };
        let (size, zero) = (self.atom(size), self.index(0));
        let full = self.builder.ins().icmp(IntCC::Equal, next, size);
        let next_inner = self.builder.ins().select(full, zero, next);
        let mut carry = self.builder.ins().uextend(I64, full);
        let mut raised = counters.to_vec();
        for (counter, &(_, size)) in raised.iter_mut().zip(outer).rev() {
            let size = self.atom(size);
            let more = self.builder.ins().iadd(*counter, carry);
            let full = self.builder.ins().icmp(IntCC::Equal, more, size);
            *counter = self.builder.ins().select(full, zero, more);
            carry = self.builder.ins().uextend(I64, full);
        }
        (raised, next_inner)
    }
}
