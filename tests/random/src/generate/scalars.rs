//! Scalars: operators, comparisons, conversions, divisions, and checks, some of which fail.

use ravel_base::Symbol;
use ravel_core::*;
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp, convert};

use super::arrays::variable;
use super::scope::Size;
use super::{Writer, boolean, long, message};

/// Numbers at which operators have special cases.
const NUMBERS: &[i64] = &[i64::MAX, i64::MIN, 8, 7, 3, 2, -1, 1, 0];

impl Writer {
    pub fn constant(&mut self, ty: PrimType) -> Atom {
        Atom::Const(match ty {
            PrimType::Bool => PrimValue::Bool(self.choices.below(2) == 1),
            _ if ty.is_float() && self.choices.once_in(4) => {
                let special = [0.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -0.0];
                convert(PrimValue::F64(self.choices.any(&special)), ty)
            }
            _ if ty.is_integer() && self.choices.once_in(8) => {
                least_or_greatest(ty, self.choices.below(2) == 1)
            }
            _ => convert(PrimValue::I64(NUMBERS[NUMBERS.len() - 1 - self.choices.below(NUMBERS.len())]), ty),
        })
    }

    /// A value in scope of this type, or a constant.
    pub fn scalar(&mut self, ty: PrimType) -> Atom {
        let of_type = |atom: &Atom| self.b.type_of(*atom).elem == ty;
        let known: Vec<Atom> = self.scope.scalars.iter().copied().filter(of_type).collect();
        if !known.is_empty() && self.choices.below(6) != 5 {
            return self.choices.recent(&known);
        }
        match self.choices.below(3) {
            0 if !self.scope.scalars.is_empty() && ty != PrimType::Bool => {
                let from = self.recent_scalar();
                self.pure(Type::scalar(ty), Exp::Convert(ty, from))
            }
            _ => self.constant(ty),
        }
    }

    /// A scalar of any type, usually a recent one.
    pub fn recent_scalar(&mut self) -> Atom {
        match self.scope.scalars.is_empty() {
            true => self.constant(PrimType::I32),
            false => self.choices.recent(&self.scope.scalars.clone()),
        }
    }

    pub fn long(&mut self) -> Atom {
        self.scalar(PrimType::I64)
    }

    pub fn operation(&mut self, _: usize) {
        self.arithmetic();
    }

    pub fn arithmetic(&mut self) -> Atom {
        let ty = self.prim();
        self.arithmetic_of(ty)
    }

    /// A new value of this type.
    pub fn arithmetic_of(&mut self, ty: PrimType) -> Atom {
        let total = [
            BinOp::Add,
            BinOp::Sub,
            BinOp::Mul,
            BinOp::Min,
            BinOp::Max,
            BinOp::And,
            BinOp::Or,
            BinOp::Xor,
            BinOp::Shl,
            BinOp::Shr,
            BinOp::Lshr,
            BinOp::Copysign,
        ];
        if self.choices.once_in(6) {
            let ops = [UnOp::Neg, UnOp::Not, UnOp::Abs, UnOp::Sgn, UnOp::Floor];
            let ops: Vec<UnOp> = ops.into_iter().filter(|op| op.takes(ty)).collect();
            let (op, a) = (self.choices.any(&ops), self.scalar(ty));
            return self.pure(Type::scalar(ty), Exp::Unary(op, a));
        }
        let ops: Vec<BinOp> = total.into_iter().filter(|op| op.takes(ty)).collect();
        let op = self.choices.any(&ops);
        let (a, b) = (self.scalar(ty), self.scalar(ty));
        self.pure(Type::scalar(ty), Exp::Binary(op, a, b))
    }

    pub fn comparison(&mut self, _: usize) {
        let ty = if self.choices.once_in(4) { PrimType::Bool } else { self.prim() };
        let op = self.choices.any(&[CmpOp::Lt, CmpOp::Le, CmpOp::Eq, CmpOp::Ne]);
        let (a, b) = (self.scalar(ty), self.scalar(ty));
        self.pure(boolean(), Exp::Compare(op, a, b));
    }

