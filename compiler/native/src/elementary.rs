//! Elementary functions as code: prim's definitions, on the values of a function under construction.
//!
//! The functions that programs compute most often have inlined code for ordinary operands, which is short. The other
//! functions, and the other operands, are services of the context, compiled from the same definitions.

use std::cell::RefCell;
use std::num::Wrapping;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::types::{F32, F64, I8, I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type as ClifType, Value};
use cranelift_frontend::FunctionBuilder;
use ravel_abi::native::UNARY_CALLS;
use ravel_prim::elementary::{self, Bits, Real};
use ravel_prim::{PrimType, UnOp};

use crate::emitter::{Emitter, clif_type};
use crate::scalar::Table;

impl Emitter<'_, '_> {
    /// The elementary function of an f32 or f64; none if the operator is none.
    pub fn elementary(&mut self, op: UnOp, ty: PrimType, a: Value) -> Option<Value> {
        let row = UNARY_CALLS.iter().position(|&call| call == op)?;
        let Some((applies, value)) = self.ordinary(op, ty, a) else {
            return Some(self.library(Table::Unary, row, ty, &[a]));
        };
        let ((other, _), (join, joined)) = (self.block(&[]), self.block(&[clif_type(ty)]));
        self.builder.set_cold_block(other);
        self.branch(applies, (join, &[value]), (other, &[]));
        self.builder.switch_to_block(other);
        let value = self.library(Table::Unary, row, ty, &[a]);
        self.jump(join, &[value]);
        self.builder.switch_to_block(join);
        Some(joined[0])
    }

    /// Whether an operand is ordinary, and the function of it if it is. `None` if no code of the function is inlined.
    fn ordinary(&mut self, op: UnOp, ty: PrimType, a: Value) -> Option<(Value, Value)> {
        fn of<'c, T>(op: UnOp, code: &'c dyn Code, a: Value) -> Option<(Value, Value)>
        where
            T: Scalar,
            Term<'c, T>: Real<Truth = Term<'c, bool>>,
        {
            let ordinary = elementary::ordinary_unary(op, Term::<T>::Value(code, a))?;
            Some((ordinary.applies.value(code), ordinary.value.value(code)))
        }
        if !matches!(op, UnOp::Exp | UnOp::Log) {
            return None;
        }
        let code = &RefCell::new(&mut self.builder);
        match ty {
            PrimType::F32 => of::<f32>(op, code, a),
            _ => of::<f64>(op, code, a),
        }
    }
}

/// The function to whose end instructions are added.
trait Code {
    /// Adds an instruction.
    fn add(&self, instruction: &dyn Fn(&mut FunctionBuilder) -> Value) -> Value;
}

impl Code for RefCell<&mut FunctionBuilder<'_>> {
    fn add(&self, instruction: &dyn Fn(&mut FunctionBuilder) -> Value) -> Value {
        instruction(&mut self.borrow_mut())
    }
}

/// A value of the function, or a constant.
#[derive(Clone, Copy)]
enum Term<'c, T> {
    Constant(T),
    Value(&'c dyn Code, Value),
}

/// What a term stands for.
trait Scalar: Copy {
    /// Its type.
    const TYPE: ClifType;
    /// A constant.
    fn constant(self, builder: &mut FunctionBuilder) -> Value;
}

impl<'c, T: Scalar> Term<'c, T> {
    /// The value in the function that this is the code of.
    fn value(self, code: &dyn Code) -> Value {
        match self {
            Term::Constant(constant) => code.add(&|builder| constant.constant(builder)),
            Term::Value(_, value) => value,
        }
    }

    /// The result of an operation: of a constant, what `of_constant` says.
    fn map<U>(
        self,
        of_constant: impl Fn(T) -> U,
        instruction: impl Fn(&mut FunctionBuilder, Value) -> Value,
    ) -> Term<'c, U> {
        match self {
            Term::Constant(constant) => Term::Constant(of_constant(constant)),
            Term::Value(code, value) => Term::Value(code, code.add(&|builder| instruction(builder, value))),
        }
    }

    /// The result of an operation of two operands.
    fn map2<U>(
        self,
        other: Term<'c, T>,
        of_constants: impl Fn(T, T) -> U,
        instruction: impl Fn(&mut FunctionBuilder, Value, Value) -> Value,
    ) -> Term<'c, U> {
        let code = match (self, other) {
            (Term::Constant(a), Term::Constant(b)) => return Term::Constant(of_constants(a, b)),
            (Term::Value(code, _), _) | (_, Term::Value(code, _)) => code,
        };
        let (a, b) = (self.value(code), other.value(code));
        Term::Value(code, code.add(&|builder| instruction(builder, a, b)))
    }
}

macro_rules! scalar {
    ($($ty:ty, $clif:expr, $value:ident, $builder:ident => $constant:expr;)*) => {$(
        impl Scalar for $ty {
            const TYPE: ClifType = $clif;

            fn constant(self, $builder: &mut FunctionBuilder) -> Value {
                let $value = self;
                $constant
            }
        }
    )*};
}

