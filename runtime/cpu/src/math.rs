//! The library functions that native code calls. Their results equal those of prim's evaluator: both use the standard
//! library, or prim's own functions if that is not accurate enough.

use ravel_abi::native::{BINARY_CALLS, UNARY_CALLS};
use ravel_prim::circular::Angle;
use ravel_prim::{BinOp, UnOp, hyperbolic};

macro_rules! unary {
    ($($table:ident: $float:ident { $($op:ident => $name:ident: $function:expr,)* })*) => {$(
        /// The unary functions, in the order of the table.
        pub const fn $table() -> [extern "C" fn($float) -> $float; UNARY_CALLS.len()] {
            $(extern "C" fn $name(x: $float) -> $float { $function(x) })*
            let mut table: [extern "C" fn($float) -> $float; UNARY_CALLS.len()] = [exp; UNARY_CALLS.len()];
            let mut row = 0;
            while row < table.len() {
                table[row] = match UNARY_CALLS[row] {
                    $(UnOp::$op => $name,)*
                    _ => panic!("a library function is missing"),
                };
                row += 1;
            }
            table
        }
    )*};
}

macro_rules! binary {
    ($($table:ident: $float:ident { $($op:ident => $name:ident: $body:expr,)* })*) => {$(
        /// The binary functions, in the order of the table.
        pub const fn $table() -> [extern "C" fn($float, $float) -> $float; BINARY_CALLS.len()] {
            $(extern "C" fn $name(x: $float, y: $float) -> $float {
                let apply: fn($float, $float) -> $float = $body;
                apply(x, y)
            })*
            let mut table: [extern "C" fn($float, $float) -> $float; BINARY_CALLS.len()] =
                [power; BINARY_CALLS.len()];
            let mut row = 0;
            while row < table.len() {
                table[row] = match BINARY_CALLS[row] {
                    $(BinOp::$op => $name,)*
                    _ => panic!("a library function is missing"),
                };
                row += 1;
            }
            table
        }
    )*};
}

macro_rules! tables {
    ($unary:ident, $binary:ident, $float:ident) => {
        unary! { $unary: $float {
            Cbrt => cbrt: $float::cbrt, Exp => exp: $float::exp, Log => ln: $float::ln,
            Log2 => log2: $float::log2, Log10 => log10: $float::log10, Sin => sin: $float::sine,
            Cos => cos: $float::cosine, Tan => tan: $float::tangent, Asin => asin: $float::asin,
            Acos => acos: $float::acos, Atan => atan: $float::atan, Sinh => sinh: $float::sinh,
            Cosh => cosh: $float::cosh, Tanh => tanh: hyperbolic::tanh, Asinh => asinh: hyperbolic::asinh,
            Acosh => acosh: hyperbolic::acosh, Atanh => atanh: hyperbolic::atanh,
        } }
        binary! { $binary: $float {
            Mod => remainder: |x, y| x % y,
            Pow => power: |x, y| x.powf(y),
            Atan2 => atan2: |x, y| x.atan2(y),
            Hypot => hypot: |x, y| x.hypot(y),
        } }
    };
}

tables!(unary_f32, binary_f32, f32);
tables!(unary_f64, binary_f64, f64);

/// An integer to a power, modulo 2^64.
pub extern "C" fn power(base: u64, exponent: u64) -> u64 {
    let (mut power, mut square, mut exponent) = (1_u64, base, exponent);
    while exponent != 0 {
        if exponent & 1 == 1 {
            power = power.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        exponent >>= 1;
    }
    power
}
