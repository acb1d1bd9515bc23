//! The scalar types of random bodies, with constants and operators of each.

/// The types of the scalars.
#[derive(Clone, Copy, PartialEq)]
pub enum Ty {
    Float,
    Int,
    Bool,
    Single,
    Small,
    Byte,
    Short,
}

impl Ty {
    /// All of them.
    pub const ALL: [Ty; 7] = [Ty::Float, Ty::Int, Ty::Bool, Ty::Single, Ty::Small, Ty::Byte, Ty::Short];

    /// Its name in kernel text.
    pub fn name(self) -> &'static str {
        match self {
            Ty::Float => "f64",
            Ty::Int => "i64",
            Ty::Bool => "bool",
            Ty::Single => "f32",
            Ty::Small => "i32",
            Ty::Byte => "u8",
            Ty::Short => "i16",
        }
    }

    /// Constants of the type, special ones among them.
    pub fn constants(self) -> &'static [&'static str] {
        match self {
            Ty::Float => &["0.0f64", "1.5f64", "-2.25f64", "1.0e9f64", "f64.inf", "f64.nan"],
            Ty::Int => &[
                "0i64",
                "1i64",
                "3i64",
                "-2i64",
                "4294967297i64",
                "-6148914691236517206i64",
                "9223372036854775807i64",
                "-9223372036854775808i64",
            ],
            Ty::Bool => &["true", "false"],
            Ty::Single => &["0.0f32", "0.5f32", "-3.0f32", "4.0e7f32", "-0.0f32"],
            Ty::Byte => &["0u8", "3u8", "128u8", "255u8"],
            Ty::Short => &["0i16", "9i16", "-1i16", "-32768i16"],
            Ty::Small => &["0i32", "5i32", "-1i32", "2147483647i32", "-2147483648i32", "-1640531527i32"],
        }
    }

    /// Operators of two operands.
    pub fn binary(self) -> &'static [&'static str] {
        match self {
            Ty::Float | Ty::Single => &["add", "sub", "mul", "div", "min", "max", "copysign"],
            Ty::Int | Ty::Small | Ty::Byte | Ty::Short => {
                &["add", "sub", "mul", "mul", "min", "max", "and", "or", "xor", "shl", "shr", "lshr"]
            }
            Ty::Bool => &["and", "or", "xor"],
        }
    }

    /// Operators of one operand.
    pub fn unary(self) -> &'static [&'static str] {
        match self {
            Ty::Float | Ty::Single => {
                &["neg", "abs", "sqrt", "floor", "ceil", "trunc", "round", "sgn", "isnan", "isinf"]
            }
            Ty::Int | Ty::Small => &["neg", "abs", "not", "sgn", "popc", "clz", "ctz"],
            Ty::Byte | Ty::Short => &["neg", "abs", "not", "sgn"],
            Ty::Bool => &["not"],
        }
    }
}

/// Elementary functions of one operand.
pub const FUNCTIONS: [&str; 17] = [
    "exp", "log", "log2", "log10", "cbrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
    "tanh", "asinh", "acosh", "atanh",
];
