//! The loops of a segment function over the points of its chunk, in order.
//!
//! Two nested loops: over rows, and over the points of a row. The points of a row differ only in the innermost counter,
//! and a row is at most as long as the interval between two polls of the stop flag. The outer counters are updated once
//! a row, without division, and Cranelift can hoist what depends only on them. The stop flag is polled between rows,
//! and also between points if a point may take long.
//!
//! A *strip* is code that computes several neighbouring points at once, one in each lane. If there is one, it runs while
//! the row has enough points left; the remaining points run one by one. If a check fails in a strip, the points of the
//! strip run again one by one. If a check of one of them fails too, that point reports the failure. Otherwise the row
//! continues with the next strip.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use ravel_kernel::{Atom, Var};
use ravel_vector::Strip;

use crate::emitter::Emitter;
use crate::lanes::{self, Lanes, Strips};
use crate::segment::Chunk;

/// How to emit the code of a point, or of several points at once.
pub(crate) struct PointCode<'s, E, A> {
    /// Emits one point. Returns its results.
    pub element: E,
    /// Emits the update of the state by the results of a point.
    pub absorb: A,
    /// The code of several neighbouring points in lanes; `None` if points only run one by one.
    pub strips: Option<&'s Strips>,
}

/// A row under construction: neighbouring points, or iterations of a loop in the code of one point.
pub(crate) struct Row {
    /// The flat index of its first point; `None` if these are iterations.
    pub point: Option<Value>,
    /// The inner counter at its beginning.
    pub begin: Value,
    /// Where the inner counter stops.
    pub end: Value,
    /// Whether the stop flag is polled between points.
    pub polls: bool,
}

