//! Associative operators with their neutral elements, on one value, several values and arrays.

use ravel_core::*;
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, convert};

use super::arrays::variable;
use super::scalars::least_or_greatest;
use super::{Writer, boolean};

/// An associative operator.
pub struct Operator {
    pub op: Lambda,
    pub neutral: Vec<Atom>,
    pub commutative: bool,
}

impl Operator {
    pub fn types(&self, b: &Builder) -> Vec<Type> {
        self.neutral.iter().map(|&atom| b.type_of(atom)).collect()
    }
}

impl Writer {
    /// A random operator.
    pub fn operator(&mut self) -> Operator {
        match self.choices.below(12) {
            0..=6 => {
                let ty = if self.choices.once_in(6) { PrimType::Bool } else { self.prim() };
                self.simple_operator(ty)
            }
            7 => self.composition(),
            8 => self.segmented(),
            9 | 10 => self.largest(),
            _ => self.row_by_row(),
        }
    }

    /// A commutative operator on scalars.
    pub fn simple_operator(&mut self, ty: PrimType) -> Operator {
        let whole = |number: i64| convert(PrimValue::I64(number), ty);
        let float = |number: f64| convert(PrimValue::F64(number), ty);
        let (op, neutral) = match ty {
            PrimType::Bool => self.choices.any(&[
                (BinOp::And, PrimValue::Bool(true)),
                (BinOp::Or, PrimValue::Bool(false)),
                (BinOp::Xor, PrimValue::Bool(false)),
            ]),
            // A sum of floats depends on the order of the additions.
            _ if ty.is_float() => self
                .choices
                .any(&[(BinOp::Max, float(f64::NEG_INFINITY)), (BinOp::Min, float(f64::INFINITY))]),
            _ => self.choices.any(&[
                (BinOp::Add, whole(0)),
                (BinOp::Max, least_or_greatest(ty, false)),
                (BinOp::Min, least_or_greatest(ty, true)),
                (BinOp::Mul, whole(1)),
                (BinOp::And, whole(-1)),
                (BinOp::Or, whole(0)),
                (BinOp::Xor, whole(0)),
            ]),
        };
        Operator {
            op: self.b.operator(op, ty),
            neutral: vec![Atom::Const(neutral)],
            commutative: !ty.is_float(),
        }
    }

    fn pair(
        &mut self,
        types: [PrimType; 2],
        write: impl FnOnce(&mut Builder, &[Atom]) -> Vec<Atom>,
    ) -> Lambda {
        let types = [types[0], types[1], types[0], types[1]].map(Type::scalar);
        self.b.lambda(&types, write)
    }

    /// The composition of two maps `x -> a * x + b`.
    fn composition(&mut self) -> Operator {
        let op = self.pair([PrimType::I32; 2], |b, args| {
            let factor = b.binary(BinOp::Mul, args[0], args[2]);
            let moved = b.binary(BinOp::Mul, args[1], args[2]);
            vec![factor, b.binary(BinOp::Add, moved, args[3])]
        });
        let neutral = [1, 0].map(|number| Atom::Const(PrimValue::I32(number))).to_vec();
        Operator { op, neutral, commutative: false }
    }

    /// A segmented sum: it restarts at each flag.
    fn segmented(&mut self) -> Operator {
        let op = self.pair([PrimType::Bool, PrimType::I64], |b, args| {
            let flag = b.binary(BinOp::Or, args[0], args[2]);
            let then = Body { stms: Vec::new(), result: vec![args[3]] };
            let otherwise = b.body(|b| vec![b.binary(BinOp::Add, args[1], args[3])]);
            let sum = b.bind(Type::scalar(PrimType::I64), Exp::If { cond: args[2], then, otherwise });
            vec![flag, sum]
        });
        Operator { op, neutral: vec![Atom::bool(false), Atom::i64(0)], commutative: false }
    }

    /// The largest number, with the smallest mark of its occurrences.
    fn largest(&mut self) -> Operator {
        let op = self.pair([PrimType::I32, PrimType::I64], |b, args| {
            let less = b.compare(CmpOp::Lt, args[0], args[2]);
            let same = b.compare(CmpOp::Eq, args[0], args[2]);
            let earlier = b.compare(CmpOp::Lt, args[3], args[1]);
            let tie = b.binary(BinOp::And, same, earlier);
            let cond = b.binary(BinOp::Or, less, tie);
            let side = |at: usize| Body { stms: Vec::new(), result: vec![args[at], args[at + 1]] };
            let types = vec![Type::scalar(PrimType::I32), Type::scalar(PrimType::I64)];
            b.bind_many(types, Exp::If { cond, then: side(2), otherwise: side(0) })
        });
        let neutral = vec![Atom::Const(PrimValue::I32(i32::MIN)), Atom::i64(i64::MAX)];
        Operator { op, neutral, commutative: true }
    }

    /// A simple operator, element by element on arrays.
    fn row_by_row(&mut self) -> Operator {
        let (size, elem) = (self.size(), self.prim());
        let Operator { op, neutral, commutative } = self.simple_operator(elem);
        let neutral = self.b.replicate(size.atom, neutral[0]);
        let row = self.b.type_of(neutral);
        let op = self.b.lambda(&[row.clone(), row], |b, args| {
            let sources = args.iter().map(|&arg| Source::Array(variable(arg))).collect();
            b.screma(size.atom, sources, op, vec![Sink::Map])
        });
        Operator { op, neutral: vec![neutral], commutative }
    }

    /// A condition on a value of this type.
    pub fn predicate(&mut self, value: Atom) -> Atom {
        let ty = self.b.type_of(value).elem;
        let other = self.scalar(ty);
        self.pure(boolean(), Exp::Compare(CmpOp::Lt, other, value))
    }
}
