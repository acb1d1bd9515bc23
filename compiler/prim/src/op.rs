//! The scalar operators. Each is overloaded on its operand type.

use crate::PrimType;

macro_rules! operators {
    ($(#[$doc:meta])* $name:ident { $($(#[$item:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$item])* $variant,)*
        }

        impl $name {
            /// All operators of this arity.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The name in IR text and of the intrinsic.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The operator of this name.
            pub fn from_name(name: &str) -> Option<$name> {
                match name { $($text => Some($name::$variant),)* _ => None }
            }
        }
    };
}

operators! {
    /// Operators of two operands of one type, with a result of that type.
    BinOp {
        /// Sum; integers wrap.
        Add = "add",
        /// Difference; integers wrap.
        Sub = "sub",
        /// Product; integers wrap.
        Mul = "mul",
        /// Quotient; integers round towards minus infinity and fail on zero.
        Div = "div",
        /// Remainder with the divisor's sign (integers fail on zero); of floats, x - y*trunc(x/y).
        Mod = "mod",
        /// Integer quotient rounded towards zero; fails on zero.
        Quot = "quot",
        /// Integer remainder with the dividend's sign; fails on zero.
        Rem = "rem",
        /// Power; an integer power with a negative exponent fails.
        Pow = "pow",
        /// The smaller one. If one is NaN, the other one; if they are equal, as 0 and -0 are, the first.
        Min = "min",
        /// The larger one. If one is NaN, the other one; if they are equal, as 0 and -0 are, the first.
        Max = "max",
        /// Bitwise (or logical) and.
        And = "and",
        /// Bitwise (or logical) or.
        Or = "or",
        /// Bitwise (or logical) exclusive or.
        Xor = "xor",
        /// Shift left. A shift by the width or more gives zero.
        Shl = "shl",
        /// Shift right. Copies of the sign bit come in, or zeros for an unsigned type. A shift by the width or more gives only
        /// such bits.
        Shr = "shr",
        /// Shift right. Zeros come in. A shift by the width or more gives zero.
        Lshr = "lshr",
        /// Angle of the point (x, y) given as y, x.
        Atan2 = "atan2",
        /// Length of the hypotenuse.
        Hypot = "hypot",
        /// The first with the sign of the second.
        Copysign = "copysign",
    }
}

operators! {
    /// Operators of one operand.
    UnOp {
        /// Negation; integers wrap.
        Neg = "neg",
        /// Bitwise (or logical) complement.
        Not = "not",
        /// Absolute value; the least integer stays.
        Abs = "abs",
        /// -1, 0 or 1.
        Sgn = "sgn",
        /// Number of one bits, as i32.
        Popc = "popc",
        /// Number of leading zero bits, as i32.
        Clz = "clz",
        /// Number of trailing zero bits, as i32.
        Ctz = "ctz",
        /// Square root.
        Sqrt = "sqrt",
        /// Cube root.
        Cbrt = "cbrt",
        /// e to the power of x.
        Exp = "exp",
        /// Natural logarithm.
        Log = "log",
        /// Logarithm to base 2.
        Log2 = "log2",
        /// Logarithm to base 10.
        Log10 = "log10",
        /// Sine of an angle in radians.
        Sin = "sin",
        /// Cosine of an angle in radians.
        Cos = "cos",
        /// Tangent of an angle in radians.
        Tan = "tan",
        /// Inverse sine.
        Asin = "asin",
        /// Inverse cosine.
        Acos = "acos",
        /// Inverse tangent.
        Atan = "atan",
        /// Hyperbolic sine.
        Sinh = "sinh",
        /// Hyperbolic cosine.
        Cosh = "cosh",
        /// Hyperbolic tangent.
        Tanh = "tanh",
        /// Inverse hyperbolic sine.
        Asinh = "asinh",
        /// Inverse hyperbolic cosine.
        Acosh = "acosh",
        /// Inverse hyperbolic tangent.
        Atanh = "atanh",
        /// Towards minus infinity to an integral value.
        Floor = "floor",
        /// Towards plus infinity to an integral value.
        Ceil = "ceil",
        /// Towards zero to an integral value.
        Trunc = "trunc",
        /// To the nearest integral value, ties to even.
        Round = "round",
        /// Whether it is NaN, as a bool.
        IsNan = "isnan",
        /// Whether it is infinite, as a bool.
        IsInf = "isinf",
        /// The representation of a float, as the unsigned integer of its width.
        ToBits = "to_bits",
        /// The float with this representation, from the unsigned integer of its width.
        FromBits = "from_bits",
    }
}

