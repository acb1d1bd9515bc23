//! G11, G12 and G13: what the code at a point or a lane reads.
//!
//! | | paper | here |
//! | --- | --- | --- |
//! | G11 | a scalar: `vs[o]`, or the scalar itself if it does not vary | the same |
//! | G12 | `q[i]`: `qs[B_shp[o] + i]` | a view of the lanes of the point, which the code reads at `i` |
//! | G13 | `x[i]`: `xs[h_max * o + i]` | a view of the row of the point, which the code reads at `i` |
//!
//! The code at a point reads in the same way, by G0 and G1.

use ravel_core::{Atom, Body, DimSlice, Exp, Source, Type, Var};
use ravel_prim::{BinOp, CmpOp};

use super::code::{Code, Lift, Place};
use super::context::{ContextId, Lifted};
use crate::flatten::progression;

pub(super) const G11: &str = "G11";
pub(super) const G12: &str = "G12";
pub(super) const G13: &str = "G13";

impl Code<'_> {
    /// The value of an atom of the source at a place.
    pub(super) fn read_atom(&mut self, place: &mut Place, atom: Atom) -> Lift<Atom> {
        match atom {
            Atom::Const(_) => Ok(atom),
            Atom::Var(var) => self.read(place, var),
        }
    }

    /// The value of a variable of the source at a place.
    pub(super) fn read(&mut self, place: &mut Place, var: Var) -> Lift<Atom> {
        if let Some(&value) = place.read.get(&var) {
            return Ok(value);
        }
        let Some(lifted) = self.lifted_of(var) else {
            return Ok(Atom::Var(var));
        };
        let is_inner = place.inner.is_some();
        let value = match lifted {
            Lifted::Shared(atom) => atom,
            Lifted::Input(source) => self.read_input(place, &source, var)?,
            Lifted::Points(array) => {
                if is_inner {
                    self.fire(G11)?;
                }
                self.read_point(place, array)
            }
            Lifted::Again(stm) => {
                let result = stm.binders.iter().map(|&binder| Atom::Var(binder)).collect();
                self.copy(place, &Body { stms: vec![stm], result })?[0]
            }
            Lifted::Last { scanned, neutral, context } => {
                if is_inner {
                    self.fire(G11)?;
                }
                self.read_last(place, scanned, neutral, context)?
            }
            Lifted::Lanes { data, context } => {
                if is_inner {
                    self.fire(G12)?;
                }
                self.read_lanes(place, data, context)?
            }
            Lifted::Rows { data, size } => {
                if is_inner {
                    self.fire(G13)?;
                }
                let count = self.read_atom(place, size)?;
                let row = DimSlice::Range { start: place.point, count, stride: self.members.points };
                self.builder.slice(data, vec![row])
            }
        };
        place.read.insert(var, value);
        Ok(value)
    }

    /// The element of an array with a value for each point.
    fn read_point(&mut self, place: &Place, array: Var) -> Atom {
        let ty = self.builder.vars()[array].ty.clone();
        match ty.rank() {
            1 => self.builder.index(array, vec![place.point]),
            _ => {
                let whole = ty.shape[1..].iter().map(|&size| DimSlice::whole(size));
                let row = std::iter::once(DimSlice::Fix(place.point)).chain(whole).collect();
                self.builder.slice(array, row)
            }
        }
    }

    /// The element of a source of the outer construct.
    fn read_input(&mut self, place: &mut Place, source: &Source, var: Var) -> Lift<Atom> {
        let at = match self.members.indices {
            Some(indices) => self.builder.index(indices, vec![place.point]),
            None => self.builder.binary(BinOp::Add, self.members.first, place.point),
        };
        match *source {
            Source::Array(array) => {
                let shape = self.builder.vars()[var].ty.shape.clone();
                if shape.is_empty() {
                    return Ok(self.builder.index(array, vec![at]));
                }
                let mut row = vec![DimSlice::Fix(at)];
                for size in shape {
                    row.push(DimSlice::whole(self.read_atom(place, size)?));
                }
                Ok(self.builder.slice(array, row))
            }
            Source::Iota { start, stride } => Ok(self.progression(start, stride, at)),
        }
    }

    /// `start + index * stride`, in the type of `start`.
    pub(super) fn progression(&mut self, start: Atom, stride: Atom, index: Atom) -> Atom {
        let ty = self.type_of(start);
        let element = self.builder.fresh(None, ty);
        let counter = index.var().unwrap_or_else(|| unreachable!("the index of a place is a variable"));
        let origin = self.builder.origin().clone();
        let stms = self.edit(|vars| progression(vars, element, (start, stride), counter, &origin));
        stms.into_iter().for_each(|stm| self.builder.push(stm));
        Atom::Var(element)
    }

    /// The elements of the point in an array of lanes.
    fn read_lanes(&mut self, place: &mut Place, data: Var, context: ContextId) -> Lift<Atom> {
        let sizes = self.contexts[context].sizes.clone();
        let start = self.offset(place, context);
        let mut shape = Vec::new();
        for size in sizes {
            shape.push(self.read_atom(place, size)?);
        }
        let count = match shape[..] {
            [count] => count,
            _ => self.builder.index(self.contexts[context].shape, vec![place.point]),
        };
        let own = self.builder.slice(data, vec![DimSlice::Range { start, count, stride: Atom::i64(1) }]);
        match own {
            Atom::Var(own) if shape.len() > 1 => Ok(self.builder.reshape(own, shape)),
            own => Ok(own),
        }
    }

    /// The element at these indices of an array of the source, or its part if there are more dimensions.
    pub(super) fn read_at(&mut self, place: &mut Place, array: Var, indices: &[Atom]) -> Lift<Atom> {
        let lanes = self.lifted_of(array);
        if let (Some(Lifted::Lanes { data, context }), Some((own, inner))) = (lanes, place.inner)
            && context == own
            && indices == [inner]
        {
            return Ok(self.builder.index(data, vec![place.index]));
        }
        let view = self.read(place, array)?;
        let view = view.var().unwrap_or(array);
        let rest = self.shape_of(view).split_off(indices.len());
        if rest.is_empty() {
            return Ok(self.builder.index(view, indices.to_vec()));
        }
        let part =
            indices.iter().map(|&index| DimSlice::Fix(index)).chain(rest.into_iter().map(DimSlice::whole));
        Ok(self.builder.slice(view, part.collect()))
    }

    /// The first lane of the point in a context.
    pub(super) fn offset(&mut self, place: &mut Place, context: ContextId) -> Atom {
        let known = place.offsets.get(&context).copied();
        let offset = known.unwrap_or_else(|| match place.inner {
            Some((own, inner)) if own == context => self.builder.binary(BinOp::Sub, place.index, inner),
            _ => self.builder.index(self.contexts[context].offsets, vec![place.point]),
        });
        place.offsets.insert(context, offset);
        offset
    }

    /// The last value in the lanes of the point.
    fn read_last(
        &mut self,
        place: &mut Place,
        scanned: Var,
        neutral: Atom,
        context: ContextId,
    ) -> Lift<Atom> {
        let width = self.read_atom(place, self.contexts[context].sizes[0])?;
        let neutral = self.read_atom(place, neutral)?;
        let first = self.offset(place, context);
        let cond = self.builder.compare(CmpOp::Lt, Atom::i64(0), width);
        self.builder.begin();
        let end = self.builder.binary(BinOp::Add, first, width);
        let last = self.builder.binary(BinOp::Sub, end, Atom::i64(1));
        let value = self.builder.index(scanned, vec![last]);
        let then = self.builder.end(vec![value]);
        let otherwise = Body { stms: Vec::new(), result: vec![neutral] };
        let ty = Type::scalar(self.type_of(neutral).elem);
        Ok(self.builder.bind(ty, Exp::If { cond, then, otherwise }))
    }
}
