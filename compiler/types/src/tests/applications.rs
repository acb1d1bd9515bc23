use ravel_base::Code;

use super::{accept, has_types, reject};

#[test]
fn arguments_have_the_types_of_parameters() {
    accept("def f (x: i32) (y: bool) = x def g = f 1 true");
    reject("def f (x: i32) (y: bool) = x def g = f 1 2", Code::TypeMismatch, "2", "this argument of `f`");
    reject(
        "def f (x: i32) = x def g (y: i64) = f y",
        Code::TypeMismatch,
        "y",
        "Expected: i32\nActual:   i64",
    );
}

#[test]
fn exchanged_arguments_are_recognised() {
    let later = |program: &str, wrong: &str, place: &str| {
        let advice = format!("the {place} argument would fit here: exchange the two");
        reject(program, Code::TypeMismatch, wrong, &advice);
    };
    later("def f (xs: []i32) = filter xs (> 0)", "xs", "second");
    later("def f (xs: []i32) = reduce 0 (+) xs", "0", "second");
    later("def f (x: i32) (y: i32) (z: bool) = x def g = f 1 true 2i32", "true", "third");
    let sizes = "if they are equal whenever the program runs";
    reject(
        "def f [n] [m] (xs: [n]i32) (ys: [m]i32) = map3 (\\a b c -> a + b + c) xs ys xs",
        Code::SizeMismatch,
        "ys",
        sizes,
    );
}

#[test]
fn only_functions_are_applied() {
    reject(
        "def f (x: i32) = x 1",
        Code::NotAFunction,
        "x",
        "Cannot apply `x` as function, as it has non-function type `i32`",
    );
    reject("def f (x: i32) = x def g = f 1 2", Code::NotAFunction, "2", "Function accepts only 1 arguments.");
}

#[test]
fn functions_may_be_applied_in_part() {
    has_types(
        "def add (x: i32) (y: i32) = x + y def f = add 1 def g (xs: []i32) = map (add 2) xs",
        &["def add (x: i32) (y: i32): i32", "def f: i32 -> i32", "def g [n] (xs: [n]i32): [n]i32"],
    );
}

#[test]
fn pipes_apply_functions() {
    has_types(
        "def f (xs: []i32) = xs |> map (+ 1) |> filter (> 2) |> length",
        &["def f [n] (xs: [n]i32): i64"],
    );
    has_types("def f (xs: []i32) = length <| map (+ 2) <| map (+ 1) xs", &["def f [n] (xs: [n]i32): i64"]);
    has_types("def f (x: i32) = (x |>)", &["def f 'a (x: i32): (i32 -> a) -> a"]);
    reject("def f (x: bool) = x |> (+ 1)", Code::TypeMismatch, "x", "Expected: a number\nActual:   bool");
}

#[test]
fn lambdas_take_patterns() {
    has_types(
        "def f (xs: [](i32, f32)) = map (\\(i, x) -> f32.i32 i * x) xs",
        &["def f [n] (xs: [n](i32, f32)): [n]f32"],
    );
    has_types("def f (x: i32) = \\(y: i32): i64 -> i64.i32 (x + y)", &["def f (x: i32): i32 -> i64"]);
    reject(
        "def f = map (\\(x: i32) -> x) [true]",
        Code::TypeMismatch,
        "[true]",
        "Expected: [1]i32\nActual:   [1]bool",
    );
}

#[test]
fn the_order_of_arguments_does_not_matter() {
    accept("def f (xs: [](i32, [3]f32)) = map (\\x -> x.1[0] + f32.i32 x.0) xs");
    reject(
        "def f (xs: []i32) = map (\\x -> x.1) xs",
        Code::UnknownField,
        ".1",
        "This value has no component `1`",
    );
}
