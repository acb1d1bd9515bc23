//! Arrays: new ones, views of others, elements, updates.

use ravel_core::*;
use ravel_prim::{BinOp, PrimValue};

use super::Writer;
use super::scope::Size;

/// The maximum rank of replicated arrays and array literals.
const MAX_RANK: usize = 3;

impl Writer {
    /// A new array of this type.
    pub fn make_array(&mut self, ty: &Type) -> Var {
        let row = ty.row();
        let made = if ty.elem.is_number() && ty.rank() == 1 && self.choices.below(2) == 1 {
            let (start, stride) = (self.scalar(ty.elem), self.scalar(ty.elem));
            self.b.iota(ty.shape[0], start, stride)
        } else {
            let value = match row.is_scalar() {
                true => self.scalar(ty.elem),
                false => Atom::Var(self.array_of(&row)),
            };
            self.b.replicate(ty.shape[0], value)
        };
        self.add_value(made);
        variable(made)
    }

    /// A new array that the caller consumes immediately.
    pub fn own_array(&mut self, ty: &Type) -> Var {
        let array = self.make_array(ty);
        self.memory.consumed.insert(array);
        array
    }

    pub fn new_array(&mut self, _: usize) {
        match self.choices.below(6) {
            0 | 1 => {
                let (elem, size) = (self.prim(), self.size());
                self.make_array(&Type::scalar(elem).array_of(size.atom));
            }
            2 => {
                let array = self.pick_array();
                let copy = self.b.copy(array);
                self.add_value(copy);
            }
            3 => {
                let row = self.array_where(|ty| ty.rank() < MAX_RANK);
                let (size, elem) = (self.size(), self.prim());
                let value = row.map_or_else(|| self.scalar(elem), Atom::Var);
                let made = self.b.replicate(size.atom, value);
                self.add_value(made);
            }
            4 => {
                let first = self.pick_array();
                let row = self.b.vars()[first].ty.row();
                let second = self.array_where(|ty| ty.row() == row).unwrap_or(first);
                let sizes = [first, second].map(|array| self.b.vars()[array].ty.shape[0]);
                let count = self.i64_operation(BinOp::Add, sizes[0], sizes[1]);
                let positive = sizes.iter().any(|&size| self.is_positive(size));
                self.scope.sizes.push(Size { atom: count, positive });
                if sizes.iter().any(|size| self.scope.products.contains(size)) {
                    self.scope.products.push(count);
                }
                let made = self.b.concat(vec![first, second], row, count);
                self.add_value(made);
            }
            _ => {
                let elem = self.prim();
                let count = 1 + self.choices.below(4);
                let made = match self.array_where(|ty| ty.rank() < MAX_RANK) {
                    Some(row) if self.choices.once_in(3) => {
                        let row = self.b.vars()[row].ty.clone();
                        let elements = (0..count).map(|_| Atom::Var(self.array_of(&row))).collect();
                        self.b.array_lit(row, elements)
                    }
                    _ => {
                        let elements = (0..count).map(|_| self.scalar(elem)).collect();
                        self.b.array_lit(Type::scalar(elem), elements)
                    }
                };
                self.add_value(made);
            }
        }
    }

    /// An element of an array.
    pub fn element(&mut self, _: usize) {
        let array = self.pick_array();
        self.element_of(array);
    }

    pub fn element_of(&mut self, array: Var) -> Atom {
        let shape = self.b.vars()[array].ty.shape.clone();
        let indices = shape.iter().map(|&size| self.position(size)).collect();
        let element = self.b.index(array, indices);
        self.add_value(element)
    }

    /// A view of an array: a part of it, or all of it in another shape or layout.
    pub fn view(&mut self, _: usize) {
        let array = self.pick_array();
        let regions = self.regions_of(array);
        let view = match self.choices.below(7) {
            0..=3 => return self.slice(array),
            choice @ (4 | 5) => {
                let rank = self.b.vars()[array].ty.rank();
                let turn = self.choices.below(rank);
                let perm = (0..rank).map(|dim| (dim + rank - turn) % rank).collect();
                match choice {
                    4 => self.b.rearrange(array, perm),
                    _ => self.b.manifest(perm, array),
                }
            }
            _ => self.reshape(array),
        };
        self.add_array(variable(view), regions);
    }

    fn slice(&mut self, array: Var) {
        let shape = self.b.vars()[array].ty.shape.clone();
        let mut dims: Vec<DimSlice> = Vec::new();
        for (at, &size) in shape.iter().enumerate() {
            let may_fix =
                shape.len() > 1 && (at > 0 || self.choices.below(2) == 1) && dims.iter().all(is_range);
            dims.push(if may_fix && at + 1 < shape.len() {
                DimSlice::Fix(self.position(size))
            } else {
                self.range(size)
            });
        }
        self.part(array, dims);
    }

