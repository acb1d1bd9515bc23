//! Scalar operators as WGSL expressions, with the meaning that `ravel_prim`'s evaluator gives them.
//!
//! Where WGSL's own operator means something else (division rounds towards zero, shifts take their
//! distance modulo the width, `min` may drop a number for a NaN) the expression calls a *helper*: a
//! function of [`helpers`] that the module then holds. NaN is told by its bits, and `!=`
//! of floats is the negation of `==`, because a device may take all numbers for comparable.
//!
//! Types of 8 and 16 bits compute in their carrier: the operator is the carrier's, and what it gives
//! is wrapped or rounded to the type where it can lie outside.

use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

use crate::helpers::Helpers;
use crate::scalar::{carrier, literal, type_name};

/// Writes expressions; remembers the helpers they call.
pub(crate) struct Operators<'h> {
    /// The helpers of the module.
    pub helpers: &'h mut Helpers,
}

/// `x + 0`, `x - -0` and `0 - x` of floats, if it is one of them: a device may take them for x and -x,
/// which have the wrong sign where x is a zero.
fn zero_added(op: BinOp, ty: PrimType, a: &str, b: &str) -> Option<String> {
    let wide = carrier(ty);
    let zero = literal(PrimValue::zero(wide));
    let minus_zero = literal(PrimValue::from_bits(wide, 1 << (wide.bits() - 1)));
    let kept = |x: &str| format!("select({x}, {zero}, {x} == {zero})");
    match op {
        _ if !ty.is_float() => None,
        BinOp::Add if b == zero => Some(kept(a)),
        BinOp::Add if a == zero => Some(kept(b)),
        BinOp::Sub if b == minus_zero => Some(kept(a)),
        BinOp::Sub if a == zero => Some(format!("select(-({b}), {zero}, {b} == {zero})")),
        _ => None,
    }
}

