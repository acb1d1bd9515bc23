//! The primitive types.

use std::fmt;

/// A primitive type of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[allow(missing_docs, reason = "each name is the type's name")]
pub enum PrimType {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
    Bool,
}

use PrimType::*;

impl PrimType {
    /// All primitive types.
    pub const ALL: [PrimType; 12] = [I8, I16, I32, I64, U8, U16, U32, U64, F16, F32, F64, Bool];

    /// The name in the language.
    pub fn name(self) -> &'static str {
        match self {
            I8 => "i8",
            I16 => "i16",
            I32 => "i32",
            I64 => "i64",
            U8 => "u8",
            U16 => "u16",
            U32 => "u32",
            U64 => "u64",
            F16 => "f16",
            F32 => "f32",
            F64 => "f64",
            Bool => "bool",
        }
    }

    /// The type of this name.
    pub fn from_name(name: &str) -> Option<PrimType> {
        PrimType::ALL.into_iter().find(|ty| ty.name() == name)
    }

    /// Bytes of one element in the data formats and in CPU memory. A bool is one byte.
    pub fn bytes(self) -> usize {
        match self {
            I8 | U8 | Bool => 1,
            I16 | U16 | F16 => 2,
            I32 | U32 | F32 => 4,
            I64 | U64 | F64 => 8,
        }
    }

    /// Bits of a value: 1 for a bool, although its element in memory takes a byte.
    pub fn bits(self) -> u32 {
        if self == Bool { 1 } else { self.bytes() as u32 * 8 }
    }

    /// i8 to i64.
    pub fn is_signed(self) -> bool {
        matches!(self, I8 | I16 | I32 | I64)
    }

    /// u8 to u64.
    pub fn is_unsigned(self) -> bool {
        matches!(self, U8 | U16 | U32 | U64)
    }

    /// Any integer type.
    pub fn is_integer(self) -> bool {
        self.is_signed() || self.is_unsigned()
    }

    /// f16, f32 or f64.
    pub fn is_float(self) -> bool {
        matches!(self, F16 | F32 | F64)
    }

    /// Any type but bool.
    pub fn is_number(self) -> bool {
        self != Bool
    }
}

impl fmt::Display for PrimType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