scalar! {
    f32, F32, value, builder => builder.ins().f32const(value);
    f64, F64, value, builder => builder.ins().f64const(value);
    Wrapping<u32>, I32, value, builder => builder.ins().iconst(I32, i64::from(value.0.cast_signed()));
    Wrapping<u64>, I64, value, builder => builder.ins().iconst(I64, value.0.cast_signed());
    bool, I8, value, builder => builder.ins().iconst(I8, i64::from(value));
}

macro_rules! operators {
    ($($ty:ty: $($operator:ident $method:ident $instruction:ident)*;)*) => {$($(
        impl<'c> $operator for Term<'c, $ty> {
            type Output = Term<'c, $ty>;

            fn $method(self, other: Term<'c, $ty>) -> Term<'c, $ty> {
                self.map2(other, <$ty>::$method, |builder, a, b| builder.ins().$instruction(a, b))
            }
        }
    )*)*};
}

operators! {
    f32: Sub sub fsub Div div fdiv;
    f64: Sub sub fsub Div div fdiv;
    Wrapping<u32>: Add add iadd Sub sub isub BitAnd bitand band BitOr bitor bor BitXor bitxor bxor;
    Wrapping<u64>: Add add iadd Sub sub isub BitAnd bitand band BitOr bitor bor BitXor bitxor bxor;
    bool: BitAnd bitand band BitOr bitor bor;
}

impl<'c> Not for Term<'c, bool> {
    type Output = Term<'c, bool>;

    fn not(self) -> Term<'c, bool> {
        self.map(|truth| !truth, |builder, truth| builder.ins().bxor_imm_u(truth, 1))
    }
}

macro_rules! floats {
    ($($float:ident, $bits:ident, $is_single:literal;)*) => {$(
        impl<'c> Add for Term<'c, $float> {
            type Output = Term<'c, $float>;

            fn add(self, other: Term<'c, $float>) -> Term<'c, $float> {
                let (a, b) = constant_last(self, other);
                a.map2(b, <$float>::add, |builder, a, b| builder.ins().fadd(a, b))
            }
        }

        impl<'c> Mul for Term<'c, $float> {
            type Output = Term<'c, $float>;

            fn mul(self, other: Term<'c, $float>) -> Term<'c, $float> {
                let (a, b) = constant_last(self, other);
                a.map2(b, <$float>::mul, |builder, a, b| builder.ins().fmul(a, b))
            }
        }

        impl<'c> Neg for Term<'c, $float> {
            type Output = Term<'c, $float>;

            fn neg(self) -> Term<'c, $float> {
                self.map(|x| -x, |builder, x| builder.ins().fneg(x))
            }
        }

        impl<'c> Real for Term<'c, $float> {
            const IS_SINGLE: bool = $is_single;
            type Bits = Term<'c, Wrapping<$bits>>;
            type Truth = Term<'c, bool>;

            fn number(value: f64) -> Self {
                Term::Constant(Real::number(value))
            }

            fn abs(self) -> Self {
                self.map(Real::abs, |builder, x| builder.ins().fabs(x))
            }

            fn sqrt(self) -> Self {
                self.map(Real::sqrt, |builder, x| builder.ins().sqrt(x))
            }

            fn to_bits(self) -> Self::Bits {
                self.map(Real::to_bits, bitcast::<Wrapping<$bits>>)
            }

            fn from_bits(bits: Self::Bits) -> Self {
                bits.map(Real::from_bits, bitcast::<$float>)
            }

            fn less(self, other: Self) -> Self::Truth {
                self.map2(other, Real::less, |builder, a, b| builder.ins().fcmp(FloatCC::LessThan, a, b))
            }

            fn equals(self, other: Self) -> Self::Truth {
                self.map2(other, Real::equals, |builder, a, b| builder.ins().fcmp(FloatCC::Equal, a, b))
            }

            fn select(cond: Self::Truth, yes: Self, no: Self) -> Self {
                match cond {
                    Term::Constant(true) => yes,
                    Term::Constant(false) => no,
                    Term::Value(code, cond) => {
                        let (yes, no) = (yes.value(code), no.value(code));
                        Term::Value(code, code.add(&|builder| builder.ins().select(cond, yes, no)))
                    }
                }
            }
        }

        impl<'c> Bits for Term<'c, Wrapping<$bits>> {
            fn number(value: u64) -> Self {
                Term::Constant(Bits::number(value))
            }

            fn shift_left(self, by: u32) -> Self {
                self.map(|bits| bits.shift_left(by), |builder, bits| builder.ins().ishl_imm_u(bits, i64::from(by)))
            }

            fn shift_right(self, by: u32) -> Self {
                self.map(|bits| bits.shift_right(by), |builder, bits| builder.ins().ushr_imm_u(bits, i64::from(by)))
            }
        }
    )*};
}

floats! {
    f32, u32, true;
    f64, u64, false;
}

/// The operands of a commutative instruction: the second one can lie in memory, as constants do.
fn constant_last<'c, T>(a: Term<'c, T>, b: Term<'c, T>) -> (Term<'c, T>, Term<'c, T>) {
    if matches!(a, Term::Constant(_)) { (b, a) } else { (a, b) }
}

/// The same bits as a value of another type.
fn bitcast<T: Scalar>(builder: &mut FunctionBuilder, value: Value) -> Value {
    builder.ins().bitcast(T::TYPE, MemFlagsData::new(), value)
}
