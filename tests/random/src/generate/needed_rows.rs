//! Programs that need all their checks, part two: arrays that are built from rows of others, their rows, and
//! their sizes.

use ravel_core::*;
use ravel_prim::{BinOp, PrimType};

use super::Writer;
use super::needed_checks::Readables;

impl Writer {
    /// An array whose elements are arrays in scope, or a row of a matrix at a position that may be out of bounds. Also
    /// returns whether its elements depend on a check.
    pub(super) fn readable_rows(&mut self, arrays: &mut Readables, size: Atom) -> (Atom, bool) {
        let (array, shape, guarded) = self.used(arrays, |ty| ty.rank() <= 2);
        let ty = self.b.vars()[array].ty.clone();
        match (self.choices.below(5), &shape[..]) {
            (0, _) => (self.b.replicate(size, Atom::Var(array)), guarded),
            (1, _) => {
                let count = 1 + self.choices.below(3);
                (self.b.array_lit(ty, vec![Atom::Var(array); count]), guarded)
            }
            (2, _) => {
                let count = self.b.binary(BinOp::Add, shape[0], shape[0]);
                (self.b.concat(vec![array, array], ty.row(), count), guarded)
            }
            (_, &[rows, columns]) => {
                let at = self.unchecked_position(rows);
                let at = self.checked_positions(&[rows], vec![at]);
                let whole = DimSlice::Range { start: Atom::i64(0), count: columns, stride: Atom::i64(1) };
                let fixed = at.into_iter().map(DimSlice::Fix);
                (self.b.slice(array, fixed.chain([whole]).collect()), true)
            }
            _ => (self.b.reshape(array, vec![Atom::i64(1), shape[0]]), guarded),
        }
    }

    /// A number computed from the size of a part of an array at a position that may be out of bounds. Nothing else of
    /// the part is used, so the size itself passes through the check, as lowering writes `length xss[i]`.
    pub(super) fn size_of_part(&mut self, shape: &[Atom]) -> Atom {
        let at = self.unchecked_position(shape[0]);
        let size = if shape.len() == 1 { Atom::i64(1) } else { shape[1] };
        let conds = self.in_bounds(shape, &[at]);
        let size = self.checked_by(conds, vec![size])[0];
        let number = self.b.convert(PrimType::I32, size);
        self.computed_from(number)
    }
}
