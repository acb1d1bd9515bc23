//! Operators on integers and bools.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F64, I32, I64};
use cranelift_codegen::ir::{InstBuilder, InstructionData, MemFlagsData, Opcode, Type as ClifType, Value};
use ravel_abi::native::Context;
use ravel_prim::{BinOp, PrimType, UnOp};

use crate::emitter::{Emitter, clif_type};

impl Emitter<'_, '_> {
    /// `a op b` on an integer type or bool.
    pub fn integer_binary(&mut self, op: BinOp, ty: PrimType, a: Value, b: Value) -> Value {
        let signed = ty.is_signed();
        match (op, signed) {
            (BinOp::Add, _) => self.builder.ins().iadd(a, b),
            (BinOp::Sub, _) => self.builder.ins().isub(a, b),
            (BinOp::Mul, _) => self.builder.ins().imul(a, b),
            (BinOp::Div, true) => self.floored_division(a, b).0,
            (BinOp::Mod, true) => self.floored_division(a, b).1,
            (BinOp::Quot, true) => self.truncated_division(a, b).0,
            (BinOp::Rem, true) => self.truncated_division(a, b).1,
            (BinOp::Div | BinOp::Quot, false) => {
                let divisor = self.not_zero(b);
                self.builder.ins().udiv(a, divisor)
            }
            (BinOp::Mod | BinOp::Rem, false) => {
                let divisor = self.not_zero(b);
                self.builder.ins().urem(a, divisor)
            }
            (BinOp::Pow, _) => {
                let (base, exponent) = (self.resize(a, I64, signed), self.resize(b, I64, signed));
                let power = self.call(offset_of!(Context, power), &[base, exponent], I64);
                self.resize(power, clif_type(ty), signed)
            }
            (BinOp::Min, true) => self.builder.ins().smin(a, b),
            (BinOp::Min, false) => self.builder.ins().umin(a, b),
            (BinOp::Max, true) => self.builder.ins().smax(a, b),
            (BinOp::Max, false) => self.builder.ins().umax(a, b),
            (BinOp::And, _) => self.in_range(a, b).unwrap_or_else(|| self.builder.ins().band(a, b)),
            (BinOp::Or, _) => self.builder.ins().bor(a, b),
            (BinOp::Xor, _) => self.builder.ins().bxor(a, b),
            (BinOp::Shl, _) => {
                let shifted = self.builder.ins().ishl(a, b);
                self.zero_if_wide(ty, shifted, b)
            }
            (BinOp::Shr, true) => {
                // A shift by the width or more gives copies of the sign bit, like a shift by the width minus 1.
                let widest = self.word(clif_type(ty), u64::from(ty.bits()) - 1);
                let distance = self.builder.ins().umin(b, widest);
                self.builder.ins().sshr(a, distance)
            }
            (BinOp::Shr | BinOp::Lshr, _) => {
                let shifted = self.builder.ins().ushr(a, b);
                self.zero_if_wide(ty, shifted, b)
            }
            (BinOp::Atan2 | BinOp::Hypot | BinOp::Copysign, _) => unreachable!("verified: takes floats only"),
        }
    }

    /// `0 <= x && x < n`, if that is what the two conditions say, in one comparison: `x` as an unsigned number is less than
    /// `n`, or than 0 if `n` is negative. Bounds checks and the bins of histograms have this form.
    fn in_range(&mut self, lower: Value, upper: Value) -> Option<Value> {
        let (zero, x) = self.comparison(IntCC::SignedLessThanOrEqual, lower)?;
        let (y, n) = self.comparison(IntCC::SignedLessThan, upper)?;
        let is_zero = self.integer_constant(zero) == Some(0);
        if !is_zero || x != y {
            return None;
        }
        let is_size = self.is_size(n) || self.integer_constant(n).is_some_and(|n| n >= 0);
        let size = if is_size { n } else { self.builder.ins().smax(n, zero) };
        Some(self.builder.ins().icmp(IntCC::UnsignedLessThan, x, size))
    }

    /// The operands of the comparison, if the bool `value` is the result of comparing two integers by `cond`.
    fn comparison(&self, cond: IntCC, value: Value) -> Option<(Value, Value)> {
        let inst = self.builder.func.dfg.value_def(value).inst()?;
        match self.builder.func.dfg.insts[inst] {
            InstructionData::IntCompare { cond: actual, args: [a, b], .. } if actual == cond => Some((a, b)),
            _ => None,
        }
    }

