//! Views: parts, permutations and other shapes of an array, by index arithmetic alone.

use ravel_base::Symbol;
use ravel_core as core;
use ravel_kernel::*;
use ravel_prim::PrimType;

use super::level::CodeLevel;
use super::scope::{Array, Order, Result, Scope};
use crate::arithmetic::{Arithmetic, ONE, ZERO};

/// One dimension of a slice, of kernel atoms.
#[derive(Clone, Copy, Debug)]
pub(super) enum Dim {
    Fix(Atom),
    Range { start: Atom, count: Atom, stride: Atom },
}

impl<L: CodeLevel> Scope<'_, '_, L> {
    /// Names the array that is row-major from position `offset`, without gaps.
    pub fn contiguous(
        &mut self,
        hint: Option<Symbol>,
        elem: PrimType,
        shape: &[Atom],
        block: Var,
        offset: Atom,
    ) -> Array {
        let strides = self.row_major(shape);
        self.name(
            hint,
            View { elem, shape: shape.to_vec(), block, offset, strides },
            Order::row_major(shape.len()),
        )
    }

    /// The same elements with these sizes, which are equal to the old ones at run time.
    pub fn with_shape(&mut self, hint: Option<Symbol>, array: Array, shape: Vec<Atom>) -> Array {
        if array.view.shape == shape || array.view.shape.len() != shape.len() {
            return array;
        }
        let strides = if array.order.is_contiguous { self.row_major(&shape) } else { array.view.strides };
        let view = View { shape, strides, ..array.view };
        let Array { owner, laid_out_if, order, .. } = array;
        Array { owner, laid_out_if, ..self.name(hint, view, order) }
    }

    /// The dimensions of a slice.
    pub fn dims(&self, dims: &[core::DimSlice]) -> Result<Vec<Dim>> {
        dims.iter()
            .map(|dim| {
                Ok(match *dim {
                    core::DimSlice::Fix(index) => Dim::Fix(self.cx.atom(index)?),
                    core::DimSlice::Range { start, count, stride } => Dim::Range {
                        start: self.cx.atom(start)?,
                        count: self.cx.atom(count)?,
                        stride: self.cx.atom(stride)?,
                    },
                })
            })
            .collect()
    }

    /// A part of an array. Dimensions not mentioned are kept.
    pub fn slice(&mut self, hint: Option<Symbol>, array: &Array, dims: &[Dim]) -> Array {
        let view = &array.view;
        let mut offset = view.offset;
        let (mut shape, mut strides, mut joins) = (Vec::new(), Vec::new(), Vec::new());
        // It stays contiguous if fixed positions come first, then one range, then whole dimensions.
        let mut is_contiguous = array.order.is_contiguous;
        // Whether the dimension before is a range of neighbouring rows.
        let mut before = false;
        for (dimension, (&size, &distance)) in view.shape.iter().zip(&view.strides).enumerate() {
            let whole = Dim::Range { start: ZERO, count: size, stride: ONE };
            match *dims.get(dimension).unwrap_or(&whole) {
                Dim::Fix(index) => {
                    let step = self.mul(index, distance);
                    offset = self.add(offset, step);
                    is_contiguous &= shape.is_empty();
                    before = false;
                }
                Dim::Range { start, count, stride } => {
                    let step = self.mul(start, distance);
                    offset = self.add(offset, step);
                    let is_whole = start == ZERO && count == size;
                    is_contiguous &= stride == ONE && (shape.is_empty() || is_whole);
                    if !shape.is_empty() {
                        let joined = before && is_whole && stride == ONE;
                        joins.push(joined && array.order.joins[dimension - 1]);
                    }
                    before = stride == ONE;
                    shape.push(count);
                    strides.push(self.mul(stride, distance));
                }
            }
        }
        let order = Order { is_contiguous, joins };
        self.name(hint, View { elem: view.elem, shape, block: view.block, offset, strides }, order)
    }

    /// Row `index` of an array.
    pub fn row(&mut self, array: &Array, index: Atom) -> Array {
        self.slice(None, array, &[Dim::Fix(index)])
    }

    /// The array as the only row of another one.
    pub fn single_row(&mut self, array: &Array) -> Array {
        let View { elem, block, offset, .. } = array.view;
        let shape = [&[ONE], &array.view.shape[..]].concat();
        let strides = [&[ZERO], &array.view.strides[..]].concat();
        let mut order = array.order.clone();
        if !array.view.shape.is_empty() {
            order.joins.insert(0, true);
        }
        self.name(None, View { elem, shape, block, offset, strides }, order)
    }

