//! G2: updates of elements.
//!
//! | | paper | here |
//! | --- | --- | --- |
//! | G2 | `let q[i] = v`: a scatter at `B_shp[k] + is[k]`, or at -1 if the loop of the point is over | a write sink over the points, at the same places |

use ravel_core::{Atom, DimSlice, Screma, Sink, Var};
use ravel_prim::BinOp;

use super::code::{Code, Lift, Over, Place, zeros};
use super::context::Lifted;
use super::premises::FLAT_ARRAYS;

pub(super) const G2: &str = "G2";

impl Code<'_> {
    /// The code of the bin for `let binder = array with [slice] = value`.
    pub(super) fn update(&mut self, binder: Var, array: Var, slice: &[DimSlice], value: Atom) -> Lift<()> {
        let index = |dim: &DimSlice| match dim {
            DimSlice::Fix(index) => Some(*index),
            DimSlice::Range { .. } => None,
        };
        let indices: Option<Vec<Atom>> = slice.iter().map(index).collect();
        let (Some(indices), Some(lifted)) = (indices, self.lifted_of(array)) else {
            return Err(self.obstacle(FLAT_ARRAYS, binder));
        };
        let (Lifted::Lanes { data: target, .. } | Lifted::Rows { data: target, .. }) = lifted else {
            return Err(self.obstacle(FLAT_ARRAYS, binder));
        };
        self.fire(G2)?;
        let mut screma = self.construct(
            Over::Points,
            |code, place| {
                let mut position = code.read_atom(place, indices[0])?;
                for (&index, size) in indices[1..].iter().zip(&code.shape_of(array)[1..]) {
                    let size = code.read_atom(place, *size)?;
                    let row = code.builder.binary(BinOp::Mul, position, size);
                    let index = code.read_atom(place, index)?;
                    position = code.builder.binary(BinOp::Add, row, index);
                }
                let value = code.read_atom(place, value)?;
                let position = code.position(place, &lifted, position);
                Ok(vec![position, value])
            },
            |_, _, types| std::iter::once(Atom::i64(-1)).chain(zeros(&types[1..])).collect(),
        )?;
        screma.sinks = vec![Sink::Write { target, rank: 1 }];
        self.write(binder, lifted, screma);
        Ok(())
    }

    /// Adds a construct that writes to an array. `binder` is the array of the source with the new elements.
    pub(super) fn write(&mut self, binder: Var, lifted: Lifted, screma: Screma) {
        let [Atom::Var(updated)] = self.builder.screma_of(screma)[..] else { return };
        if let Lifted::Lanes { data: target, .. } | Lifted::Rows { data: target, .. } = lifted {
            self.updated.insert(target, updated);
        }
        let lifted = match lifted {
            Lifted::Rows { size, .. } => Lifted::Rows { data: updated, size },
            Lifted::Lanes { context, .. } => Lifted::Lanes { data: updated, context },
            other => other,
        };
        self.lifted.insert(binder, lifted);
    }
    /// The position of an element of the point, given its index in row-major order.
    pub(super) fn position(&mut self, place: &mut Place, array: &Lifted, element: Atom) -> Atom {
        if let Lifted::Lanes { context, .. } = *array {
            let offset = self.offset(place, context);
            return self.builder.binary(BinOp::Add, offset, element);
        }
        let row = self.builder.binary(BinOp::Mul, element, self.members.points);
        self.builder.binary(BinOp::Add, row, place.point)
    }
}
