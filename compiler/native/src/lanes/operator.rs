//! Expressions: the vector instruction of an operator, or scalar code for each lane.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value as Clif};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};
use ravel_vector::{Exp, Operand};

use super::{Binding, Lanes};
use crate::emitter::Emitter;

impl Lanes<'_> {
    /// The value of an expression.
    pub(super) fn exp(&self, emitter: &mut Emitter<'_, '_>, exp: Exp) -> Binding {
        let (ty, varying) = self.strip.kind(exp);
        if !varying {
            return Binding::Uniform(self.uniform(emitter, exp));
        }
        let registers = match exp {
            Exp::Unary(op, a) => self.unary(emitter, op, a),
            Exp::Binary(op, a, b) => self.binary(emitter, op, a, b),
            Exp::Compare(op, a, b) => Some(self.compare(emitter, op, a, b)),
            Exp::Convert(to, a) => self.convert(emitter, to, a),
            Exp::Select(cond, a, b) => {
                let cond = self.registers(emitter, cond);
                let (a, b) = (self.registers(emitter, a), self.registers(emitter, b));
                Some(self.select(emitter, ty, &cond, &a, &b))
            }
            Exp::Ramp { first, step } => Some(self.ramp(emitter, first, step)),
            Exp::Prefix(op, a) => Some(self.prefixes(emitter, op, a)),
            Exp::Any(_) | Exp::Most(_) | Exp::Last(_) | Exp::Param(..) => unreachable!("uniform"),
        };
        Binding::Varying(registers.unwrap_or_else(|| self.lane_by_lane(emitter, exp)))
    }

    /// The value of a uniform expression.
    fn uniform(&self, emitter: &mut Emitter<'_, '_>, exp: Exp) -> Clif {
        match exp {
            Exp::Param(name, default) => emitter.parameter(name, default),
            Exp::Any(mask) => match self.binding(emitter, mask) {
                Binding::Uniform(mask) => mask,
                Binding::Varying(mask) => self.any(emitter, &mask),
            },
            Exp::Last(a) => {
                let binding = self.binding(emitter, a);
                self.lane(emitter, self.strip.ty(a), &binding, self.lanes - 1)
            }
            Exp::Most(number) => {
                let (ty, binding) = (self.strip.ty(number), self.binding(emitter, number));
                let lanes: Vec<Clif> =
                    (0..self.lanes).map(|lane| self.lane(emitter, ty, &binding, lane)).collect();
                let most = lanes.into_iter().reduce(|most, lane| emitter.builder.ins().smax(most, lane));
                most.expect("a strip has lanes")
            }
            _ => {
                let operands: Vec<Clif> =
                    exp.operands().into_iter().map(|operand| self.scalar(emitter, operand)).collect();
                self.scalar_code(emitter, exp, &operands)
            }
        }
    }

    /// Scalar code for an expression with these operands.
    fn scalar_code(&self, emitter: &mut Emitter<'_, '_>, exp: Exp, operands: &[Clif]) -> Clif {
        match exp {
            Exp::Unary(op, a) => emitter.unary(op, self.strip.ty(a), operands[0]),
            Exp::Binary(op, a, _) => emitter.binary(op, self.strip.ty(a), operands[0], operands[1]),
            Exp::Compare(op, a, _) => emitter.compare(op, self.strip.ty(a), operands[0], operands[1]),
            Exp::Convert(to, a) => emitter.convert(self.strip.ty(a), to, operands[0]),
            Exp::Select(..) => emitter.builder.ins().select(operands[0], operands[1], operands[2]),
            Exp::Ramp { .. }
            | Exp::Any(_)
            | Exp::Most(_)
            | Exp::Prefix(..)
            | Exp::Last(_)
            | Exp::Param(..) => {
                unreachable!("no scalar operators")
            }
        }
    }

    /// What an operator combines the lanes up to each one to.
    fn prefixes(&self, emitter: &mut Emitter<'_, '_>, op: BinOp, operand: Operand) -> Vec<Clif> {
        let (ty, binding) = (self.strip.ty(operand), self.binding(emitter, operand));
        let mut prefixes: Vec<Clif> = Vec::new();
        for lane in 0..self.lanes {
            let scalar = self.lane(emitter, ty, &binding, lane);
            let before = prefixes.last().copied();
            prefixes.push(before.map_or(scalar, |before| emitter.binary(op, ty, before, scalar)));
        }
        self.build(emitter, ty, &prefixes)
    }

    fn lane_by_lane(&self, emitter: &mut Emitter<'_, '_>, exp: Exp) -> Vec<Clif> {
        let operands: Vec<(PrimType, Binding)> = exp
            .operands()
            .into_iter()
            .map(|operand| (self.strip.ty(operand), self.binding(emitter, operand)))
            .collect();
        let mut scalars = Vec::new();
        for lane in 0..self.lanes {
            let scalar = |(ty, binding): &(PrimType, Binding)| self.lane(emitter, *ty, binding, lane);
            let operands: Vec<Clif> = operands.iter().map(scalar).collect();
            scalars.push(self.scalar_code(emitter, exp, &operands));
        }
        let (ty, _) = self.strip.kind(exp);
        self.build(emitter, ty, &scalars)
    }

    /// Applies an instruction to each register.
    fn each(
        &self,
        emitter: &mut Emitter<'_, '_>,
        a: &[Clif],
        instruction: impl Fn(&mut Emitter<'_, '_>, Clif) -> Clif,
    ) -> Vec<Clif> {
        a.iter().map(|&a| instruction(emitter, a)).collect()
    }

    /// Applies an instruction to each pair of registers.
    fn each_pair(
        &self,
        emitter: &mut Emitter<'_, '_>,
        a: &[Clif],
        b: &[Clif],
        instruction: impl Fn(&mut Emitter<'_, '_>, Clif, Clif) -> Clif,
    ) -> Vec<Clif> {
        a.iter().zip(b).map(|(&a, &b)| instruction(emitter, a, b)).collect()
    }

    /// `None` if there is no vector instruction.
    fn unary(&self, emitter: &mut Emitter<'_, '_>, op: UnOp, operand: Operand) -> Option<Vec<Clif>> {
        let ty = self.strip.ty(operand);
        if !has_vector_unary(op, ty) {
            return None;
        }
        let a = self.registers(emitter, operand);
        let is_float = ty.is_float();
        Some(match op {
            UnOp::Neg if is_float => self.each(emitter, &a, |e, a| e.builder.ins().fneg(a)),
            UnOp::Neg => self.each(emitter, &a, |e, a| e.builder.ins().ineg(a)),
            UnOp::Not => self.each(emitter, &a, |e, a| e.builder.ins().bnot(a)),
            UnOp::Abs if is_float => self.each(emitter, &a, |e, a| e.builder.ins().fabs(a)),
            UnOp::Abs if ty.is_signed() => self.each(emitter, &a, |e, a| e.builder.ins().iabs(a)),
            UnOp::Abs => a,
            UnOp::Sqrt => self.each(emitter, &a, |e, a| e.builder.ins().sqrt(a)),
            UnOp::Floor => self.each(emitter, &a, |e, a| e.builder.ins().floor(a)),
            UnOp::Ceil => self.each(emitter, &a, |e, a| e.builder.ins().ceil(a)),
            UnOp::Trunc => self.each(emitter, &a, |e, a| e.builder.ins().trunc(a)),
            UnOp::Round => self.each(emitter, &a, |e, a| e.builder.ins().nearest(a)),
            UnOp::IsNan => {
                let nan = self.each(emitter, &a, |e, a| e.builder.ins().fcmp(FloatCC::Unordered, a, a));
                self.mask_from(emitter, nan)
            }
            UnOp::IsInf => {
                let infinity = self.float(emitter, ty, f64::INFINITY);
                let infinite = self.each_pair(emitter, &a, &infinity, |e, a, infinity| {
                    let magnitude = e.builder.ins().fabs(a);
                    e.builder.ins().fcmp(FloatCC::Equal, magnitude, infinity)
                });
                self.mask_from(emitter, infinite)
            }
            UnOp::ToBits | UnOp::FromBits => {
                let to = self.register_type(op.result(ty));
                self.each(emitter, &a, |e, a| self.cast(e, a, to))
            }
            _ => unreachable!("has no vector instruction"),
        })
    }

    fn binary(&self, emitter: &mut Emitter<'_, '_>, op: BinOp, a: Operand, b: Operand) -> Option<Vec<Clif>> {
        let ty = self.strip.ty(a);
        if let BinOp::Shl | BinOp::Shr | BinOp::Lshr = op {
            return self.shift(emitter, op, ty, a, b);
        }
        if !has_vector_binary(op, ty) {
            return None;
        }
        // As in scalar code, so that a NaN has the same bits.
        let turned = matches!(op, BinOp::Add | BinOp::Mul) && a.value().is_none();
        let (a, b) = if turned { (b, a) } else { (a, b) };
        let (a, b) = (self.registers(emitter, a), self.registers(emitter, b));
        let is_float = ty.is_float();
        Some(match op {
            BinOp::Add if is_float => self.each_pair(emitter, &a, &b, |e, a, b| e.builder.ins().fadd(a, b)),
            BinOp::Add => self.each_pair(emitter, &a, &b, |e, a, b| e.builder.ins().iadd(a, b)),
            BinOp::Sub if is_float => self.each_pair(emitter, &a, &b, |e, a, b| e.builder.ins().fsub(a, b)),
            BinOp::Sub => self.each_pair(emitter, &a, &b, |e, a, b| e.builder.ins().isub(a, b)),
            BinOp::Mul if is_float => self.each_pair(emitter, &a, &b, |e, a, b| e.builder.ins().fmul(a, b)),
            BinOp::Mul => self.each_pair(emitter, &a, &b, |e, a, b| e.builder.ins().imul(a, b)),
            BinOp::Div => self.each_pair(emitter, &a, &b, |e, a, b| e.builder.ins().fdiv(a, b)),
            BinOp::Min if is_float => self.extremum(emitter, FloatCC::LessThanOrEqual, &a, &b),
            BinOp::Max if is_float => self.extremum(emitter, FloatCC::GreaterThanOrEqual, &a, &b),
            BinOp::Min => self.each_pair(emitter, &a, &b, |e, a, b| e.builder.ins().smin(a, b)),
            BinOp::Max => self.each_pair(emitter, &a, &b, |e, a, b| e.builder.ins().smax(a, b)),
            BinOp::And => self.each_pair(emitter, &a, &b, |e, a, b| e.builder.ins().band(a, b)),
            BinOp::Or => self.each_pair(emitter, &a, &b, |e, a, b| e.builder.ins().bor(a, b)),
            BinOp::Xor => self.each_pair(emitter, &a, &b, |e, a, b| e.builder.ins().bxor(a, b)),
            BinOp::Copysign => {
                let sign = self.float(emitter, ty, -0.0);
                let integers = self.register_type(ty).as_int();
                let rest = self.each_pair(emitter, &a, &sign, |e, a, _| e.builder.ins().fabs(a));
                let sign = self.each_pair(emitter, &b, &sign, |e, b, sign| {
                    let (b, sign) = (self.cast(e, b, integers), self.cast(e, sign, integers));
                    e.builder.ins().band(b, sign)
                });
                self.each_pair(emitter, &rest, &sign, |e, rest, sign| {
                    let bits = self.cast(e, rest, integers);
                    let joined = e.builder.ins().bor(bits, sign);
                    self.cast(e, joined, self.register_type(ty))
                })
            }
            _ => unreachable!("has no vector instruction"),
        })
    }

    /// Shifts by a constant distance.
    fn shift(
        &self,
        emitter: &mut Emitter<'_, '_>,
        op: BinOp,
        ty: PrimType,
        a: Operand,
        distance: Operand,
    ) -> Option<Vec<Clif>> {
        let Operand::Const(distance) = distance else { return None };
        let distance = distance.bits() as i64;
        if !(0..i64::from(ty.bits())).contains(&distance) {
            return None;
        }
        let a = self.registers(emitter, a);
        Some(match op {
            BinOp::Shl => self.each(emitter, &a, |e, a| e.builder.ins().ishl_imm_u(a, distance)),
            BinOp::Shr if ty.is_signed() => {
                self.each(emitter, &a, |e, a| e.builder.ins().sshr_imm_u(a, distance))
            }
            _ => self.each(emitter, &a, |e, a| e.builder.ins().ushr_imm_u(a, distance)),
        })
    }

    /// `a` where `a cond b` or `b` is NaN, else `b`.
    fn extremum(&self, emitter: &mut Emitter<'_, '_>, cond: FloatCC, a: &[Clif], b: &[Clif]) -> Vec<Clif> {
        self.each_pair(emitter, a, b, |e, a, b| {
            let first = e.builder.ins().fcmp(cond, a, b);
            let no_second = e.builder.ins().fcmp(FloatCC::Unordered, b, b);
            let first = e.builder.ins().bor(first, no_second);
            self.blend(e, first, a, b)
        })
    }

    fn compare(&self, emitter: &mut Emitter<'_, '_>, op: CmpOp, a: Operand, b: Operand) -> Vec<Clif> {
        let ty = self.strip.ty(a);
        let (a, b) = (self.registers(emitter, a), self.registers(emitter, b));
        if ty == PrimType::Bool {
            return self.each_pair(emitter, &a, &b, |e, a, b| match op {
                CmpOp::Ne => e.builder.ins().bxor(a, b),
                CmpOp::Eq => {
                    let differ = e.builder.ins().bxor(a, b);
                    e.builder.ins().bnot(differ)
                }
                CmpOp::Lt => e.builder.ins().band_not(b, a),
                CmpOp::Le => e.builder.ins().bor_not(b, a),
            });
        }
        let mask = self.each_pair(emitter, &a, &b, |e, a, b| e.compare(op, ty, a, b));
        self.mask_from(emitter, mask)
    }

    /// `a` in the lanes of a mask, `b` in the others.
    pub(super) fn select(
        &self,
        emitter: &mut Emitter<'_, '_>,
        ty: PrimType,
        mask: &[Clif],
        a: &[Clif],
        b: &[Clif],
    ) -> Vec<Clif> {
        let mask = self.mask_for(emitter, mask, ty);
        mask.iter().zip(a.iter().zip(b)).map(|(&mask, (&a, &b))| self.blend(emitter, mask, a, b)).collect()
    }

    fn blend(&self, emitter: &mut Emitter<'_, '_>, mask: Clif, a: Clif, b: Clif) -> Clif {
        let ty = emitter.builder.func.dfg.value_type(a);
        let mask = self.cast(emitter, mask, ty);
        emitter.builder.ins().bitselect(mask, a, b)
    }

    fn ramp(&self, emitter: &mut Emitter<'_, '_>, first: Operand, step: Operand) -> Vec<Clif> {
        let (first, step) = (self.scalar(emitter, first), self.scalar(emitter, step));
        let second = emitter.builder.ins().iadd(first, step);
        // Each register is the one before it plus two steps.
        let pair = self.build(emitter, PrimType::I64, &[first, second]);
        let both = emitter.builder.ins().iadd(step, step);
        let both = emitter.builder.ins().splat(self.register_type(PrimType::I64), both);
        let mut registers = vec![pair[0]];
        for _ in 1..self.registers_of(PrimType::I64) {
            let last = registers[registers.len() - 1];
            registers.push(emitter.builder.ins().iadd(last, both));
        }
        registers
    }

    /// A float in all lanes.
    pub(super) fn float(&self, emitter: &mut Emitter<'_, '_>, ty: PrimType, value: f64) -> Vec<Clif> {
        let scalar = emitter.constant(ravel_prim::convert(PrimValue::F64(value), ty));
        self.splat(emitter, ty, scalar)
    }
}

/// Whether a vector instruction, or a few, compute this operator.
pub(super) fn has_vector_unary(op: UnOp, ty: PrimType) -> bool {
    match op {
        UnOp::Neg | UnOp::Not | UnOp::Abs | UnOp::ToBits | UnOp::FromBits => true,
        UnOp::Sqrt | UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::Round => ty.is_float(),
        UnOp::IsNan | UnOp::IsInf => true,
        _ => false,
    }
}

/// The same for two operands. Shifts are not covered.
pub(super) fn has_vector_binary(op: BinOp, ty: PrimType) -> bool {
    match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Copysign => true,
        BinOp::Div => ty.is_float(),
        BinOp::Min | BinOp::Max => ty.is_float() || ty.is_signed(),
        _ => false,
    }
}
