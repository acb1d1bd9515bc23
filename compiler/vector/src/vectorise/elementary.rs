//! Elementary functions: prim's definitions on operands of a strip, so that their code is arithmetic, comparisons and
//! selections of the form. An emitter meets no elementary function, and the results have the bits of the evaluator.
//!
//! An angle far from 0 needs integers that vectors lack. Such an angle is rare: it ends the strip, and scalar code runs
//! the points again (`restart`).

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use ravel_prim::elementary::{self, Angle, Bits, Float, Real, Scalar};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp, convert};

use super::{Vectoriser, fold};
use crate::form::{Exp, Operand};

/// Whether an operator is an elementary function of one operand.
pub(super) fn is_unary(op: UnOp) -> bool {
    elementary::unary(op, 1f64).is_some()
}

/// Whether an operator is an elementary function of two operands.
pub(super) fn is_binary(op: BinOp) -> bool {
    elementary::binary(op, 1f64, 1f64).is_some()
}

impl Vectoriser<'_> {
    /// The value of an expression in the lanes of `mask`, if it is an elementary function of f32 or f64.
    pub(super) fn elementary(&mut self, exp: Exp, mask: Option<Operand>) -> Option<Operand> {
        let ty = self.strip.ty(*exp.operands().first()?);
        match ty {
            PrimType::F32 => self.function::<f32>(exp, mask),
            PrimType::F64 => self.function::<f64>(exp, mask),
            _ => None,
        }
    }

    fn function<T: Float>(&mut self, exp: Exp, mask: Option<Operand>) -> Option<Operand> {
        let site = Site { vectoriser: RefCell::new(self), mask };
        let term = |operand| Term::<T>::new(Some(&site), operand);
        let value = match exp {
            Exp::Unary(op, a) => elementary::general_unary(op, term(a)),
            Exp::Binary(op, a, b) => elementary::general_binary(op, term(a), term(b)),
            _ => None,
        };
        Some(value?.operand)
    }

    /// The sine and the cosine of an angle in the lanes of `mask`, if it is an f32 or f64. They share their reduction.
    pub(super) fn sine_and_cosine(&mut self, angle: Operand, mask: Option<Operand>) -> Option<[Operand; 2]> {
        fn both<T: Float>(
            vectoriser: &mut Vectoriser<'_>,
            angle: Operand,
            mask: Option<Operand>,
        ) -> [Operand; 2] {
            let site = Site { vectoriser: RefCell::new(vectoriser), mask };
            let (sine, cosine) = elementary::sine_and_cosine(Term::<T>::new(Some(&site), angle));
            [sine.operand, cosine.operand]
        }
        match self.strip.ty(angle) {
            PrimType::F32 => Some(both::<f32>(self, angle, mask)),
            PrimType::F64 => Some(both::<f64>(self, angle, mask)),
            _ => None,
        }
    }
}

/// Where the code of a function is put.
trait Code {
    /// Binds a new value to an expression.
    fn push(&self, exp: Exp) -> Operand;
    /// Ends the strip if a bool is true in a lane that takes part.
    fn restart_if(&self, cond: Operand);
}

struct Site<'o, 'a> {
    vectoriser: RefCell<&'o mut Vectoriser<'a>>,
    mask: Option<Operand>,
}

impl Code for Site<'_, '_> {
    fn push(&self, exp: Exp) -> Operand {
        self.vectoriser.borrow_mut().push(exp)
    }

    fn restart_if(&self, cond: Operand) {
        self.vectoriser.borrow_mut().restart_if(cond, self.mask);
    }
}

/// An operand of type `T`. Of constants alone, an operation is a constant, and there is no code.
#[derive(Clone, Copy)]
struct Term<'c, T> {
    code: Option<&'c dyn Code>,
    operand: Operand,
    of: PhantomData<T>,
}

