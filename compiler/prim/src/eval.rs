//! The one evaluator of scalar operators.

use crate::{BinOp, CmpOp, PrimType, PrimValue, UnOp};

/// `a op b`; `None` when the operation fails (integer division by zero, negative integer power)
/// or the operands are not both of one type that the operator takes.
pub fn binary(_op: BinOp, _a: PrimValue, _b: PrimValue) -> Option<PrimValue> {
    None
}

/// `op a`; `None` when the operator does not take the operand.
pub fn unary(_op: UnOp, _a: PrimValue) -> Option<PrimValue> {
    None
}

/// `a op b`; `None` when the operands differ in type.
pub fn compare(_op: CmpOp, _a: PrimValue, _b: PrimValue) -> Option<bool> {
    None
}

/// `a` as a value of type `to`.
///
/// Integers wrap or extend by the sign of their own type; float to integer truncates and
/// saturates, NaN gives 0; to bool means `!= 0`; from bool gives 0 or 1.
pub fn convert(_a: PrimValue, _to: PrimType) -> PrimValue {
    PrimValue::Bool(false)
}
