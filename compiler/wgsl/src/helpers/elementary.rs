//! The elementary functions as helpers: prim's definitions, written as WGSL.
//!
//! A definition is applied to terms that stand for WGSL variables. Each operation becomes a `let`, and operations of
//! constants are computed here. An angle far from 0 is reduced by a helper of the library, since that needs integers.
//!
//! On a device that rounds every operation as IEEE 754 requires, the results have the bits of the evaluator. The runtime
//! forbids the device to contract products and sums in helpers.

use std::cell::RefCell;
use std::fmt::Write;
use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use ravel_prim::elementary::{self, Angle, Bits, Float, Real, Scalar};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp, convert};

use crate::shader::Literal;

/// The text of the helper `name`, if that is an elementary function of f32 or f64.
pub(super) fn elementary(name: &str, ty: PrimType) -> Option<String> {
    match ty {
        PrimType::F32 => function::<f32>(name),
        PrimType::F64 => function::<f64>(name),
        _ => None,
    }
}

fn function<T: Float>(name: &str) -> Option<String> {
    let body = Body::default();
    let [x, y] = ["x", "y"].map(|name| Term::<T>::new(Some(&body), body.add(Line::parameter(name))));
    let unary = UnOp::ALL.iter().copied().find(|op| op.name() == name);
    let binary = BinOp::ALL.iter().copied().find(|op| op.name() == name);
    let (parameters, result) = match (unary, binary) {
        (Some(op), _) => (1, elementary::general_unary(op, x)?),
        (_, Some(op)) => (2, elementary::general_binary(op, x, y)?),
        _ => return None,
    };
    let ty = T::TYPE.name();
    let mut text = format!("fn {name}_{ty}(");
    for (at, parameter) in ["x", "y"].into_iter().take(parameters).enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{parameter}: {ty}");
    }
    let _ = writeln!(text, ") -> {ty} {{");
    body.write(result.operand, &mut text);
    let _ = writeln!(text, "    return {};\n}}", body.name(result.operand));
    Some(text)
}

/// The statements of a function.
#[derive(Default)]
struct Body {
    lines: RefCell<Vec<Line>>,
}

/// A variable of a function.
struct Line {
    name: String,
    /// Its value; `None` for a parameter.
    value: Option<String>,
    /// The lines that the value mentions.
    uses: Vec<usize>,
}

impl Line {
    fn parameter(name: &str) -> Line {
        Line { name: name.to_owned(), value: None, uses: Vec::new() }
    }
}

/// A constant or a line.
#[derive(Clone, Copy)]
enum Operand {
    Constant(PrimValue),
    Line(usize),
}

impl Body {
    fn add(&self, line: Line) -> Operand {
        let mut lines = self.lines.borrow_mut();
        lines.push(line);
        Operand::Line(lines.len() - 1)
    }

    /// Binds a variable to a value that mentions these operands.
    fn bind<const N: usize>(
        &self,
        operands: [Operand; N],
        value: impl FnOnce([String; N]) -> String,
    ) -> Operand {
        let value = value(operands.map(|operand| self.name(operand)));
        let uses = operands.into_iter().filter_map(|operand| match operand {
            Operand::Line(line) => Some(line),
            Operand::Constant(_) => None,
        });
        let name = format!("t{}", self.lines.borrow().len());
        self.add(Line { name, value: Some(value), uses: uses.collect() })
    }

    fn name(&self, operand: Operand) -> String {
        match operand {
            Operand::Constant(value) => Literal(value).to_string(),
            Operand::Line(line) => self.lines.borrow()[line].name.clone(),
        }
    }

    /// Writes the lines that a result needs.
    fn write(&self, result: Operand, text: &mut String) {
        let lines = self.lines.borrow();
        let mut is_needed = vec![false; lines.len()];
        if let Operand::Line(line) = result {
            is_needed[line] = true;
        }
        for at in (0..lines.len()).rev() {
            if is_needed[at] {
                lines[at].uses.iter().for_each(|&used| is_needed[used] = true);
            }
        }
        for (line, _) in lines.iter().zip(&is_needed).filter(|&(_, &is_needed)| is_needed) {
            if let Some(value) = &line.value {
                let _ = writeln!(text, "    let {} = {value};", line.name);
            }
        }
    }
}

/// A constant or variable of type `T`. Constants have no body.
#[derive(Clone, Copy)]
struct Term<'b, T> {
    body: Option<&'b Body>,
    operand: Operand,
    of: PhantomData<T>,
}

impl<'b, T> Term<'b, T> {
    fn new(body: Option<&'b Body>, operand: Operand) -> Term<'b, T> {
        Term { body, operand, of: PhantomData }
    }

    fn constant(value: PrimValue) -> Term<'b, T> {
        Term::new(None, Operand::Constant(value))
    }

