//! Early exits of a function. A check that fails, a stop request, and a callee that failed or stopped all jump to the
//! same exit block.
//!
//! A function with an exit block also polls the stop flag at its entry and may jump to the exit block from there. So
//! only the entry dominates the exit block, and the exit block lies outside all loops. This matters for Cranelift's
//! loop-invariant code motion, which walks down the dominator tree and considers a loop left at the first block outside
//! it. With an exit block for each check, one such block could be dominated by a side of a branch. Cranelift would then
//! hoist nothing that comes after the branch.
//!
//! A cold block between a check and the exit block computes what is passed. If the check itself passed it, the number of
//! the message and its values would be computed, and some stored to the stack, before every check that holds. The cold
//! block tests the condition again and may lead back, so it belongs to the loops around the check.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use ravel_abi::native::{Context, FAILED};
use ravel_kernel::{Atom, MessageId};

use crate::emitter::Emitter;

/// The number of values passed to the exit block beside the reason. For a failed check they are up to two values of its
/// message and, last, the current point. For a failed callee or allocation the first is the number of the site plus 1, or
/// 0 if it is unknown.
const PASSED: usize = 3;

impl Emitter<'_, '_> {
    /// Leaves the function if `cond` is 0, and reports the failure to the runtime.
    pub fn check(&mut self, cond: Value, message: MessageId, args: &[Atom]) {
        let violated = self.builder.ins().icmp_imm_u(IntCC::Equal, cond, 0);
        if args.len() < PASSED {
            let why = self.builder.ins().iconst(I32, i64::from(message.0));
            let mut passed = [self.point; PASSED];
            for (passed, &arg) in passed.iter_mut().zip(args) {
                *passed = self.atom_word(arg);
            }
            return self.exit_if(violated, why, passed);
        }
        self.leave_after(violated, |emitter| {
            let words: Vec<Value> = args.iter().map(|&arg| emitter.atom_word(arg)).collect();
            let message = emitter.builder.ins().iconst(I32, i64::from(message.0));
            emitter.fail(message, &words, emitter.point);
        });
    }

    /// Leaves the function with a status if `cond` is not 0.
    pub fn leave_if(&mut self, cond: Value, status: u32) {
        self.leave_at(cond, status, None);
    }

    /// Leaves the function with a status if `cond` is not 0. If the recorded failure is that of the current point, the
    /// place of `site` is added to its backtrace.
    pub fn leave_at(&mut self, cond: Value, status: u32, site: Option<MessageId>) {
        let why = self.builder.ins().iconst(I32, i64::from(!status as i32));
        self.leave_silently(cond, why, site);
    }

    /// Leaves the function with the status of a callee unless that is [`OK`](ravel_abi::native::OK). The callee was
    /// called at `site`, if that is known.
    pub fn leave_with(&mut self, status: Value, site: Option<MessageId>) {
        let why = self.builder.ins().bnot(status);
        self.leave_silently(status, why, site);
    }

    fn leave_silently(&mut self, cond: Value, why: Value, site: Option<MessageId>) {
        let number = self.index(site.map_or(0, |site| i64::from(site.0) + 1));
        self.passes_calls |= site.is_some();
        // The point is not defined at the entry of the function, where the stop flag is polled.
        let point = if site.is_some() { self.point } else { number };
        self.exit_if(cond, why, [number, number, point]);
    }

    /// Leaves the function if its frame reaches below the stack limit, or if too many calls nest.
    pub fn check_stack(&mut self) {
        let frame = self.builder.ins().get_stack_pointer(I64);
        let below = self.builder.ins().icmp(IntCC::UnsignedLessThan, frame, self.stack_limit);
        let too_many = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, self.calls, 0);
        let too_deep = self.builder.ins().bor(below, too_many);
        self.leave_after(too_deep, |emitter| {
            let args = [emitter.context, emitter.point];
            emitter.call_service(offset_of!(Context, out_of_stack), &args, None);
        });
    }

    /// Completes a function after its body is emitted: the jump from `start` to `body`, and the exit block if something
    /// jumps to it. Only a function with an exit block polls the stop flag at its entry.
    pub fn join(&mut self, start: Block, body: Block) {
        self.builder.switch_to_block(start);
        if self.out.is_some() {
            self.poll_stop();
        }
        self.jump(body, &[]);
        if let Some(out) = self.out {
            self.emit_exit(out);
        }
    }

    /// Emits the exit block. Its first parameter is the reason: the number of a message, or the bitwise complement of a
    /// status, which is negative. The other parameters are described at [`PASSED`].
    fn emit_exit(&mut self, out: Block) {
        self.builder.set_cold_block(out);
        let why = self.builder.append_block_param(out, I32);
        let passed = [I64; PASSED].map(|ty| self.builder.append_block_param(out, ty));
        let ((tell, _), (leave, status_param)) = (self.block(&[]), self.block(&[I32]));
        self.builder.set_cold_block(tell);
        self.builder.set_cold_block(leave);
        self.builder.switch_to_block(out);
        let silent = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, why, 0);
        if self.passes_calls {
            let (pass, _) = self.block(&[]);
            self.builder.set_cold_block(pass);
            self.branch(silent, (pass, &[]), (tell, &[]));
            self.builder.switch_to_block(pass);
            let site = self.builder.ins().ireduce(I32, passed[0]);
            self.call_service(offset_of!(Context, add_call), &[self.context, site, passed[PASSED - 1]], None);
            self.jump(leave, &[why]);
        } else {
            self.branch(silent, (leave, &[why]), (tell, &[]));
        }
        self.builder.switch_to_block(tell);
        let [words @ .., point] = passed;
        self.fail(why, &words, point);
        let failed = self.builder.ins().iconst(I32, i64::from(!FAILED as i32));
        self.jump(leave, &[failed]);
        self.builder.switch_to_block(leave);
        let status = self.builder.ins().bnot(status_param[0]);
        self.builder.ins().return_(&[status]);
    }

    /// If `cond` is not 0, runs `cold`, which reports a failure, and leaves the function.
    fn leave_after(&mut self, cond: Value, cold: impl FnOnce(&mut Self)) {
        let ((case, _), (on, _)) = (self.block(&[]), self.block(&[]));
        self.builder.set_cold_block(case);
        self.branch(cond, (case, &[]), (on, &[]));
        self.builder.switch_to_block(case);
        cold(self);
        let why = self.builder.ins().iconst(I32, i64::from(!FAILED as i32));
        let (out, nothing) = (self.exit_block(), self.index(0));
        self.jump(out, &[&[why][..], &[nothing; PASSED]].concat());
        self.builder.switch_to_block(on);
    }

    fn exit_if(&mut self, cond: Value, why: Value, passed: [Value; PASSED]) {
        let ((cold, _), (on, _), out) = (self.block(&[]), self.block(&[]), self.exit_block());
        self.builder.set_cold_block(cold);
        self.branch(cond, (cold, &[]), (on, &[]));
        self.builder.switch_to_block(cold);
        // The condition always holds here. The edge to `on` makes the block part of the loops around.
        self.branch(cond, (out, &[&[why][..], &passed].concat()), (on, &[]));
        self.builder.switch_to_block(on);
    }

    fn exit_block(&mut self) -> Block {
        *self.out.get_or_insert_with(|| self.builder.create_block())
    }

    /// Reports a failed assertion to the runtime.
    fn fail(&mut self, message: Value, words: &[Value], point: Value) {
        let words = self.spill(words);
        self.call_service(offset_of!(Context, fail), &[self.context, message, words, point], None);
    }
}
