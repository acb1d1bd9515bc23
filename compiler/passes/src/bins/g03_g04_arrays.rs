//! G3 and G4: new arrays.
//!
//! | | paper | here |
//! | --- | --- | --- |
//! | G3 | `replicate w v`: a map over the lanes that reads `vs[o]` | the same |
//! | G4 | `replicate m v`: for each point a row as long as the longest one, one row after the other | the rows are interleaved, so that neighbouring points access neighbouring elements |

use ravel_core::{Atom, Exp, Sink, Source, Type, Var};
use ravel_prim::{BinOp, PrimType};

use super::code::{Code, Lift, Over};
use super::context::{LANES, Lifted};
use super::premises::KNOWN_ROWS;

pub(super) const G3: &str = "G3";
pub(super) const G4: &str = "G4";

impl Code<'_> {
    /// The code of the bin for `let binder = replicate count value`.
    pub(super) fn replicate(&mut self, binder: Var, count: Atom, value: Atom) -> Lift<()> {
        if self.is_width(count) {
            self.fire(G3)?;
            let arrays = self.map(
                Over::Lanes,
                |code, place| Ok(vec![code.read_atom(place, value)?]),
                |code, place, types| code.idle(place, &[Some(binder)], types),
            )?;
            self.lifted.insert(binder, Lifted::Lanes(arrays[0]));
            return Ok(());
        }
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
    pub(super) fn scratch(&mut self, binder: Var, count: Atom) -> Lift<()> {
        let elem = self.builder.vars()[binder].ty.elem;
        let is_width = self.is_width(count);
        let size = match is_width {
            true => Atom::i64(LANES),
            false => self.row_count(binder, count)?,
        };
        self.fire(if is_width { G3 } else { G4 })?;
        let data = self.builder.bind(Type::array(elem, vec![size]), Exp::Scratch);
        let lifted = |data| if is_width { Lifted::Lanes(data) } else { Lifted::Rows { data, size: count } };
        self.lifted.extend(data.var().map(|data| (binder, lifted(data))));
        Ok(())
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
        let points = self.context.points;
        let body = self.builder.body(|builder| {
            let point = builder.binary(BinOp::Rem, Atom::Var(index), points);
            vec![builder.index(values, vec![point])]
        });
        let map = ravel_core::Lambda { params: vec![index], body };
        let source = Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) };
        Ok(self.builder.screma(rows, vec![source], map, vec![Sink::Map])[0])
    }
}
