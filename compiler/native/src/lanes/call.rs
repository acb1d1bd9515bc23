//! Calls of the strip functions of `ravel_x86`.
//!
//! A function runs as many points of a row as it can. In a map, it gets all points of the row, and so it does if it
//! combines them itself: in strands, in totals, or in a scan that carries. In other reductions and scans it gets batches of points,
//! whose results are then combined one by one. The function stops before the end if too few points
//! are left for a strip, or if a strip fails. If points may run again, the last strip begins with points of the one before it,
//! so that few or no points are left. Then up to [`MAX_LANES`] points run one by one before the next call.
//! If the processor has none of its versions, or the arrays of the lanes do not fit, all points run one by one.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use ravel_abi::native::Context;
use ravel_vector::{Operand, Place, Strip};
use ravel_x86::{BATCH, MAX_LANES, Word};

use super::Lanes;
use crate::emitter::{Emitter, TRUSTED, clif_type};
use crate::walk::Row;

/// The fewest iterations of a loop for which a call takes less time than they do one by one, if the last ones run so.
const FEWEST_ITERATIONS: i64 = 16;

/// A strip function with its arguments.
pub(crate) struct Function<'s> {
    strip: &'s Strip,
    /// Its address; 0 if it cannot run.
    pub address: Value,
    /// The address of its argument block.
    pub arguments: Value,
    /// The address at which it stores its results, or combines strands or totals.
    pub results: Value,
    /// Whether it keeps totals: it folds the results of its points, or carries what they combine to.
    pub totals: bool,
}

impl Emitter<'_, '_> {
    /// The address of memory for the results of a strip function.
    pub fn batch(&mut self, strip: &Strip) -> Value {
        self.on_stack((8 * BATCH * strip.body.result.len()) as u32)
    }

    /// The address of memory for the totals of a strip function, which are these values.
    pub fn totals(&mut self, state: &[Value]) -> Value {
        self.on_stack(8 * state.len() as u32)
    }

