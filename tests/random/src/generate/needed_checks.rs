//! Programs that need all their checks: they read elements at positions that may be out of bounds.
//!
//! A check may be dropped if its result is unused. Here each result depends on the elements read, even if only as `x *
//! 0`. So every check is used, no matter how the arrays are produced and viewed. If such a program fails in the
//! interpreter, it must fail after every pass.

use ravel_base::Symbol;
use ravel_core::*;
use ravel_prim::{BinOp, CmpOp, PrimType};

use super::arrays::variable;
use super::results::ResultKind;
use super::scope::{Regions, Size};
use super::{Writer, long, message};

/// An array to read from.
#[derive(Clone, Copy)]
pub(super) struct Readable {
    array: Var,
    /// Whether its elements depend on a check. Then they are needed.
    guarded: bool,
    /// Whether another array is computed from its elements.
    used: bool,
}

/// The arrays in scope.
pub(super) type Readables = Vec<Readable>;

impl Writer {
    /// The function `main` of such a program and its entry point.
    pub fn main_with_needed_checks(&mut self) -> (Function, Entry) {
        let sizes = self.begin(&["n", "z"]);
        let [n, z] = [0, 1].map(|at: usize| Atom::Var(sizes[at].var));
        let int = Type::scalar(PrimType::I32);
        let types = [int.clone(), int.clone(), long(), long(), long(), int.array_of(n), int.array_of(z)];
        let params: Vec<Param> = types.into_iter().map(|ty| self.param(ty)).collect();
        let given = self.scope.arrays.iter();
        let mut arrays: Readables =
            given.map(|&array| Readable { array, guarded: false, used: false }).collect();
        for _ in 0..=self.choices.below(4) {
            let (made, guarded) = self.readable(&mut arrays);
            arrays.push(Readable { array: variable(made), guarded, used: false });
        }
        let needed = arrays.iter().copied().filter(|array| array.guarded && !array.used);
        let mut read: Readables = needed.collect();
        read.push(self.choices.recent(&arrays));
        let (mut kinds, mut result) = (Vec::new(), Vec::new());
        for Readable { array, guarded, .. } in read {
            let (kind, values) = self.result_from(array, guarded);
            kinds.push(kind);
            result.extend(values);
        }
        let all: Vec<Param> = sizes.into_iter().chain(params.iter().copied()).collect();
        let main = self.finish(Symbol::new("main"), all, &kinds, result, false);
        let entry = self.entry(&main, &params);
        (main, entry)
    }

    /// An array from which another one will be computed, with its shape and whether its elements depend on a check.
    pub(super) fn used(
        &mut self,
        arrays: &mut Readables,
        wanted: impl Fn(&Type) -> bool,
    ) -> (Var, Vec<Atom>, bool) {
        let fits = |at: &usize| wanted(&self.b.vars()[arrays[*at].array].ty);
        let fitting: Vec<usize> = (0..arrays.len()).filter(fits).collect();
        let chosen = &mut arrays[self.choices.recent(&fitting)];
        chosen.used = true;
        (chosen.array, self.b.vars()[chosen.array].ty.shape.clone(), chosen.guarded)
    }

    /// A new array, and whether its elements depend on a check.
    fn readable(&mut self, arrays: &mut Readables) -> (Atom, bool) {
        let size = self.size().atom;
        match self.choices.below(14) {
            0 | 1 => {
                let value = self.number();
                (self.b.replicate(size, value), false)
            }
            2 => {
                let (start, stride) = (self.number(), self.number());
                (self.b.iota(size, start, stride), false)
            }
            3 => {
                let elements = (0..=self.choices.below(3)).map(|_| self.number()).collect();
                (self.b.array_lit(Type::scalar(PrimType::I32), elements), false)
            }
            4 => {
                // A map that ignores its elements needs none of their checks.
                let unguarded: Readables = arrays.iter().copied().filter(|array| !array.guarded).collect();
                let Readable { array, .. } = self.choices.recent(&unguarded);
                (self.map_over_all(array, false), false)
            }
            5 => {
                let (array, _, guarded) = self.used(arrays, |_| true);
                (self.map_over_all(array, true), guarded)
            }
            6 => {
                let pair = [(); 2].map(|()| self.used(arrays, |ty| ty.rank() == 1));
                let [(first, of_first, one), (second, of_second, other)] = pair;
                let count = self.b.binary(BinOp::Add, of_first[0], of_second[0]);
                (self.b.concat(vec![first, second], Type::scalar(PrimType::I32), count), one || other)
            }
            7 => {
                let (array, shape, _) = self.used(arrays, |_| true);
                let copy = variable(self.b.copy(array));
                let at = shape.iter().map(|&size| self.unchecked_position(size)).collect();
                let slice = self.checked_positions(&shape, at).into_iter().map(DimSlice::Fix).collect();
                let value = self.number();
                (self.b.update(copy, slice, value), true)
            }
            8 => {
                let (array, shape, guarded) = self.used(arrays, |_| true);
                let &[size] = &shape[..] else {
                    return (self.b.rearrange(array, (0..shape.len()).rev().collect()), guarded);
                };
                let start = self.b.binary(BinOp::Sub, size, Atom::i64(1));
                let backwards = DimSlice::Range { start, count: size, stride: Atom::i64(-1) };
                (self.b.slice(array, vec![backwards]), guarded)
            }
            9 => (self.table(size), false),
            10..13 => self.readable_rows(arrays, size),
            _ => {
                let (array, shape, _) = self.used(arrays, |_| true);
                let part = self.checked_part(&shape);
                (self.b.slice(array, part), true)
            }
        }
    }

