//! Intrinsics that make, copy and reshape arrays.

use ravel_core::{Atom, DimSlice, Exp};
use ravel_prim::BinOp;

use super::outer_sizes;
use crate::cx::{Lowered, Lowering};
use crate::errors::{bug, shape_parts, text};
use crate::sizes::{Ty, value_of};
use crate::value::Value;

impl<'a> Lowering<'_, 'a> {
    /// `0, 1, …, count - 1`.
    pub fn iota(&mut self, count: &Value<'a>) -> Lowered<Value<'a>> {
        let count = self.leaf(count)?;
        let count = self.natural(count);
        Ok(Value::Leaf(self.builder.iota(count, Atom::i64(0), Atom::i64(1))))
    }

    /// An array of `count` copies of the value.
    pub fn replicate(&mut self, count: &Value<'a>, value: &Value<'a>) -> Lowered<Value<'a>> {
        let count = self.leaf(count)?;
        let count = self.natural(count);
        value.map_leaves(&mut |leaf| Ok(self.builder.replicate(count, leaf)))
    }

    /// A copy of the arrays of the value.
    pub fn copy(&mut self, value: &Value<'a>) -> Lowered<Value<'a>> {
        value.map_leaves(&mut |leaf| match leaf {
            Atom::Var(array) if !self.builder.type_of(leaf).is_scalar() => Ok(self.builder.copy(array)),
            _ => Ok(leaf),
        })
    }

    /// An array of unspecified elements. Its size needs no check: the prelude has counted the elements.
    pub fn scratch(&mut self, ty: &Ty) -> Lowered<Value<'a>> {
        outer_sizes(ty, 1).into_iter().for_each(|size| self.trust(size));
        let types = self.leaf_types(ty)?;
        let leaves: Vec<Atom> = types.into_iter().map(|ty| self.builder.bind(ty, Exp::Scratch)).collect();
        value_of(ty, &mut leaves.into_iter()).ok_or_else(|| self.function_value())
    }

    /// The element or row at an index that is known to be in bounds.
    pub fn unchecked_index(&mut self, array: &Value<'a>, index: &Value<'a>) -> Lowered<Value<'a>> {
        let index = self.leaf(index)?;
        array.map_leaves(&mut |leaf| self.row(leaf, index))
    }

    /// The first `count` elements. The count needs no check: the prelude has counted the elements.
    pub fn prefix(&mut self, count: &Value<'a>, array: &Value<'a>, ty: &Ty) -> Lowered<Value<'a>> {
        let count = self.leaf(count)?;
        self.trust(count);
        let prefix = DimSlice::whole(count);
        let leaves = self.leaves(array)?.into_iter().map(|leaf| self.part(leaf, &[prefix]));
        let leaves = leaves.collect::<Lowered<Vec<_>>>()?;
        value_of(ty, &mut leaves.into_iter()).ok_or_else(|| self.function_value())
    }

    /// The concatenation of two arrays.
    pub fn concat(&mut self, xs: &Value<'a>, ys: &Value<'a>, result: &Ty) -> Lowered<Value<'a>> {
        let [count] = self.sizes_of(result, 1)?[..] else {
            return Err(bug(self.span, "a concatenation of unknown size"));
        };
        let count = self.natural(count);
        let mut seconds = self.leaves(ys)?.into_iter();
        xs.map_leaves(&mut |first| {
            let second = seconds.next().ok_or_else(|| bug(self.span, "arrays of different structure"))?;
            let row = self.builder.type_of(first).row();
            let arrays = vec![self.var(first)?, self.var(second)?];
            Ok(self.builder.concat(arrays, row, count))
        })
    }

    /// The array with its outer two dimensions exchanged.
    pub fn transpose(&mut self, array: &Value<'a>) -> Lowered<Value<'a>> {
        array.map_leaves(&mut |leaf| {
            let mut perm: Vec<usize> = (0..self.builder.type_of(leaf).rank()).collect();
            perm.swap(0, 1);
            let array = self.var(leaf)?;
            Ok(self.builder.rearrange(array, perm))
        })
    }

    /// The array with its outer `from` dimensions replaced by those that the result type states. Each of these sizes is
    /// checked: their product alone could be right although it overflows, or although two sizes are negative.
    pub fn reshape(&mut self, array: &Value<'a>, from: usize, result: &Ty) -> Lowered<Value<'a>> {
        let to = if from == 1 { 2 } else { 1 };
        let outer = self.sizes_of(result, to)?;
        let first = array.first_leaf().ok_or_else(|| self.function_value())?;
        let shape = self.builder.type_of(first).shape;
        let Some(before) = shape.get(..from) else {
            return Err(bug(self.span, "an array with fewer dimensions than its type"));
        };
        let outer = self.naturals(&outer, |outer| {
            let mut parts = vec![text("Cannot unflatten array of shape ")];
            parts.extend(shape_parts(before));
            parts.push(text(" to array of shape "));
            parts.extend(shape_parts(outer));
            parts.push(text("."));
            parts
        });
        let count =
            outer[1..].iter().fold(outer[0], |count, &size| self.size_arithmetic(BinOp::Mul, count, size));
        array.map_leaves(&mut |leaf| {
            let leaf = if from == 1 { self.retype(leaf, &[Some(count)]) } else { leaf };
            let ty = self.builder.type_of(leaf);
            let shape = outer.iter().chain(&ty.shape[from..]).copied().collect();
            let array = self.var(leaf)?;
            Ok(self.builder.reshape(array, shape))
        })
    }

    fn sizes_of(&self, ty: &Ty, count: usize) -> Lowered<Vec<Atom>> {
        let sizes = outer_sizes(ty, count);
        if sizes.len() == count {
            Ok(sizes)
        } else {
            Err(bug(self.span, "the size of the result is not known here"))
        }
    }
}
