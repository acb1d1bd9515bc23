//! Operators on floats.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{InstBuilder, InstructionData, MemFlagsData, Value};
use ravel_abi::native::BINARY_CALLS;
use ravel_prim::{BinOp, PrimType, PrimValue, UnOp};

use crate::emitter::{Emitter, clif_type};
use crate::scalar::Table;

impl Emitter<'_, '_> {
    /// `a op b` on a float type.
    pub fn float_binary(&mut self, op: BinOp, ty: PrimType, a: Value, b: Value) -> Value {
        if let Some(row) = BINARY_CALLS.iter().position(|&call| call == op) {
            return self.library(Table::Binary, row, ty, &[a, b]);
        }
        match op {
            BinOp::Add => self.builder.ins().fadd(a, b),
            BinOp::Sub => self.builder.ins().fsub(a, b),
            BinOp::Mul => self.builder.ins().fmul(a, b),
            BinOp::Div => match self.float_constant(b).and_then(exact_reciprocal) {
                Some(reciprocal) => {
                    let reciprocal = self.float(ty, reciprocal);
                    self.builder.ins().fmul(a, reciprocal)
                }
                None => self.builder.ins().fdiv(a, b),
            },
            BinOp::Min => self.extremum(FloatCC::LessThan, a, b),
            BinOp::Max => self.extremum(FloatCC::GreaterThan, a, b),
            BinOp::Copysign => self.builder.ins().fcopysign(a, b),
            _ => unreachable!("verified: takes integers only"),
        }
    }

    /// `op a` on a float type.
    pub fn float_unary(&mut self, op: UnOp, ty: PrimType, a: Value) -> Value {
        if let Some(value) = self.elementary(op, ty, a) {
            return value;
        }
        match op {
            UnOp::Neg => self.builder.ins().fneg(a),
            UnOp::Abs => self.builder.ins().fabs(a),
            UnOp::Sgn => self.float_sign(ty, a),
            UnOp::Sqrt => self.builder.ins().sqrt(a),
            UnOp::Floor => self.builder.ins().floor(a),
            UnOp::Ceil => self.builder.ins().ceil(a),
            UnOp::Trunc => self.builder.ins().trunc(a),
            UnOp::Round => self.builder.ins().nearest(a),
            UnOp::IsNan => self.builder.ins().fcmp(FloatCC::Unordered, a, a),
            UnOp::IsInf => {
                let magnitude = self.builder.ins().fabs(a);
                let infinity = self.float(ty, f64::INFINITY);
                self.builder.ins().fcmp(FloatCC::Equal, magnitude, infinity)
            }
            UnOp::ToBits => {
                let bits = if ty == PrimType::F32 { I32 } else { I64 };
                self.builder.ins().bitcast(bits, MemFlagsData::new(), a)
            }
            _ => unreachable!("verified: takes integers only"),
        }
    }

    /// Converts a float of type `from` to an integer. It is truncated. For a signed type it is clamped to the range of the
    /// type. For an unsigned type it is clamped to -2^63 to 2^64 - 1, and the low bits are taken. Infinities and NaN
    /// become 0.
    pub fn float_to_integer(&mut self, from: PrimType, to: PrimType, a: Value) -> Value {
        let (zero, infinity) = (self.float(from, 0.0), self.float(from, f64::INFINITY));
        let magnitude = self.builder.ins().fabs(a);
        let is_finite = self.builder.ins().fcmp(FloatCC::LessThan, magnitude, infinity);
        let a = self.builder.ins().select(is_finite, a, zero);
        if to.is_unsigned() {
            let negative = self.builder.ins().fcmp(FloatCC::LessThan, a, zero);
            let below = self.builder.ins().fcvt_to_sint_sat(I64, a);
            let above = self.builder.ins().fcvt_to_uint_sat(I64, a);
            let whole = self.builder.ins().select(negative, below, above);
            return self.resize(whole, clif_type(to), false);
        }
        if to.bits() >= 32 {
            return self.builder.ins().fcvt_to_sint_sat(clif_type(to), a);
        }
        let whole = self.builder.ins().fcvt_to_sint_sat(I32, a);
        let most = (1_i64 << (to.bits() - 1)) - 1;
        let (most, least) = (self.word(I32, most as u64), self.word(I32, !most as u64));
        let below = self.builder.ins().smin(whole, most);
        let clamped = self.builder.ins().smax(below, least);
        self.builder.ins().ireduce(clif_type(to), clamped)
    }

    /// `b` if `b cond a` or `a` is NaN, else `a`. The comparison and the first `select` become one machine instruction (a
    /// minimum or maximum), which yields `a` if either operand is NaN. The second `select`, for a NaN in `a`, becomes a
    /// jump that is hardly ever taken; if `a` is a constant number, there is none.
    fn extremum(&mut self, cond: FloatCC, a: Value, b: Value) -> Value {
        let other = match cond {
            FloatCC::LessThan => self.builder.ins().fcmp(FloatCC::LessThan, b, a),
            _ => self.builder.ins().fcmp(FloatCC::LessThan, a, b),
        };
        let extreme = self.builder.ins().select(other, b, a);
        if self.float_constant(a).is_some_and(|a| !a.is_nan()) {
            return extreme;
        }
        let a_is_nan = self.builder.ins().fcmp(FloatCC::Unordered, a, a);
        self.builder.ins().select(a_is_nan, b, extreme)
    }

    /// The number that a value is, if it is a constant f32 or f64.
    fn float_constant(&self, value: Value) -> Option<f64> {
        let inst = self.builder.func.dfg.value_def(value).inst()?;
        match self.builder.func.dfg.insts[inst] {
            InstructionData::UnaryIeee32 { imm, .. } => Some(f64::from(f32::from_bits(imm.bits()))),
            InstructionData::UnaryIeee64 { imm, .. } => Some(f64::from_bits(imm.bits())),
            _ => None,
        }
    }

    /// -1, 0 or 1; NaN for NaN.
    fn float_sign(&mut self, ty: PrimType, a: Value) -> Value {
        let zero = self.float(ty, 0.0);
        let (one, minus_one) = (self.float(ty, 1.0), self.float(ty, -1.0));
        let positive = self.builder.ins().fcmp(FloatCC::GreaterThan, a, zero);
        let negative = self.builder.ins().fcmp(FloatCC::LessThan, a, zero);
        let nan = self.builder.ins().fcmp(FloatCC::Unordered, a, a);
        let rest = self.builder.ins().select(nan, a, zero);
        let rest = self.builder.ins().select(negative, minus_one, rest);
        self.builder.ins().select(positive, one, rest)
    }

    fn float(&mut self, ty: PrimType, value: f64) -> Value {
        self.constant(ravel_prim::convert(PrimValue::F64(value), ty))
    }
}

/// The number `r` such that `a * r` equals `a / x` bit for bit, for every `a`. It exists if `x` is plus or minus a power
/// of two, and both `x` and `1 / x` are normal in f32, and so in f64 too.
fn exact_reciprocal(x: f64) -> Option<f64> {
    let is_normal = |x: f64| (x as f32).is_normal() && f64::from(x as f32) == x;
    let is_power = x.to_bits() << 12 == 0;
    (is_power && is_normal(x) && is_normal(1.0 / x)).then_some(1.0 / x)
}
