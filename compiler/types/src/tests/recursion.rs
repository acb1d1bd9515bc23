use ravel_base::{Code, Kind};

use super::{accept, has_types, reject};

#[test]
fn a_function_with_its_type_written_may_call_itself() {
    has_types("def f (n: i32): i32 = if n == 0 then 1 else n * f (n - 1)", &["def f (n: i32): i32"]);
    accept("def f [n] (xs: [n]i32): i32 = if n == 0 then 0 else xs[0] + f xs[1:]");
    accept("def f (xs: []i32): []i32 = if length xs <= 1 then xs else f xs[1:]");
    accept("def f 'a (x: a) (n: i32): (a, i32) = if n == 0 then (x, n) else f x (n - 1)");
    accept("def f (f: i32): i32 = f");
    accept("module m = { def f (n: i32): i32 = if n == 0 then 0 else f (n - 1) }");
    accept("def f (xs: *[]i32) (n: i32): *[]i32 = if n == 0 then xs else f (xs with [0] = n) (n - 1)");
}

#[test]
fn inferred_types_are_the_same_at_every_recursive_call() {
    has_types("def f n = if n == 0i32 then 1i64 else f (n - 1)", &["def f (n: i32): i64"]);
    has_types("def f n: i64 = if n == 0i32 then 1 else f (n - 1)", &["def f (n: i32): i64"]);
    accept("def f (n: i32, m): i32 = if n == m then 1i32 else f (n, n)");
    accept("def f x n = if n == 0i32 then x else f x (n - 1) def g = f true 1 def h = f [1i32] 1");
    accept("def f 'a (x: a) (n: i32) = if n == 0 then x else f x (n - 1)");
    accept("def f xs n = if n == 0 then xs else f (map (+ 1i32) xs) (n - 1)");
    accept("def f [n] (xs: [n]i32) = if n == 0 then 0 else xs[0] + f xs[1:]");
    accept("def f (xs: []i32) = if length xs == 0 then 0 else xs[0] + f xs[1:]");
    reject("def f x n = if n == 0 then 1i32 else f (x, x) (n - 1)", Code::InfiniteType, "(x, x)", "");
    reject("def f xs = if length xs == 0 then 0i32 else f (tail xs)", Code::SizeMismatch, "(tail xs)", "");
    reject(
        "def f n = if n == 0 then replicate n 1i32 else f (n - 1)",
        Code::UnboundSize,
        "if n == 0 then replicate n 1i32 else f (n - 1)",
        "is not known where the function calls itself",
    );
}

#[test]
fn type_parameters_are_the_same_at_every_recursive_call() {
    reject(
        "def f 'a (x: a) (n: i32): i32 = if n == 0 then 0 else f (x, x) (n - 1)",
        Code::TooGeneral,
        "(x, x)",
        "Expected: a\nActual:   (a, a)",
    );
    reject(
        "def f 'a 'b (x: a) (y: b) (n: i32): i32 = if n == 0 then 0 else f y x (n - 1)",
        Code::TooGeneral,
        "y",
        "Expected: a\nActual:   b",
    );
    accept("def f 'a 'b (x: a) (y: b) (n: i32): i32 = if n == 0 then 0 else f x y (n - 1)");
}

#[test]
fn a_recursive_function_returns_no_function_and_passes_its_functions_on_unchanged() {
    let returns = "may not return a functional value";
    reject("def f (n: i32): i32 -> i32 = \\x -> f (n - 1) x", Code::BadFunctionUse, "i32 -> i32", returns);
    reject("def f '^a (n: i32) (x: a): a = f (n - 1) x", Code::BadFunctionUse, "a", returns);
    accept("def f (n: i32) (x: i32): i32 = f (n - 1) x");
    accept("def f (n: i32): i32 -> i32 = \\x -> n + x");
    let text = |call: &str| format!("def f (g: i32 -> i32) (n: i32): i32 = if n == 0 then g 1 else {call}");
    let same = "must be passed unchanged, i.e. be the corresponding parameter";
    reject(&text("f (\\x -> g x) (n - 1)"), Code::BadFunctionUse, "(\\x -> g x)", same);
    reject(&text("f (g >-> g) (n - 1)"), Code::BadFunctionUse, "(g >-> g)", same);
    accept(&text("f g (n - 1)"));
    reject(
        "def f (n: i32) (g: i32 -> i32): i32 = if n == 0 then g 1 else (\\h -> h g) (f (n - 1))",
        Code::BadFunctionUse,
        "(f (n - 1))",
        "is not fully saturated: expected 2 arguments but got 1",
    );
    reject(&text("i32.sum (map (f g) [n - 1])"), Code::BadFunctionUse, "(f g)", "not fully saturated");
    accept(&text("i32.sum (map (\\n -> f g n) [n - 1])"));
    let reference = "must be a fully saturated application, as it has a higher-order parameter";
    reject(&text("(\\h -> h g (n - 1)) f"), Code::BadFunctionUse, "f", reference);
    accept("def f (n: i32): i32 = if n == 0 then 1 else i32.sum (map f [n - 1])");
}

#[test]
fn constants_and_local_functions_cannot_be_recursive() {
    reject("def f: i32 = f", Code::UnknownName, "f", "Unknown name");
    reject("def g (x: i32): i32 = let f (n: i32): i32 = f n in f x", Code::UnknownName, "f", "Unknown name");
}