operators! {
    /// Comparisons of two operands of one type; the result is a bool.
    CmpOp {
        /// Equal; NaN differs from everything.
        Eq = "eq",
        /// Not equal.
        Ne = "ne",
        /// Less; false before true.
        Lt = "lt",
        /// Less or equal.
        Le = "le",
    }
}

impl BinOp {
    /// Whether the operator exists on this type.
    pub fn takes(self, ty: PrimType) -> bool {
        match self {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod | BinOp::Pow => ty.is_number(),
            BinOp::Min | BinOp::Max => ty.is_number(),
            BinOp::Quot | BinOp::Rem | BinOp::Shl | BinOp::Shr | BinOp::Lshr => ty.is_integer(),
            BinOp::And | BinOp::Or | BinOp::Xor => !ty.is_float(),
            BinOp::Atan2 | BinOp::Hypot | BinOp::Copysign => ty.is_float(),
        }
    }

    /// Whether exchanged operands of this type give the same value, with the same bits unless it is NaN. The minimum of two
    /// zeros is the first one, so it depends on their order.
    pub fn commutes(self, ty: PrimType) -> bool {
        match self {
            BinOp::Add | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor => true,
            BinOp::Min | BinOp::Max => !ty.is_float(),
            BinOp::Sub | BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem | BinOp::Pow => false,
            BinOp::Shl | BinOp::Shr | BinOp::Lshr => false,
            BinOp::Atan2 | BinOp::Hypot | BinOp::Copysign => false,
        }
    }

    /// Whether the operator takes about one instruction on common processors, on all of its types, and cannot fail.
    pub fn is_short(self) -> bool {
        match self {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Min | BinOp::Max => true,
            BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr | BinOp::Lshr => true,
            BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem | BinOp::Pow => false,
            BinOp::Atan2 | BinOp::Hypot | BinOp::Copysign => false,
        }
    }
}

impl UnOp {
    /// Whether the operator takes about one instruction on common processors, on all of its types.
    pub fn is_short(self) -> bool {
        matches!(self, UnOp::Neg | UnOp::Not | UnOp::Abs)
    }

    /// Whether the operator exists on this type.
    pub fn takes(self, ty: PrimType) -> bool {
        match self {
            UnOp::Neg | UnOp::Abs | UnOp::Sgn => ty.is_number(),
            UnOp::Not => !ty.is_float(),
            UnOp::Popc | UnOp::Clz | UnOp::Ctz => ty.is_integer(),
            UnOp::FromBits => matches!(ty, PrimType::U16 | PrimType::U32 | PrimType::U64),
            _ => ty.is_float(),
        }
    }

    /// The type of the result on an operand of type `ty` that the operator takes.
    pub fn result(self, ty: PrimType) -> PrimType {
        match (self, ty) {
            (UnOp::IsNan | UnOp::IsInf, _) => PrimType::Bool,
            (UnOp::Popc | UnOp::Clz | UnOp::Ctz, _) => PrimType::I32,
            (UnOp::ToBits, PrimType::F16) => PrimType::U16,
            (UnOp::ToBits, PrimType::F32) => PrimType::U32,
            (UnOp::ToBits, _) => PrimType::U64,
            (UnOp::FromBits, PrimType::U16) => PrimType::F16,
            (UnOp::FromBits, PrimType::U32) => PrimType::F32,
            (UnOp::FromBits, _) => PrimType::F64,
            _ => ty,
        }
    }
}

impl CmpOp {
    /// Whether the comparison exists on this type. All comparisons exist on all types.
    pub fn takes(self, _ty: PrimType) -> bool {
        true
    }
}