    /// The array with permuted dimensions.
    pub fn rearrange(&mut self, hint: Option<Symbol>, array: &Array, perm: &[usize]) -> Array {
        let permuted = |atoms: &[Atom]| perm.iter().filter_map(|&from| atoms.get(from).copied()).collect();
        let (shape, strides) = (permuted(&array.view.shape), permuted(&array.view.strides));
        let same = perm.iter().enumerate().all(|(to, &from)| to == from);
        let View { elem, block, offset, .. } = array.view;
        let is_joined = |pair: &[usize]| pair[1] == pair[0] + 1 && array.order.joins[pair[0]];
        let joins = perm.windows(2).map(is_joined).collect();
        let order = Order { is_contiguous: array.order.is_contiguous && same, joins };
        self.name(hint, View { elem, shape, block, offset, strides }, order)
    }

    /// A copy of the array whose dimensions lie in memory in the order that `perm` lists, outermost first. It never lies
    /// in the memory for which it is destined, since its own layout is what its readers want. If the condition is false, it is
    /// the array itself.
    pub fn manifest(
        &mut self,
        hint: Option<Symbol>,
        array: &Array,
        perm: &[usize],
        cond: Atom,
    ) -> Result<Array> {
        let permuted = self.rearrange(None, array, perm);
        // The host alone branches between memory blocks without an allocation for each point.
        if cond == Atom::bool(true) || L::NAME != LevelName::Host {
            let memory = self.copied(&permuted)?;
            return Ok(self.in_order(hint, &memory, perm));
        }
        let block = self.copied_if(cond, &permuted)?;
        let View { elem, shape, offset, strides, .. } = permuted.view;
        let offset = self.select(cond, ZERO, offset);
        let in_copy = self.row_major(&shape);
        let strides = in_copy.into_iter().zip(strides).map(|(yes, no)| self.select(cond, yes, no)).collect();
        let order = Order { is_contiguous: false, ..permuted.order };
        let memory = self.name(None, View { elem, shape, block, offset, strides }, order);
        Ok(self.in_order(hint, &memory, perm))
    }

    /// If the condition holds, a block that contains the array in row-major order from position 0. Otherwise the array's own
    /// block.
    fn copied_if(&mut self, cond: Atom, array: &Array) -> Result<Var> {
        let View { elem, shape, block, .. } = &array.view;
        let (elem, block) = (*elem, *block);
        // The memory is allocated before the branch, so that it can leave a loop.
        let mut allocated = shape.clone();
        if let Some(first) = allocated.first_mut() {
            *first = self.select(cond, *first, ZERO);
        }
        let memory = L::alloc(self, None, elem, &allocated)?.view.block;
        let ((then, ()), (otherwise, ())) = (
            self.nested(|scope| {
                let copy = scope.contiguous(None, elem, shape, memory, ZERO);
                L::copy(scope, &copy, array)
            })?,
            self.nested(|_| Ok(()))?,
        );
        let [then, otherwise] = [(then, memory), (otherwise, block)]
            .map(|(stms, block)| Body { stms, result: vec![Atom::Var(block)] });
        let chosen = self.fresh_block(None, elem, Space::Device);
        let roots = &self.cx.roots_of(memory) | &self.cx.roots_of(block);
        self.cx.roots.insert(chosen, roots);
        self.push(Stm::If { binders: vec![chosen], cond, then, otherwise });
        Ok(chosen)
    }

    fn select(&mut self, cond: Atom, yes: Atom, no: Atom) -> Atom {
        if yes == no { yes } else { self.reuse(PrimType::I64, ScalarExp::Select(cond, yes, no)) }
    }

    /// The array whose dimensions lie in the memory of another one in the order that `perm` lists.
    fn in_order(&mut self, hint: Option<Symbol>, memory: &Array, perm: &[usize]) -> Array {
        let mut places: Vec<usize> = (0..perm.len()).collect();
        places.sort_unstable_by_key(|&dim| perm[dim]);
        Array { owner: memory.owner, ..self.rearrange(hint, memory, &places) }
    }