    /// An operator, written around its operand.
    fn unary<U>(self, op: UnOp, before: &str, after: &str) -> Term<'b, U> {
        match (self.body, self.operand) {
            (Some(body), operand) => {
                Term::new(Some(body), body.bind([operand], |[a]| format!("{before}{a}{after}")))
            }
            (None, Operand::Constant(a)) => {
                Term::constant(ravel_prim::unary(op, a).expect("an operation of constants"))
            }
            (None, Operand::Line(_)) => unreachable!("a variable has a body"),
        }
    }

    /// An operator between its operands.
    fn infix<U, V>(
        self,
        sign: &str,
        other: Term<'b, U>,
        of_constants: impl FnOnce(PrimValue, PrimValue) -> Option<PrimValue>,
    ) -> Term<'b, V> {
        if let (Operand::Constant(a), Operand::Constant(b)) = (self.operand, other.operand) {
            return Term::constant(of_constants(a, b).expect("an operation of constants"));
        }
        let body = self.body.or(other.body).expect("a variable has a body");
        Term::new(Some(body), body.bind([self.operand, other.operand], |[a, b]| format!("{a} {sign} {b}")))
    }

    fn binary(self, op: BinOp, sign: &str, other: Term<'b, T>) -> Term<'b, T> {
        self.infix(sign, other, |a, b| ravel_prim::binary(op, a, b))
    }

    fn compare(self, op: CmpOp, sign: &str, other: Term<'b, T>) -> Term<'b, bool> {
        self.infix(sign, other, |a, b| ravel_prim::compare(op, a, b).map(PrimValue::Bool))
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $name:ident $sign:literal;)*) => {$(
        impl<'b, T> $operator for Term<'b, T> {
            type Output = Term<'b, T>;

            fn $method(self, other: Term<'b, T>) -> Term<'b, T> {
                self.binary(BinOp::$name, $sign, other)
            }
        }
    )*};
}

operators! {
    Add add Add "+";
    Sub sub Sub "-";
    Mul mul Mul "*";
    Div div Div "/";
    BitAnd bitand And "&";
    BitOr bitor Or "|";
    BitXor bitxor Xor "^";
}

impl<'b, T> Neg for Term<'b, T> {
    type Output = Term<'b, T>;

    fn neg(self) -> Term<'b, T> {
        self.unary(UnOp::Neg, "-", "")
    }
}

impl<'b> Not for Term<'b, bool> {
    type Output = Term<'b, bool>;

    fn not(self) -> Term<'b, bool> {
        self.unary(UnOp::Not, "!", "")
    }
}

impl<'b, T: Float> Real for Term<'b, T> {
    const IS_SINGLE: bool = matches!(T::TYPE, PrimType::F32);
    type Bits = Term<'b, T::Bits>;
    type Truth = Term<'b, bool>;

    fn number(value: f64) -> Self {
        Term::constant(convert(PrimValue::F64(value), T::TYPE))
    }

    fn abs(self) -> Self {
        self.unary(UnOp::Abs, "abs(", ")")
    }

    fn sqrt(self) -> Self {
        self.unary(UnOp::Sqrt, "sqrt(", ")")
    }

    fn to_bits(self) -> Self::Bits {
        self.unary(UnOp::ToBits, &format!("bitcast<{}>(", T::Bits::TYPE), ")")
    }

    fn from_bits(bits: Self::Bits) -> Self {
        bits.unary(UnOp::FromBits, &format!("bitcast<{}>(", T::TYPE), ")")
    }

    fn less(self, other: Self) -> Self::Truth {
        self.compare(CmpOp::Lt, "<", other)
    }

    fn equals(self, other: Self) -> Self::Truth {
        self.compare(CmpOp::Eq, "==", other)
    }

    fn select(cond: Self::Truth, yes: Self, no: Self) -> Self {
        let Operand::Line(_) = cond.operand else { unreachable!("a condition on an argument") };
        let operands = [no.operand, yes.operand, cond.operand];
        let select = |[no, yes, cond]: [String; 3]| format!("select({no}, {yes}, {cond})");
        Term::new(cond.body, cond.body.expect("a variable has a body").bind(operands, select))
    }

    /// By the bits, because a device may assume that no number is NaN.
    fn is_nan(self) -> Self::Truth {
        self.unary(UnOp::IsNan, &format!("isnan_{}(", T::TYPE), ")")
    }
}

impl<T: Float> Angle for Term<'_, T> {
    fn reduce_far_angle_if(cond: Self::Truth, angle: Self, otherwise: [Self; 3]) -> [Self; 3] {
        let body = cond.body.expect("an angle that is not a constant");
        let [shifted, rest, correction] = otherwise.map(|part| part.operand);
        let reduced =
            body.bind([cond.operand, angle.operand, shifted, rest, correction], |[cond, angle, a, b, c]| {
                let ty = T::TYPE;
                format!("reduced_angle_{ty}({cond}, {angle}, vec3<{ty}>({a}, {b}, {c}))")
            });
        ["x", "y", "z"]
            .map(|part| Term::new(Some(body), body.bind([reduced], |[reduced]| format!("{reduced}.{part}"))))
    }
}

impl<'b, T: Scalar> Bits for Term<'b, T> {
    fn number(value: u64) -> Self {
        Term::constant(convert(PrimValue::U64(value), T::TYPE))
    }

    fn shift_left(self, by: u32) -> Self {
        self.shift(BinOp::Shl, "<<", by)
    }

    fn shift_right(self, by: u32) -> Self {
        self.shift(BinOp::Shr, ">>", by)
    }
}

impl<'b, T: Scalar> Term<'b, T> {
    fn shift(self, op: BinOp, sign: &str, by: u32) -> Self {
        let distance = Term::<u32>::constant(PrimValue::U32(by));
        self.infix(sign, distance, |a, by| ravel_prim::binary(op, a, convert(by, T::TYPE)))
    }
}
