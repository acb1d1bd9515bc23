//! Sine and cosine of one number, by one call of the library where a body asks for both: it reduces the number to the
//! first quadrant once, which is most of the work. The results are those of two calls.

use std::collections::BTreeMap;
use std::mem::offset_of;

use cranelift_codegen::ir::InstBuilder;
use ravel_abi::native::Context;
use ravel_kernel::{Atom, Level, ScalarExp, Stm, Var};
use ravel_prim::{PrimType, UnOp};

use crate::emitter::{Emitter, TRUSTED, clif_type};

/// The sines and cosines of a body that have a counterpart, the cosine or sine of the same number, behind them; and that.
pub fn counterparts<L: Level>(stms: &[Stm<L>]) -> BTreeMap<Var, Var> {
    let mut alone = BTreeMap::new();
    let mut counterparts = BTreeMap::new();
    for stm in stms {
        let Stm::Let { var, exp: ScalarExp::Unary(op @ (UnOp::Sin | UnOp::Cos), Atom::Var(angle)) } = *stm
        else {
            continue;
        };
        match alone.remove(&(angle, op == UnOp::Cos)) {
            Some(before) => {
                counterparts.insert(before, var);
            }
            None => {
                alone.insert((angle, op == UnOp::Sin), var);
            }
        }
    }
    counterparts
}

impl Emitter<'_, '_> {
    /// Binds what the statement does together with its counterpart, if there is one. True if there is nothing left to
    /// do, also since the counterpart came first.
    pub fn angle<L: Level>(&mut self, stm: &Stm<L>, counterparts: &BTreeMap<Var, Var>) -> bool {
        let Stm::Let { var, exp: ScalarExp::Unary(op, angle) } = *stm else { return false };
        if self.bound_early.remove(&var) {
            return true;
        }
        let Some(&other) = counterparts.get(&var) else { return false };
        let ty = self.scalar_type(angle);
        let service = match ty {
            PrimType::F32 => offset_of!(Context, sin_cos_f32),
            PrimType::F64 => offset_of!(Context, sin_cos_f64),
            _ => return false,
        };
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