    /// Prepares memory for results of a segment whose only use is a request for their layout, in one of the statements after
    /// it. So the segment stores them in this layout, if neighbouring points then store neighbouring elements. Otherwise a copy
    /// is faster, which goes through both arrays in tiles.
    pub fn lay_out(&mut self, binders: &[core::Var], segment: &core::Segment, after: &[core::Stm]) -> Result {
        if !segment.screma.scans.is_empty() {
            return Ok(());
        }
        for (sink, own, _) in segment.screma.sink_ranges() {
            let binder = binders[own.start];
            let request = after.iter().find_map(|stm| match &stm.exp {
                core::Exp::Manifest(perm, array, cond) if *array == binder => Some((perm, *cond)),
                _ => None,
            });
            let Some((perm, cond)) = request else { continue };
            // The condition may be computed after the segment.
            let Ok(cond) = self.cx.atom(cond) else { continue };
            let is_coalesced = perm.last() == Some(&segment.outer.len());
            let is_only_use = self.cx.uses.count(binder) == 1 && !self.cx.dests.contains_key(&binder);
            if *sink == core::Sink::Map && is_coalesced && is_only_use {
                let (hint, ty) = (self.cx.hint(binder), self.cx.ty(binder));
                let shape = self.cx.shape(ty)?;
                let permuted: Vec<Atom> = perm.iter().map(|&dim| shape[dim]).collect();
                let memory = L::alloc(self, hint, ty.elem, &permuted)?;
                let laid_out = self.in_order(hint, &memory, perm);
                let array = match cond == Atom::bool(true) {
                    true => laid_out,
                    false => {
                        let row_major = self.row_major(&shape).into_iter();
                        let both = laid_out.view.strides.iter().zip(row_major);
                        let strides = both.map(|(&yes, no)| self.select(cond, yes, no)).collect();
                        let view = View { strides, ..laid_out.view };
                        let order = Order { is_contiguous: false, ..laid_out.order };
                        Array { laid_out_if: Some(cond), ..self.name(hint, view, order) }
                    }
                };
                self.cx.dests.insert(binder, array);
                self.cx.laid_out.insert(binder);
            }
        }
        Ok(())
    }

    /// The same elements, row-major, in another shape. An array with gaps is copied first, into memory for `var`. But if its
    /// elements are evenly spaced, a thread does without the copy.
    pub fn reshape(&mut self, var: core::Var, array: &Array) -> Result<Array> {
        let shape = self.cx.shape(self.cx.ty(var))?;
        let hint = self.cx.hint(var);
        if L::NAME == LevelName::Thread && !array.order.is_contiguous && array.order.is_even() {
            let View { elem, block, offset, ref strides, .. } = array.view;
            let step = *strides.last().expect("an array");
            let strides = self.row_major(&shape).into_iter().map(|stride| self.mul(stride, step)).collect();
            let order = Order { is_contiguous: false, ..Order::row_major(shape.len()) };
            return Ok(self.name(hint, View { elem, shape, block, offset, strides }, order));
        }
        if array.order.is_contiguous || array.laid_out_if.is_some() {
            let View { elem, block, offset, .. } = self.without_gaps(array.clone())?.view;
            return Ok(self.contiguous(hint, elem, &shape, block, offset));
        }
        let made = self.make(var)?;
        if !made.order.is_contiguous {
            let copy = self.copied(array)?;
            return self.reshape(var, &copy);
        }
        let View { elem, block, offset, .. } = made.view;
        let flat = self.contiguous(hint, elem, &array.view.shape, block, offset);
        L::copy(self, &flat, array)?;
        Ok(made)
    }

    /// Memory for the array `var`: its destination, or new memory.
    pub fn make(&mut self, var: core::Var) -> Result<Array> {
        if let Some(dest) = self.cx.dests.remove(&var) {
            return Ok(Array { owner: Some(self.body), ..dest });
        }
        let ty = self.cx.ty(var);
        let shape = self.cx.shape(ty)?;
        L::alloc(self, self.cx.hint(var), ty.elem, &shape)
    }

    /// A block that contains the array in row-major order from position 0: the array's own block, or the block of a copy.
    pub fn whole(&mut self, array: &Array) -> Result<Var> {
        match array.laid_out_if {
            _ if array.is_whole() => Ok(array.view.block),
            Some(cond) => self.copied_if(cond, array),
            None => Ok(self.copied(array)?.view.block),
        }
    }

    /// The array, or a copy if it has gaps.
    pub fn without_gaps(&mut self, array: Array) -> Result<Array> {
        match array.laid_out_if {
            _ if array.order.is_contiguous => Ok(array),
            Some(_) => {
                let block = self.whole(&array)?;
                Ok(self.contiguous(None, array.view.elem, &array.view.shape, block, ZERO))
            }
            None => self.copied(&array),
        }
    }

    /// A copy in memory of its own.
    pub fn copied(&mut self, array: &Array) -> Result<Array> {
        let copy = L::alloc(self, None, array.view.elem, &array.view.shape.clone())?;
        L::copy(self, &copy, array)?;
        Ok(copy)
    }
}
