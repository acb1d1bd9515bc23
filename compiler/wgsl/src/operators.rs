//! Scalar operators as WGSL expressions, with the meaning that `ravel_prim`'s evaluator gives them.
//!
//! Where WGSL's own operator means something else (division rounds towards zero, shifts take their
//! distance modulo the width, `min` may drop a number for a NaN) the expression calls a *helper*: a
//! function of [`helpers`] that the module then holds. NaN is told by its bits, and `!=`
//! of floats is the negation of `==`, because a device may take all numbers for comparable.

use ravel_base::{Diagnostic, Limitation, Span};
use ravel_prim::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

use crate::helpers::{self, Helpers};
use crate::scalar::{literal, type_name};

/// Writes expressions; remembers the helpers they call.
pub(crate) struct Operators<'h> {
    /// The helpers of the module.
    pub helpers: &'h mut Helpers,
    /// The place to blame.
    pub span: Option<Span>,
}

impl Operators<'_> {
    /// A call of the helper `name` for type `ty`.
    fn call(&mut self, name: &str, ty: PrimType, args: &[&str]) -> String {
        format!("{}({})", self.helpers.want(name, ty), args.join(", "))
    }

    fn no_f64(&self, ty: PrimType) -> Result<(), Diagnostic> {
        match ty {
            PrimType::F64 => Err(Diagnostic::limitation(Limitation::DeviceF64Math, self.span)),
            _ => Ok(()),
        }
    }

    /// `a op b` on operands of type `ty`.
    pub(crate) fn binary(&mut self, op: BinOp, ty: PrimType, a: &str, b: &str) -> Result<String, Diagnostic> {
        type_name(ty, self.span)?;
        let infix = |sign: &str| Ok(format!("{a} {sign} {b}"));
        match op {
            BinOp::Add => infix("+"),
            BinOp::Sub => infix("-"),
            BinOp::Mul => infix("*"),
            BinOp::And => infix("&"),
            BinOp::Or => infix("|"),
            BinOp::Xor if ty == PrimType::Bool => infix("!="),
            BinOp::Xor => infix("^"),
            BinOp::Div if ty.is_float() => infix("/"),
            BinOp::Min if ty.is_integer() => Ok(format!("select({a}, {b}, {b} < {a})")),
            BinOp::Max if ty.is_integer() => Ok(format!("select({a}, {b}, {a} < {b})")),
            BinOp::Atan2 => {
                self.no_f64(ty)?;
                Ok(format!("atan2({a}, {b})"))
            }
            BinOp::Pow => {
                self.no_f64(ty)?;
                Ok(self.call(op.name(), ty, &[a, b]))
            }
            BinOp::Shr if ty.is_unsigned() => Ok(self.call("lshr", ty, &[a, b])),
            _ => Ok(self.call(op.name(), ty, &[a, b])),
        }
    }

    /// `op a` on an operand of type `ty`.
    pub(crate) fn unary(&mut self, op: UnOp, ty: PrimType, a: &str) -> Result<String, Diagnostic> {
        type_name(ty, self.span)?;
        let zero = literal(PrimValue::zero(ty));
        match op {
            UnOp::Neg if ty.is_float() => Ok(format!("-({a})")),
            UnOp::Neg => Ok(format!("{zero} - {a}")),
            UnOp::Not if ty == PrimType::Bool => Ok(format!("!{a}")),
            UnOp::Not => Ok(format!("~{a}")),
            UnOp::Abs if ty.is_float() => Ok(format!("abs({a})")),
            UnOp::Abs if ty.is_unsigned() => Ok(a.to_owned()),
            UnOp::Abs => Ok(format!("select({a}, {zero} - {a}, {a} < {zero})")),
            UnOp::ToBits => Ok(format!("bitcast<{}>({a})", if ty == PrimType::F64 { "u64" } else { "u32" })),
            UnOp::FromBits => Ok(self.call(op.name(), op.result(ty), &[a])),
            UnOp::Sqrt | UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::Round => {
                Ok(format!("{}({a})", op.name()))
            }
            UnOp::Sgn | UnOp::Popc | UnOp::Clz | UnOp::Ctz | UnOp::IsNan | UnOp::IsInf => {
                Ok(self.call(op.name(), ty, &[a]))
            }
            UnOp::Cbrt | UnOp::Log10 => {
                self.no_f64(ty)?;
                Ok(self.call(op.name(), ty, &[a]))
            }
            // What is left has the same name in WGSL, but for 64 bits only the name exists.
            _ => {
                self.no_f64(ty)?;
                Ok(format!("{}({a})", op.name()))
            }
        }
    }

    /// `a op b`, a bool.
    pub(crate) fn compare(
        &mut self,
        op: CmpOp,
        ty: PrimType,
        a: &str,
        b: &str,
    ) -> Result<String, Diagnostic> {
        type_name(ty, self.span)?;
        Ok(match (op, ty) {
            (CmpOp::Ne, PrimType::F32 | PrimType::F64) => format!("!({a} == {b})"),
            (CmpOp::Lt, PrimType::Bool) => format!("!{a} && {b}"),
            (CmpOp::Le, PrimType::Bool) => format!("!{a} || {b}"),
            (CmpOp::Eq, _) => format!("{a} == {b}"),
            (CmpOp::Ne, _) => format!("{a} != {b}"),
            (CmpOp::Lt, _) => format!("{a} < {b}"),
            (CmpOp::Le, _) => format!("{a} <= {b}"),
        })
    }

    /// `a`, of type `from`, as a value of type `to`.
    pub(crate) fn convert(&mut self, from: PrimType, to: PrimType, a: &str) -> Result<String, Diagnostic> {
        type_name(from, self.span)?;
        let target = type_name(to, self.span)?;
        Ok(match (from, to) {
            _ if from == to => a.to_owned(),
            (PrimType::Bool, _) => {
                let [zero, one] = [false, true].map(|x| literal(ravel_prim::convert(PrimValue::Bool(x), to)));
                format!("select({zero}, {one}, {a})")
            }
            (_, PrimType::Bool) => format!("!({a} == {})", literal(PrimValue::zero(from))),
            (PrimType::F32 | PrimType::F64, _) if to.is_integer() => {
                self.call(helpers::saturate_name(from), to, &[a])
            }
            // The width changes before the sign does.
            (PrimType::I32, PrimType::U64) => format!("u64(i64({a}))"),
            (PrimType::I64, PrimType::U32) => format!("u32(u64({a}))"),
            (PrimType::U64, PrimType::I32) => format!("i32(i64({a}))"),
            (PrimType::U32, PrimType::I64) => format!("i64(u64({a}))"),
            _ => format!("{target}({a})"),
        })
    }
}