    /// A constant, or a number known only at run time.
    fn number(&mut self) -> Atom {
        let numbers = self.scope.scalars.iter().copied();
        let numbers: Vec<Atom> =
            numbers.filter(|&number| self.b.type_of(number).elem == PrimType::I32).collect();
        match self.choices.below(2) {
            0 => Atom::Const(ravel_prim::PrimValue::I32(self.choices.below(3) as i32)),
            _ => self.choices.any(&numbers),
        }
    }

    /// A nested map over all dimensions of an array; it uses the elements only if `of_elements`.
    fn map_over_all(&mut self, array: Var, of_elements: bool) -> Atom {
        let ty = self.b.vars()[array].ty.clone();
        let number = self.number();
        let map = self.lambda(&[(ty.row(), Regions::new())], |writer, args| {
            vec![match (ty.rank(), of_elements) {
                (1, true) => writer.b.binary(BinOp::Xor, args[0], number),
                (1, false) => number,
                _ => writer.map_over_all(variable(args[0]), of_elements),
            }]
        });
        self.b.screma(ty.shape[0], vec![Source::Array(array)], map, vec![Sink::Map])[0]
    }

    /// A matrix whose elements depend on both indices, one or none.
    fn table(&mut self, size: Atom) -> Atom {
        let counted = || vec![Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) }];
        let (kind, number, inner) = (self.choices.below(4), self.number(), self.size().atom);
        let rows = self.lambda(&[(long(), Regions::new())], |writer, row| {
            let row = row[0];
            let columns = writer.lambda(&[(long(), Regions::new())], |writer, column| {
                let sum = writer.b.binary(BinOp::Add, row, column[0]);
                let position = [row, column[0], sum].get(kind).copied();
                vec![position.map_or(number, |position| writer.b.convert(PrimType::I32, position))]
            });
            writer.b.screma(inner, counted(), columns, vec![Sink::Map])
        });
        self.b.screma(size, counted(), rows, vec![Sink::Map])[0]
    }

    /// A position that may be out of bounds in a dimension of this size.
    pub(super) fn unchecked_position(&mut self, size: Atom) -> Atom {
        let one = Atom::i64(1);
        let longs = self.scope.scalars.iter().copied();
        let longs: Vec<Atom> = longs.filter(|&number| self.b.type_of(number).elem == PrimType::I64).collect();
        match self.choices.below(7) {
            0 => Atom::i64(self.choices.below(4) as i64),
            1 => self.b.binary(BinOp::Sub, size, one),
            2 => size,
            3 | 4 => {
                let number = self.choices.any(&longs);
                self.b.binary(BinOp::Rem, number, Atom::i64(4))
            }
            _ => self.choices.any(&longs),
        }
    }

    /// Positions in these dimensions, checked as lowering checks them.
    pub(super) fn checked_positions(&mut self, shape: &[Atom], at: Vec<Atom>) -> Vec<Atom> {
        let conds = self.in_bounds(shape, &at);
        self.checked_by(conds, at)
    }

    /// The conditions that these positions are in bounds.
    pub(super) fn in_bounds(&mut self, shape: &[Atom], at: &[Atom]) -> Vec<Atom> {
        let mut conds = Vec::new();
        for (&at, &size) in at.iter().zip(shape) {
            conds.push(self.b.compare(CmpOp::Le, Atom::i64(0), at));
            conds.push(self.b.compare(CmpOp::Lt, at, size));
        }
        conds
    }

    /// An assertion of all conditions that returns the values.
    pub(super) fn checked_by(&mut self, conds: Vec<Atom>, values: Vec<Atom>) -> Vec<Atom> {
        let all = conds.into_iter().reduce(|all, cond| self.b.binary(BinOp::And, all, cond));
        let types = values.iter().map(|&value| self.b.type_of(value)).collect();
        let cond = all.unwrap_or(Atom::bool(true));
        self.b.bind_many(types, Exp::Assert { cond, values, error: message("out of bounds") })
    }

    /// A slice of an array of this shape that may be out of bounds, with its check. Its sizes are known, or results of
    /// a check too.
    fn checked_part(&mut self, shape: &[Atom]) -> Vec<DimSlice> {
        let (mut conds, mut values, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for &size in shape {
            let start = self.unchecked_position(size);
            let is_size = self.choices.below(2) == 0;
            let count = if is_size { self.size().atom } else { self.unchecked_position(size) };
            let end = self.b.binary(BinOp::Add, start, count);
            let zero = Atom::i64(0);
            for (low, high) in [(zero, start), (start, size), (zero, count), (zero, end), (end, size)] {
                conds.push(self.b.compare(CmpOp::Le, low, high));
            }
            values.push(start);
            counts.push((!is_size).then_some(count).ok_or(count));
        }
        let starts = values.len();
        values.extend(counts.iter().filter_map(|count| count.ok()));
        let mut handed = self.checked_by(conds, values);
        let mut sizes = handed.split_off(starts).into_iter();
        let mut part = Vec::new();
        for (start, count) in handed.into_iter().zip(counts) {
            let checked = count.ok().and_then(|_| sizes.next());
            self.scope.sizes.extend(checked.map(|atom| Size { atom, positive: false }));
            let (Ok(count) | Err(count)) = count;
            part.push(DimSlice::Range { start, count: checked.unwrap_or(count), stride: Atom::i64(1) });
        }
        part
    }

    /// An element at positions that may be out of bounds.
    fn read_at(&mut self, array: Var, positions: Vec<Atom>) -> Atom {
        let shape = self.b.vars()[array].ty.shape.clone();
        let positions = self.checked_positions(&shape, positions);
        let element = self.b.index(array, positions);
        self.computed_from(element)
    }

    /// A number computed from an element. Often it does not depend on the value of the element.
    pub(super) fn computed_from(&mut self, element: Atom) -> Atom {
        let int = |value| Atom::Const(ravel_prim::PrimValue::I32(value));
        match self.choices.below(10) {
            0 => self.b.binary(BinOp::Mul, element, int(0)),
            1 => self.b.binary(BinOp::Sub, element, element),
            2 => self.b.binary(BinOp::And, element, int(0)),
            3 => {
                let number = self.number();
                let sum = self.b.binary(BinOp::Add, number, element);
                self.b.binary(BinOp::Sub, sum, element)
            }
            4 => {
                let low = self.b.binary(BinOp::Mod, element, int(4));
                self.b.binary(BinOp::Min, low, int(-1))
            }
            5 => {
                let is_same = self.b.compare(CmpOp::Eq, element, element);
                self.b.convert(PrimType::I32, is_same)
            }
            _ => element,
        }
    }

    /// An element at positions that depend on the iteration or point.
    fn read_from(&mut self, array: Var, round: Atom) -> Atom {
        let shape = self.b.vars()[array].ty.shape.clone();
        let positions = shape.iter().map(|&size| {
            let at = self.unchecked_position(size);
            if self.choices.below(2) == 0 { self.b.binary(BinOp::Add, round, at) } else { at }
        });
        let positions = positions.collect();
        self.read_at(array, positions)
    }

    /// A result that depends on the elements of an array, or on the size of a part if these depend on no check.
    fn result_from(&mut self, array: Var, guarded: bool) -> (ResultKind, Vec<Atom>) {
        let ty = self.b.vars()[array].ty.clone();
        let element = Type::scalar(PrimType::I32);
        let sizes: Vec<Atom> =
            self.scope.sizes.iter().filter(|size| size.positive).map(|size| size.atom).collect();
        let width = self.choices.any(&[vec![Atom::i64(3)], sizes].concat());
        let counted = vec![Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) }];
        match self.choices.below(7) {
            0 if ty.rank() == 1 => (ResultKind::Sized(PrimType::I32), vec![ty.shape[0], Atom::Var(array)]),
            1 => {
                let map = self
                    .lambda(&[(long(), Regions::new())], |writer, at| vec![writer.read_from(array, at[0])]);
                let made = self.b.screma(width, counted, map, vec![Sink::Map]);
                (ResultKind::Array(element.array_of(width)), made)
            }
            2 => {
                let map = self
                    .lambda(&[(long(), Regions::new())], |writer, at| vec![writer.read_from(array, at[0])]);
                let op = self.b.operator(BinOp::Add, PrimType::I32);
                let neutral = vec![Atom::Const(ravel_prim::PrimValue::I32(0))];
                let sum = Sink::Reduce { op, neutral, commutative: true };
                (ResultKind::Scalar(PrimType::I32), self.b.screma(width, counted, map, vec![sum]))
            }
            3 => {
                let index = self.b.fresh(None, long());
                let sum = self.b.fresh(None, element.clone());
                let body = self.nested(self.scope.clone(), |writer| {
                    let read = writer.read_from(array, Atom::Var(index));
                    vec![writer.b.binary(BinOp::Add, Atom::Var(sum), read)]
                });
                let (form, first) = (LoopForm::For { index, bound: width }, self.number());
                let looped = Loop { params: vec![(sum, first)], form, body };
                (ResultKind::Scalar(PrimType::I32), vec![self.b.bind(element, Exp::Loop(looped))])
            }
            4 if !guarded => (ResultKind::Scalar(PrimType::I32), vec![self.size_of_part(&ty.shape)]),
            _ => {
                let positions = ty.shape.iter().map(|&size| self.unchecked_position(size)).collect();
                (ResultKind::Scalar(PrimType::I32), vec![self.read_at(array, positions)])
            }
        }
    }
}