impl<'p> Emitter<'p, '_> {
    /// Runs the points of a chunk and binds the counters of the space. The state is `first_state` before the first point;
    /// returns the state after the last one. `interval` is the largest number of points between two polls of the stop
    /// word; `None` if a point may take long, and the word is polled before each.
    pub fn points<E, A>(
        &mut self,
        space: &[(Var, Atom)],
        interval: Option<u64>,
        chunk: &Chunk,
        first_state: Vec<Value>,
        code: PointCode<'_, E, A>,
    ) -> Vec<Value>
    where
        E: FnOnce(&mut Self) -> Vec<Value>,
        A: Fn(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    {
        let types = self.types_of(&first_state);
        let inner = space.last().copied();
        let outer = &space[..space.len().saturating_sub(1)];
        let (row, row_params) = self.block(&[&vec![I64; outer.len() + 2][..], &types].concat());
        let (row_done, done_params) = self.block(&[&[I64][..], &types].concat());
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
        let row_end = interval.map_or(row_end, |points| self.interval_end(row_inner, row_end, points));
        let this_row =
            Row { point: Some(row_point), begin: row_inner, end: row_end, polls: interval.is_none() };
        self.walk_row(&this_row, inner.map(|(var, _)| var), row_state, row_done, code);

        self.builder.switch_to_block(row_done);
        let (next, state) = (done_params[0], &done_params[1..]);
        let next_point = self.point_at(&this_row, next);
        let (next_outer, next_inner) = self.next_row(inner, outer, row_outer, next);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, next_point, chunk.end);
        let next_row = [&[next_point][..], &next_outer, &[next_inner], state].concat();
        let (between, _) = self.block(&[]);
        self.branch(more, (between, &[]), (exit, state));
        self.builder.switch_to_block(between);
        self.poll_stop();
        self.jump(row, &next_row);
        self.builder.switch_to_block(exit);
        last_state
    }

    /// Runs the points of a row. Goes to `done` with the inner counter after it and the state.
    pub fn walk_row<E, A>(
        &mut self,
        row: &Row,
        inner: Option<Var>,
        state: &[Value],
        done: Block,
        code: PointCode<'_, E, A>,
    ) where
        E: FnOnce(&mut Self) -> Vec<Value>,
        A: Fn(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    {
        let PointCode { element, absorb, strips } = code;
        let types = self.types_of(state);
        // The block of one point. Its parameters are the inner counter, where it stops, and the state.
        let (point, params) = self.block(&[&[I64; 2][..], &types].concat());
        let strips = strips.map(|strips| match strips {
            Strips::Inline(strip) => self.strips(row, strip, state, (point, done), &absorb),
            Strips::Function { number, strip, words, totals } => {
                let results = if *totals { self.totals(state) } else { self.batch(strip) };
                let mut function = self.strip_function(*number, strip, words, results);
                function.totals = *totals;
                if row.point.is_none() {
                    self.refuse_short(&mut function, row);
                }
                self.batches(row, &function, state, (point, done), &absorb)
            }
        });
        if strips.is_none() {
            self.jump(point, &[&[row.begin, row.end][..], state].concat());
        }

        self.builder.switch_to_block(point);
        let (counter, end) = (params[0], if strips.is_some() { params[1] } else { row.end });
        if row.polls {
            self.poll_stop();
        }
        self.point = self.point_at(row, counter);
        if let Some(var) = inner {
            self.bind(var, counter);
        }
        let results = element(self);
        let state = absorb(self, &params[2..], &results);
        let next = self.builder.ins().iadd_imm_s(counter, 1);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, next, end);
        let again = [&[next, end][..], &state].concat();
        // After the last point the next counter is `end`. Using `end` there keeps `next` dead outside of the loop, so
        // that it can take the register of the counter.
        let finished = [&[end][..], &state].concat();
        let Some(strips) = strips else {
            return self.branch(more, (point, &again), (done, &finished));
        };
        let (after, _) = self.block(&[]);
        self.branch(more, (point, &again), (after, &[]));
        self.builder.switch_to_block(after);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, end, row.end);
        self.branch(more, (strips, &finished), (done, &finished));
    }

    /// Begins a row with strips. If fewer points are left than a strip has lanes, these run one by one in the block
    /// `point`, and so do the points of a strip that fails. If none are left, goes to `done`. Returns the block that
    /// continues with strips from an inner counter and a state.
    fn strips<A>(
        &mut self,
        row: &Row,
        strip: &Strip,
        state: &[Value],
        (point, done): (Block, Block),
        absorb: &A,
    ) -> Block
    where
        A: Fn(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    {
        let types = self.types_of(state);
        let params = [&[I64][..], &types].concat();
        let ((begin, begin_params), (run, run_params)) = (self.block(&params), self.block(&params));
        let ((rest, rest_params), (restart, _)) = (self.block(&params), self.block(&[]));
        let lanes = lanes::lanes(strip) as i64;
        self.jump(begin, &[&[row.begin][..], state].concat());
        self.builder.switch_to_block(begin);
        let strips_end = self.end_of_strips(begin_params[0], row.end);
        self.branch_if_strip_fits(lanes, strips_end, &begin_params, run, rest);

        self.builder.switch_to_block(run);
        if row.polls {
            self.poll_stop();
        }
        let (counter, mut state) = (run_params[0], run_params[1..].to_vec());
        let first_point = self.point_at(row, counter);
        if strip.carry.is_empty() {
            let results = Lanes::emit(self, strip, counter, restart);
            for (lane, results) in results.iter().enumerate() {
                if row.point.is_some() {
                    self.point = self.builder.ins().iadd_imm_s(first_point, lane as i64);
                }
                state = absorb(self, &state, results);
            }
        } else {
            state = Lanes::scan(self, strip, counter, restart, &state);
        }
        let next = self.builder.ins().iadd_imm_s(counter, lanes);
        self.branch_if_strip_fits(lanes, row.end, &[&[next][..], &state].concat(), run, rest);

        self.builder.switch_to_block(rest);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, rest_params[0], row.end);
        let points = [&[rest_params[0], row.end][..], &rest_params[1..]].concat();
        self.branch(more, (point, &points), (done, &rest_params));

        self.builder.switch_to_block(restart);
        self.builder.set_cold_block(restart);
        let after = self.builder.ins().iadd_imm_s(counter, lanes);
        self.jump(point, &[&[counter, after][..], &run_params[1..]].concat());
        begin
    }

    /// Goes to `run` with an inner counter and a state if there are enough points for a strip, otherwise to `rest`.
    pub fn branch_if_strip_fits(&mut self, lanes: i64, end: Value, args: &[Value], run: Block, rest: Block) {
        let after = self.builder.ins().iadd_imm_s(args[0], lanes);
        let enough = self.builder.ins().icmp(IntCC::SignedLessThanOrEqual, after, end);
        self.branch(enough, (run, args), (rest, args));
    }

    /// The flat index of the point of a row with this inner counter. Iterations belong to the current point.
    pub fn point_at(&mut self, row: &Row, counter: Value) -> Value {
        let Some(first) = row.point else { return self.point };
        let travelled = self.builder.ins().isub(counter, row.begin);
        self.builder.ins().iadd(first, travelled)
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