#[test]
fn an_operator_keeps_its_meaning_in_its_definition() {
    accept("module m = { def (+) (x: i32, y: i32) (z: i32, w: i32): (i32, i32) = (x + z, y + w) }");
    accept("module m = { type t = i64 def (==) (x: t) (y: t) = x == y }");
    accept("module m = { def (++) [n] [m] (x: [n]i32, i: i64) (y: [m]i32, j: i64) = (x ++ y, i + j) }");
    accept("def (|>) (x: i32) (f: i32 -> i32): i32 = x |> f");
    // No operator that is known before.
    accept("def (+.) (x: i32) (y: i32): i32 = if y == 0 then x else (x + 1) +. (y - 1)");
}

/// Asserts that a program is correct, with a warning that names the definition that is meant.
#[track_caller]
fn warned_of(meant: &str, text: &str) {
    let checked = super::check_text(text);
    let kinds: Vec<_> = checked.diagnostics.iter().map(|diagnostic| diagnostic.kind).collect();
    assert_eq!(kinds, [Kind::Warning(Code::Deprecated)], "{text}");
    assert!(checked.diagnostics[0].message.contains(meant), "{text}: {}", checked.diagnostics[0].message);
}

#[test]
fn the_name_refers_to_the_definition_of_the_prelude() {
    let warned = |text: &str| warned_of("means the prelude's, not the function itself", text);
    warned(
        "type mat [n] = {data: [n]i32, rows: i64} def map [n] f (m: mat [n]) = m with data = map f m.data",
    );
    warned("def length [n] (xs: [n]i32): i32 = i32.i64 (length xs)");
    warned("def length [n] (xs: [n]i32): i64 = if n == 0 then 100 else 1 + length (tail xs)");
    warned("module m = { def length [n] (xs: [n]i32): i32 = i32.i64 (length xs) }");
    warned("module f (P: { val x: i32 }) = { def replicate (n: i64) = replicate n P.x }");
    warned("module k = { def length (x: i32) = x } def length [n] (xs: [n]i32): i32 = i32.i64 (length xs)");
    let silent = |text: &str| assert_eq!(super::check_text(text).diagnostics, [], "{text}");
    silent("def length (x: i32) = x");
    silent("def sum n = if n == 0 then 0 else n + sum (n - 1)");
    silent("def length (length: i32) = length");
    silent("def i64 (x: i32): i64 = i64.i32 x");
    warned_of("defined before", "def length (x: i32) = x module m = { def length (x: i32) = length x + 1 }");
    let recursive = super::check_text("def length (n: i32): i32 = if n == 0 then 0 else 1 + length (n - 1)");
    let kinds: Vec<_> = recursive.diagnostics.iter().map(|diagnostic| diagnostic.kind).collect();
    assert_eq!(kinds, [Kind::Error(Code::TypeMismatch), Kind::Warning(Code::Deprecated)]);
}

#[test]
fn the_name_refers_to_an_outer_definition_of_the_program() {
    let warned = |text: &str| warned_of("defined before, not the function itself", text);
    warned("def g (x: i32): bool = x > 0 module m = { def g (x: i32): i32 = if g x then 1 else 0 }");
    warned("def g (x: i32) (y: i32) = x + y module m = { def g {x: i32, y: i32} = g x y }");
    warned("def g x y = x + y + 1i32 module m = { def g {x, y} = g x y }");
    warned("module m = { def g (x: i32) = x } open m def g (x: i32, y: i32) = g x + g y");
    warned("def g (n: i32) = n module m = { def g (n: i32): i32 = if n == 0 then 1 else n * g (n - 1) }");
    warned("def g (n: i32) = n module m = { module k = { def g (n: i32): i32 = g (g n) } }");
    warned("local def g (n: i32) = n def g (n: i32) = g n");
    warned("module f (P: { val g: i32 -> i32 }) = { open P def g (n: i32) = map g [n] }");
    warned("def n = 2i32 module m = { def n (x: i32) = x + n }");
    warned("def (+.) (x: i32) (y: i32) = x + y module m = { def (+.) (x: i32) (y: i32) = x +. (+. y) y }");
    let silent = |text: &str| assert_eq!(super::check_text(text).diagnostics, [], "{text}");
    silent("def g (n: i32) = n module m = { def g (n: i32) = n }");
    silent("module k = { def g (n: i32) = n } module m = { def g (n: i32) = k.g n }");
    silent("module k = { def g (n: i32) = n } open k module m = { def g (n: i32) = k.g n }");
    silent("module k = { def g (n: i32) = n } def g (n: i32): i32 = if n == 0 then 1 else g (n - 1)");
    silent("def g (n: i32) = n module m = { def g (n: i32) = let g = n in g }");
    silent("def c = 1i32 module m = { def c = c + 1 }");
    let wrong = super::check_text("def g (x: i32): bool = x > 0 module m = { def g (x: i32): i32 = g true }");
    let kinds: Vec<_> = wrong.diagnostics.iter().map(|diagnostic| diagnostic.kind).collect();
    assert_eq!(kinds, [Kind::Error(Code::TypeMismatch), Kind::Warning(Code::Deprecated)]);
}

#[test]
fn a_recursive_call_must_match_the_type_of_the_function() {
    reject(
        "def f (n: i32): i32 = if n == 0 then 1 else f true",
        Code::TypeMismatch,
        "true",
        "Expected: i32\nActual:   bool",
    );
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
fn an_unnamed_size_must_remain_arbitrary_only_if_the_function_calls_itself() {
    let text = |rest: &str| format!("def f (xs: []i32) (ys: [2]i32): i32 = let zs = zip xs ys in {rest}");
    accept(&text("1"));
    reject(&text("f xs ys"), Code::SizeMismatch, "ys", "do not match");
    accept("def f (xs: []i32) (ys: []i32): []i32 = if length xs == 0 then ys else f xs[1:] (ys ++ ys)");
}
