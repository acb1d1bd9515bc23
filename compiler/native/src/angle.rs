//! Sine and cosine of one number, by one call of the library where a body asks for both: it reduces the number to the
//! first quadrant once, which is most of the work. The results are those of two calls.

use std::mem::offset_of;

use cranelift_codegen::ir::InstBuilder;
use ravel_abi::native::Context;
use ravel_kernel::{Level, ScalarExp, Stm};
use ravel_prim::{PrimType, UnOp};

use crate::emitter::{Emitter, TRUSTED, clif_type};

impl Emitter<'_, '_> {
    /// Binds what the statement does together with its counterpart, if that is among the statements `behind` it. True if
    /// there is nothing left to do, also since the counterpart came first.
    pub fn angle<L: Level>(&mut self, stm: &Stm<L>, behind: &[Stm<L>]) -> bool {
        let Stm::Let { var, exp: ScalarExp::Unary(op, angle) } = *stm else { return false };
        if self.bound_early.remove(&var) {
            return true;
        }
        let counterpart = match op {
            UnOp::Sin => UnOp::Cos,
            UnOp::Cos => UnOp::Sin,
            _ => return false,
        };
        let other = behind.iter().find_map(|stm| match *stm {
            Stm::Let { var, exp: ScalarExp::Unary(op, other) } if op == counterpart && other == angle => {
                Some(var)
            }
            _ => None,
        });
        let ty = self.scalar_type(angle);
        let service = match ty {
            PrimType::F32 => offset_of!(Context, sin_cos_f32),
            PrimType::F64 => offset_of!(Context, sin_cos_f64),
            _ => return false,
        };
        let Some(other) = other else { return false };
        let (angle, place) = (self.atom(angle), self.room(1));
        let sine = self.call(service, &[angle, place], clif_type(ty));
        let cosine = self.builder.ins().load(clif_type(ty), TRUSTED, place, 0);
        let (sine_of, cosine_of) = if op == UnOp::Sin { (var, other) } else { (other, var) };
        self.bind(sine_of, sine);
        self.bind(cosine_of, cosine);
        self.bound_early.insert(other);
        true
    }
}
