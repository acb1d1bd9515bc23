use ravel_base::Code;

use super::{accept, has_types, reject};

#[test]
fn definitions_are_generalised() {
    has_types(
        "def pair x y = (x, y) def twice f x = f (f x)",
        &["def pair 'a 'b (x: a) (y: b): (a, b)", "def twice 'a (f: a -> a) (x: a): a"],
    );
    accept("def pair x y = (x, y) def p = pair 1i32 (pair true 2.0f32)");
}

#[test]
fn written_type_parameters_are_arbitrary_types() {
    has_types("def k 'a 'b (x: a) (y: b): a = x", &["def k 'a 'b (x: a) (y: b): a"]);
    reject("def f 'a (x: a): i32 = x", Code::TooGeneral, "x", "Expected: i32\nActual:   a");
    reject("def f 'a 'b (x: a): b = x", Code::TooGeneral, "x", "Expected: b\nActual:   a");
    reject("def f 'a (x: a) = x + 1", Code::BadOperand, "x", "Expected: a number\nActual:   a");
}

#[test]
fn local_names_have_one_type() {
    accept("def f (b: bool) = let g x = (x, b) in g 1i32");
    reject(
        "def f (b: bool) = let g x = (x, b) in (g 1i32, g b)",
        Code::TypeMismatch,
        "b",
        "Expected: i32\nActual:   bool",
    );
}

#[test]
fn a_written_result_type_is_kept() {
    accept("def f (x: i32): i32 = x");
    reject("def f (x: i32): bool = x", Code::TypeMismatch, "x", "the function returns a value of type `i32`");
    reject("def f (x: i32) = (x: bool)", Code::TypeMismatch, "bool", "Expected: bool\nActual:   i32");
}

#[test]
fn branches_have_one_type_and_a_bool_decides() {
    accept("def f (x: i32) = if x < 0 then 0 else x");
    reject("def f (x: i32) = if x then 0 else x", Code::TypeMismatch, "x", "this condition has type `i32`");
    reject(
        "def f (x: i32) = if x < 0 then 0 else true",
        Code::TypeMismatch,
        "true",
        "Former: a number\nLatter: bool",
    );
}

#[test]
fn tuples_are_decomposed_by_patterns_and_projections() {
    has_types(
        "def f (a, (b, c)) = (a + 1i32, b && true, c) def g (p: (i32, bool)) = p.1",
        &["def f 'd ((a, (b, c)): (i32, (bool, d))): (i32, bool, d)", "def g (p: (i32, bool)): bool"],
    );
    reject("def f (p: (i32, bool)) = p.2", Code::UnknownField, ".2", "Attempt to access field `2` of");
    reject("def f (p: (i32, bool)) = p.x", Code::UnknownField, ".x", "Attempt to access field `x` of");
    reject(
        "def f (p: (i32, bool)) = let (a, b, c) = p in a",
        Code::TypeMismatch,
        "(a, b, c)",
        "Expected: (i32, bool)\nActual:   a tuple of 3 components",
    );
}

#[test]
fn no_type_contains_itself() {
    reject("def f x = x x", Code::InfiniteType, "x", "Occurs check: cannot instantiate");
}

#[test]
fn elements_have_one_type() {
    has_types("def f (x: f32) = [x, 1, 2]", &["def f (x: f32): [3]f32"]);
    reject("def f (x: f32) = [x, true]", Code::TypeMismatch, "true", "this element has type `bool`");
}

#[test]
fn indices_are_signed_integers_into_arrays() {
    has_types(
        "def f (xss: [][]f32) (i: i32) = xss[i, 0] def g (xss: [][]f32) (i: i64) = xss[i]",
        &["def f [n] [m] (xss: [n][m]f32) (i: i32): f32", "def g [n] [m] (xss: [n][m]f32) (i: i64): [m]f32"],
    );
    reject("def f (xs: []f32) = xs[true]", Code::TypeMismatch, "true", "Expected: a signed integer");
    reject("def f (xs: []f32) (i: u32) = xs[i]", Code::TypeMismatch, "i", "Expected: a signed integer");
    reject("def f (xs: []f32) = xs[0, 1]", Code::BadIndex, "xs", "takes only one index");
    reject("def f (x: f32) = x[0]", Code::BadIndex, "x", "not an array");
}

#[test]
fn updates_keep_the_type() {
    has_types("def f (xs: *[]f32) = let xs[1] = 2 in xs with [0] = 1", &["def f [n] (xs: *[n]f32): [n]f32"]);
    reject(
        "def f (xs: *[]f32) = xs with [0] = true",
        Code::TypeMismatch,
        "true",
        "the new value has type `bool`",
    );
    reject("def f (xs: *[]f32) = let xs[0] = true in xs", Code::TypeMismatch, "true", "Expected: f32");
}

#[test]
fn loops_keep_the_type_of_their_parameters() {
    has_types(
        "def f (n: i32) = loop (a, b) = (0i64, 1f32) for i < n do (a + 1, b * 2)",
        &["def f (n: i32): (i64, f32)"],
    );
    has_types("def f (n: i32) = loop n while n > 1 do n / 2", &["def f (n: i32): i32"]);
    has_types("def f (xs: []f32) = loop s = 0 for x in xs do s + x", &["def f [n] (xs: [n]f32): f32"]);
    reject(
        "def f (n: i32) = loop a = 0i64 for i < n do true",
        Code::TypeMismatch,
        "true",
        "the loop body returns",
    );
    reject(
        "def f (n: i32) = loop a = 1i64 while a do a",
        Code::TypeMismatch,
        "a",
        "this condition has type `i64`",
    );
    reject(
        "def f (n: f32) = loop a = 1i64 for i < n do a",
        Code::TypeMismatch,
        "n",
        "Expected: a signed integer",
    );
    reject(
        "def f (n: i32) = loop a = 1i64 for i in n do a",
        Code::TypeMismatch,
        "n",
        "Expected: an array\nActual:   i32",
    );
}