    /// The value as a number, if it is an integer constant.
    pub fn integer_constant(&self, value: Value) -> Option<i64> {
        let inst = self.builder.func.dfg.value_def(value).inst()?;
        match self.builder.func.dfg.insts[inst] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
            _ => None,
        }
    }

    /// `op a` on an integer type or bool.
    pub fn integer_unary(&mut self, op: UnOp, ty: PrimType, a: Value) -> Value {
        match op {
            UnOp::Neg => self.builder.ins().ineg(a),
            UnOp::Not if ty == PrimType::Bool => self.builder.ins().bxor_imm_u(a, 1),
            UnOp::Not => self.builder.ins().bnot(a),
            UnOp::Abs if ty.is_signed() => self.builder.ins().iabs(a),
            UnOp::Abs => a,
            UnOp::Sgn => self.sign(ty, a),
            UnOp::Popc => {
                let count = self.builder.ins().popcnt(a);
                self.resize(count, I32, false)
            }
            UnOp::Clz => {
                let count = self.builder.ins().clz(a);
                self.resize(count, I32, false)
            }
            UnOp::Ctz => {
                let count = self.builder.ins().ctz(a);
                self.resize(count, I32, false)
            }
            UnOp::FromBits => {
                let float = if ty == PrimType::U32 { F32 } else { F64 };
                self.builder.ins().bitcast(float, MemFlagsData::new(), a)
            }
            _ => unreachable!("verified: takes floats only"),
        }
    }

    /// Converts an integer to another width: truncated, or extended by its sign or by zeros.
    pub fn resize(&mut self, a: Value, to: ClifType, signed: bool) -> Value {
        let from = self.builder.func.dfg.value_type(a);
        match from.bits().cmp(&to.bits()) {
            std::cmp::Ordering::Equal => a,
            std::cmp::Ordering::Greater => self.builder.ins().ireduce(to, a),
            std::cmp::Ordering::Less if signed => self.builder.ins().sextend(to, a),
            std::cmp::Ordering::Less => self.builder.ins().uextend(to, a),
        }
    }

    /// An integer or a bool as the nearest float.
    pub fn integer_to_float(&mut self, from: PrimType, to: PrimType, a: Value) -> Value {
        let wide = if from.bits() < 32 { I32 } else { clif_type(from) };
        let a = self.resize(a, wide, from.is_signed());
        if from.is_signed() {
            self.builder.ins().fcvt_from_sint(clif_type(to), a)
        } else {
            self.builder.ins().fcvt_from_uint(clif_type(to), a)
        }
    }

    /// -1, 0 or 1.
    fn sign(&mut self, ty: PrimType, a: Value) -> Value {
        let clif = clif_type(ty);
        let one = self.word(clif, 1);
        if !ty.is_signed() {
            return self.builder.ins().umin(a, one);
        }
        let minus_one = self.word(clif, u64::MAX);
        let at_most_one = self.builder.ins().smin(a, one);
        self.builder.ins().smax(at_most_one, minus_one)
    }

    /// Quotient and remainder, rounded towards zero. The machine's division traps if the divisor is 0, and if it is -1
    /// and the dividend is the least integer. So for these two divisors it divides by 1 instead,
    /// and takes the negated dividend as the quotient. That is right for -1. For 0, the result has no meaning.
    fn truncated_division(&mut self, a: Value, b: Value) -> (Value, Value) {
        let clif = self.builder.func.dfg.value_type(b);
        let one = self.word(clif, 1);
        let above = self.builder.ins().iadd(b, one);
        let special = self.builder.ins().icmp(IntCC::UnsignedLessThanOrEqual, above, one);
        let divisor = self.builder.ins().select(special, one, b);
        let quotient = self.builder.ins().sdiv(a, divisor);
        let negated = self.builder.ins().ineg(a);
        let quotient = self.builder.ins().select(special, negated, quotient);
        let product = self.builder.ins().imul(quotient, b);
        (quotient, self.builder.ins().isub(a, product))
    }

    /// Quotient rounded towards minus infinity, and the matching remainder.
    fn floored_division(&mut self, a: Value, b: Value) -> (Value, Value) {
        let clif = self.builder.func.dfg.value_type(b);
        let (quotient, remainder) = self.truncated_division(a, b);
        let zero = self.word(clif, 0);
        let signs = self.builder.ins().bxor(remainder, b);
        let differ = self.builder.ins().icmp(IntCC::SignedLessThan, signs, zero);
        let inexact = self.builder.ins().icmp(IntCC::NotEqual, remainder, zero);
        let below = self.builder.ins().band(differ, inexact);
        let one = self.word(clif, 1);
        let lower = self.builder.ins().isub(quotient, one);
        let upper = self.builder.ins().iadd(remainder, b);
        (
            self.builder.ins().select(below, lower, quotient),
            self.builder.ins().select(below, upper, remainder),
        )
    }

    /// An unsigned divisor, with 0 replaced by 1.
    fn not_zero(&mut self, b: Value) -> Value {
        let one = self.word(self.builder.func.dfg.value_type(b), 1);
        self.builder.ins().umax(b, one)
    }

    /// `shifted`, or 0 if the distance is not less than the width. (The machine takes the distance modulo the width.)
    fn zero_if_wide(&mut self, ty: PrimType, shifted: Value, distance: Value) -> Value {
        let clif = clif_type(ty);
        let width = self.word(clif, u64::from(ty.bits()));
        let zero = self.word(clif, 0);
        let narrow = self.builder.ins().icmp(IntCC::UnsignedLessThan, distance, width);
        self.builder.ins().select(narrow, shifted, zero)
    }
}
