//! Elements and parts of arrays, read and replaced, with their bounds checks.
//!
//! A slice `start:end:stride` has the positions `start`, `start + stride`, … before `end` (behind
//! it, if the stride is negative); what is left out means all there is in that direction. An
//! empty slice is in bounds wherever it lies.

use ravel_core::{Atom, DimSlice, ErrorPart, Exp as CoreExp, Type, Var, slice_shape};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};
use ravel_types::tast::SliceDim;

use crate::cx::{Lowered, Lowering};
use crate::errors::{bug, shape_parts, text};
use crate::value::{Env, Value};

/// The positions of a slice in one dimension, before they are checked.
struct Positions {
    start: Atom,
    count: Atom,
    stride: Atom,
    /// Are they in bounds?
    cond: Atom,
}

/// What was written between the brackets for one dimension of a slice.
#[derive(Clone, Copy)]
struct Written {
    start: Option<Atom>,
    end: Option<Atom>,
    stride: Option<Atom>,
}

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
            Ok(match fixed(&dims) {
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

    /// The variable that is an array.
    pub fn var(&self, atom: Atom) -> Lowered<Var> {
        atom.var().ok_or_else(|| bug(self.span, "a constant where an array should be"))
    }

    /// The element or row of an array at an index that is known to be in bounds.
    pub fn row(&mut self, leaf: Atom, index: Atom) -> Lowered<Atom> {
        self.part(leaf, &[DimSlice::Fix(index)])
    }

    /// The part of an array at a slice that is in bounds.
    pub fn part(&mut self, leaf: Atom, slice: &[DimSlice]) -> Lowered<Atom> {
        let (array, dims) = (self.var(leaf)?, self.whole_slice(leaf, slice));
        Ok(match fixed(&dims) {
            Some(indices) => self.builder.index(array, indices),
            None => self.builder.slice(array, dims),
        })
    }

    /// The slice, with the dimensions that it does not speak of taken whole.
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
                    let index = self.atom(index, env)?;
                    let index = self.i64_of(index);
                    conds.push(self.not_negative(index));
                    conds.push(self.check(CmpOp::Lt, index, size));
                    parts.push(ErrorPart::Value(index));
                    slice.push(DimSlice::Fix(index));
                }
                SliceDim::Range { start, end, stride } => {
                    let mut bound = |bound: &'a Option<_>| -> Lowered<Option<Atom>> {
                        let Some(bound) = bound else { return Ok(None) };
                        let bound = self.atom(bound, env)?;
                        Ok(Some(self.i64_of(bound)))
                    };
                    let written = Written { start: bound(start)?, end: bound(end)?, stride: bound(stride)? };
                    let positions = self.positions(size, written);
                    parts.extend(written.parts());
                    conds.push(positions.cond);
                    let Positions { start, count, stride, .. } = positions;
                    slice.push(DimSlice::Range { start, count, stride });
                }
            }
        }
        parts.push(text("] out of bounds for array of shape "));
        parts.extend(shape_parts(&shape[..dims.len()]));
        parts.push(text("."));

        // The check hands on the starts, and the counts that were not known to be sizes.
        let cond = self.all(conds);
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
        let starts = if self.unsafely { starts } else { self.guard_extents(cond, starts, &counts, parts) };
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

    fn positions(&mut self, size: Atom, written: Written) -> Positions {
        match written.stride.unwrap_or(Atom::i64(1)) {
            Atom::Const(PrimValue::I64(stride)) => self.constant_stride(size, written, stride),
            stride => self.computed_stride(size, written, stride),
        }
    }

    fn constant_stride(&mut self, size: Atom, written: Written, stride: i64) -> Positions {
        let (whole, one) = (written.start.is_none() && written.end.is_none(), Atom::i64(1));
        let (start, end) = if stride < 0 {
            let last = written.start.unwrap_or_else(|| self.arithmetic(BinOp::Sub, size, one));
            (last, written.end.unwrap_or(Atom::i64(-1)))
        } else {
            (written.start.unwrap_or(Atom::i64(0)), written.end.unwrap_or(size))
        };
        let count = match stride {
            0 => Atom::i64(0),
            1 | -1 if whole => size,
            1 => self.arithmetic(BinOp::Sub, end, start),
            -1 => self.arithmetic(BinOp::Sub, start, end),
            _ => {
                let distance = self.arithmetic(BinOp::Sub, end, start);
                let rounding = Atom::i64(stride.wrapping_sub(stride.signum()));
                let distance = self.arithmetic(BinOp::Add, distance, rounding);
                self.arithmetic(BinOp::Quot, distance, Atom::i64(stride))
            }
        };
        let cond = match stride {
            0 => Atom::bool(false),
            _ if whole => Atom::bool(true),
            _ => {
                let inside = if stride < 0 {
                    self.inside_backwards(size, start, end)
                } else if stride == 1 {
                    let ends_inside = self.check(CmpOp::Le, end, size);
                    let forwards = [self.not_negative(start), self.check(CmpOp::Le, start, end)];
                    self.all(forwards.into_iter().chain([ends_inside]))
                } else {
                    self.inside_forwards(size, start, end, count, Atom::i64(stride))
                };
                let empty = self.check(CmpOp::Eq, count, Atom::i64(0));
                self.connect(BinOp::Or, empty, inside)
            }
        };
        Positions { start, count, stride: Atom::i64(stride), cond }
    }

    fn computed_stride(&mut self, size: Atom, written: Written, stride: Atom) -> Positions {
        let zero = Atom::i64(0);
        let nonzero = self.check(CmpOp::Ne, stride, zero);
        let mut parts = vec![text("Index [")];
        parts.extend(written.parts());
        parts.push(text("] out of bounds for array of shape "));
        parts.extend(shape_parts(&[size]));
        parts.push(text("."));
        let stride = self.guard(nonzero, vec![stride], parts)[0];

        let backwards = self.builder.compare(CmpOp::Lt, stride, zero);
        let last = self.arithmetic(BinOp::Sub, size, Atom::i64(1));
        let start = written.start.unwrap_or_else(|| self.choose(backwards, last, zero));
        let end = written.end.unwrap_or_else(|| self.choose(backwards, Atom::i64(-1), size));
        let sign = self.builder.unary(UnOp::Sgn, stride);
        let distance = self.arithmetic(BinOp::Sub, end, start);
        let rounding = self.arithmetic(BinOp::Sub, stride, sign);
        let distance = self.arithmetic(BinOp::Add, distance, rounding);
        let count = self.builder.binary(BinOp::Quot, distance, stride);
        let ahead = self.inside_forwards(size, start, end, count, stride);
        let behind = self.inside_backwards(size, start, end);
        let inside = self.choose(backwards, behind, ahead);
        let empty = self.check(CmpOp::Eq, count, zero);
        let cond = self.connect(BinOp::Or, empty, inside);
        Positions { start, count, stride, cond }
    }

    /// `0 <= start <= end`, and the last position is below `size`.
    fn inside_forwards(&mut self, size: Atom, start: Atom, end: Atom, count: Atom, stride: Atom) -> Atom {
        let rounds = self.arithmetic(BinOp::Sub, count, Atom::i64(1));
        let way = self.arithmetic(BinOp::Mul, rounds, stride);
        let last = self.arithmetic(BinOp::Add, start, way);
        let conds =
            [self.not_negative(start), self.check(CmpOp::Le, start, end), self.check(CmpOp::Lt, last, size)];
        self.all(conds)
    }

    /// `-1 <= end <= start < size`.
    fn inside_backwards(&mut self, size: Atom, start: Atom, end: Atom) -> Atom {
        let conds = [
            self.check(CmpOp::Le, Atom::i64(-1), end),
            self.check(CmpOp::Le, end, start),
            self.check(CmpOp::Lt, start, size),
        ];
        self.all(conds)
    }

    /// One of two scalars of one type.
    pub fn choose(&mut self, cond: Atom, then: Atom, otherwise: Atom) -> Atom {
        let elem: PrimType = self.builder.type_of(then).elem;
        let [then, otherwise] =
            [then, otherwise].map(|atom| ravel_core::Body { stms: Vec::new(), result: vec![atom] });
        self.builder.bind(Type::scalar(elem), CoreExp::If { cond, then, otherwise })
    }
}

impl Written {
    /// The slice as it was written, for a message.
    fn parts(&self) -> Vec<ErrorPart> {
        let mut parts = Vec::new();
        parts.extend(self.start.map(ErrorPart::Value));
        parts.push(text(":"));
        parts.extend(self.end.map(ErrorPart::Value));
        if let Some(stride) = self.stride {
            parts.extend([text(":"), ErrorPart::Value(stride)]);
        }
        parts
    }
}

/// The indices, if all dimensions are fixed.
fn fixed(dims: &[DimSlice]) -> Option<Vec<Atom>> {
    dims.iter()
        .map(|dim| match dim {
            DimSlice::Fix(at) => Some(*at),
            DimSlice::Range { .. } => None,
        })
        .collect()
}