impl Operators<'_> {
    /// A call of the helper `name` for type `ty`.
    fn call(&mut self, name: &str, ty: PrimType, args: &[&str]) -> String {
        format!("{}({})", self.helpers.want(name, ty), args.join(", "))
    }

    /// A call that reports the argument number `at` of a failed assertion.
    pub(crate) fn report(&mut self, ty: PrimType, at: usize, value: &str) -> String {
        let at = format!("{at}u");
        match ty {
            PrimType::F16 => {
                let bits = self.call("half_bits", PrimType::F32, &[value]);
                self.call("report", PrimType::U32, &[&at, &bits])
            }
            _ => self.call("report", carrier(ty), &[&at, value]),
        }
    }

    /// The carrier's value `text` as one of type `ty`: wrapped, or rounded to the nearest.
    fn narrow(&mut self, ty: PrimType, text: &str) -> String {
        match ty {
            PrimType::I8 | PrimType::I16 => format!("extractBits({text}, 0u, {}u)", ty.bits()),
            PrimType::U8 | PrimType::U16 => format!("({text}) & {}u", mask(ty)),
            PrimType::F16 => self.call("round_to_half", PrimType::F32, &[text]),
            _ => text.to_owned(),
        }
    }

    /// The bits of a value of a type of 8 or 16 bits, as a u32.
    fn small_bits(&self, ty: PrimType, a: &str) -> String {
        if ty.is_signed() { format!("(bitcast<u32>({a}) & {}u)", mask(ty)) } else { a.to_owned() }
    }

    /// `a op b` on operands of type `ty`.
    pub(crate) fn binary(&mut self, op: BinOp, ty: PrimType, a: &str, b: &str) -> String {
        let wide = carrier(ty);
        if op == BinOp::Lshr && wide != ty {
            // The zeros come in at the width of the type.
            let (bits, distance) = (self.small_bits(ty, a), format!("u32({b})"));
            let shifted = self.call("lshr", PrimType::U32, &[&bits, &distance]);
            let shifted = if ty.is_signed() { format!("bitcast<i32>({shifted})") } else { shifted };
            return self.narrow(ty, &shifted);
        }
        if let Some(text) = zero_added(op, ty, a, b) {
            return text;
        }
        let infix = |sign: &str| format!("{a} {sign} {b}");
        let text = match op {
            BinOp::Add => infix("+"),
            BinOp::Sub => infix("-"),
            BinOp::Mul => infix("*"),
            BinOp::And => infix("&"),
            BinOp::Or => infix("|"),
            BinOp::Xor if ty == PrimType::Bool => infix("!="),
            BinOp::Xor => infix("^"),
            BinOp::Div if ty.is_float() => infix("/"),
            BinOp::Min if ty.is_integer() => format!("select({a}, {b}, {b} < {a})"),
            BinOp::Max if ty.is_integer() => format!("select({a}, {b}, {a} < {b})"),
            BinOp::Shr if ty.is_unsigned() => self.call("lshr", wide, &[a, b]),
            _ => self.call(op.name(), wide, &[a, b]),
        };
        match op {
            BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shr => text,
            BinOp::Min | BinOp::Max | BinOp::Copysign => text,
            _ => self.narrow(ty, &text),
        }
    }

    /// `op a` on an operand of type `ty`.
    pub(crate) fn unary(&mut self, op: UnOp, ty: PrimType, a: &str) -> String {
        let wide = carrier(ty);
        if wide != ty {
            match op {
                UnOp::ToBits => return self.call("half_bits", wide, &[a]),
                UnOp::FromBits => return self.call("half_from_bits", wide, &[a]),
                UnOp::Popc => return self.call("popc", PrimType::U32, &[&self.small_bits(ty, a)]),
                UnOp::Clz => {
                    let zeros = self.call("clz", PrimType::U32, &[&self.small_bits(ty, a)]);
                    return format!("{zeros} - {}i", 32 - ty.bits());
                }
                UnOp::Ctz => {
                    let ended = format!("{} | {}u", self.small_bits(ty, a), mask(ty) + 1);
                    return self.call("ctz", PrimType::U32, &[&ended]);
                }
                _ => {}
            }
        }
        let zero = literal(PrimValue::zero(wide));
        let text = match op {
            UnOp::Neg if ty.is_float() => format!("-({a})"),
            UnOp::Neg => format!("{zero} - {a}"),
            UnOp::Not if ty == PrimType::Bool => format!("!{a}"),
            UnOp::Not => format!("~{a}"),
            UnOp::Abs if ty.is_float() => format!("abs({a})"),
            UnOp::Abs if ty.is_unsigned() => a.to_owned(),
            UnOp::Abs => format!("select({a}, {zero} - {a}, {a} < {zero})"),
            UnOp::ToBits => format!("bitcast<{}>({a})", type_name(op.result(ty))),
            UnOp::FromBits => self.call(op.name(), op.result(ty), &[a]),
            UnOp::Sqrt => format!("sqrt({a})"),
            UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::Round if wide == PrimType::F32 => {
                format!("{}({a})", op.name())
            }
            _ => self.call(op.name(), wide, &[a]),
        };
        match op {
            UnOp::IsNan | UnOp::IsInf | UnOp::Sgn => text,
            UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::Round => text,
            UnOp::Neg | UnOp::Abs if ty.is_float() => text,
            _ => self.narrow(ty, &text),
        }
    }

    /// `a op b`, a bool.
    pub(crate) fn compare(&mut self, op: CmpOp, ty: PrimType, a: &str, b: &str) -> String {
        match (op, ty) {
            (CmpOp::Ne, _) if ty.is_float() => format!("!({a} == {b})"),
            (CmpOp::Lt, PrimType::Bool) => format!("!{a} && {b}"),
            (CmpOp::Le, PrimType::Bool) => format!("!{a} || {b}"),
            (CmpOp::Eq, _) => format!("{a} == {b}"),
            (CmpOp::Ne, _) => format!("{a} != {b}"),
            (CmpOp::Lt, _) => format!("{a} < {b}"),
            (CmpOp::Le, _) => format!("{a} <= {b}"),
        }
    }

    /// `a`, of type `from`, as a value of type `to`.
    pub(crate) fn convert(&mut self, from: PrimType, to: PrimType, a: &str) -> String {
        let target = type_name(to);
        match (carrier(from), carrier(to)) {
            _ if from == to => a.to_owned(),
            (PrimType::Bool, _) => {
                let [zero, one] = [false, true].map(|x| literal(ravel_prim::convert(PrimValue::Bool(x), to)));
                format!("select({zero}, {one}, {a})")
            }
            (wide, PrimType::Bool) => format!("!({a} == {})", literal(PrimValue::zero(wide))),
            (PrimType::F64, _) if to == PrimType::F16 => self.call("double_to_half", PrimType::F32, &[a]),
            (PrimType::F64, _) if to.is_integer() => self.call("truncate_f64", to, &[a]),
            (PrimType::F32, _) if to.is_integer() => self.call("truncate_f32", to, &[a]),
            (wide, same) if wide == same => self.narrow(to, a),
            // Zeros come in at the width of the type.
            (PrimType::I32, PrimType::U32) if from.bits() < 32.min(to.bits()) => self.small_bits(from, a),
            (PrimType::I32, PrimType::U64) if from.bits() < 32 => format!("u64{}", self.small_bits(from, a)),
            (PrimType::I32, PrimType::U64) => format!("u64(u32({a}))"),
            // The width changes before the sign does.
            (PrimType::I64, PrimType::U32) => self.narrow(to, &format!("u32(u64({a}))")),
            (PrimType::U64, PrimType::I32) => self.narrow(to, &format!("i32(i64({a}))")),
            (PrimType::U32, PrimType::I64) => format!("i64(u64({a}))"),
            _ => self.narrow(to, &format!("{target}({a})")),
        }
    }
}

/// As many one bits as the type has.
fn mask(ty: PrimType) -> u32 {
    (1 << ty.bits()) - 1
}
