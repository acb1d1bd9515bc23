//! Branches with inner parallelism: both sides run one after the other, each for the points that take it.
//!
//! If a side updates an array, the other side finds the elements of its own points as they were, in the updated array.

use ravel_core::{Atom, Body, Exp, Stm, Type, Var};
use ravel_prim::PrimType;

use super::code::{Code, Lift, Over, Place};
use super::context::{Lifted, Mask};
use super::premises::FLAT_ARRAYS;

impl Code<'_> {
    /// The code of the bin for a branch: both sides one after the other, each for the points that take it.
    pub(super) fn branch(&mut self, stm: &Stm, cond: Atom, then: &Body, otherwise: &Body) -> Lift<()> {
        let array = self.points_of(cond)?;
        let cond = self.builder.fresh(None, Type::scalar(PrimType::Bool));
        self.lifted.insert(cond, Lifted::Points(array));
        let kept = std::mem::take(&mut self.kept);
        for (side, value) in [(then, true), (otherwise, false)] {
            self.masks.push(Mask::Is(cond, value));
            self.body(side)?;
            self.masks.pop();
        }
        self.kept = kept;
        for (at, &binder) in stm.binders.iter().enumerate() {
            let [yes, no] = [then.result[at], otherwise.result[at]].map(|side| {
                let lifted = self.lifted_of(side.var()?)?;
                Some((lifted.elements()?, lifted))
            });
            // A side that updates an array leaves the elements of the points that take the other side.
            if let (Some((data, lifted)), Some((other, _))) = (yes, no)
                && data == other
            {
                self.lifted.insert(binder, lifted);
                continue;
            }
            let ty = self.builder.vars()[binder].ty.clone();
            let over = match self.context_of(&ty.shape) {
                Some(context) => Over::Lanes(context),
                None if ty.is_scalar() => Over::Points,
                None => return Err(self.obstacle(FLAT_ARRAYS, binder)),
            };
            let sides = [then.result[at], otherwise.result[at]];
            let arrays = self.map(
                over,
                |code, place| {
                    let taken = code.read(place, cond)?;
                    let mut values = Vec::new();
                    for side in sides {
                        code.builder.begin();
                        let value = match (over, side) {
                            (Over::Lanes(_), Atom::Var(array)) => code.own_element(place, array)?,
                            _ => code.fresh_read(place, side)?,
                        };
                        values.push(code.builder.end(vec![value]));
                    }
                    let [then, otherwise] = <[Body; 2]>::try_from(values).unwrap_or_default();
                    let exp = Exp::If { cond: taken, then, otherwise };
                    let elem = Type::scalar(ty.elem);
                    Ok(vec![code.builder.bind(elem, exp)])
                },
                |code, place, types| code.idle(place, &[Some(binder)], types),
            )?;
            let lifted = match over {
                Over::Points => Lifted::Points(arrays[0]),
                Over::Lanes(context) => Lifted::Lanes { data: arrays[0], context },
            };
            self.lifted.insert(binder, lifted);
        }
        Ok(())
    }

    /// The value of an atom of the source, read in a body of its own.
    fn fresh_read(&mut self, place: &Place, atom: Atom) -> Lift<Atom> {
        self.read_atom(&mut place.clone(), atom)
    }

    /// The element of an array of the source at the lane.
    pub(super) fn own_element(&mut self, place: &Place, array: Var) -> Lift<Atom> {
        let mut inner = place.clone();
        if let Some(Lifted::Lanes { data, context }) = self.lifted_of(array)
            && inner.inner.is_some_and(|(own, _)| own == context)
        {
            return Ok(self.builder.index(data, vec![place.index]));
        }
        let indices = self.indices(&mut inner)?;
        self.read_at(&mut inner, array, &indices)
    }
}