    /// Adds a slice of an array to the scope. A slice with stride 0 has one element at several positions, so it must not be
    /// updated in place.
    pub fn part(&mut self, array: Var, dims: Vec<DimSlice>) -> Var {
        let is_repeated =
            |dim: &DimSlice| matches!(dim, DimSlice::Range { stride, .. } if *stride == Atom::i64(0));
        let repeats = dims.iter().any(is_repeated);
        let view = variable(self.b.slice(array, dims));
        let mut regions = self.regions_of(array);
        if repeats {
            // No body may consume the region `view`, so none updates the slice.
            regions.insert(view);
        }
        self.add_array(view, regions);
        view
    }

    /// A range in bounds: all positions, all in reverse, a prefix, a suffix, every second one, or one position
    /// repeated.
    pub fn range(&mut self, size: Atom) -> DimSlice {
        let (zero, one) = (Atom::i64(0), Atom::i64(1));
        let positive = self.is_positive(size);
        match self.choices.below(8) {
            0 => DimSlice::Range { start: zero, count: size, stride: one },
            1 | 2 => {
                let start = self.b.binary(BinOp::Sub, size, one);
                DimSlice::Range { start, count: size, stride: Atom::i64(-1) }
            }
            3 | 4 => {
                let count = self.some_of(size, positive);
                DimSlice::Range { start: zero, count, stride: one }
            }
            5 => {
                let count = self.some_of(size, positive);
                let start = self.b.binary(BinOp::Sub, size, count);
                DimSlice::Range { start, count, stride: one }
            }
            6 => {
                let more = self.b.binary(BinOp::Add, size, one);
                let count = self.i64_operation(BinOp::Div, more, Atom::i64(2));
                self.scope.sizes.push(Size { atom: count, positive });
                DimSlice::Range { start: zero, count, stride: Atom::i64(2) }
            }
            _ => {
                let start = self.position(size);
                DimSlice::Range { start, count: self.size().atom, stride: zero }
            }
        }
    }

    /// A size of at most `size`.
    fn some_of(&mut self, size: Atom, positive: bool) -> Atom {
        let most = 1 + self.choices.below(3) as i64;
        let count = self.i64_operation(BinOp::Min, size, Atom::i64(most));
        self.scope.sizes.push(Size { atom: count, positive });
        count
    }

    /// An array flattened to one dimension, or a vector as a matrix. An array with a size that is a product is transposed
    /// instead, because products of products would make programs of a few lines run for years.
    pub fn reshape(&mut self, array: Var) -> Atom {
        let shape = self.b.vars()[array].ty.shape.clone();
        if shape.iter().any(|size| self.scope.products.contains(size)) {
            return self.b.rearrange(array, (0..shape.len()).rev().collect());
        }
        if shape.len() == 1 {
            let row = [Atom::i64(1), shape[0]];
            let shape =
                if self.choices.below(2) == 1 { row.to_vec() } else { row.into_iter().rev().collect() };
            return self.b.reshape(array, shape);
        }
        let positive = shape.iter().all(|&size| self.is_positive(size));
        let total =
            shape[1..].iter().fold(shape[0], |total, &size| self.i64_operation(BinOp::Mul, total, size));
        self.scope.sizes.push(Size { atom: total, positive });
        self.scope.products.push(total);
        self.b.reshape(array, vec![total])
    }

    /// An in-place update of an element, a row or a slice.
    pub fn update(&mut self, _: usize) {
        let Some(array) = self.consume(|_| true) else { return };
        let ty = self.b.vars()[array].ty.clone();
        let fixed = match self.choices.below(3) {
            0 => ty.rank(),
            1 => ty.rank() - 1,
            _ => self.choices.below(ty.rank() + 1),
        };
        let mut slice = Vec::new();
        for (at, &size) in ty.shape.iter().enumerate() {
            // A range with stride 0 would write one element repeatedly.
            let range = |writer: &mut Writer| loop {
                match writer.range(size) {
                    DimSlice::Range { stride: Atom::Const(PrimValue::I64(0)), .. } => {}
                    range => break range,
                }
            };
            slice.push(if at < fixed { DimSlice::Fix(self.position(size)) } else { range(self) });
        }
        let part = Type::array(ty.elem, slice_shape(&slice));
        let value = match part.is_scalar() {
            true => self.scalar(ty.elem),
            false => Atom::Var(self.array_of(&part)),
        };
        let updated = self.b.update(array, slice, value);
        self.add_value(updated);
    }
}

fn is_range(dim: &DimSlice) -> bool {
    matches!(dim, DimSlice::Range { .. })
}

/// The variable of an array atom.
pub fn variable(atom: Atom) -> Var {
    atom.var().expect("an array is not a constant")
}
