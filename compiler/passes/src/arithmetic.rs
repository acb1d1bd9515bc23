//! Arithmetic of i64 in kernel code under construction: constants are folded, and results in scope are reused.

use ravel_base::Symbol;
use ravel_kernel::{Atom, ScalarExp};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue};
use rustc_hash::FxHashMap;

pub const ZERO: Atom = Atom::Const(PrimValue::I64(0));
pub const ONE: Atom = Atom::Const(PrimValue::I64(1));

/// The results of expressions that are in scope.
#[derive(Debug, Default)]
pub struct Known {
    results: FxHashMap<ScalarExp, Atom>,
    /// The expressions in the order in which they were recorded.
    order: Vec<ScalarExp>,
}

impl Known {
    /// The result of this expression.
    pub fn get(&self, exp: &ScalarExp) -> Option<Atom> {
        self.results.get(exp).copied()
    }

    /// Records a result, unless one is known.
    pub fn record(&mut self, exp: ScalarExp, result: Atom) {
        if !self.results.contains_key(&exp) {
            self.order.push(exp.clone());
            self.results.insert(exp, result);
        }
    }

    /// The number of results: a scope that begins here ends with [`Self::truncate`] to this number.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Forgets all results but the first ones.
    pub fn truncate(&mut self, len: usize) {
        for exp in self.order.drain(len..) {
            self.results.remove(&exp);
        }
    }
}

/// Code under construction to which scalars can be added.
pub trait Arithmetic {
    /// Binds a scalar.
    fn bind_scalar(&mut self, hint: Option<Symbol>, ty: PrimType, exp: ScalarExp) -> Atom;

    /// The results in scope.
    fn known(&mut self) -> &mut Known;

    /// The result of an expression: an earlier one if it is in scope.
    fn reuse(&mut self, ty: PrimType, exp: ScalarExp) -> Atom {
        if let Some(result) = self.known().get(&exp) {
            return result;
        }
        let result = self.bind_scalar(None, ty, exp.clone());
        self.known().record(exp, result);
        result
    }

    /// `a op b`, folded if both are constants.
    fn arithmetic(&mut self, op: BinOp, a: Atom, b: Atom) -> Atom {
        if let (Atom::Const(a), Atom::Const(b)) = (a, b)
            && let Some(value) = ravel_prim::binary(op, a, b)
        {
            return Atom::Const(value);
        }
        self.reuse(PrimType::I64, ScalarExp::Binary(op, a, b))
    }

    fn add(&mut self, a: Atom, b: Atom) -> Atom {
        match () {
            () if a == ZERO => b,
            () if b == ZERO => a,
            () => self.arithmetic(BinOp::Add, a, b),
        }
    }

    fn sub(&mut self, a: Atom, b: Atom) -> Atom {
        if b == ZERO { a } else { self.arithmetic(BinOp::Sub, a, b) }
    }

    fn mul(&mut self, a: Atom, b: Atom) -> Atom {
        match () {
            () if a == ONE || b == ZERO => b,
            () if b == ONE || a == ZERO => a,
            () => self.arithmetic(BinOp::Mul, a, b),
        }
    }

    fn quot(&mut self, a: Atom, b: Atom) -> Atom {
        self.arithmetic(BinOp::Quot, a, b)
    }

    fn max(&mut self, a: Atom, b: Atom) -> Atom {
        self.arithmetic(BinOp::Max, a, b)
    }

    fn min(&mut self, a: Atom, b: Atom) -> Atom {
        self.arithmetic(BinOp::Min, a, b)
    }

    /// `a / b`, rounded up: the number of parts of at most `b` points. Not `(a + b - 1) / b`, whose sum overflows for
    /// the largest numbers of points.
    fn ceil_div(&mut self, a: Atom, b: Atom) -> Atom {
        let any = self.min(a, ONE);
        let others = self.sub(a, any);
        let full = self.quot(others, b);
        self.add(full, any)
    }

    /// The start of the part with this number, and its number of points. Each part except the last has `most` points.
    fn part_range(&mut self, points: Atom, most: Atom, number: Atom) -> (Atom, Atom) {
        let start = self.mul(number, most);
        let rest = self.sub(points, start);
        (start, self.min(rest, most))
    }

    /// The product of two numbers that are not negative, or the greatest i64 if that is less.
    fn saturating(&mut self, a: Atom, b: Atom) -> Atom {
        if let (Atom::Const(PrimValue::I64(a)), Atom::Const(PrimValue::I64(b))) = (a, b) {
            return Atom::i64(a.saturating_mul(b));
        }
        let product = self.mul(a, b);
        if [ZERO, a, b].contains(&product) {
            return product;
        }
        // The limit of a constant is a constant.
        let (a, b) = if b.var().is_none() { (b, a) } else { (a, b) };
        let divisor = self.max(a, ONE);
        let limit = self.quot(Atom::i64(i64::MAX), divisor);
        let over = self.reuse(PrimType::Bool, ScalarExp::Compare(CmpOp::Lt, limit, b));
        self.reuse(PrimType::I64, ScalarExp::Select(over, Atom::i64(i64::MAX), product))
    }

    /// The number of elements of a shape. It saturates at the greatest i64, for which no machine has memory.
    fn count(&mut self, shape: &[Atom]) -> Atom {
        shape.iter().rev().fold(ONE, |count, &size| self.saturating(size, count))
    }

    /// The row-major strides of a shape.
    fn row_major(&mut self, shape: &[Atom]) -> Vec<Atom> {
        let mut strides = vec![ONE; shape.len()];
        for dimension in (1..shape.len()).rev() {
            strides[dimension - 1] = self.mul(shape[dimension], strides[dimension]);
        }
        strides
    }

    /// Whether `a < b`.
    fn is_less(&mut self, a: Atom, b: Atom) -> Atom {
        self.bind_scalar(None, PrimType::Bool, ScalarExp::Compare(CmpOp::Lt, a, b))
    }

    fn and(&mut self, a: Atom, b: Atom) -> Atom {
        self.bind_scalar(None, PrimType::Bool, ScalarExp::Binary(BinOp::And, a, b))
    }

    /// Whether `0 <= index < size`.
    fn in_bounds(&mut self, index: Atom, size: Atom) -> Atom {
        let lower = self.bind_scalar(None, PrimType::Bool, ScalarExp::Compare(CmpOp::Le, ZERO, index));
        let upper = self.is_less(index, size);
        self.and(lower, upper)
    }
}
