//! G3 and G4: new arrays.
//!
//! | | paper | here |
//! | --- | --- | --- |
//! | G3 | `replicate w v`: a map over the lanes that reads `vs[o]` | the same |
//! | G4 | `replicate m v`: for each point a row as long as the longest one, one row after the other | the rows are interleaved, so that neighbouring points access neighbouring elements |

use ravel_core::{Atom, Exp, Sink, Source, Type, Var};
use ravel_prim::{BinOp, PrimType};

use super::code::{Code, Lift, Over};
use super::context::Lifted;
use super::premises::KNOWN_ROWS;

pub(super) const G3: &str = "G3";
pub(super) const G4: &str = "G4";

impl Code<'_> {
    /// The code of the bin for `let binder = replicate count value`.
    pub(super) fn replicate(&mut self, binder: Var, value: Atom) -> Lift<()> {
        let shape = self.shape_of(binder);
        if let Some(context) = self.context_of(&shape) {
            self.fire(G3)?;
            let arrays = self.map(
                Over::Lanes(context),
                |code, place| match value {
                    Atom::Var(row) if shape.len() > 1 => {
                        let indices = code.indices(place)?;
                        Ok(vec![code.read_at(place, row, &indices[1..])?])
                    }
                    value => Ok(vec![code.read_atom(place, value)?]),
                },
                |code, place, types| code.idle(place, &[Some(binder)], types),
            )?;
            self.lifted.insert(binder, Lifted::Lanes { data: arrays[0], context });
            return Ok(());
        }
        let count = self.vector(binder)?;
        let rows = self.row_count(binder, count)?;
        self.fire(G4)?;
        let data = match self.shared(value) {
            Some(value) => self.builder.replicate(rows, value),
            None => self.rows_of(rows, value)?,
        };
        self.lifted.extend(data.var().map(|data| (binder, Lifted::Rows { data, size: count })));
        Ok(())
    }

    /// The code of the bin for `let binder: [count]elem = scratch`.
    pub(super) fn scratch(&mut self, binder: Var) -> Lift<()> {
        let elem = self.builder.vars()[binder].ty.elem;
        let context = self.context_of(&self.shape_of(binder));
        let (size, rule) = match context {
            Some(context) => (Atom::i64(self.contexts[context].room), G3),
            None => (self.row_count(binder, self.vector(binder)?)?, G4),
        };
        self.fire(rule)?;
        let Atom::Var(data) = self.builder.bind(Type::array(elem, vec![size]), Exp::Scratch) else {
            return Ok(());
        };
        let lifted = match context {
            Some(context) => Lifted::Lanes { data, context },
            None => Lifted::Rows { data, size: self.vector(binder)? },
        };
        self.lifted.insert(binder, lifted);
        Ok(())
    }

    /// The size of an array that is not computed in a construct.
    fn vector(&self, binder: Var) -> Lift<Atom> {
        match self.builder.vars()[binder].ty.shape[..] {
            [size] => Ok(size),
            _ => Err(self.obstacle(KNOWN_ROWS, binder)),
        }
    }

    /// The number of elements of the rows of a bin.
    pub(super) fn row_count(&self, binder: Var, size: Atom) -> Lift<Atom> {
        let rows = size.var().and_then(|size| self.rows.get(&size)).copied();
        rows.ok_or_else(|| self.obstacle(KNOWN_ROWS, binder))
    }

    /// Rows whose elements have the value of their point.
    fn rows_of(&mut self, rows: Atom, value: Atom) -> Lift<Atom> {
        let values = self.points_of(value)?;
        let index = self.builder.fresh(None, Type::scalar(PrimType::I64));
        let points = self.members.points;
        let body = self.builder.body(|builder| {
            let point = builder.binary(BinOp::Rem, Atom::Var(index), points);
            vec![builder.index(values, vec![point])]
        });
        let map = ravel_core::Lambda { params: vec![index], body };
        let source = Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) };
        Ok(self.builder.screma(rows, vec![source], map, vec![Sink::Map])[0])
    }
}