    pub fn conversion(&mut self, _: usize) {
        let (to, from) = (self.prim(), self.recent_scalar());
        self.pure(Type::scalar(to), Exp::Convert(to, from));
    }

    /// A tuning parameter. Uses of one name may have different defaults.
    pub fn parameter(&mut self, _: usize) {
        let name = Symbol::new(self.choices.any(&["tile", "chunk"]));
        let default = self.choices.any(NUMBERS);
        self.pure(long(), Exp::Param(name, default));
    }

    /// A division by a constant, or by a checked divisor.
    pub fn division(&mut self, _: usize) {
        let integers: Vec<PrimType> =
            self.scope.palette.iter().copied().filter(|ty| ty.is_integer()).collect();
        let ty = self.choices.any(&integers);
        let op = self.choices.any(&[BinOp::Mod, BinOp::Div, BinOp::Quot, BinOp::Rem]);
        let a = self.scalar(ty);
        let zero = PrimValue::zero(ty);
        let b = if self.choices.once_in(3) {
            let b = self.scalar(ty);
            let cond = self.b.compare(CmpOp::Ne, b, Atom::Const(zero));
            self.b.assert(cond, b, message("by zero"))
        } else {
            let divisors = [8, 4, 2, 1, 3, 7, -1].map(|number| convert(PrimValue::I64(number), ty));
            Atom::Const(self.choices.any(&divisors))
        };
        self.pure(Type::scalar(ty), Exp::Binary(op, a, b));
    }

    /// A condition: either it always holds, though this may be hard to prove, or it may be false.
    fn condition(&mut self) -> Atom {
        let (a, b) = (self.long(), self.long());
        match self.choices.below(8) {
            0 => Atom::bool(true),
            1 | 2 => self.b.compare(CmpOp::Le, a, a),
            3 | 4 => {
                let least = self.b.binary(BinOp::Min, a, b);
                self.b.compare(CmpOp::Le, least, a)
            }
            5 => {
                let bits = self.b.binary(BinOp::And, a, Atom::i64(7));
                self.b.compare(CmpOp::Lt, bits, Atom::i64(8))
            }
            _ => self.scalar(PrimType::Bool),
        }
    }

    /// A check that returns some values.
    pub fn assertion(&mut self, _: usize) {
        let cond = self.condition();
        let values: Vec<Atom> = (0..=self.choices.below(3))
            .map(|_| match self.choices.once_in(3) {
                true => Atom::Var(self.pick_array()),
                false => self.recent_scalar(),
            })
            .collect();
        let types = values.iter().map(|&value| self.b.type_of(value)).collect();
        let mut error = message("checked");
        if self.choices.once_in(2) {
            error.parts.push(ErrorPart::Value(self.recent_scalar()));
        }
        let results = self.b.bind_many(types, Exp::Assert { cond, values: values.clone(), error });
        for (value, result) in values.into_iter().zip(results) {
            match (value, result) {
                (Atom::Var(value), Atom::Var(result)) if !self.b.type_of(Atom::Var(result)).is_scalar() => {
                    let regions = self.regions_of(value);
                    self.add_array(result, regions);
                }
                (_, result) => self.scope.scalars.push(result),
            }
        }
    }

    /// An array whose outer size is renamed by a check.
    pub fn size_assertion(&mut self, _: usize) {
        let array = self.pick_array();
        self.check_size(array);
    }