#[test]
fn entry_points_are_first_order_and_monomorphic() {
    accept("entry main [n] (xs: [n]i32): []i32 = filter (> 0) xs");
    reject("entry main 'a (x: a) = x", Code::BadEntry, "a", "may not be polymorphic");
    reject("entry main x = x", Code::BadEntry, "main", "may not be polymorphic");
    reject("entry main (f: i32 -> i32) = f 1", Code::BadEntry, "f: i32 -> i32", "may not be higher-order");
    reject("entry main (x: i32) = (x, \\y -> x + y)", Code::BadEntry, "main", "may not be higher-order");
    has_types("entry main (x: i32) = \\y -> x + y", &["entry main (x: i32) (x1: i32): i32"]);
}

#[test]
fn the_context_determines_the_size_of_a_hole() {
    reject("def f = length ???", Code::UnboundSize, "length", "Ambiguous size");
}

#[test]
fn functions_are_refused_in_arrays_branches_and_loops() {
    accept("def f '^a (g: a) = g def h = f (\\(x: i32) -> x) 1");
    reject(
        "def f (xs: []f32) = map (\\x y -> x + y) xs",
        Code::BadFunctionUse,
        "(\\x y -> x + y)",
        "found to be functional",
    );
    reject("def f (x: f32) = [\\y -> x + y]", Code::BadFunctionUse, "\\y -> x + y", "found to be functional");
    reject(
        "def f (b: bool) (g: i32 -> i32) = if b then g else g",
        Code::BadFunctionUse,
        "g",
        "found to be functional",
    );
    reject(
        "def f (g: i32 -> i32) = loop h = g for i < 3 do h",
        Code::BadFunctionUse,
        "g",
        "found to be functional",
    );
    reject("def f (gs: [](i32 -> i32)) = 1i32", Code::BadFunctionUse, "i32 -> i32", "found to be functional");
}

#[test]
fn functions_may_be_defined_without_their_arguments() {
    has_types(
        "def sum = reduce (+) 0i64 def incr = map (+ 1i32)",
        &["def sum [n]: [n]i64 -> *i64", "def incr [n]: [n]i32 -> *[n]i32"],
    );
}

#[test]
fn assertions_need_a_condition() {
    has_types("def f (x: i32) = assert (x > 0) [x]", &["def f (x: i32): [1]i32"]);
    reject("def f (x: i32) = assert x [x]", Code::TypeMismatch, "x", "this condition has type `i32`");
}

#[test]
fn local_functions_are_polymorphic_in_their_type_parameters() {
    has_types(
        "def f (x: i32) (b: bool) = let pair 'a 'b (x: a) (y: b) = (y, x) in (pair x b, pair b x)",
        &["def f (x: i32) (b: bool): ((bool, i32), (i32, bool))"],
    );
    reject(
        "def f (x: i32) (b: bool) = let id x = x in (id x, id b)",
        Code::TypeMismatch,
        "b",
        "Expected: i32\nActual:   bool",
    );
    reject(
        "def f x = let g 'b (y: b) = if true then y else x in g",
        Code::TooGeneral,
        "x",
        "(scope violation): `b` is rigidly bound in a deeper scope",
    );
    reject(
        "def f (x: i32) = let g 'b z (y: b) = z let h 'c z (y: c) = if true then y else g z y in h",
        Code::TooGeneral,
        "g z y",
        "(scope violation)",
    );
}

#[test]
fn arrays_hold_no_values_that_may_differ_in_size() {
    let bad = |text: &str, place: &str| {
        reject(text, Code::IrregularArray, place, "might cause irregular array");
    };
    accept("type~ t = []i32 def f (x: t) (y: t) = (x, y) def g 'a 'b (x: a) (y: b) = ([x], [y])");
    bad("type~ t = []i32 def f (x: []t) = x", "t");
    bad("type~ t = []i32 def f (x: [](i32, t)) = x", "(i32, t)");
    bad("type~ t = i32 type u = [3]t", "t");
    bad("def f '~a (x: []a) = x", "a");
    bad("def f '~a (x: a) = [x]", "x");
    bad("module m: {type~ t} = {type~ t = []i32} def f (x: m.t) = [x]", "x");
    bad("module type s = {type~ t val f [n]: [n]t -> i64}", "t");
    // A function that takes an `'a` may make an array of it.
    accept("def one 'a (x: a) = [x] def f 'a (x: a) = one x");
    bad("def one 'a (x: a) = [x] def f '~a (x: a) = one x", "x");
    accept("def same '~a (x: a) = x def f '~a (b: bool) (x: a) = if b then same x else x");
    // An inferred type is as lifted as the body of the function allows.
    accept("def choose b x y = if b then x else y def f '~a (x: a) = choose true x x");
    bad("def one x = [x] def f '~a (x: a) = one x", "x");
}
