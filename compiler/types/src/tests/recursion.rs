use ravel_base::Code;

use super::{accept, has_types, reject};

#[test]
fn a_function_with_its_type_written_may_call_itself() {
    has_types("def f (n: i32): i32 = if n == 0 then 1 else n * f (n - 1)", &["def f (n: i32): i32"]);
    accept("def f [n] (xs: [n]i32): i32 = if n == 0 then 0 else xs[0] + f xs[1:]");
    accept("def f (xs: []i32): []i32 = if length xs <= 1 then xs else f xs[1:]");
    accept("def f 'a (x: a) (n: i32): (a, i32) = if n == 0 then (x, n) else f x (n - 1)");
    accept("def f 'a (x: a) (n: i32): i32 = if n == 0 then 0 else 1 + f (x, x) (n - 1)");
    accept("def f (f: i32): i32 = f");
    accept("module m = { def f (n: i32): i32 = if n == 0 then 0 else f (n - 1) }");
    accept("def f (xs: *[]i32) (n: i32): *[]i32 = if n == 0 then xs else f (xs with [0] = n) (n - 1)");
}

#[test]
fn without_its_type_written_it_is_unknown_to_itself() {
    let says = "write the types of all its parameters and of its result";
    reject("def f (n: i32) = if n == 0 then 1i32 else f (n - 1)", Code::UnknownName, "f", says);
    reject("def f n: i32 = if n == 0 then 1i32 else f (n - 1)", Code::UnknownName, "f", says);
    reject("def f (n: i32, m): i32 = if n == m then 1i32 else f (n, n)", Code::UnknownName, "f", says);
    reject("def f: i32 = f", Code::UnknownName, "f", "Unknown variable");
    reject(
        "def g (x: i32): i32 = let f (n: i32): i32 = f n in f x",
        Code::UnknownName,
        "f",
        "Unknown variable",
    );
}

#[test]
fn a_name_that_means_something_else_keeps_its_meaning() {
    accept("module m = { def (+) (x: i32) (y: i32): f64 = f64.i32 (x + y) }");
    accept("def i64 (x: i32): i64 = i64.i32 x");
    accept("def length [n] (xs: [n]i32): i32 = i32.i64 (length xs)");
    accept("def g (x: i32): bool = x > 0 module m = { def g (x: i32): i32 = if g x then 1 else 0 }");
}

#[test]
fn it_must_fit_its_own_type() {
    reject("def f (n: i32): i32 = if n == 0 then 1 else f true", Code::TypeMismatch, "true", "do not match");
    reject(
        "def f [n] (xs: [n]i32) (ys: [n]i32): i32 = if n == 0 then 1 else f xs ys[1:]",
        Code::SizeMismatch,
        "ys[1:]",
        "do not match",
    );
    reject(
        "def f (xs: *[]i32): i32 = let ys = xs with [0] = 1 in f xs + ys[0]",
        Code::Consumed,
        "xs",
        "consumed",
    );
}

#[test]
fn a_size_left_open_is_any_size_only_where_the_function_calls_itself() {
    let text = |rest: &str| format!("def f (xs: []i32) (ys: [2]i32): i32 = let zs = zip xs ys in {rest}");
    accept(&text("1"));
    reject(&text("f xs ys"), Code::SizeMismatch, "ys", "do not match");
    accept("def f (xs: []i32) (ys: []i32): []i32 = if length xs == 0 then ys else f xs[1:] (ys ++ ys)");
}
