//! Scalar operators and conversions.

use ravel_core::Atom;
use ravel_prim::{BinOp, CmpOp, UnOp};

use crate::cx::Lowering;
use crate::sizes::Ty;

impl Lowering<'_, '_> {
    /// The scalar intrinsic of this name; `None` if there is none.
    pub fn scalar(&mut self, name: &str, operands: &[Atom], result: &Ty) -> Option<Atom> {
        match (operands, result) {
            (&[a], Ty::Prim(to)) if name == "convert" => {
                let same = self.builder.type_of(a).elem == *to;
                Some(if same { a } else { self.builder.convert(*to, a) })
            }
            (&[a], _) => {
                let op = UnOp::from_name(name)?;
                Some(self.builder.unary(op, a))
            }
            (&[a, b], _) => match BinOp::from_name(name) {
                Some(op) => Some(self.binary(op, a, b)),
                None => {
                    let op = CmpOp::from_name(name)?;
                    Some(self.builder.compare(op, a, b))
                }
            },
            _ => None,
        }
    }
}
