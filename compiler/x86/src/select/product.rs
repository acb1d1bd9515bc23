//! Products of integers of 64 bits. An instruction of AVX2 multiplies only the lower halves of its operands. So a product
//! takes eight instructions, but one if the upper halves of both operands are known to be zero.

use ravel_prim::{BinOp, PrimType};
use ravel_vector::{Exp, Operand, Value};
use regalloc2::VReg;

use super::Selector;
use crate::instruction::Op;
use crate::machine::Source;

impl Selector<'_> {
    /// Notes that the upper half of a new value is zero, if its definition says so.
    pub(super) fn note_half(&mut self, value: Value, exp: Exp) {
        let ty = self.strip.values[value].ty;
        let is_half = match exp {
            _ if !ty.is_integer() || ty.bytes() < 8 => false,
            Exp::Convert(_, a) => {
                self.strip.ty(a).is_unsigned() && self.strip.ty(a).bytes() < 8 || self.is_half(a)
            }
            Exp::Binary(BinOp::And, a, b) => self.is_half(a) || self.is_half(b),
            Exp::Binary(op @ (BinOp::Shr | BinOp::Lshr), _, Operand::Const(distance)) => {
                (op == BinOp::Lshr || ty.is_unsigned()) && distance.bits() >= 32
            }
            _ => false,
        };
        if is_half {
            self.halves.insert(value);
        }
    }

    /// Whether the upper half of an integer of 64 bits is known to be zero.
    fn is_half(&self, operand: Operand) -> bool {
        match operand {
            Operand::Value(value) => self.halves.contains(&value),
            Operand::Const(constant) => {
                matches!(constant.ty(), PrimType::I64 | PrimType::U64) && constant.bits() >> 32 == 0
            }
        }
    }

    /// The low halves of the products of two operands of 64 bits, in these registers.
    pub(super) fn product(&mut self, (a, b): (Operand, Operand), (x, y): (&[VReg], &[Source])) -> Vec<VReg> {
        match (self.is_half(a), self.is_half(b)) {
            (true, true) => self.pairs(Op::Vpmuludq, x, y),
            _ => self.wide_product(x, y),
        }
    }

    /// The low halves of products of 64 bits.
    pub(super) fn wide_product(&mut self, a: &[VReg], b: &[Source]) -> Vec<VReg> {
        if self.has_avx512() {
            return self.pairs(Op::Vpmullq, a, b);
        }
        let product = |this: &mut Self, a: VReg, b: Source| {
            let b = this.in_register(b);
            let low = this.vector(Op::Vpmuludq, &[a], b);
            let (a_high, b_high) =
                (this.vector_with(Op::VpsrlqImm, &[], a, 32), this.vector_with(Op::VpsrlqImm, &[], b, 32));
            let first = this.vector(Op::Vpmuludq, &[a_high], b);
            let second = this.vector(Op::Vpmuludq, &[b_high], a);
            let cross = this.vector(Op::Vpaddq, &[first], second);
            let cross = this.vector_with(Op::VpsllqImm, &[], cross, 32);
            this.vector(Op::Vpaddq, &[low], cross)
        };
        a.iter().zip(b).map(|(&a, b)| product(self, a, b.clone())).collect()
    }
}