    pub fn check_size(&mut self, array: Var) -> Var {
        let ty = self.b.vars()[array].ty.clone();
        let size = ty.shape[0];
        // A fact that only the check establishes does not hold for code that does not use its result.
        let (other, same) = match self.choices.below(4) {
            0 => (self.b.binary(BinOp::Max, size, Atom::i64(0)), true),
            1 => (self.b.binary(BinOp::Add, size, Atom::i64(0)), true),
            2 => {
                let more = self.b.binary(BinOp::Add, size, Atom::i64(1));
                (self.b.binary(BinOp::Sub, more, Atom::i64(1)), true)
            }
            _ => (self.size().atom, false),
        };
        let cond = self.b.compare(CmpOp::Eq, size, other);
        let cond = if same && self.choices.once_in(3) { self.b.trust(cond) } else { cond };
        let shape = std::iter::once(other).chain(ty.shape[1..].iter().copied()).collect();
        let exp = Exp::Assert { cond, values: vec![Atom::Var(array)], error: message("sizes differ") };
        let regions = self.regions_of(array);
        let positive = self.is_positive(size);
        let view = variable(self.b.bind(Type::array(ty.elem, shape), exp));
        self.scope.sizes.extend(same.then_some(Size { atom: other, positive }));
        self.add_array(view, regions);
        view
    }

    /// A repetition of an earlier expression.
    pub fn repetition(&mut self, _: usize) {
        let repeatable = self.scope.repeatable.clone();
        if repeatable.is_empty() {
            return self.operation(0);
        }
        let back = self.choices.below(repeatable.len().min(256));
        let (exp, ty) = repeatable[repeatable.len() - 1 - back].clone();
        let again = self.b.bind(ty, exp);
        self.scope.scalars.push(again);
    }

    /// Another name for a value.
    pub fn renaming(&mut self, _: usize) {
        let value = match self.choices.below(2) {
            0 => self.recent_scalar(),
            _ => Atom::Var(self.pick_array()),
        };
        let name = self.b.bind(self.b.type_of(value), Exp::Atom(value));
        match (value, name) {
            (Atom::Var(array), Atom::Var(name)) if !self.b.type_of(value).is_scalar() => {
                let regions = self.regions_of(array);
                self.add_array(name, regions);
            }
            _ => self.scope.scalars.push(name),
        }
    }

    /// A number that is at least 0 and below `size`: a counter, a constant, a remainder, a clamped number, or a checked
    /// one.
    pub fn position(&mut self, size: Atom) -> Atom {
        let counters: Vec<Atom> = self
            .scope
            .counters
            .iter()
            .filter(|(_, below)| *below == size)
            .map(|&(counter, _)| counter)
            .collect();
        if !counters.is_empty() && self.choices.below(4) != 3 {
            return self.choices.recent(&counters);
        }
        if !self.is_positive(size) {
            let cond = self.b.compare(CmpOp::Lt, Atom::i64(0), size);
            return self.b.assert(cond, Atom::i64(0), message("empty"));
        }
        let long = self.long();
        let last = |writer: &mut Writer| writer.b.binary(BinOp::Sub, size, Atom::i64(1));
        match self.choices.below(5) {
            0 => Atom::i64(0),
            1 => last(self),
            2 => {
                let last = last(self);
                let low = self.b.binary(BinOp::Min, long, last);
                self.b.binary(BinOp::Max, low, Atom::i64(0))
            }
            3 => {
                let low = self.b.compare(CmpOp::Le, Atom::i64(0), long);
                let high = self.b.compare(CmpOp::Lt, long, size);
                let cond = self.b.binary(BinOp::And, low, high);
                self.b.assert(cond, long, message("out of bounds"))
            }
            _ => self.b.binary(BinOp::Mod, long, size),
        }
    }

    /// Writes an operation on i64, and adds its result to the scope.
    pub fn i64_operation(&mut self, op: BinOp, a: Atom, b: Atom) -> Atom {
        self.pure(long(), Exp::Binary(op, a, b))
    }
}

/// The smallest or the largest number of an integer type.
pub fn least_or_greatest(ty: PrimType, largest: bool) -> PrimValue {
    let ones = u64::MAX >> (64 - ty.bits());
    let bits = match (ty.is_unsigned(), largest) {
        (true, true) => ones,
        (true, false) => 0,
        (false, true) => ones >> 1,
        (false, false) => (ones >> 1) + 1,
    };
    PrimValue::from_bits(ty, bits)
}
