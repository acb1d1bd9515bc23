//! Operators in lanes.

use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};
use ravel_vector::{Exp, Operand, Refusal};
use regalloc2::VReg;

use super::Selector;
use super::masks::MaskOp;
use crate::instruction::Op;
use crate::machine::Source;

/// The predicates of float comparisons, which do not signal.
mod predicate {
    pub const EQUAL: i32 = 0;
    pub const UNORDERED: i32 = 3;
    pub const NOT_EQUAL: i32 = 4;
    pub const LESS: i32 = 0x11;
    pub const LESS_OR_EQUAL: i32 = 0x12;
}

impl Selector<'_> {
    /// The registers of a varying expression.
    pub(super) fn lanes_expression(&mut self, exp: Exp) -> Result<Vec<VReg>, Refusal> {
        match exp {
            Exp::Unary(op, a) => self.unary(op, a),
            Exp::Binary(op, a, b) => self.binary(op, a, b),
            Exp::Compare(op, a, b) => Ok(self.compare(op, a, b)),
            Exp::Convert(to, a) => self.convert(to, a),
            Exp::Select(cond, a, b) => {
                let ty = self.strip.ty(a);
                let mask = self.mask_of(cond);
                if ty == PrimType::Bool {
                    let (a, b) = (self.mask_of(a), self.mask_of(b));
                    return Ok(self.select_masks(&mask, &a, &b));
                }
                let mask = self.mask_for(&mask, ty);
                let (a, b) = (self.sources_of(a), self.lanes_of(b));
                Ok(mask
                    .into_iter()
                    .zip(a.into_iter().zip(b))
                    .map(|(mask, (a, b))| self.blend(ty, mask, a, b))
                    .collect())
            }
            Exp::Ramp { first, step } => Ok(self.ramp(first, step)),
            Exp::Prefix(op, a) => self.prefixes(op, a),
            Exp::Any(_) | Exp::Most(_) | Exp::Last(_) | Exp::Param(..) => unreachable!("uniform"),
        }
    }

    /// Applies an instruction to each register.
    pub(super) fn each(&mut self, op: Op, a: &[VReg], immediate: i32) -> Vec<VReg> {
        a.iter().map(|&a| self.vector_with(op, &[], a, immediate)).collect()
    }

    /// Applies an instruction to each pair of registers.
    pub(super) fn pairs(&mut self, op: Op, a: &[VReg], b: &[Source]) -> Vec<VReg> {
        a.iter().zip(b).map(|(&a, b)| self.vector(op, &[a], b.clone())).collect()
    }

    /// Applies an instruction to each register and the same source.
    pub(super) fn with(&mut self, op: Op, a: &[VReg], b: &Source) -> Vec<VReg> {
        a.iter().map(|&a| self.vector(op, &[a], b.clone())).collect()
    }

    /// A float constant in all lanes.
    pub(super) fn float(&mut self, ty: PrimType, value: f64) -> Source {
        self.constant_source(ravel_prim::convert(PrimValue::F64(value), ty))
    }

    /// The constant whose lanes have only the sign bit.
    pub(super) fn sign(&mut self, ty: PrimType) -> Source {
        self.broadcast_constant(ty.bytes(), 1 << (8 * ty.bytes() - 1))
    }

    pub(super) fn zero(&mut self) -> VReg {
        let zero = self.broadcast_constant(8, 0);
        self.in_register(zero)
    }

    fn unary(&mut self, op: UnOp, operand: Operand) -> Result<Vec<VReg>, Refusal> {
        let ty = self.strip.ty(operand);
        if ty == PrimType::Bool {
            let mask = self.mask_of(operand);
            return match op {
                UnOp::Not => Ok(self.opposite(&mask)),
                _ => Err(Refusal::Operator(op.name())),
            };
        }
        let a = self.lanes_of(operand);
        let is_float = ty.is_float();
        Ok(match op {
            UnOp::ToBits | UnOp::FromBits => a,
            UnOp::Neg if is_float => {
                let sign = self.sign(ty);
                self.with(Op::Vxorps, &a, &sign)
            }
            UnOp::Neg => {
                let zero = self.zero();
                a.iter().map(|&a| self.vector(choose(ty, Op::Vpsubd, Op::Vpsubq), &[zero], a)).collect()
            }
            UnOp::Not => self.complement(&a),
            UnOp::Abs if is_float => self.magnitude(ty, &a),
            UnOp::Abs if ty == PrimType::I32 => self.each(Op::Vpabsd, &a, 0),
            UnOp::Abs if ty == PrimType::I64 && self.has_avx512() => self.each(Op::Vpabsq, &a, 0),
            UnOp::Abs if ty == PrimType::I64 => {
                let signs = self.sign_masks(ty, &a);
                let flipped = self.registers(Op::Vxorps, &a, &signs);
                self.registers(Op::Vpsubq, &flipped, &signs)
            }
            UnOp::Abs if ty.is_unsigned() => a,
            UnOp::Sqrt if is_float => self.each(choose(ty, Op::Vsqrtps, Op::Vsqrtpd), &a, 0),
            UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::Round if is_float => {
                // Bit 3 suppresses the flag of inexact results.
                let mode = match op {
                    UnOp::Round => 8,
                    UnOp::Floor => 9,
                    UnOp::Ceil => 10,
                    _ => 11,
                };
                self.each(choose(ty, Op::Vroundps, Op::Vroundpd), &a, mode)
            }
            UnOp::IsNan => {
                let nan = self.float_compare(ty, predicate::UNORDERED, &a, &sources(&a));
                self.mask_from(ty, nan)
            }
            UnOp::IsInf => {
                let magnitude = self.magnitude(ty, &a);
                let infinity = self.float(ty, f64::INFINITY);
                let infinite = vec![infinity; a.len()];
                let infinite = self.float_compare(ty, predicate::EQUAL, &magnitude, &infinite);
                self.mask_from(ty, infinite)
            }
            UnOp::Sgn if ty.is_signed() => {
                let zeros = vec![self.zero(); a.len()];
                let positive = self.less(ty, &zeros, &a);
                let negative = self.less(ty, &a, &zeros);
                let [positive, negative] = [positive, negative].map(|mask| self.expand(ty, &mask));
                self.registers(choose(ty, Op::Vpsubd, Op::Vpsubq), &negative, &positive)
            }
            UnOp::Sgn if is_float => self.float_sign(ty, &a),
            _ => return Err(Refusal::Operator(op.name())),
        })
    }

    /// 1 with the sign of a number, zero for zeros, NaN for NaN.
    fn float_sign(&mut self, ty: PrimType, a: &[VReg]) -> Vec<VReg> {
        let (one, zero) = (self.float(ty, 1.0), self.float(ty, 0.0));
        let zeros = vec![self.in_register(zero); a.len()];
        let positive = self.float_compare(ty, predicate::LESS, &zeros, &sources(a));
        let negative = self.float_compare(ty, predicate::LESS, a, &sources(&zeros));
        let [positive, negative] = [positive, negative]
            .map(|masks| masks.into_iter().map(|mask| self.keep(ty, mask, one.clone())).collect::<Vec<_>>());
        let sign = self.registers(choose(ty, Op::Vsubps, Op::Vsubpd), &positive, &negative);
        let nan = self.float_compare(ty, predicate::UNORDERED, a, &sources(a));
        self.blends(ty, &nan, a, &sign)
    }

    /// Applies an instruction to each pair of registers.
    pub(super) fn registers(&mut self, op: Op, a: &[VReg], b: &[VReg]) -> Vec<VReg> {
        self.pairs(op, a, &sources(b))
    }

    fn blends(&mut self, ty: PrimType, mask: &[VReg], a: &[VReg], b: &[VReg]) -> Vec<VReg> {
        let pairs = mask.iter().zip(a.iter().zip(b));
        pairs.map(|(&mask, (&a, &b))| self.blend(ty, mask, a.into(), b)).collect()
    }

    pub(super) fn complement(&mut self, a: &[VReg]) -> Vec<VReg> {
        let ones = self.broadcast_constant(8, u64::MAX);
        self.with(Op::Vxorps, a, &ones)
    }

    pub(super) fn magnitude(&mut self, ty: PrimType, a: &[VReg]) -> Vec<VReg> {
        let rest = self.broadcast_constant(ty.bytes(), (1 << (8 * ty.bytes() - 1)) - 1);
        self.with(Op::Vandps, a, &rest)
    }

    /// All bits set in negative lanes, none in others.
    pub(super) fn sign_masks(&mut self, ty: PrimType, a: &[VReg]) -> Vec<VReg> {
        if ty.bytes() == 4 {
            return self.each(Op::VpsradImm, a, 31);
        }
        if self.has_avx512() {
            return self.each(Op::VpsraqImm, a, 63);
        }
        let zeros = vec![self.zero(); a.len()];
        self.less(PrimType::I64, a, &zeros)
    }

    fn binary(&mut self, op: BinOp, a: Operand, b: Operand) -> Result<Vec<VReg>, Refusal> {
        let ty = self.strip.ty(a);
        if ty == PrimType::Bool {
            let op = match op {
                BinOp::And => MaskOp::And,
                BinOp::Or => MaskOp::Or,
                BinOp::Xor => MaskOp::Xor,
                _ => return Err(Refusal::Operator(op.name())),
            };
            let (a, b) = (self.mask_of(a), self.mask_of(b));
            return Ok(self.join_masks(op, &a, &b));
        }
        if let BinOp::Shl | BinOp::Shr | BinOp::Lshr = op {
            return Ok(self.shift(op, ty, a, b));
        }
        if let BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem = op
            && ty.is_integer()
        {
            let (a, b) = (self.lanes_of(a), self.lanes_of(b));
            return Ok(self.division(op, ty, &a, &b));
        }
        // As in scalar code, so that a NaN has the same bits. A constant then is an operand in memory too.
        let turned = matches!(op, BinOp::Add | BinOp::Mul) && a.value().is_none();
        let operands = if turned { (b, a) } else { (a, b) };
        let (a, b) = (self.lanes_of(operands.0), self.sources_of(operands.1));
        if op == BinOp::Mul && ty.is_integer() && ty.bytes() == 8 {
            return Ok(self.product(operands, (&a, &b)));
        }
        self.arithmetic(op, ty, &a, b)
    }

    /// Applies an operator to registers with the lanes of its operands.
    pub(super) fn arithmetic(
        &mut self,
        op: BinOp,
        ty: PrimType,
        a: &[VReg],
        b: Vec<Source>,
    ) -> Result<Vec<VReg>, Refusal> {
        let is_float = ty.is_float();
        let instruction = match op {
            BinOp::Add if is_float => choose(ty, Op::Vaddps, Op::Vaddpd),
            BinOp::Sub if is_float => choose(ty, Op::Vsubps, Op::Vsubpd),
            BinOp::Mul if is_float => choose(ty, Op::Vmulps, Op::Vmulpd),
            BinOp::Div if is_float => choose(ty, Op::Vdivps, Op::Vdivpd),
            BinOp::Add => choose(ty, Op::Vpaddd, Op::Vpaddq),
            BinOp::Sub => choose(ty, Op::Vpsubd, Op::Vpsubq),
            BinOp::Mul if ty.bytes() == 4 => Op::Vpmulld,
            BinOp::And => Op::Vandps,
            BinOp::Or => Op::Vorps,
            BinOp::Xor => Op::Vxorps,
            BinOp::Min | BinOp::Max if is_float => return Ok(self.float_extremum(op, ty, a, b)),
            BinOp::Min if ty == PrimType::I32 => Op::Vpminsd,
            BinOp::Max if ty == PrimType::I32 => Op::Vpmaxsd,
            BinOp::Min if ty == PrimType::U32 => Op::Vpminud,
            BinOp::Max if ty == PrimType::U32 => Op::Vpmaxud,
            BinOp::Min | BinOp::Max if ty.is_integer() && self.has_avx512() => {
                match (op == BinOp::Min, ty.is_signed()) {
                    (true, true) => Op::Vpminsq,
                    (true, false) => Op::Vpminuq,
                    (false, true) => Op::Vpmaxsq,
                    (false, false) => Op::Vpmaxuq,
                }
            }
            BinOp::Min | BinOp::Max if ty.is_integer() => {
                let b: Vec<VReg> = b.into_iter().map(|b| self.in_register(b)).collect();
                let less = self.less(ty, a, &b);
                let (yes, no) = if op == BinOp::Min { (a, &b[..]) } else { (&b[..], a) };
                return Ok(self.blends(ty, &less, yes, no));
            }
            BinOp::Copysign => {
                let rest = self.magnitude(ty, a);
                let b: Vec<VReg> = b.into_iter().map(|b| self.in_register(b)).collect();
                let sign = self.sign(ty);
                let signs = self.with(Op::Vandps, &b, &sign);
                return Ok(self.registers(Op::Vorps, &rest, &signs));
            }
            _ => return Err(Refusal::Operator(op.name())),
        };
        Ok(self.pairs(instruction, a, &b))
    }

    /// `a` where it is the smaller (or larger) one, equal, or `b` is NaN; otherwise `b`.
    fn float_extremum(&mut self, op: BinOp, ty: PrimType, a: &[VReg], b: Vec<Source>) -> Vec<VReg> {
        let b: Vec<VReg> = b.into_iter().map(|b| self.in_register(b)).collect();
        let first = match op {
            BinOp::Min => self.float_compare(ty, predicate::LESS_OR_EQUAL, a, &sources(&b)),
            _ => self.float_compare(ty, predicate::LESS_OR_EQUAL, &b, &sources(a)),
        };
        let no_second = self.float_compare(ty, predicate::UNORDERED, &b, &sources(&b));
        let first = self.join_masks(MaskOp::Or, &first, &no_second);
        self.blends(ty, &first, a, &b)
    }

    /// Shifts. A distance of at least the width shifts all bits out, as the instructions do.
    fn shift(&mut self, op: BinOp, ty: PrimType, a: Operand, distance: Operand) -> Vec<VReg> {
        let a = self.lanes_of(a);
        let arithmetic = op == BinOp::Shr && ty.is_signed();
        if arithmetic && ty.bytes() == 8 && !self.has_avx512() {
            // AVX2 has no such instruction: the complement of negative numbers is shifted.
            let signs = self.sign_masks(ty, &a);
            let flipped = self.registers(Op::Vxorps, &a, &signs);
            let shifted = self.logical_shift(BinOp::Lshr, ty, &flipped, distance, false);
            return self.registers(Op::Vxorps, &shifted, &signs);
        }
        self.logical_shift(op, ty, &a, distance, arithmetic)
    }

    fn logical_shift(
        &mut self,
        op: BinOp,
        ty: PrimType,
        a: &[VReg],
        distance: Operand,
        arithmetic: bool,
    ) -> Vec<VReg> {
        let by_constant = match op {
            BinOp::Shl => choose(ty, Op::VpslldImm, Op::VpsllqImm),
            _ if arithmetic => choose(ty, Op::VpsradImm, Op::VpsraqImm),
            _ => choose(ty, Op::VpsrldImm, Op::VpsrlqImm),
        };
        if let Operand::Const(constant) = distance {
            let distance = constant.bits().min(u64::from(u8::MAX));
            return self.each(by_constant, a, distance as i32);
        }
        let by_lanes = match op {
            BinOp::Shl => choose(ty, Op::Vpsllvd, Op::Vpsllvq),
            _ if arithmetic => choose(ty, Op::Vpsravd, Op::Vpsravq),
            _ => choose(ty, Op::Vpsrlvd, Op::Vpsrlvq),
        };
        let distance = self.sources_of(distance);
        self.pairs(by_lanes, a, &distance)
    }

    pub(super) fn compare(&mut self, op: CmpOp, a: Operand, b: Operand) -> Vec<VReg> {
        let ty = self.strip.ty(a);
        if ty == PrimType::Bool {
            return self.compare_masks(op, a, b);
        }
        let a = self.lanes_of(a);
        if ty.is_float() {
            let b = self.sources_of(b);
            let predicate = match op {
                CmpOp::Eq => predicate::EQUAL,
                CmpOp::Ne => predicate::NOT_EQUAL,
                CmpOp::Lt => predicate::LESS,
                CmpOp::Le => predicate::LESS_OR_EQUAL,
            };
            let mask = self.float_compare(ty, predicate, &a, &b);
            return self.mask_from(ty, mask);
        }
        let b = self.lanes_of(b);
        let mask = match op {
            CmpOp::Eq | CmpOp::Ne => self.equal(ty, &a, &b),
            CmpOp::Lt => self.less(ty, &a, &b),
            CmpOp::Le => self.less(ty, &b, &a),
        };
        let mask = if let CmpOp::Ne | CmpOp::Le = op { self.opposite(&mask) } else { mask };
        self.mask_from(ty, mask)
    }

    /// Compares bools.
    fn compare_masks(&mut self, op: CmpOp, a: Operand, b: Operand) -> Vec<VReg> {
        let (a, b) = (self.mask_of(a), self.mask_of(b));
        match op {
            CmpOp::Ne => self.join_masks(MaskOp::Xor, &a, &b),
            CmpOp::Eq => {
                let differ = self.join_masks(MaskOp::Xor, &a, &b);
                self.opposite(&differ)
            }
            CmpOp::Lt => self.join_masks(MaskOp::AndNot, &a, &b),
            CmpOp::Le => {
                let greater = self.join_masks(MaskOp::AndNot, &b, &a);
                self.opposite(&greater)
            }
        }
    }

    /// `first + l*step` in lane `l`.
    pub(super) fn ramp(&mut self, first: Operand, step: Operand) -> Vec<VReg> {
        let first = self.lanes_of(first);
        let count = self.registers_of(PrimType::I64);
        let steps: Vec<Source> = match step {
            Operand::Const(step) => {
                let step = step.bits() as i64;
                let lanes: Vec<u8> =
                    (0..self.lanes as i64).flat_map(|lane| lane.wrapping_mul(step).to_le_bytes()).collect();
                lanes.chunks(self.largest().bytes()).map(|bytes| self.pool(bytes)).collect()
            }
            Operand::Value(value) => {
                let multiples = |this: &mut Self| {
                    let step = this.lanes_of(step);
                    let lanes: Vec<u8> = (0..this.lanes as i64).flat_map(|lane| lane.to_le_bytes()).collect();
                    let chunks = lanes.chunks(this.largest().bytes());
                    let lanes: Vec<Source> = chunks.map(|bytes| this.pool(bytes)).collect();
                    this.wide_product(&step, &lanes)
                };
                let multiples = if self.invariant.contains(&value) {
                    self.in_preheader(multiples)
                } else {
                    multiples(self)
                };
                multiples.into_iter().map(Source::Register).collect()
            }
        };
        debug_assert_eq!(steps.len(), count);
        self.pairs(Op::Vpaddq, &first, &steps)
    }
}

pub(super) fn sources(registers: &[VReg]) -> Vec<Source> {
    registers.iter().map(|&register| register.into()).collect()
}

/// The instruction for lanes of 32 or 64 bits.
pub(super) fn choose(ty: PrimType, narrow: Op, wide: Op) -> Op {
    if ty.bytes() == 8 { wide } else { narrow }
}
