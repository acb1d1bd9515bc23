//! Scalars on the device and in its memory.

use ravel_prim::{PrimType, PrimValue};

use crate::shader::Exp;

/// The type that holds values of type `ty` on the device. A type of 8 or 16 bits is held in the 32-bit type of the same
/// kind (signed, unsigned or float). The value held is always one that `ty` can represent, in memory too.
pub(crate) fn carrier(ty: PrimType) -> PrimType {
    match ty {
        PrimType::I8 | PrimType::I16 => PrimType::I32,
        PrimType::U8 | PrimType::U16 => PrimType::U32,
        PrimType::F16 => PrimType::F32,
        _ => ty,
    }
}

/// The value, converted to the carrier of its type.
pub(crate) fn carried(value: PrimValue) -> PrimValue {
    ravel_prim::convert(value, carrier(value.ty()))
}

/// The type of elements of type `ty` in memory. A bool cannot be stored; it becomes a u32.
pub(crate) fn stored(ty: PrimType) -> PrimType {
    if ty == PrimType::Bool { PrimType::U32 } else { carrier(ty) }
}

/// The scalar of type `ty` that an element in memory stands for.
pub(crate) fn from_stored(ty: PrimType, element: Exp) -> Exp {
    if ty == PrimType::Bool { element.differs(0) } else { element }
}

/// The element in memory that stands for a scalar of type `ty`.
pub(crate) fn to_stored(ty: PrimType, scalar: Exp) -> Exp {
    if ty == PrimType::Bool { Exp::select(scalar, 1, 0) } else { scalar }
}
