//! The walk of a segment function through the points of its chunk, in order.
//!
//! Two loops, one inside the other: over the rows (points that differ in the inner counter only, a
//! stretch of them at most) and over the points of a row. So the outer counters move once a row,
//! without division, and what depends on them alone is computed once a row. The stop word is looked at
//! between rows, and where points may take long, between points.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use ravel_kernel::{Atom, Var};

use crate::emitter::Emitter;
use crate::segment::Chunk;

impl<'p> Emitter<'p, '_> {
    /// Runs `round` for the points of a chunk, with the counters of the space bound. It gets the
    /// values that the last round gave, in the beginning `first_state`; gives those of the last. A row is walked in
    /// stretches of so many points.
    pub fn points(
        &mut self,
        space: &[(Var, Atom)],
        stretch: Option<u64>,
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
        let row_end = self.row_end(wrapping, row_point, row_inner, chunk.last);
        let row_end = stretch.map_or(row_end, |rounds| self.stretch_end(row_inner, row_end, rounds));
        self.jump(point, &[&[row_inner][..], row_state].concat());

        self.builder.switch_to_block(point);
        let counter = point_params[0];
        if stretch.is_none() {
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
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, next_point, chunk.last);
        let next_row = [&[next_point][..], &next_outer, &[next_inner], &state].concat();
        let (between, _) = self.block(&[]);
        self.branch(more, (between, &[]), (exit, &state));
        self.builder.switch_to_block(between);
        self.poll_stop();
        self.jump(row, &next_row);
        self.builder.switch_to_block(exit);
        last_state
    }

    /// The counters of the point with this flat index; the index itself where there are none.
    fn counters(&mut self, space: &[(Var, Atom)], flat: Value) -> Vec<Value> {
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

    /// Where the inner counter stops in this row: at the end of the chunk, or of the points that differ in it only if
    /// there are others.
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

    /// The outer counters and the inner one of the next row, given the inner counter behind this one. If that is
    /// full it begins anew and the last outer one is raised, and each that is full carries.
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
