//! The functions that native code calls. The evaluator in `ravel_prim` has the same definitions, so its results are equal.

use ravel_abi::native::{BINARY_CALLS, UNARY_CALLS};
use ravel_prim::{BinOp, UnOp, elementary};

macro_rules! tables {
    (
        $unary:ident, $binary:ident, $float:ident: $($one:ident $one_name:ident)*; $($two:ident $two_name:ident)*
    ) => {
        /// The unary functions, in the order of the table.
        pub const fn $unary() -> [extern "C" fn($float) -> $float; UNARY_CALLS.len()] {
            $(extern "C" fn $one_name(x: $float) -> $float {
                elementary::unary(UnOp::$one, x).expect("an elementary function")
            })*
            let mut table: [extern "C" fn($float) -> $float; UNARY_CALLS.len()] = [tan; UNARY_CALLS.len()];
            let mut row = 0;
            while row < table.len() {
                table[row] = match UNARY_CALLS[row] {
                    $(UnOp::$one => $one_name,)*
                    _ => panic!("a function is missing"),
                };
                row += 1;
            }
            table
        }

        /// The binary functions, in the order of the table.
        pub const fn $binary() -> [extern "C" fn($float, $float) -> $float; BINARY_CALLS.len()] {
            extern "C" fn remainder(x: $float, y: $float) -> $float {
                x % y
            }
            $(extern "C" fn $two_name(x: $float, y: $float) -> $float {
                elementary::binary(BinOp::$two, x, y).expect("an elementary function")
            })*
            let mut table: [extern "C" fn($float, $float) -> $float; BINARY_CALLS.len()] =
                [remainder; BINARY_CALLS.len()];
            let mut row = 0;
            while row < table.len() {
                table[row] = match BINARY_CALLS[row] {
                    BinOp::Mod => remainder,
                    $(BinOp::$two => $two_name,)*
                    _ => panic!("a function is missing"),
                };
                row += 1;
            }
            table
        }
    };
    ($($unary:ident, $binary:ident, $float:ident;)*) => {$(
        tables! {
            $unary, $binary, $float:
            Exp exp Log log Cbrt cbrt Log2 log2 Log10 log10 Sin sin Cos cos Tan tan Asin asin Acos acos Atan atan Sinh sinh Cosh cosh Tanh tanh
            Asinh asinh Acosh acosh Atanh atanh;
            Pow pow Atan2 atan2 Hypot hypot
        }
    )*};
}

tables! {
    unary_f32, binary_f32, f32;
    unary_f64, binary_f64, f64;
}

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