    /// Loads the address of a strip function and stores its argument block.
    pub fn strip_function<'s>(
        &mut self,
        number: usize,
        strip: &'s Strip,
        words: &[Word],
        results: Value,
    ) -> Function<'s> {
        let table = self.context_word(offset_of!(Context, strips));
        let address = self.load_word(I64, table, number);
        let address = self.null_without_memory(address);
        let arguments = self.on_stack(8 * words.len() as u32);
        let outside = Lanes::outside(self, strip);
        for (place, word) in words.iter().enumerate() {
            let value = match *word {
                Word::Memory(memory) => match strip.memories[memory].place {
                    Place::Block(var) => self.value(var),
                    Place::Preallocated(_) => self.lane_memory.address(memory),
                    Place::Private(_) => unreachable!("on the stack of the function"),
                },
                Word::Value(value) => outside.scalar(self, Operand::Value(value)),
                Word::Stop => self.context_word(offset_of!(Context, stop)),
            };
            let value = self.word_of(value);
            self.builder.ins().store(TRUSTED, value, arguments, 8 * place as i32);
        }
        Function { strip, address, arguments, results, totals: false }
    }

    /// Lets the iterations of a loop run one by one if they are so few that a call does not pay.
    pub fn refuse_short(&mut self, function: &mut Function<'_>, row: &Row) {
        let count = self.builder.ins().isub(row.end, row.begin);
        let strip = function.strip;
        let fewest = if strip.repeatable { ravel_x86::lanes(strip) as i64 } else { FEWEST_ITERATIONS };
        let few = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, count, fewest);
        let none = self.index(0);
        function.address = self.builder.ins().select(few, none, function.address);
    }

    /// Begins a row with calls of a strip function. Points that the function does not run jump to the block of `point`.
    /// Returns the block that continues the row. Its parameters are the inner counter and the state.
    pub fn batches<A>(
        &mut self,
        row: &Row,
        function: &Function<'_>,
        state: &[Value],
        (point, done): (Block, Block),
        absorb: &A,
    ) -> Block
    where
        A: Fn(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    {
        let types = self.types_of(state);
        let params = [&[I64][..], &types].concat();
        let (begin, begun) = self.block(&params);
        let ((call, _), (one_by_one, _)) = (self.block(&[]), self.block(&[]));
        self.jump(begin, &[&[row.begin][..], state].concat());

        self.builder.switch_to_block(begin);
        if row.polls {
            self.poll_stop();
        }
        self.branch(function.address, (call, &[]), (one_by_one, &[]));
        self.builder.switch_to_block(one_by_one);
        self.builder.set_cold_block(one_by_one);
        self.jump(point, &[&[begun[0], row.end][..], &begun[1..]].concat());

        self.builder.switch_to_block(call);
        let end = match types.len() {
            _ if function.totals => row.end,
            0 => row.end,
            _ => {
                let batch = self.builder.ins().iadd_imm_s(begun[0], BATCH as i64);
                self.builder.ins().smin(batch, row.end)
            }
        };
        let args = [function.arguments, begun[0], end, function.results];
        if function.totals {
            self.store_results(&begun[1..], function.results);
        }
        let next = self.call_strip(function.address, &args);
        let state = match types.len() {
            0 => Vec::new(),
            _ if function.totals => {
                let total =
                    |(number, &ty)| self.builder.ins().load(ty, TRUSTED, function.results, 8 * number as i32);
                types.iter().enumerate().map(total).collect()
            }
            _ => self.absorb_batch(row, function, (begun[0], next), &begun[1..], absorb),
        };
        let ((whole, _), (part, _)) = (self.block(&[]), self.block(&[]));
        let all = self.builder.ins().icmp(IntCC::Equal, next, end);
        self.branch(all, (whole, &[]), (part, &[]));
        let after = [&[next][..], &state].concat();
        self.builder.switch_to_block(whole);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, next, row.end);
        self.branch(more, (begin, &after), (done, &after));
        self.builder.switch_to_block(part);
        let some = self.builder.ins().iadd_imm_s(next, MAX_LANES as i64);
        let some = self.builder.ins().smin(some, end);
        self.jump(point, &[&[next, some][..], &state].concat());
        begin
    }

    /// The state after the points of a batch, whose results are in memory.
    fn absorb_batch<A>(
        &mut self,
        row: &Row,
        function: &Function<'_>,
        (first, next): (Value, Value),
        state: &[Value],
        absorb: &A,
    ) -> Vec<Value>
    where
        A: Fn(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    {
        let types = self.types_of(state);
        let (one, at_one) = self.block(&[&[I64][..], &types].concat());
        let (exit, last) = self.block(&types);
        let some = self.builder.ins().icmp(IntCC::SignedLessThan, first, next);
        self.branch(some, (one, &[&[first][..], state].concat()), (exit, state));
        self.builder.switch_to_block(one);
        let state = self.absorb_result(row, function, (first, at_one[0]), &at_one[1..], absorb);
        let after = self.builder.ins().iadd_imm_s(at_one[0], 1);
        let more = self.builder.ins().icmp(IntCC::SignedLessThan, after, next);
        self.branch(more, (one, &[&[after][..], &state].concat()), (exit, &state));
        self.builder.switch_to_block(exit);
        last
    }

    /// The state after a point of a batch.
    fn absorb_result<A>(
        &mut self,
        row: &Row,
        function: &Function<'_>,
        (first, counter): (Value, Value),
        state: &[Value],
        absorb: &A,
    ) -> Vec<Value>
    where
        A: Fn(&mut Self, &[Value], &[Value]) -> Vec<Value>,
    {
        let place = self.builder.ins().isub(counter, first);
        let results = self.result_of_batch(function.strip, function.results, place);
        self.point = self.point_at(row, counter);
        absorb(self, state, &results)
    }

    /// The results at this place of a batch that a strip function has stored at an address.
    pub fn result_of_batch(&mut self, strip: &Strip, batch: Value, place: Value) -> Vec<Value> {
        let mut results = Vec::new();
        for (number, &operand) in strip.body.result.iter().enumerate() {
            let ty = strip.ty(operand);
            let offset = self.builder.ins().imul_imm_s(place, ty.bytes() as i64);
            let address = self.builder.ins().iadd(batch, offset);
            let start = (8 * BATCH * number) as i32;
            results.push(self.builder.ins().load(clif_type(ty), TRUSTED, address, start));
        }
        results
    }
}
