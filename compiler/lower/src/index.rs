//! Reads and updates of elements and slices of arrays, with their bounds checks. `positions.rs` computes the
//! positions of a slice.

use ravel_core::{Atom, DimSlice, ErrorPart, Exp as CoreExp, Type, Var, slice_shape};
use ravel_prim::{CmpOp, PrimType};
use ravel_types::tast::{Exp, SliceDim};

use crate::cx::{Lowered, Lowering};
use crate::errors::{bug, shape_parts, text};
use crate::positions::{Positions, SliceBounds};
use crate::value::{Env, Value};

impl<'a> Lowering<'_, 'a> {
    /// An element or a part of an array.
    pub fn index(
        &mut self,
        array: &Value<'a>,
        dims: &'a [SliceDim],
        env: &mut Env<'a>,
    ) -> Lowered<Value<'a>> {
        let Some(first) = array.first_leaf() else { return Ok(array.clone()) };
        let slice = self.slice(first, dims, env)?;
        array.map_leaves(&mut |leaf| {
            let (array, dims) = (self.var(leaf)?, self.whole_slice(leaf, &slice));
            Ok(match fixed_indices(&dims) {
                Some(indices) => self.builder.index(array, indices),
                None => self.builder.slice(array, dims),
            })
        })
    }

    /// An array with a part replaced.
    pub fn update(
        &mut self,
        array: &Value<'a>,
        dims: &'a [SliceDim],
        value: &Value<'a>,
        env: &mut Env<'a>,
    ) -> Lowered<Value<'a>> {
        let Some(first) = array.first_leaf() else { return Ok(array.clone()) };
        let slice = self.slice(first, dims, env)?;
        let mut values = self.leaves(value)?.into_iter();
        array.map_leaves(&mut |leaf| {
            let (array, dims) = (self.var(leaf)?, self.whole_slice(leaf, &slice));
            let value = values.next().ok_or_else(|| bug(self.span, "too few values for an update"))?;
            let sizes: Vec<_> = slice_shape(&dims).into_iter().map(Some).collect();
            let value = self.retype(value, &sizes);
            Ok(self.builder.update(array, dims, value))
        })
    }

    /// The variable of an array.
    pub fn var(&self, atom: Atom) -> Lowered<Var> {
        atom.var().ok_or_else(|| bug(self.span, "a constant where an array should be"))
    }

    /// The element or row of an array at an index that is known to be in bounds.
    pub fn row(&mut self, leaf: Atom, index: Atom) -> Lowered<Atom> {
        self.part(leaf, &[DimSlice::Fix(index)])
    }

    /// The element or slice of an array at positions that are known to be in bounds.
    pub fn part(&mut self, leaf: Atom, slice: &[DimSlice]) -> Lowered<Atom> {
        let (array, dims) = (self.var(leaf)?, self.whole_slice(leaf, slice));
        Ok(match fixed_indices(&dims) {
            Some(indices) => self.builder.index(array, indices),
            None => self.builder.slice(array, dims),
        })
    }

    /// The slice, extended to all dimensions of the array: a dimension that it does not mention is taken whole.
    fn whole_slice(&self, leaf: Atom, slice: &[DimSlice]) -> Vec<DimSlice> {
        let shape = self.builder.type_of(leaf).shape;
        let rest = shape.iter().skip(slice.len()).map(|&count| DimSlice::Range {
            start: Atom::i64(0),
            count,
            stride: Atom::i64(1),
        });
        slice.iter().copied().chain(rest).collect()
    }

    /// Evaluates a slice of the array and checks that it is in bounds.
    fn slice(&mut self, array: Atom, dims: &'a [SliceDim], env: &mut Env<'a>) -> Lowered<Vec<DimSlice>> {
        let shape = self.builder.type_of(array).shape;
        if dims.len() > shape.len() {
            return Err(bug(self.span, "more indices than the array has dimensions"));
        }
        let mut slice = Vec::new();
        let mut conds = Vec::new();
        let mut parts = vec![text("Index [")];
        for (at, (dim, &size)) in dims.iter().zip(&shape).enumerate() {
            if at > 0 {
                parts.push(text(", "));
            }
            match dim {
                SliceDim::Fix(index) => {
                    let index = self.bound(index, env)?;
                    conds.push(self.not_negative(index));
                    conds.push(self.check(CmpOp::Lt, index, size));
                    parts.push(ErrorPart::Value(index));
                    slice.push(DimSlice::Fix(index));
                }
                SliceDim::Range { start, end, stride } => {
                    let mut bound = |bound: &'a Option<Exp>| {
                        bound.as_ref().map(|bound| self.bound(bound, env)).transpose()
                    };
                    let bounds =
                        SliceBounds { start: bound(start)?, end: bound(end)?, stride: bound(stride)? };
                    let positions = self.positions(size, bounds);
                    parts.extend(bounds.parts());
                    conds.push(positions.cond);
                    let Positions { start, count, stride, .. } = positions;
                    slice.push(DimSlice::Range { start, count, stride });
                }
            }
        }
        parts.push(text("] out of bounds for array of shape "));
        parts.extend(shape_parts(&shape[..dims.len()]));
        parts.push(text("."));

        // The starts pass through the check, and so do those counts that are not yet known to be sizes.
        let cond = self.all(conds);
        let cond = self.trusted_if_unsafe(cond);
        let (mut starts, mut counts) = (Vec::new(), Vec::new());
        for dim in &slice {
            match *dim {
                DimSlice::Fix(at) => starts.push(at),
                DimSlice::Range { start, count, .. } => {
                    starts.push(start);
                    counts.push(count);
                }
            }
        }
        let starts = self.guard_extents(cond, starts, &counts, parts);
        for (dim, checked) in slice.iter_mut().zip(starts) {
            match dim {
                DimSlice::Fix(at) => *at = checked,
                DimSlice::Range { start, count, .. } => {
                    (*start, *count) = (checked, self.checked(*count));
                }
            }
        }
        Ok(slice)
    }

    /// An index, or a bound of a slice, as an i64. If a check made it a size, this is the result of the check, so
    /// that its uses depend on the check.
    fn bound(&mut self, exp: &'a Exp, env: &mut Env<'a>) -> Lowered<Atom> {
        let bound = self.atom(exp, env)?;
        let bound = self.i64_of(bound);
        Ok(self.checked(bound))
    }

    /// `then` if the condition holds, otherwise `otherwise`: a branch on two scalars of one type.
    pub fn choose(&mut self, cond: Atom, then: Atom, otherwise: Atom) -> Atom {
        let elem: PrimType = self.builder.type_of(then).elem;
        let [then, otherwise] =
            [then, otherwise].map(|atom| ravel_core::Body { stms: Vec::new(), result: vec![atom] });
        self.builder.bind(Type::scalar(elem), CoreExp::If { cond, then, otherwise })
    }
}

/// The indices, if all dimensions are fixed.
fn fixed_indices(dims: &[DimSlice]) -> Option<Vec<Atom>> {
    dims.iter()
        .map(|dim| match dim {
            DimSlice::Fix(at) => Some(*at),
            DimSlice::Range { .. } => None,
        })
        .collect()
}
