use ravel_base::Code;

use super::{accept, has_types, reject};

#[test]
fn literals_take_the_type_they_are_used_at() {
    has_types(
        "def a = 1 def b = 1.5 def c: f32 = 1 def d (x: u32) = x + 1",
        &["def a: i32", "def b: f64", "def c: f32", "def d (x: u32): u32"],
    );
    reject("def a: i32 = 1.5", Code::TypeMismatch, "1.5", "a floating-point number");
    reject("def a: bool = 1", Code::TypeMismatch, "1", "Expected: bool\nActual:   a number");
    reject(
        "def f (x: i32) = x + 1.5",
        Code::TypeMismatch,
        "1.5",
        "Expected: i32\nActual:   a floating-point number",
    );
}

#[test]
fn literals_fit_their_type() {
    accept("def a = -2147483648i32 def b: u32 = 4294967295 def c: i64 = -9223372036854775808");
    reject("def a: i32 = 2147483648", Code::BadLiteral, "2147483648", "out of bounds for inferred type i32");
    reject("def a: u32 = 4294967296", Code::BadLiteral, "4294967296", "out of bounds for inferred type u32");
}

#[test]
fn open_numbers_are_i32_or_f64() {
    has_types(
        "def f x y = x + y def g x = x + 1.0 def h x y = x < y",
        &["def f (x: i32) (y: i32): i32", "def g (x: f64): f64", "def h (x: i32) (y: i32): bool"],
    );
}

#[test]
fn a_type_that_nothing_determines_is_ambiguous() {
    accept("def f (x: i32) y = x == y");
    reject("def f x y = x == y", Code::AmbiguousType, "x", "ambiguous");
    accept("def f (x: (i32, i32)) = x.0");
    reject("def f x = x.0", Code::AmbiguousType, "x", "ambiguous");
}

#[test]
fn arithmetic_takes_numbers_of_one_type() {
    accept("def f (x: f32) = x * x - x / 2 ** x % 3");
    reject("def f (x: f32) (y: f64) = x + y", Code::TypeMismatch, "y", "Expected: f32\nActual:   f64");
    reject("def f (x: bool) = x + x", Code::BadOperand, "x", "Expected: a number");
    reject("def f (x: []i32) = 1 + x", Code::TypeMismatch, "x", "this operand of `+` has type `[]i32`");
}

#[test]
fn bits_and_truncating_division_are_for_integers() {
    accept("def f (x: i64) = (x & 1 | x ^ 3) << 2 >> 1 >>> 1 // 2 %% 3");
    reject("def f (x: f32) = x & 1", Code::BadOperand, "x", "Expected: an integer");
    reject("def f (x: f32) = x // 1", Code::BadOperand, "x", "Expected: an integer");
    reject("def f (x: bool) (y: bool) = x | y", Code::BadOperand, "x", "Expected: an integer");
}

#[test]
fn logic_is_for_bool() {
    accept("def f (x: bool) (y: i32) = !x && y == 1 || x");
    accept("def f (x: u32) = !x");
    reject("def f (x: i32) = x && true", Code::TypeMismatch, "x", "Expected: bool");
    reject("def f (x: f32) = !x", Code::BadOperand, "x", "Expected: an integer or a bool");
}

#[test]
fn comparisons_take_primitive_values_and_equality_data() {
    accept("def f (x: bool) (y: bool) = x < y");
    accept("def f (x: [3]i32) (y: [3]i32) = x == y && (x, 1) != (y, 2)");
    reject("def f (x: [3]i32) (y: [3]i32) = x < y", Code::BadOperand, "x", "Expected: a primitive value");
    reject("def f (x: i32 -> i32) = x == x", Code::BadOperand, "x", "which does not support equality");
    reject("def f 'a (x: a) (y: a) = x == y", Code::BadOperand, "x", "does not support equality");
}

#[test]
fn operators_are_functions_too() {
    has_types(
        "def f (xs: []i64) = map (+ 1) (map (2 -) (map2 (*) xs xs)) def g = (<) 1i32",
        &["def f [n] (xs: [n]i64): [n]i64", "def g: i32 -> bool"],
    );
    has_types(
        "def f [n] (xs: [n](i32, f64)) = map (.1) xs def g (xss: [][3]i32) = map (.[0]) xss",
        &["def f [n] (xs: [n](i32, f64)): [n]f64", "def g [n] (xss: [n][3]i32): [n]i32"],
    );
    reject(
        "def f (xs: []bool) = map (+ 1) xs",
        Code::TypeMismatch,
        "xs",
        "Expected: []i32\nActual:   []bool",
    );
}

#[test]
fn minus_negates_numbers() {
    has_types("def f (x: f32) = -x", &["def f (x: f32): f32"]);
    reject("def f (x: bool) = -x", Code::BadOperand, "x", "Expected: a number");
}