impl<'c, T> Term<'c, T> {
    fn new(code: Option<&'c dyn Code>, operand: Operand) -> Term<'c, T> {
        Term { code, operand, of: PhantomData }
    }

    /// The result of an expression of operands of which one has this code, if one has any.
    fn bind(code: Option<&'c dyn Code>, exp: Exp) -> Term<'c, T> {
        let operand = match code {
            Some(code) => code.push(exp),
            None => fold(exp).expect("an operation of constants"),
        };
        Term::new(code, operand)
    }

    fn unary<U>(self, op: UnOp) -> Term<'c, U> {
        Term::bind(self.code, Exp::Unary(op, self.operand))
    }

    fn binary(self, op: BinOp, other: Term<'c, T>) -> Term<'c, T> {
        Term::bind(self.code.or(other.code), Exp::Binary(op, self.operand, other.operand))
    }

    fn compare(self, op: CmpOp, other: Term<'c, T>) -> Term<'c, bool> {
        Term::bind(self.code.or(other.code), Exp::Compare(op, self.operand, other.operand))
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $name:ident;)*) => {$(
        impl<'c, T> $operator for Term<'c, T> {
            type Output = Term<'c, T>;

            fn $method(self, other: Term<'c, T>) -> Term<'c, T> {
                self.binary(BinOp::$name, other)
            }
        }
    )*};
}

operators! {
    Add add Add;
    Sub sub Sub;
    Mul mul Mul;
    Div div Div;
    BitAnd bitand And;
    BitOr bitor Or;
    BitXor bitxor Xor;
}

impl<'c, T> Neg for Term<'c, T> {
    type Output = Term<'c, T>;

    fn neg(self) -> Term<'c, T> {
        self.unary(UnOp::Neg)
    }
}

impl<'c> Not for Term<'c, bool> {
    type Output = Term<'c, bool>;

    fn not(self) -> Term<'c, bool> {
        self.unary(UnOp::Not)
    }
}

impl<'c, T: Float> Real for Term<'c, T> {
    const IS_SINGLE: bool = matches!(T::TYPE, PrimType::F32);
    type Bits = Term<'c, T::Bits>;
    type Truth = Term<'c, bool>;

    fn number(value: f64) -> Self {
        Term::new(None, Operand::Const(convert(PrimValue::F64(value), T::TYPE)))
    }

    fn abs(self) -> Self {
        self.unary(UnOp::Abs)
    }

    fn sqrt(self) -> Self {
        self.unary(UnOp::Sqrt)
    }

    fn to_bits(self) -> Self::Bits {
        self.unary(UnOp::ToBits)
    }

    fn from_bits(bits: Self::Bits) -> Self {
        bits.unary(UnOp::FromBits)
    }

    fn less(self, other: Self) -> Self::Truth {
        self.compare(CmpOp::Lt, other)
    }

    fn equals(self, other: Self) -> Self::Truth {
        self.compare(CmpOp::Eq, other)
    }

    fn select(cond: Self::Truth, yes: Self, no: Self) -> Self {
        let code = cond.code.or(yes.code).or(no.code);
        Term::bind(code, Exp::Select(cond.operand, yes.operand, no.operand))
    }
}

impl<T: Float> Angle for Term<'_, T> {
    fn reduce_far_angle_if(cond: Self::Truth, _: Self, otherwise: [Self; 3]) -> [Self; 3] {
        let code = cond.code.expect("an angle that is not a constant");
        code.restart_if(cond.operand);
        otherwise
    }
}

impl<'c, T: Scalar> Bits for Term<'c, T> {
    fn number(value: u64) -> Self {
        Term::new(None, Operand::Const(convert(PrimValue::U64(value), T::TYPE)))
    }

    fn shift_left(self, by: u32) -> Self {
        self.binary(BinOp::Shl, Bits::number(by.into()))
    }

    fn shift_right(self, by: u32) -> Self {
        self.binary(BinOp::Shr, Bits::number(by.into()))
    }
}
