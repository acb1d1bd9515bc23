//! G2: updates of elements.
//!
//! | | paper | here |
//! | --- | --- | --- |
//! | G2 | `let q[i] = v`: a scatter at `B_shp[k] + is[k]`, or at -1 if the loop of the point is over | a write sink over the points, at the same places |

use ravel_core::{Atom, DimSlice, Sink, Var};
use ravel_prim::BinOp;

use super::code::{Code, Lift, Over, zeros};
use super::context::Lifted;
use super::premises::FLAT_ARRAYS;

pub(super) const G2: &str = "G2";

impl Code<'_> {
    /// The code of the bin for `let binder = array with [slice] = value`.
    pub(super) fn update(&mut self, binder: Var, array: Var, slice: &[DimSlice], value: Atom) -> Lift<()> {
        let (&[DimSlice::Fix(index)], Some(lifted)) = (slice, self.lifted.get(&array).cloned()) else {
            return Err(self.obstacle(FLAT_ARRAYS, binder));
        };
        let (Lifted::Lanes(target) | Lifted::Rows { data: target, .. }) = lifted else {
            return Err(self.obstacle(FLAT_ARRAYS, binder));
        };
        self.fire(G2)?;
        let is_lanes = matches!(lifted, Lifted::Lanes(_));
        let mut screma = self.construct(
            Over::Points,
            |code, place| {
                let index = code.read_atom(place, index)?;
                let value = code.read_atom(place, value)?;
                let position = if is_lanes {
                    let offset = code.offset(place);
                    code.builder.binary(BinOp::Add, offset, index)
                } else {
                    let row = code.builder.binary(BinOp::Mul, index, code.context.points);
                    code.builder.binary(BinOp::Add, row, place.point)
                };
                Ok(vec![position, value])
            },
            |_, _, types| std::iter::once(Atom::i64(-1)).chain(zeros(&types[1..])).collect(),
        )?;
        screma.sinks = vec![Sink::Write { target, rank: 1 }];
        let updated = self.builder.screma_of(screma)[0].var().unwrap_or(target);
        self.updated.insert(target, updated);
        let lifted = match lifted {
            Lifted::Rows { size, .. } => Lifted::Rows { data: updated, size },
            _ => Lifted::Lanes(updated),
        };
        self.lifted.insert(binder, lifted);
        Ok(())
    }
}
