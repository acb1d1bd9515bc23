//! Views of nests: slices, permutations and reshapes of the space, applied to the inputs.

use ravel_base::Symbol;
use ravel_core::{Atom, Builder, DimSlice, Exp, Type, Var};
use ravel_prim::{BinOp, PrimType};

use super::nest::{Elements, Leaf, Nest};

impl Nest {
    /// A slice of the space.
    pub fn sliced(self, b: &mut Builder, slice: &[DimSlice]) -> Nest {
        let slice = &slice[..self.widths.len()];
        let is_range = |dim: &DimSlice| matches!(dim, DimSlice::Range { .. });
        // The new number of a dimension, without the fixed ones.
        let position = |dim: usize| slice[..dim].iter().filter(|dim| is_range(dim)).count();
        let mut leaves = Vec::new();
        for Leaf { elements, param } in self.leaves {
            let elements = match elements {
                Elements::Array { array, dims } => {
                    let inner = b.vars()[array].ty.shape[dims.len()..].to_vec();
                    let part =
                        dims.iter().map(|&dim| slice[dim]).chain(inner.into_iter().map(DimSlice::whole));
                    let left = dims.iter().filter(|&&dim| is_range(&slice[dim])).map(|&dim| position(dim));
                    let (part, left): (Vec<_>, Vec<_>) = (part.collect(), left.collect());
                    if left.is_empty() {
                        b.emit(vec![param], element(array, part));
                        continue;
                    }
                    let Atom::Var(array) = b.slice(array, part) else { continue };
                    Elements::Array { array, dims: left }
                }
                Elements::Iota { mut start, strides } => {
                    let mut left = Vec::new();
                    for (dim, step) in strides {
                        let (DimSlice::Fix(first) | DimSlice::Range { start: first, .. }) = slice[dim];
                        start = offset(b, start, first, step);
                        if let DimSlice::Range { stride, .. } = slice[dim] {
                            let stride = b.convert(b.type_of(step).elem, stride);
                            left.push((position(dim), b.binary(BinOp::Mul, stride, step)));
                        }
                    }
                    if left.is_empty() {
                        b.emit(vec![param], Exp::Atom(start));
                        continue;
                    }
                    Elements::Iota { start, strides: left }
                }
            };
            leaves.push(Leaf { elements, param });
        }
        let widths = slice.iter().filter_map(|dim| match dim {
            DimSlice::Range { count, .. } => Some(*count),
            DimSlice::Fix(_) => None,
        });
        Nest { widths: widths.collect(), leaves, ..self }
    }

    /// A permutation of the dimensions.
    pub fn rearranged(self, b: &mut Builder, perm: &[usize]) -> Nest {
        let perm = &perm[..self.widths.len()];
        let position =
            |dim: usize| perm.iter().position(|&old| old == dim).expect("a permutation has every dimension");
        let leaves = self.leaves.into_iter().map(|Leaf { elements, param }| {
            let elements = match elements {
                Elements::Array { array, dims } => {
                    // For each new position, the old dimension.
                    let mut order: Vec<usize> = (0..dims.len()).collect();
                    order.sort_by_key(|&own| position(dims[own]));
                    let array = match order.is_sorted() {
                        true => array,
                        false => {
                            let inner = dims.len()..b.vars()[array].ty.rank();
                            let turned = b.rearrange(array, order.iter().copied().chain(inner).collect());
                            turned.var().expect("a view is a variable")
                        }
                    };
                    Elements::Array { array, dims: order.iter().map(|&own| position(dims[own])).collect() }
                }
                Elements::Iota { start, strides } => {
                    let mut strides: Vec<_> =
                        strides.into_iter().map(|(dim, stride)| (position(dim), stride)).collect();
                    strides.sort_by_key(|&(dim, _)| dim);
                    Elements::Iota { start, strides }
                }
            };
            Leaf { elements, param }
        });
        let leaves = leaves.collect();
        let widths = perm.iter().map(|&dim| self.widths[dim]).collect();
        Nest { widths, leaves, ..self }
    }

    /// Whether the space can be reshaped to this many dimensions.
    pub fn can_be_reshaped(&self, dims: usize) -> bool {
        dims == 1 || self.widths.len() == 1 || self.leaves.iter().all(|leaf| self.is_complete(leaf))
    }

