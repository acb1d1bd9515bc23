//! Branches with inner parallelism: both sides run one after the other, each for the points that take it.

use ravel_core::visit::Visit;
use ravel_core::{Atom, Body, Exp, Lambda, Stm, Type, Var};
use ravel_prim::PrimType;

use super::code::{Code, Lift, Over, Place};
use super::context::{Lifted, Mask};
use super::premises::{FLAT_ARRAYS, NO_BRANCH_UPDATES};

impl Code<'_> {
    /// The code of the bin for a branch: both sides one after the other, each for the points that take it.
    pub(super) fn branch(&mut self, stm: &Stm, cond: Atom, then: &Body, otherwise: &Body) -> Lift<()> {
        if let Some(&binder) = stm.binders.first().filter(|_| updates(then) || updates(otherwise)) {
            return Err(self.obstacle(NO_BRANCH_UPDATES, binder));
        }
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
            let ty = self.builder.vars()[binder].ty.clone();
            let over = match &ty.shape[..] {
                [] => Over::Points,
                [size] if self.is_width(*size) => Over::Lanes,
                _ => return Err(self.obstacle(FLAT_ARRAYS, binder)),
            };
            let sides = [then.result[at], otherwise.result[at]];
            let arrays = self.map(
                over,
                |code, place| {
                    let taken = code.read(place, cond)?;
                    let mut values = Vec::new();
                    for side in sides {
                        code.builder.begin();
                        let lanes = side.var().and_then(|var| code.lifted.get(&var)).cloned();
                        let value = match (over, lanes) {
                            (Over::Lanes, Some(Lifted::Lanes(data))) => {
                                code.builder.index(data, vec![place.index])
                            }
                            (Over::Lanes, _) => return Err(code.obstacle(FLAT_ARRAYS, binder)),
                            (Over::Points, _) => code.fresh_read(place, side)?,
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
            let lifted =
                if over == Over::Lanes { Lifted::Lanes(arrays[0]) } else { Lifted::Points(arrays[0]) };
            self.lifted.insert(binder, lifted);
        }
        Ok(())
    }

    /// The value of an atom of the source, read in a body of its own.
    fn fresh_read(&mut self, place: &Place, atom: Atom) -> Lift<Atom> {
        let mut inner = Place { read: place.read.clone(), ..*place };
        self.read_atom(&mut inner, atom)
    }
}

/// Whether the code updates an array outside of constructs.
fn updates(body: &Body) -> bool {
    struct Updates(bool);
    impl Visit for Updates {
        fn var(&mut self, _: &Var) {}
        fn binder(&mut self, _: &Var) {}
        fn lambda(&mut self, _: &Lambda) {}
        fn stm(&mut self, stm: &Stm) {
            self.0 |= matches!(stm.exp, Exp::Update { .. });
            self.exp(&stm.exp);
        }
    }
    let mut updates = Updates(false);
    updates.body(body);
    updates.0
}
