//! Programs of which every check is needed: they read elements at positions that may be out of bounds.
//!
//! A failure is a dependence: a check whose result is not used may go. Here the results are computed from the elements, be it
//! by `x * 0`, so every check is used, whatever the arrays are made of and however they are viewed. Where the interpreter
//! fails, such a program has to fail after every pass.

use ravel_base::Symbol;
use ravel_core::*;
use ravel_prim::{BinOp, CmpOp, PrimType};

use super::arrays::variable;
use super::known::{Places, Size};
use super::slots::Slot;
use super::{Writer, long, message};

/// An array to read from.
#[derive(Clone, Copy)]
struct Readable {
    array: Var,
    /// Do its elements wait for a check? Then they are needed.
    guarded: bool,
    /// Is another array made of its elements?
    used: bool,
}

/// The arrays there are to read from.
type Readables = Vec<Readable>;

impl Writer {
    /// The function `main` of such a program, and how it is called from outside.
    pub fn reading_main(&mut self) -> (Function, Entry) {
        let sizes = self.begin(&["n", "z"]);
        let [n, z] = [0, 1].map(|at: usize| Atom::Var(sizes[at].var));
        let int = Type::scalar(PrimType::I32);
        let types = [int.clone(), int.clone(), long(), long(), long(), int.array_of(n), int.array_of(z)];
        let params: Vec<Param> = types.into_iter().map(|ty| self.param(ty)).collect();
        let given = self.known.arrays.iter();
        let mut arrays: Readables =
            given.map(|&array| Readable { array, guarded: false, used: false }).collect();
        for _ in 0..=self.choices.below(4) {
            let (made, guarded) = self.readable(&mut arrays);
            arrays.push(Readable { array: variable(made), guarded, used: false });
        }
        let needed = arrays.iter().copied().filter(|array| array.guarded && !array.used);
        let mut read: Readables = needed.collect();
        read.push(self.choices.of(&arrays));
        let (mut slots, mut result) = (Vec::new(), Vec::new());
        for Readable { array, .. } in read {
            let (slot, values) = self.reading(array);
            slots.push(slot);
            result.extend(values);
        }
        let all: Vec<Param> = sizes.into_iter().chain(params.iter().copied()).collect();
        let main = self.finish(Symbol::new("main"), all, &slots, result, false);
        let entry = self.entry(&main, &params);
        (main, entry)
    }

    /// An array, to make another one of it, with its shape and whether its elements wait for a check.
    fn used(&mut self, arrays: &mut Readables, wanted: impl Fn(&Type) -> bool) -> (Var, Vec<Atom>, bool) {
        let fits = |at: &usize| wanted(&self.b.vars()[arrays[*at].array].ty);
        let fitting: Vec<usize> = (0..arrays.len()).filter(fits).collect();
        let chosen = &mut arrays[self.choices.of(&fitting)];
        chosen.used = true;
        (chosen.array, self.b.vars()[chosen.array].ty.shape.clone(), chosen.guarded)
    }

    /// An array made of others, or of nothing, and whether its elements wait for a check.
    fn readable(&mut self, arrays: &mut Readables) -> (Atom, bool) {
        let size = self.size().atom;
        match self.choices.below(11) {
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
                // A map that forgets what it reads needs no check of that.
                let unguarded: Readables = arrays.iter().copied().filter(|array| !array.guarded).collect();
                let Readable { array, .. } = self.choices.of(&unguarded);
                (self.mapped_alike(array, false), false)
            }
            5 => {
                let (array, _, guarded) = self.used(arrays, |_| true);
                (self.mapped_alike(array, true), guarded)
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
                let at = shape.iter().map(|&size| self.anywhere(size)).collect();
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
            _ => {
                let (array, shape, _) = self.used(arrays, |_| true);
                let part = self.checked_part(&shape);
                (self.b.slice(array, part), true)
            }
        }
    }

    /// A constant, or a number that is known only when the program runs.
    fn number(&mut self) -> Atom {
        let numbers = self.known.scalars.iter().copied();
        let numbers: Vec<Atom> =
            numbers.filter(|&number| self.b.type_of(number).elem == PrimType::I32).collect();
        match self.choices.below(2) {
            0 => Atom::Const(ravel_prim::PrimValue::I32(self.choices.below(3) as i32)),
            _ => self.choices.any(&numbers),
        }
    }

    /// A map over all dimensions of an array: of its elements, or of nothing.
    fn mapped_alike(&mut self, array: Var, of_elements: bool) -> Atom {
        let ty = self.b.vars()[array].ty.clone();
        let number = self.number();
        let map = self.lambda(&[(ty.row(), Places::new())], |writer, args| {
            vec![match (ty.rank(), of_elements) {
                (1, true) => writer.b.binary(BinOp::Xor, args[0], number),
                (1, false) => number,
                _ => writer.mapped_alike(variable(args[0]), of_elements),
            }]
        });
        self.b.screma(ty.shape[0], vec![Source::Array(array)], map, vec![Sink::Map])[0]
    }

