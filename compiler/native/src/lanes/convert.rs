//! Conversions between types of lanes.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::types::{F32X4, F64X2, I32X4};
use cranelift_codegen::ir::{InstBuilder, Value as Clif};
use ravel_prim::{CmpOp, PrimType, PrimValue};
use ravel_vector::Operand;

use super::Lanes;
use crate::emitter::Emitter;

impl Lanes<'_> {
    /// The registers of a converted operand; `None` if it must go lane by lane.
    pub(super) fn convert(
        &self,
        emitter: &mut Emitter<'_, '_>,
        to: PrimType,
        operand: Operand,
    ) -> Option<Vec<Clif>> {
        let from = self.strip.ty(operand);
        if !has_vector_conversion(from, to) {
            return None;
        }
        let a = self.registers(emitter, operand);
        Some(match (from, to) {
            _ if from == to => a,
            (PrimType::Bool, _) => self.numbers_of(emitter, &a, to),
            (_, PrimType::Bool) => {
                let zero = emitter.constant(PrimValue::zero(from));
                let zero = self.splat(emitter, from, zero);
                self.different(emitter, from, &a, &zero)
            }
            (PrimType::F32, PrimType::F64) => {
                let mut wide = Vec::new();
                for register in a {
                    wide.push(emitter.builder.ins().fvpromote_low(register));
                    let upper = self.upper_half(emitter, register);
                    wide.push(emitter.builder.ins().fvpromote_low(upper));
                }
                wide
            }
            (PrimType::F64, PrimType::F32) => {
                let mut narrow = Vec::new();
                for pair in a.chunks(2) {
                    let low = emitter.builder.ins().fvdemote(pair[0]);
                    let high = emitter.builder.ins().fvdemote(pair[1]);
                    narrow.push(self.lower_halves(emitter, low, high, F32X4));
                }
                narrow
            }
            (PrimType::I32, PrimType::F64) => {
                let mut wide = Vec::new();
                for register in a {
                    for half in [register, self.upper_half(emitter, register)] {
                        let half = emitter.builder.ins().swiden_low(half);
                        wide.push(emitter.builder.ins().fcvt_from_sint(F64X2, half));
                    }
                }
                wide
            }
            (PrimType::I32, _) if to == PrimType::F32 => {
                a.iter().map(|&a| emitter.builder.ins().fcvt_from_sint(F32X4, a)).collect()
            }
            (PrimType::F32, _) if to == PrimType::I32 => self.truncated(emitter, &a),
            _ if from.bits() == to.bits() => a,
            _ if from.bits() < to.bits() => self.widen(emitter, &a, from.is_signed() && to.is_signed()),
            _ => self.narrow(emitter, &a),
        })
    }

    /// A mask as numbers 0 and 1.
    fn numbers_of(&self, emitter: &mut Emitter<'_, '_>, mask: &[Clif], to: PrimType) -> Vec<Clif> {
        let one = ravel_prim::convert(PrimValue::I64(1), to);
        let (one, zero) = (emitter.constant(one), emitter.constant(PrimValue::zero(to)));
        let (one, zero) = (self.splat(emitter, to, one), self.splat(emitter, to, zero));
        self.select(emitter, to, mask, &one, &zero)
    }

    fn different(&self, emitter: &mut Emitter<'_, '_>, ty: PrimType, a: &[Clif], b: &[Clif]) -> Vec<Clif> {
        let pairs = a.iter().zip(b);
        let mask = pairs.map(|(&a, &b)| emitter.compare(CmpOp::Ne, ty, a, b)).collect();
        self.mask_from(emitter, mask)
    }

    /// f32 as i32: truncated and clamped; 0 for infinities and NaN.
    fn truncated(&self, emitter: &mut Emitter<'_, '_>, a: &[Clif]) -> Vec<Clif> {
        let (zero, infinity) =
            (self.float(emitter, PrimType::F32, 0.0), self.float(emitter, PrimType::F32, f64::INFINITY));
        a.iter()
            .map(|&a| {
                let magnitude = emitter.builder.ins().fabs(a);
                let finite = emitter.builder.ins().fcmp(FloatCC::LessThan, magnitude, infinity[0]);
                let finite = self.cast(emitter, finite, F32X4);
                let a = emitter.builder.ins().bitselect(finite, a, zero[0]);
                emitter.builder.ins().fcvt_to_sint_sat(I32X4, a)
            })
            .collect()
    }
}

/// Whether vector instructions convert between these types.
pub(super) fn has_vector_conversion(from: PrimType, to: PrimType) -> bool {
    use PrimType::{Bool, F32, F64, I32};
    match (from, to) {
        (Bool, _) | (_, Bool) => true,
        (F32, F64) | (F64, F32) | (I32, F32 | F64) | (F32, I32) => true,
        _ => from == to || !from.is_float() && !to.is_float(),
    }
}
