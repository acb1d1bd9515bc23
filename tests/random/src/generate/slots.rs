//! Slots: what a body gives to whatever surrounds it, be it a branch, a loop or a function.

use ravel_core::*;
use ravel_prim::PrimType;

use super::known::{Places, Size};
use super::{Writer, long};

/// A result of a body.
#[derive(Clone, Debug)]
pub enum Slot {
    Scalar(PrimType),
    /// An array whose sizes are known outside.
    Array(Type),
    /// An array of a size that only the body knows: two results, the size first.
    Sized(PrimType),
}

impl Slot {
    /// How many results it is.
    pub fn len(&self) -> usize {
        if matches!(self, Slot::Sized(_)) { 2 } else { 1 }
    }
}

impl Writer {
    /// A slot for values such as are known here.
    pub fn slot(&mut self) -> Slot {
        match self.choices.below(4) {
            0 | 1 => Slot::Scalar(if self.choices.once_in(3) { PrimType::Bool } else { self.prim() }),
            2 => {
                let array = self.pick_array();
                Slot::Array(self.b.vars()[array].ty.clone())
            }
            _ => Slot::Sized(self.prim()),
        }
    }

    pub fn slots(&mut self, most: usize) -> Vec<Slot> {
        (0..=self.choices.below(most)).map(|_| self.slot()).collect()
    }

    /// Fresh binders for the slots.
    pub fn binders(&mut self, slots: &[Slot]) -> Vec<Var> {
        let mut binders = Vec::new();
        for slot in slots {
            match slot {
                Slot::Scalar(elem) => binders.push(self.b.fresh(None, Type::scalar(*elem))),
                Slot::Array(ty) => binders.push(self.b.fresh(None, ty.clone())),
                Slot::Sized(elem) => {
                    let size = self.b.fresh(None, long());
                    let array = Type::scalar(*elem).array_of(Atom::Var(size));
                    binders.extend([size, self.b.fresh(None, array)]);
                }
            }
        }
        binders
    }

    /// Values for the slots.
    pub fn fill(&mut self, slots: &[Slot]) -> Vec<Atom> {
        slots.iter().flat_map(|slot| self.fill_one(slot)).collect()
    }

    fn fill_one(&mut self, slot: &Slot) -> Vec<Atom> {
        match slot {
            Slot::Scalar(elem) => vec![self.scalar(*elem)],
            Slot::Array(ty) => vec![Atom::Var(self.array_of(ty))],
            Slot::Sized(elem) => {
                let array = match self.array_where(|ty| ty.rank() == 1 && ty.elem == *elem) {
                    Some(array) => array,
                    None => {
                        let size = self.size();
                        self.make_array(&Type::scalar(*elem).array_of(size.atom))
                    }
                };
                vec![self.b.vars()[array].ty.shape[0], Atom::Var(array)]
            }
        }
    }

    /// Makes the binders of slots known; `places` says where the arrays lie.
    pub fn learn(&mut self, binders: &[Var], slots: &[Slot], places: impl Fn(usize, Var) -> Places) {
        let mut at = 0;
        for slot in slots {
            match slot {
                Slot::Scalar(_) => self.known.scalars.push(Atom::Var(binders[at])),
                Slot::Array(_) => self.lies_in(binders[at], places(at, binders[at])),
                Slot::Sized(_) => {
                    let size = Atom::Var(binders[at]);
                    self.known.scalars.push(size);
                    self.known.sizes.push(Size { atom: size, positive: false });
                    self.lies_in(binders[at + 1], places(at + 1, binders[at + 1]));
                }
            }
            at += slot.len();
        }
    }
}