    /// Whether the input is an array that depends on all dimensions.
    fn is_complete(&self, leaf: &Leaf) -> bool {
        matches!(&leaf.elements, Elements::Array { dims, .. } if dims.len() == self.widths.len())
    }

    /// A reshape of the space to other sizes, with its points in the same order. Inputs that do not depend on all
    /// dimensions are indexed at each point.
    pub fn reshaped(self, b: &mut Builder, widths: &[Atom]) -> Nest {
        let stays = |leaf: &Leaf| self.widths.len() == 1 || self.is_complete(leaf);
        let (staying, computed): (Vec<Leaf>, Vec<Leaf>) = self.leaves.iter().cloned().partition(stays);
        let reshape = |Leaf { elements, param }: Leaf| {
            let elements = match elements {
                Elements::Array { array, dims } => {
                    let inner = &b.vars()[array].ty.shape[dims.len()..];
                    let shape = widths.iter().chain(inner).copied().collect();
                    let view = b.reshape(array, shape).var().expect("a view is a variable");
                    Elements::Array { array: view, dims: (0..widths.len()).collect() }
                }
                Elements::Iota { start, strides } => {
                    let mut stride = strides[0].1;
                    let mut spread = Vec::new();
                    for (dim, &width) in widths.iter().enumerate().rev() {
                        spread.insert(0, (dim, stride));
                        if dim > 0 {
                            let width = b.convert(b.type_of(stride).elem, width);
                            stride = b.binary(BinOp::Mul, stride, width);
                        }
                    }
                    Elements::Iota { start, strides: spread }
                }
            };
            Leaf { elements, param }
        };
        let mut leaves: Vec<Leaf> = staying.into_iter().map(reshape).collect();
        let mut body = self.body;
        if !computed.is_empty() {
            let counter = b.fresh(Some(Symbol::new("at")), Type::scalar(PrimType::I64));
            let strides = vec![(0, Atom::i64(1))];
            let elements = Elements::Iota { start: Atom::i64(0), strides };
            leaves.push(Leaf { elements, param: counter });
            let looked_up = b.body(|b| {
                let point = digits(b, counter, &self.widths);
                computed.into_iter().for_each(|leaf| look_up(b, leaf, &point));
                Vec::new()
            });
            body.stms.splice(..0, looked_up.stms);
        }
        Nest { widths: widths.to_vec(), leaves, body, ..self }
    }
}

/// The index along each of these dimensions of the point with this number.
fn digits(b: &mut Builder, number: Var, widths: &[Atom]) -> Vec<Atom> {
    let mut rest = Atom::Var(number);
    let mut digits = Vec::new();
    for &width in widths[1..].iter().rev() {
        digits.insert(0, b.binary(BinOp::Rem, rest, width));
        rest = b.binary(BinOp::Quot, rest, width);
    }
    digits.insert(0, rest);
    digits
}

/// Binds an input at a point.
fn look_up(b: &mut Builder, Leaf { elements, param }: Leaf, point: &[Atom]) {
    let exp = match elements {
        Elements::Array { array, dims } => {
            let inner = b.vars()[array].ty.shape[dims.len()..].to_vec();
            let at = dims.iter().map(|&dim| DimSlice::Fix(point[dim]));
            element(array, at.chain(inner.into_iter().map(DimSlice::whole)).collect())
        }
        Elements::Iota { start, strides } => {
            let step = |sum, (dim, stride): (usize, Atom)| offset(b, sum, point[dim], stride);
            Exp::Atom(strides.into_iter().fold(start, step))
        }
    };
    b.emit(vec![param], exp);
}

/// An element or part of an array.
fn element(array: Var, dims: Vec<DimSlice>) -> Exp {
    let fixed = dims.iter().map(|dim| match dim {
        DimSlice::Fix(at) => Some(*at),
        DimSlice::Range { .. } => None,
    });
    match fixed.collect::<Option<Vec<Atom>>>() {
        Some(indices) => Exp::Index(array, indices),
        None => Exp::Slice(array, dims),
    }
}

/// `start + count * stride`, in the type of `start`.
fn offset(b: &mut Builder, start: Atom, count: Atom, stride: Atom) -> Atom {
    let count = b.convert(b.type_of(start).elem, count);
    let distance = b.binary(BinOp::Mul, count, stride);
    b.binary(BinOp::Add, start, distance)
}
