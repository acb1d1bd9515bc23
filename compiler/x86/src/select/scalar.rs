//! Instruction selection for uniform values.

use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};
use ravel_vector::{Exp, Operand, Refusal};
use regalloc2::{RegClass, VReg};

use super::masks::MaskOp;
use super::{Binding, Selector, general_size};
use crate::encode::Size;
use crate::instruction::Op;
use crate::machine::{MASK, Source};

impl Selector<'_> {
    /// The register of a uniform integer or bool.
    pub(super) fn general_of(&mut self, operand: Operand) -> VReg {
        match self.binding(operand) {
            Binding::General(register) => register,
            Binding::Sum(register, displacement) => self.sum(register, displacement),
            Binding::Constant(constant) => self.general_constant(constant.ty(), constant.bits()),
            Binding::Splat(_) | Binding::Lanes(_) => unreachable!("verified: a uniform integer"),
        }
    }

    fn general_constant(&mut self, ty: PrimType, bits: u64) -> VReg {
        if ty.bytes() < 8 {
            return self.function.produce(Op::MovImm, Size::G32, bits as u32 as i32);
        }
        match i32::try_from(bits as i64) {
            Ok(short) => self.function.produce(Op::MovImm, Size::G64, short),
            Err(_) => {
                let source = self.broadcast_constant(8, bits);
                self.general(Op::Mov, Size::G64, source)
            }
        }
    }

    /// The register of a uniform float.
    pub(super) fn splat_of(&mut self, operand: Operand) -> VReg {
        match self.binding(operand) {
            Binding::Splat(register) => register,
            Binding::Constant(constant) => {
                let source = self.constant_source(constant);
                self.in_register(source)
            }
            _ => unreachable!("verified: a uniform float"),
        }
    }

    /// A uniform value in memory.
    pub(super) fn load_uniform(&mut self, ty: PrimType, source: Source) -> Binding {
        match ty {
            PrimType::F64 => Binding::Splat(self.vector(Op::Vbroadcastsd, &[], source)),
            PrimType::F32 => Binding::Splat(self.vector(Op::Vbroadcastss, &[], source)),
            PrimType::Bool | PrimType::U8 => Binding::General(self.general(Op::Movzx, Size::G32, source)),
            PrimType::I8 => Binding::General(self.general(Op::Movsx, Size::G32, source)),
            PrimType::U16 => Binding::General(self.general(Op::MovzxWord, Size::G32, source)),
            PrimType::I16 => Binding::General(self.general(Op::MovsxWord, Size::G32, source)),
            _ => Binding::General(self.general(Op::Mov, general_size(ty), source)),
        }
    }

    /// The value of an expression.
    pub(super) fn expression(&mut self, exp: Exp) -> Result<Binding, Refusal> {
        let (ty, varying) = self.strip.kind(exp);
        if varying {
            return Ok(Binding::Lanes(self.lanes_expression(exp)?));
        }
        let operand_ty = exp.operands().first().map_or(ty, |&operand| self.strip.ty(operand));
        match exp {
            Exp::Any(mask) if self.strip.is_varying(mask) => {
                let mask = self.mask_of(mask);
                self.test_any(&mask);
                Ok(Binding::General(self.flag(Op::Setne)))
            }
            Exp::Any(mask) => Ok(self.binding(mask)),
            Exp::Most(number) if self.strip.is_varying(number) => Ok(Binding::General(self.most(number))),
            Exp::Most(number) => Ok(self.binding(number)),
            Exp::Last(a) if self.strip.is_varying(a) => {
                let (registers, last) = (self.lanes_of(a), self.lanes - 1);
                Ok(Binding::General(self.lane(ty, &registers, last)))
            }
            Exp::Last(a) => Ok(self.binding(a)),
            _ if ty.is_float() || operand_ty.is_float() => self.through_lanes(exp, ty),
            Exp::Unary(op, a) => {
                self.general_unary(op, operand_ty, a).map_or_else(|| self.through_lanes(exp, ty), Ok)
            }
            Exp::Binary(op, a, b) => {
                self.general_binary(op, operand_ty, a, b).map_or_else(|| self.through_lanes(exp, ty), Ok)
            }
            Exp::Compare(op, a, b) => Ok(Binding::General(self.general_compare(op, operand_ty, a, b))),
            Exp::Convert(to, a) => Ok(self.general_convert(operand_ty, to, a)),
            Exp::Select(cond, a, b) => {
                let (cond, a, b) = (self.general_of(cond), self.general_of(a), self.general_of(b));
                self.function.perform(Op::Test, Size::G32, &[cond, cond], None, 0);
                Ok(Binding::General(self.function.update(Op::Cmovne, Size::G64, b, Some(a.into()), 0)))
            }
            Exp::Ramp { .. } | Exp::Prefix(..) | Exp::Param(..) => {
                unreachable!("varying, or bound before the strips")
            }
        }
    }

    /// Computes a uniform expression in vector registers, as if it were varying: one with floats, or one for which general
    /// registers have no instruction.
    fn through_lanes(&mut self, exp: Exp, ty: PrimType) -> Result<Binding, Refusal> {
        let registers = self.lanes_expression(exp)?;
        let first = registers[0];
        if ty.is_float() {
            return Ok(Binding::Splat(first));
        }
        let scalar = if first.class() == MASK {
            self.function.define(Op::KmovwToGeneral, Size::X, RegClass::Int, &[], first, 0)
        } else if self.lane_bytes(ty) == 8 {
            self.function.define(Op::VmovqToGeneral, Size::X, RegClass::Int, &[], first, 0)
        } else {
            self.function.define(Op::VmovdToGeneral, Size::X, RegClass::Int, &[], first, 0)
        };
        let scalar = match ty {
            PrimType::Bool => self.function.update(Op::AndImm, Size::G32, scalar, None, 1),
            _ => scalar,
        };
        Ok(Binding::General(scalar))
    }

    /// The greatest of an i64 in all lanes.
    fn most(&mut self, number: Operand) -> VReg {
        let registers = self.lanes_of(number);
        let lanes: Vec<VReg> =
            (0..self.lanes).map(|lane| self.lane(PrimType::I64, &registers, lane)).collect();
        let most = lanes.into_iter().reduce(|most, lane| {
            self.function.perform(Op::Cmp, Size::G64, &[most], Some(lane.into()), 0);
            self.function.update(Op::Cmovl, Size::G64, most, Some(lane.into()), 0)
        });
        most.expect("a strip has lanes")
    }

    /// `None` if there is no instruction on general registers.
    fn general_unary(&mut self, op: UnOp, ty: PrimType, a: Operand) -> Option<Binding> {
        let (a, size) = (self.general_of(a), general_size(ty));
        Some(Binding::General(match op {
            UnOp::Not if ty == PrimType::Bool => self.function.update(Op::XorImm, size, a, None, 1),
            UnOp::Not => self.function.update(Op::Not, size, a, None, 0),
            UnOp::Neg => self.function.update(Op::Neg, size, a, None, 0),
            UnOp::ToBits | UnOp::FromBits => a,
            _ => return None,
        }))
    }

    /// `None` if there is no instruction on general registers.
    fn general_binary(&mut self, op: BinOp, ty: PrimType, a: Operand, b: Operand) -> Option<Binding> {
        let size = general_size(ty);
        let small = |operand: Operand| match operand {
            Operand::Const(constant) => i32::try_from(constant.bits() as i64).ok(),
            Operand::Value(_) => None,
        };
        if let (BinOp::Add | BinOp::Sub, PrimType::I64, Some(constant)) = (op, ty, small(b)) {
            let constant = if op == BinOp::Add { Some(constant) } else { constant.checked_neg() };
            let (base, before) = match self.binding(a) {
                Binding::Sum(base, before) => (base, before),
                _ => (self.general_of(a), 0),
            };
            if let Some(sum) = constant.and_then(|constant| before.checked_add(constant)) {
                return Some(Binding::Sum(base, sum));
            }
        }
        if let (BinOp::Mul, Some(factor)) = (op, small(b)) {
            let a = self.general_of(a);
            return Some(Binding::General(self.function.define(
                Op::ImulImm,
                size,
                RegClass::Int,
                &[],
                a,
                factor,
            )));
        }
        if let BinOp::Shl | BinOp::Shr | BinOp::Lshr = op {
            let distance = small(b).filter(|&distance| (0..ty.bits() as i32).contains(&distance))?;
            let op = match op {
                BinOp::Shl => Op::Shl,
                BinOp::Shr if ty.is_signed() => Op::Sar,
                _ => Op::Shr,
            };
            let a = self.general_of(a);
            return Some(Binding::General(self.function.update(op, size, a, None, distance)));
        }
        let (a, b) = (self.general_of(a), self.general_of(b));
        let instruction = match op {
            BinOp::Add => Op::Add,
            BinOp::Sub => Op::Sub,
            BinOp::Mul => Op::Imul,
            BinOp::And => Op::And,
            BinOp::Or => Op::Or,
            BinOp::Xor => Op::Xor,
            BinOp::Min | BinOp::Max => {
                let (left, right) = if op == BinOp::Min { (b, a) } else { (a, b) };
                self.function.perform(Op::Cmp, size, &[left], Some(right.into()), 0);
                let less = if ty.is_signed() { Op::Cmovl } else { Op::Cmovb };
                return Some(Binding::General(self.function.update(less, size, a, Some(b.into()), 0)));
            }
            _ => return None,
        };
        Some(Binding::General(self.function.update(instruction, size, a, Some(b.into()), 0)))
    }

    fn general_compare(&mut self, op: CmpOp, ty: PrimType, a: Operand, b: Operand) -> VReg {
        let (a, b) = (self.general_of(a), self.general_of(b));
        self.function.perform(Op::Cmp, general_size(ty), &[a], Some(b.into()), 0);
        self.flag(match (op, ty.is_signed()) {
            (CmpOp::Eq, _) => Op::Sete,
            (CmpOp::Ne, _) => Op::Setne,
            (CmpOp::Lt, true) => Op::Setl,
            (CmpOp::Lt, false) => Op::Setb,
            (CmpOp::Le, true) => Op::Setle,
            (CmpOp::Le, false) => Op::Setbe,
        })
    }

    /// A bool from the flags.
    fn flag(&mut self, op: Op) -> VReg {
        let low = self.function.produce(op, Size::G32, 0);
        self.general(Op::Movzx, Size::G32, low)
    }

    fn general_convert(&mut self, from: PrimType, to: PrimType, a: Operand) -> Binding {
        if from == to {
            return self.binding(a);
        }
        if to == PrimType::Bool {
            let zero = Operand::Const(PrimValue::zero(from));
            return Binding::General(self.general_compare(CmpOp::Ne, from, a, zero));
        }
        let a = self.general_of(a);
        Binding::General(match (from.bytes(), to.bytes()) {
            (4, 8) if from.is_signed() && to.is_signed() => self.general(Op::Movsxd, Size::G64, a),
            (8, 4) => self.general(Op::Mov, Size::G32, a),
            _ => a,
        })
    }

    /// Sets the flags to `not equal` if a mask is true in any lane.
    pub(super) fn test_any(&mut self, mask: &[VReg]) {
        let mut all = mask[0];
        for &mask in &mask[1..] {
            all = self.join_masks(MaskOp::Or, &[all], &[mask])[0];
        }
        self.test_mask(all);
    }
}
