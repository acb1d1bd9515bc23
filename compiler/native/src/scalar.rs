//! Scalar expressions: the instructions for each operator and type.
//!
//! The evaluator of `prim` defines the results. A property test compares this code with it.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};
use ravel_abi::native::Context;
use ravel_kernel::{Atom, ScalarExp, Var};
use ravel_prim::{BinOp, CmpOp, PrimType, UnOp};

use crate::emitter::{Emitter, TRUSTED, clif_type};

impl Emitter<'_, '_> {
    /// The value of a scalar expression.
    pub fn scalar(&mut self, exp: &ScalarExp) -> Value {
        match *exp {
            ScalarExp::Atom(atom) => self.atom(atom),
            ScalarExp::Unary(op, a) => {
                let (ty, a) = (self.scalar_type(a), self.atom(a));
                self.unary(op, ty, a)
            }
            ScalarExp::Binary(op, a, b) => {
                let ty = self.scalar_type(a);
                // The second operand of an instruction can lie in memory, as constants of floats do.
                let turned = matches!(op, BinOp::Add | BinOp::Mul) && a.var().is_none();
                let (a, b) = if turned { (b, a) } else { (a, b) };
                let (a, b) = (self.atom(a), self.atom(b));
                self.binary(op, ty, a, b)
            }
            ScalarExp::Compare(op, a, b) => {
                let (ty, a, b) = (self.scalar_type(a), self.atom(a), self.atom(b));
                self.compare(op, ty, a, b)
            }
            ScalarExp::Convert(to, a) => {
                let (from, a) = (self.scalar_type(a), self.atom(a));
                self.convert(from, to, a)
            }
            ScalarExp::Select(cond, a, b) => {
                let (cond, a, b) = (self.atom(cond), self.atom(a), self.atom(b));
                self.select(cond, a, b)
            }
            ScalarExp::PrivateLimit(_) => self.context_word(offset_of!(Context, private_limit)),
            ScalarExp::Param(name, default) => self.parameter(name, default),
        }
    }