    /// A matrix that depends on both positions, one of them or none.
    fn table(&mut self, size: Atom) -> Atom {
        let counted = || vec![Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) }];
        let (kind, number, inner) = (self.choices.below(4), self.number(), self.size().atom);
        let rows = self.lambda(&[(long(), Places::new())], |writer, row| {
            let row = row[0];
            let columns = writer.lambda(&[(long(), Places::new())], |writer, column| {
                let sum = writer.b.binary(BinOp::Add, row, column[0]);
                let position = [row, column[0], sum].get(kind).copied();
                vec![position.map_or(number, |position| writer.b.convert(PrimType::I32, position))]
            });
            writer.b.screma(inner, counted(), columns, vec![Sink::Map])
        });
        self.b.screma(size, counted(), rows, vec![Sink::Map])[0]
    }

    /// A position that may be outside of a dimension of this size.
    fn anywhere(&mut self, size: Atom) -> Atom {
        let one = Atom::i64(1);
        let longs = self.known.scalars.iter().copied();
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
    fn checked_positions(&mut self, shape: &[Atom], at: Vec<Atom>) -> Vec<Atom> {
        let mut conds = Vec::new();
        for (&at, &size) in at.iter().zip(shape) {
            conds.push(self.b.compare(CmpOp::Le, Atom::i64(0), at));
            conds.push(self.b.compare(CmpOp::Lt, at, size));
        }
        self.checked_by(conds, at)
    }

    /// Hands values on once all conditions hold.
    fn checked_by(&mut self, conds: Vec<Atom>, values: Vec<Atom>) -> Vec<Atom> {
        let all = conds.into_iter().reduce(|all, cond| self.b.binary(BinOp::And, all, cond));
        let types = values.iter().map(|&value| self.b.type_of(value)).collect();
        let cond = all.unwrap_or(Atom::bool(true));
        self.b.bind_many(types, Exp::Assert { cond, values, error: message("out of bounds") })
    }

    /// A part of an array of this shape that may not lie in it, checked. Its sizes are known, or checked too.
    fn checked_part(&mut self, shape: &[Atom]) -> Vec<DimSlice> {
        let (mut conds, mut values, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for &size in shape {
            let start = self.anywhere(size);
            let is_size = self.choices.below(2) == 0;
            let count = if is_size { self.size().atom } else { self.anywhere(size) };
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
            self.known.sizes.extend(checked.map(|atom| Size { atom, positive: false }));
            let (Ok(count) | Err(count)) = count;
            part.push(DimSlice::Range { start, count: checked.unwrap_or(count), stride: Atom::i64(1) });
        }
        part
    }

    /// An element at positions that may be outside.
    fn read_at(&mut self, array: Var, positions: Vec<Atom>) -> Atom {
        let shape = self.b.vars()[array].ty.shape.clone();
        let positions = self.checked_positions(&shape, positions);
        let element = self.b.index(array, positions);
        self.computed_from(element)
    }

    /// A number computed from an element: often one that is the same whatever the element is.
    fn computed_from(&mut self, element: Atom) -> Atom {
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

    /// An element at positions that differ from round to round, or point to point.
    fn read_from(&mut self, array: Var, round: Atom) -> Atom {
        let shape = self.b.vars()[array].ty.shape.clone();
        let positions = shape.iter().map(|&size| {
            let at = self.anywhere(size);
            if self.choices.below(2) == 0 { self.b.binary(BinOp::Add, round, at) } else { at }
        });
        let positions = positions.collect();
        self.read_at(array, positions)
    }

    /// A result that hangs on elements of an array.
    fn reading(&mut self, array: Var) -> (Slot, Vec<Atom>) {
        let ty = self.b.vars()[array].ty.clone();
        let element = Type::scalar(PrimType::I32);
        let sizes: Vec<Atom> =
            self.known.sizes.iter().filter(|size| size.positive).map(|size| size.atom).collect();
        let width = self.choices.any(&[vec![Atom::i64(3)], sizes].concat());
        let counted = vec![Source::Iota { start: Atom::i64(0), stride: Atom::i64(1) }];
        match self.choices.below(6) {
            0 if ty.rank() == 1 => (Slot::Sized(PrimType::I32), vec![ty.shape[0], Atom::Var(array)]),
            1 => {
                let map = self
                    .lambda(&[(long(), Places::new())], |writer, at| vec![writer.read_from(array, at[0])]);
                let made = self.b.screma(width, counted, map, vec![Sink::Map]);
                (Slot::Array(element.array_of(width)), made)
            }
            2 => {
                let map = self
                    .lambda(&[(long(), Places::new())], |writer, at| vec![writer.read_from(array, at[0])]);
                let op = self.b.operator(BinOp::Add, PrimType::I32);
                let neutral = vec![Atom::Const(ravel_prim::PrimValue::I32(0))];
                let sum = Sink::Reduce { op, neutral, commutative: true };
                (Slot::Scalar(PrimType::I32), self.b.screma(width, counted, map, vec![sum]))
            }
            3 => {
                let index = self.b.fresh(None, long());
                let sum = self.b.fresh(None, element.clone());
                let body = self.nested(self.known.clone(), |writer| {
                    let read = writer.read_from(array, Atom::Var(index));
                    vec![writer.b.binary(BinOp::Add, Atom::Var(sum), read)]
                });
                let (form, first) = (LoopForm::For { index, bound: width }, self.number());
                let looped = Loop { params: vec![(sum, first)], form, body };
                (Slot::Scalar(PrimType::I32), vec![self.b.bind(element, Exp::Loop(looped))])
            }
            _ => {
                let positions = ty.shape.iter().map(|&size| self.anywhere(size)).collect();
                (Slot::Scalar(PrimType::I32), vec![self.read_at(array, positions)])
            }
        }
    }
}
