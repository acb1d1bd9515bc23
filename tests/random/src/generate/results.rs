//! The results of the bodies of branches, loops and functions.

use ravel_core::*;
use ravel_prim::PrimType;

use super::scope::{Regions, Size};
use super::{Writer, long};

/// The kind of a result.
#[derive(Clone, Debug)]
pub enum ResultKind {
    Scalar(PrimType),
    /// An array whose sizes are known outside.
    Array(Type),
    /// An array whose size only the body knows: two results, the size first.
    Sized(PrimType),
}

impl ResultKind {
    /// The number of results.
    pub fn len(&self) -> usize {
        if matches!(self, ResultKind::Sized(_)) { 2 } else { 1 }
    }
}

impl Writer {
    /// A kind for which the scope has values.
    pub fn kind(&mut self) -> ResultKind {
        match self.choices.below(4) {
            0 | 1 => ResultKind::Scalar(if self.choices.once_in(3) { PrimType::Bool } else { self.prim() }),
            2 => {
                let array = self.pick_array();
                ResultKind::Array(self.b.vars()[array].ty.clone())
            }
            _ => ResultKind::Sized(self.prim()),
        }
    }

    pub fn kinds(&mut self, most: usize) -> Vec<ResultKind> {
        (0..=self.choices.below(most)).map(|_| self.kind()).collect()
    }

    /// Fresh binders for results of these kinds.
    pub fn binders(&mut self, kinds: &[ResultKind]) -> Vec<Var> {
        let mut binders = Vec::new();
        for kind in kinds {
            match kind {
                ResultKind::Scalar(elem) => binders.push(self.b.fresh(None, Type::scalar(*elem))),
                ResultKind::Array(ty) => binders.push(self.b.fresh(None, ty.clone())),
                ResultKind::Sized(elem) => {
                    let size = self.b.fresh(None, long());
                    let array = Type::scalar(*elem).array_of(Atom::Var(size));
                    binders.extend([size, self.b.fresh(None, array)]);
                }
            }
        }
        binders
    }

    /// Values of these kinds.
    pub fn result_values(&mut self, kinds: &[ResultKind]) -> Vec<Atom> {
        kinds.iter().flat_map(|kind| self.values_of_kind(kind)).collect()
    }

    fn values_of_kind(&mut self, kind: &ResultKind) -> Vec<Atom> {
        match kind {
            ResultKind::Scalar(elem) => vec![self.scalar(*elem)],
            ResultKind::Array(ty) => vec![Atom::Var(self.array_of(ty))],
            ResultKind::Sized(elem) => {
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

    /// Adds the binders of results to the scope. `regions` returns the regions of an array, given its position and binder.
    pub fn add_results(
        &mut self,
        binders: &[Var],
        kinds: &[ResultKind],
        regions: impl Fn(usize, Var) -> Regions,
    ) {
        let mut at = 0;
        for kind in kinds {
            match kind {
                ResultKind::Scalar(_) => self.scope.scalars.push(Atom::Var(binders[at])),
                ResultKind::Array(_) => self.add_array(binders[at], regions(at, binders[at])),
                ResultKind::Sized(_) => {
                    let size = Atom::Var(binders[at]);
                    self.scope.scalars.push(size);
                    self.scope.sizes.push(Size { atom: size, positive: false });
                    self.add_array(binders[at + 1], regions(at + 1, binders[at + 1]));
                }
            }
            at += kind.len();
        }
    }
}