    /// The first value if the condition holds, otherwise the second. Cranelift selects floats by a jump, which is often
    /// mispredicted, and integers without one; so floats are selected as their bits.
    fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        let ty = self.builder.func.dfg.value_type(a);
        if !ty.is_float() {
            return self.builder.ins().select(cond, a, b);
        }
        let bits = ty.as_int();
        let [a, b] = [a, b].map(|value| self.builder.ins().bitcast(bits, MemFlagsData::new(), value));
        let selected = self.builder.ins().select(cond, a, b);
        self.builder.ins().bitcast(ty, MemFlagsData::new(), selected)
    }

    /// Binds the sine and the cosine of an angle by one call. The results are the same as from two calls.
    pub fn sine_cosine(&mut self, sine: Var, cosine: Var, angle: Atom) {
        let ty = self.scalar_type(angle);
        let service = match ty {
            PrimType::F32 => offset_of!(Context, sin_cos_f32),
            _ => offset_of!(Context, sin_cos_f64),
        };
        let (angle, place) = (self.atom(angle), self.stack_space(1));
        let first = self.call(service, &[angle, place], clif_type(ty));
        let second = self.builder.ins().load(clif_type(ty), TRUSTED, place, 0);
        self.bind(sine, first);
        self.bind(cosine, second);
    }

    /// `a op b` on a type.
    pub fn binary(&mut self, op: BinOp, ty: PrimType, a: Value, b: Value) -> Value {
        if ty == PrimType::F16 {
            let (a, b) = (self.widen_half(a), self.widen_half(b));
            let result = self.float_binary(op, PrimType::F32, a, b);
            return self.round_to_half(result);
        }
        if ty.is_float() { self.float_binary(op, ty, a, b) } else { self.integer_binary(op, ty, a, b) }
    }

    /// `op a` on a type.
    pub fn unary(&mut self, op: UnOp, ty: PrimType, a: Value) -> Value {
        match (op, ty) {
            // An f16 is represented by its bits.
            (UnOp::ToBits, PrimType::F16) | (UnOp::FromBits, PrimType::U16) => return a,
            (_, PrimType::F16) => {
                let a = self.widen_half(a);
                let result = self.float_unary(op, PrimType::F32, a);
                return if op.result(ty) == ty { self.round_to_half(result) } else { result };
            }
            _ => {}
        }
        if ty.is_float() { self.float_unary(op, ty, a) } else { self.integer_unary(op, ty, a) }
    }

    /// A comparison on a type: a bool, or a mask if the operands are vectors.
    pub fn compare(&mut self, op: CmpOp, ty: PrimType, a: Value, b: Value) -> Value {
        if ty == PrimType::F16 {
            let (a, b) = (self.widen_half(a), self.widen_half(b));
            return self.compare(op, PrimType::F32, a, b);
        }
        if ty.is_float() {
            let cond = match op {
                CmpOp::Eq => FloatCC::Equal,
                CmpOp::Ne => FloatCC::NotEqual,
                CmpOp::Lt => FloatCC::LessThan,
                CmpOp::Le => FloatCC::LessThanOrEqual,
            };
            return self.builder.ins().fcmp(cond, a, b);
        }
        let cond = match (op, ty.is_signed()) {
            (CmpOp::Eq, _) => IntCC::Equal,
            (CmpOp::Ne, _) => IntCC::NotEqual,
            (CmpOp::Lt, true) => IntCC::SignedLessThan,
            (CmpOp::Lt, false) => IntCC::UnsignedLessThan,
            (CmpOp::Le, true) => IntCC::SignedLessThanOrEqual,
            (CmpOp::Le, false) => IntCC::UnsignedLessThanOrEqual,
        };
        self.builder.ins().icmp(cond, a, b)
    }

    /// A value of type `from` as one of type `to`.
    pub fn convert(&mut self, from: PrimType, to: PrimType, a: Value) -> Value {
        match (from.is_float(), to.is_float()) {
            _ if from == to => a,
            _ if to == PrimType::Bool => {
                let zero = self.constant(ravel_prim::PrimValue::zero(from));
                self.compare(CmpOp::Ne, from, a, zero)
            }
            _ if from == PrimType::F16 => {
                let a = self.widen_half(a);
                self.convert(PrimType::F32, to, a)
            }
            (true, _) if to == PrimType::F16 => self.round_to_half(a),
            // Every integer that is finite in f16 is exact in f32, so it is rounded only once.
            (false, _) if to == PrimType::F16 => {
                let a = self.integer_to_float(from, PrimType::F32, a);
                self.round_to_half(a)
            }
            (true, true) if to.bits() > from.bits() => self.builder.ins().fpromote(clif_type(to), a),
            (true, true) => self.builder.ins().fdemote(clif_type(to), a),
            (true, false) => self.float_to_integer(from, to, a),
            (false, true) => self.integer_to_float(from, to, a),
            (false, false) => self.resize(a, clif_type(to), from.is_signed() && to.is_signed()),
        }
    }

    /// A call of the function for the operator in row `row` of a table of the context.
    pub fn library(&mut self, table: Table, row: usize, ty: PrimType, args: &[Value]) -> Value {
        let start = match (table, ty) {
            (Table::Unary, PrimType::F32) => offset_of!(Context, unary_f32),
            (Table::Unary, _) => offset_of!(Context, unary_f64),
            (Table::Binary, PrimType::F32) => offset_of!(Context, binary_f32),
            (Table::Binary, _) => offset_of!(Context, binary_f64),
        };
        self.call(start + row * size_of::<fn()>(), args, clif_type(ty))
    }
}

/// The tables of functions in the context.
#[derive(Clone, Copy)]
pub(crate) enum Table {
    /// Of one operand.
    Unary,
    /// Of two operands.
    Binary,
}
