//! The way out of a function that cannot go on: one block, to which all places jump that fail, stop, or hear that
//! a callee did.
//!
//! It is one so that it lies outside of all loops: a function that has it looks at the stop word before anything else,
//! and leaves by it too, so what dominates it is the beginning. Cranelift moves what does not change out of a loop as long
//! as it is in that loop, walking down the dominator tree; a block behind a check that leaves the loop, dominated
//! by a side of a branch, would end the loop for it, and what follows the branch would be computed in every round.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use ravel_abi::native::{Context, FAILED};
use ravel_kernel::{Atom, MessageId};

use crate::emitter::Emitter;

/// The values that go through the way out beside the reason: those that a message tells, at most two, and last where
/// the current point is to be found. Where nothing is stored, the first is the site of the call that was left, or 0.
const TAKEN: usize = 3;

impl Emitter<'_, '_> {
    /// Leaves the function if `cond` is 0, after noting a failure.
    pub fn check(&mut self, cond: Value, message: MessageId, args: &[Atom]) {
        let violated = self.builder.ins().icmp_imm_u(IntCC::Equal, cond, 0);
        let are_words =
            args.iter().all(|&arg| self.scalar_type(arg).bits() == 64 && !self.scalar_type(arg).is_float());
        if args.len() < TAKEN && are_words {
            let why = self.builder.ins().iconst(I32, i64::from(message.0));
            let mut taken = [self.point; TAKEN];
            for (taken, &arg) in taken.iter_mut().zip(args) {
                *taken = self.atom(arg);
            }
            return self.go_out_if(violated, why, taken);
        }
        self.in_case(violated, |emitter| {
            let words: Vec<Value> = args.iter().map(|&arg| emitter.atom_word(arg)).collect();
            let message = emitter.builder.ins().iconst(I32, i64::from(message.0));
            emitter.fail(message, &words, emitter.point);
        });
    }

    /// Leaves the function with a status if `cond` is not 0.
    pub fn leave_if(&mut self, cond: Value, status: u32) {
        let why = self.builder.ins().iconst(I32, i64::from(!status as i32));
        let nothing = self.index(0);
        self.go_out_if(cond, why, [nothing; TAKEN]);
    }

    /// Leaves the function with the status of a callee unless that is [`OK`](ravel_abi::native::OK). The callee was
    /// called at `site`, if that is known.
    pub fn leave_with(&mut self, status: Value, site: Option<MessageId>) {
        let why = self.builder.ins().bnot(status);
        let number = self.index(site.map_or(0, |site| i64::from(site.0) + 1));
        self.passes_calls |= site.is_some();
        self.go_out_if(status, why, [number, number, self.point]);
    }

    /// Leaves the function if its frame reaches below the stack limit.
    pub fn watch_stack(&mut self) {
        let frame = self.builder.ins().get_stack_pointer(I64);
        let below = self.builder.ins().icmp(IntCC::UnsignedLessThan, frame, self.stack_limit);
        self.in_case(below, |emitter| {
            let args = [emitter.context, emitter.point];
            emitter.call_service(offset_of!(Context, out_of_stack), &args, None);
        });
    }

    /// Completes a function with all of `body` in it: what leads from `start` to `body`, and the way out if something
    /// takes it. A function that nothing leaves early asks nothing of its context.
    pub fn join(&mut self, start: Block, body: Block) {
        self.builder.switch_to_block(start);
        if self.out.is_some() {
            self.poll_stop();
        }
        self.jump(body, &[]);
        if let Some(out) = self.out {
            self.way_out(out);
        }
    }

    /// The block behind which the function is left. It gets the number of a message, or what is left of a status when
    /// all its bits are turned, which is below 0, and what goes with it.
    fn way_out(&mut self, out: Block) {
        self.builder.set_cold_block(out);
        let why = self.builder.append_block_param(out, I32);
        let taken = [I64; TAKEN].map(|ty| self.builder.append_block_param(out, ty));
        let ((tell, _), (leave, given)) = (self.block(&[]), self.block(&[I32]));
        self.builder.set_cold_block(tell);
        self.builder.set_cold_block(leave);
        self.builder.switch_to_block(out);
        let silent = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, why, 0);
        if self.passes_calls {
            let (pass, _) = self.block(&[]);
            self.builder.set_cold_block(pass);
            self.branch(silent, (pass, &[]), (tell, &[]));
            self.builder.switch_to_block(pass);
            let site = self.builder.ins().ireduce(I32, taken[0]);
            self.call_service(offset_of!(Context, pass), &[self.context, site, taken[TAKEN - 1]], None);
            self.jump(leave, &[why]);
        } else {
            self.branch(silent, (leave, &[why]), (tell, &[]));
        }
        self.builder.switch_to_block(tell);
        let [words @ .., point] = taken;
        self.fail(why, &words, point);
        let failed = self.builder.ins().iconst(I32, i64::from(!FAILED as i32));
        self.jump(leave, &[failed]);
        self.builder.switch_to_block(leave);
        let status = self.builder.ins().bnot(given[0]);
        self.builder.ins().return_(&[status]);
    }

    /// Goes on only if `cond` is 0; else runs `cold`, which notes a failure, and leaves.
    fn in_case(&mut self, cond: Value, cold: impl FnOnce(&mut Self)) {
        let ((case, _), (on, _)) = (self.block(&[]), self.block(&[]));
        self.builder.set_cold_block(case);
        self.branch(cond, (case, &[]), (on, &[]));
        self.builder.switch_to_block(case);
        cold(self);
        let why = self.builder.ins().iconst(I32, i64::from(!FAILED as i32));
        let (out, nothing) = (self.out(), self.index(0));
        self.jump(out, &[&[why][..], &[nothing; TAKEN]].concat());
        self.builder.switch_to_block(on);
    }

    fn go_out_if(&mut self, cond: Value, why: Value, taken: [Value; TAKEN]) {
        let ((on, _), out) = (self.block(&[]), self.out());
        self.branch(cond, (out, &[&[why][..], &taken].concat()), (on, &[]));
        self.builder.switch_to_block(on);
    }

    fn out(&mut self) -> Block {
        *self.out.get_or_insert_with(|| self.builder.create_block())
    }

    /// Notes a failed assertion.
    fn fail(&mut self, message: Value, words: &[Value], point: Value) {
        let words = self.spill(words);
        self.call_service(offset_of!(Context, fail), &[self.context, message, words, point], None);
    }
}
