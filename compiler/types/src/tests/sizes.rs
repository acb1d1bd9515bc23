use ravel_base::Code;

use super::{accept, has_types, reject};

#[test]
fn anonymous_sizes_of_results_are_inferred() {
    has_types(
        "def f (n: i64): ([]i64, []i64) = (iota n, iota n) def g: []i64 = [1, 2, 3] def h (n: i64): *[]i64 = iota n
         def r (n: i64): {a: []i64, b: [][]i64} = {a = iota n, b = [iota (n + 1)]}",
        &[
            "def f (n: i64): ([n]i64, [n]i64)",
            "def g: [3]i64",
            "def h (n: i64): [n]i64",
            "def r (n: i64): {a: [n]i64, b: [1][n + 1]i64}",
        ],
    );
    has_types(
        "type~ t = []i64 def f (n: i64): t = iota n def g (n: i64): #some ([]i64) | #none = #some (iota n)
         def h (n: i64) = let g (m: i64): []i64 = iota m in g (n + 1)",
        &["def f (n: i64): [n]i64", "def g (n: i64): #none | #some [n]i64", "def h (n: i64): [n + 1]i64"],
    );
    // A size that cannot be named outside the function stays existential.
    has_types(
        "def f (xs: []i64): []i64 = let ys = filter (> 0) xs in iota (length ys) def g ((n, _): (i64, i64)): []i64 = iota n
         def h (xs: []i64): []i64 = let n = length xs in iota n",
        &[
            "def f [n] (xs: [n]i64): []i64",
            "def g ((n, _): (i64, i64)): []i64",
            "def h [n] (xs: [n]i64): [length xs]i64",
        ],
    );
    accept("def f (n: i64): []i64 = if n == 0 then [] else f (n - 1) ++ [n]");
}

#[test]
fn each_lifted_parameter_in_a_result_has_its_own_sizes() {
    has_types(
        "def apply2 '^a '~b (f: a -> b) (x: a) (y: a): (b, b) = (f x, f y) def f (n: i64) (m: i64) = apply2 iota n m",
        &["def apply2 'a 'b (f: a -> b) (x: a) (y: a): (b, b)", "def f (n: i64) (m: i64): ([]i64, []i64)"],
    );
    reject(
        "def apply2 '^a '~b (f: a -> b) (x: a) (y: a): (b, b) = (f x, f y)
         def f (n: i64) (m: i64) = let (xs, ys) = apply2 iota n m in map2 (+) xs ys",
        Code::SizeMismatch,
        "ys",
        "do not match",
    );
    accept(
        "def grid (n: i64) (m: i64) = replicate n (replicate m true) def f (p: (i64, i64)) = uncurry grid p",
    );
}

#[test]
fn sizes_of_arguments_agree() {
    accept("def f [n] (xs: [n]i32) (ys: [n]i32) = map2 (+) xs ys");
    reject(
        "def f [n] [m] (xs: [n]i32) (ys: [m]i32) = map2 (+) xs ys",
        Code::SizeMismatch,
        "ys",
        "Sizes `n` and `m` do not match",
    );
    reject("def f (xs: [3]i32) = map2 (+) xs [1, 2]", Code::SizeMismatch, "[1, 2]", "Sizes `3` and `2`");
}

#[test]
fn anonymous_sizes_of_parameters_are_inferred() {
    has_types(
        "def f (xs: []i32) (ys: []i32) = map2 (+) xs ys def g (xs: []i32) (ys: []i32) = xs",
        &["def f [n] (xs: [n]i32) (ys: [n]i32): [n]i32", "def g [n] [m] (xs: [n]i32) (ys: [m]i32): [n]i32"],
    );
}

#[test]
fn a_result_has_the_size_it_promises() {
    accept("def f [n] (xs: [n]i32): [n]i32 = map (+ 1) xs");
    reject("def f [n] [m] (xs: [n]i32) (ys: [m]i32): [m]i32 = xs", Code::SizeMismatch, "xs", "do not match");
    reject(
        "def f [n] (xs: [n]i32): [n]i32 = filter (> 0) xs",
        Code::SizeMismatch,
        "filter (> 0) xs",
        "Expected: [n]i32\nActual:   []i32",
    );
}

#[test]
fn results_depend_on_arguments() {
    has_types(
        "def f (n: i64) = iota n def g = iota 10 def h (n: i64) (m: i64) = replicate (n * m + 1) true",
        &["def f (n: i64): [n]i64", "def g: [10]i64", "def h (n: i64) (m: i64): [n * m + 1]bool"],
    );
    accept("def n: i64 = 10 def f (xs: [n]i64) = map2 (+) xs (iota n)");
    reject(
        "def f (n: i64) (m: i64) = map2 (+) (iota n) (iota m)",
        Code::SizeMismatch,
        "(iota m)",
        "Sizes `n` and `m`",
    );
    reject(
        "def f [n] (xs: [n]i64) = map2 (+) xs (iota (length xs))",
        Code::SizeMismatch,
        "(iota (length xs))",
        "Sizes `n` and `length xs` do not match",
    );
}

#[test]
fn any_expression_is_a_size() {
    has_types(
        "def f (xs: []i32) = iota (length xs)
         def g (n: i64) (p: (i64, i64)) = (replicate (i64.max n 2) true, iota p.0, iota (if n > 0 then 1 else n))",
        &[
            "def f [n] (xs: [n]i32): [length xs]i64",
            "def g (n: i64) (p: (i64, i64)): ([i64.max n 2]bool, [p.0]i64, [if n > 0 then 1 else n]i64)",
        ],
    );
    accept("def f (xs: []i32): [length xs]i64 = map (+ 1) (iota (length xs))");
    accept("def f (g: i64 -> i64) (n: i64) (xs: [g n]i64) = map2 (+) xs (iota (g n))");
    reject(
        "def f (g: i64 -> i64) (n: i64) (xs: [g n]i64) = map2 (+) xs (iota (g 3))",
        Code::SizeMismatch,
        "(iota (g 3))",
        "Sizes `g n` and `g 3` do not match",
    );
    reject(
        "def f (x: f32) (y: f64) = map2 (+) (iota (i64.f32 (x + 1))) (iota (i64.f64 (y + 1)))",
        Code::SizeMismatch,
        "(iota (i64.f64 (y + 1)))",
        "do not match",
    );
}

#[test]
fn sizes_are_equal_that_read_the_same_once_names_are_replaced() {
    accept(
        "def evens (xs: []i32): [length xs]i64 = iota (length xs)
         def f (ys: []i32) = map2 (+) (evens ys) (iota (length ys))",
    );
    accept(
        "def g (n: i64) = n * n
         def h (n: i64): [g (n + 1)]i64 = iota (g (n + 1))
         def f (m: i64) = map2 (+) (h (m * 2)) (iota (g (m * 2 + 1)))",
    );
    reject(
        "def evens (xs: []i32): [length xs]i64 = iota (length xs)
         def f (ys: []i32) (zs: []i32) = map2 (+) (evens ys) (evens zs)",
        Code::SizeMismatch,
        "(evens zs)",
        "Sizes `length ys` and `length zs` do not match",
    );
    // Blanks and parentheses make no difference.
    accept("def f (n: i64): [n<<2]i32 = replicate (n << 2) 0");
    accept("def f (xs: [2]i64): ([xs[0]]i32, [(xs[1])]i32) = (replicate (xs[0]) 0, replicate xs[1] 1)");
    accept("def f (b: bool) (n: i64): [if b then n else 0]i32 = replicate (if b then n else 0) 0");
    reject(
        "def f (n: i64): [(n << 1) + (n << 2)]i32 = replicate ((n << 2) + (n << 1)) 0",
        Code::SizeMismatch,
        "replicate ((n << 2) + (n << 1)) 0",
        "do not match",
    );
    // A definition may have several names.
    accept(
        "module m = { def g (n: i64) = 2 * n def h (n: i64): [g n]i64 = iota (g n) }
         def f (n: i64) = map2 (+) (m.h n) (iota (m.g n))
         open m
         def f' (n: i64) = map2 (+) (h (n + 1)) (iota (if true then m.g n else n) :> [g (n + 1)]i64)",
    );
    // The same text is another size where a name has another meaning.
    reject(
        "def g (n: i64) = n
         def f (n: i64) = iota (g n)
         def g' (n: i64) = n + 1
         def h (n: i64) = let g (x: i64) = g' x in map2 (+) (f n) (iota (g n))",
        Code::SizeMismatch,
        "(iota (g n))",
        "do not match",
    );
}

#[test]
fn an_argument_that_binds_names_is_no_size() {
    has_types("def f = iota (let n = 10 in n + n)", &["def f: []i64"]);
    accept("def f (n: i64) = let r = replicate (let m = n in m * m) in r 1i32");
}

#[test]
fn the_name_of_an_i64_is_replaced_by_its_value_outside() {
    has_types(
        "def f (n: i64) = let m = n + 1 in iota m def g (n: i64) = let m = (let k = n in k * k) in iota m",
        &["def f (n: i64): [n + 1]i64", "def g (n: i64): []i64"],
    );
}

#[test]
fn a_size_consumes_nothing() {
    reject(
        "def g (xs: *[]i64): i64 = 1 def f (ys: []i32) (xs: *[]i64): [g xs]i32 = ys :> [g xs]i32",
        Code::NotConsumable,
        "xs",
        "Consuming `xs`, which is not consumable\nA size consumes nothing",
    );
}

#[test]
fn existential_sizes_of_parameters_are_like_anonymous_ones() {
    has_types(
        "def f (xs: ?[k].([k]i32, [k]i32)) = map2 (+) xs.0 xs.1",
        &["def f [n] (xs: ([n]i32, [n]i32)): [n]i32"],
    );
    accept("def f (g: i64 -> ?[k].[k]i32) = length (g 1)");
    reject("def f (x: ?[k].i32) = x", Code::UnboundSize, "k", "Existential size `k` not used as array size");
    reject("def f (g: i64 -> ?[k].([k]i32 -> i32)) = 1i32", Code::UnboundSize, "k", "not used as array size");
}

#[test]
fn each_call_has_an_anonymous_size_of_its_own() {
    has_types(
        "def f (xs: []i32) = let ys = filter (> 0) xs in map2 (+) ys ys",
        &["def f [n] (xs: [n]i32): []i32"],
    );
    reject(
        "def f (xs: []i32) = map2 (+) (filter (> 0) xs) (filter (> 0) xs)",
        Code::SizeMismatch,
        "(filter (> 0) xs)",
        "do not match",
    );
    reject(
        "def f (n: i64): []i64 = filter (> 1) (iota n) def g = map2 (+) (f 1) (f 1)",
        Code::SizeMismatch,
        "(f 1)",
        "do not match",
    );
}

#[test]
fn an_existential_size_may_have_a_name() {
    has_types(
        "def f (xs: []i32): ?[k].([k]i32, [k]bool) = let ys = filter (> 0) xs in (ys, map (> 1) ys)",
        &["def f [n] (xs: [n]i32): ([]i32, []bool)"],
    );
    accept(
        "def f (xs: []i32): ?[k].([k]i32, [k]bool) = let ys = filter (> 0) xs in (ys, map (> 1) ys)
         def g (xs: []i32) = let (ys, bs) = f xs in map2 (\\y b -> if b then y else 0) ys bs",
    );
    reject(
        "def f (xs: []i32): ?[k].([k]i32, [k]i32) = (filter (> 0) xs, filter (> 1) xs)",
        Code::SizeMismatch,
        "(filter (> 0) xs, filter (> 1) xs)",
        "do not match",
    );
}

#[test]
fn a_size_is_unknown_outside_the_scope_of_its_names() {
    has_types(
        "def f (xs: []i32) = (let (m, _) = (length xs, 1i32) in iota m)",
        &["def f [n] (xs: [n]i32): []i64"],
    );
    has_types(
        "def f (n: i64, m: i64) = replicate n (replicate m 0i32)",
        &["def f ((n, m): (i64, i64)): [][]i32"],
    );
}

#[test]
fn branches_of_different_sizes_have_an_unknown_one() {
    has_types(
        "def f [n] (b: bool) (xs: [n]i32) = if b then xs else map (+ 1) xs",
        &["def f [n] (b: bool) (xs: [n]i32): [n]i32"],
    );
    has_types(
        "def f (b: bool) (n: i32) (xs: []i32) (ys: []i32) = if b then xs else if n == 0 then ys else [0]",
        &["def f [m] [k] (b: bool) (n: i32) (xs: [m]i32) (ys: [k]i32): []i32"],
    );
    has_types(
        "def f (b: bool) (n: i64) (m: i64) = if b then iota n else iota m",
        &["def f (b: bool) (n: i64) (m: i64): []i64"],
    );
    reject(
        "def f (b: bool) (n: i64) (m: i64): [n]i64 = if b then iota n else iota m",
        Code::SizeMismatch,
        "if b then iota n else iota m",
        "do not match",
    );
}

#[test]
fn a_loop_may_decide_a_size() {
    accept("def f [n] (a: [n]i32) (m: [n][n]i32) = map (\\x -> loop y = reverse x for k < 1i32 do a) m");
    accept("def f [n] (m: [n][n]i32) = map (\\x -> loop q = map (\\_ -> x) x for k < 1i32 do m) m");
    accept("def f [n] (a: [n]i32) = (\\x -> loop y = reverse x for k < 1i32 do filter (> k) y) a");
    accept("def f [n] (m: [n][n]i32) = map (\\x -> loop y = copy m[0] for k < 1i32 do map (+ k) x) m");
    accept("def f [n] (k: i64) (a: [n]i32) = loop p = a for i < 3i32 do loop q = p for j < 2i32 do take k q");
}

#[test]
fn loop_sizes_stay_or_change() {
    has_types(
        "def f [n] (xs: [n]i32) = loop ys = xs for i < 3 do map (+ 1) ys",
        &["def f [n] (xs: [n]i32): [n]i32"],
    );
    has_types(
        "def f [n] (xs: [n]i32) = loop ys = xs for i < 3 do filter (> i) ys",
        &["def f [n] (xs: [n]i32): []i32"],
    );
    has_types(
        "def f [n] (xs: [n]i32) (ys: [n]i32) = loop (a, b) = (xs, ys) for i < 3 do (b, a)",
        &["def f [n] (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32)"],
    );
    has_types(
        "def f [n] [m] (xs: [n]i32) (ys: [m]i32) = loop (a, b) = (xs, ys) for i < 3 do (b, a)",
        &["def f [n] [m] (xs: [n]i32) (ys: [m]i32): ([]i32, []i32)"],
    );
    reject(
        "def f [n] (xs: [n]i32) = loop ys = xs for i < 3 do map2 (+) xs (filter (> i) ys)",
        Code::SizeMismatch,
        "(filter (> i) ys)",
        "do not match",
    );
    reject(
        "def f [n] [m] (xs: [n]i32) (ys: [m]i32) = loop zs = ys for i < 3 do map2 (+) xs zs",
        Code::SizeMismatch,
        "ys",
        "do not match",
    );
}

#[test]
fn branches_may_decide_that_a_loop_keeps_its_size() {
    has_types(
        "def f [n] (xs: [n]i32) (b: bool) = loop ys = xs for i < 3 do if b then ys else xs",
        &["def f [n] (xs: [n]i32) (b: bool): [n]i32"],
    );
    has_types(
        "def f [n] (xs: [n]i32) (b: bool) = loop ys = xs for i < 3 do loop zs = ys for j < 3 do if b then zs else xs",
        &["def f [n] (xs: [n]i32) (b: bool): [n]i32"],
    );
    // The size of `ys` changes after the branch.
    has_types(
        "def f [n] (xs: [n]i32) (b: bool) = loop ys = xs for i < 3 do (if b then ys else xs) ++ ys",
        &["def f [n] (xs: [n]i32) (b: bool): []i32"],
    );
    // Only the first loop changes its size.
    has_types(
        "def f [n] (xs: [n]i32) (b: bool) = \
         (loop ys = xs for i < 3 do (if b then ys else xs) ++ ys, loop ys = xs for i < 3 do if b then ys else xs)",
        &["def f [n] (xs: [n]i32) (b: bool): ([]i32, [n]i32)"],
    );
    // A parameter of any size stays one.
    has_types(
        "def f (xs: []i32) (b: bool) = loop ys = xs for i < 3 do if b then ys else [i]",
        &["def f [n] (xs: [n]i32) (b: bool): []i32"],
    );
    reject(
        "def f [n] (xs: [n]i32) (b: bool) = loop ys = xs for i < 3 do head (map (\\j -> if b then ys else ys ++ xs) [i])",
        Code::Causality,
        "(\\j -> if b then ys else ys ++ xs)",
        "differ in size",
    );
}

#[test]
fn size_binders_name_unknown_sizes() {
    has_types(
        "def f (xs: []i32) = let [k] (ys: [k]i32) = filter (> 0) xs in map2 (+) ys (map i32.i64 (iota k))",
        &["def f [n] (xs: [n]i32): []i32"],
    );
    reject("def f (xs: []i32) = let [k] ys = xs in k", Code::UnboundSize, "k", "unused in pattern");
}

#[test]
fn a_size_of_an_array_is_known_outside_the_scope_of_its_name() {
    accept("def f (xs: []i32): ?[k].([k]i32, [k + 1]i32) = let [k] (ys: [k]i32) = xs in (ys, ys ++ [0])");
    accept("def f [n] (xs: [n]i32) = let [k] (as: [k]i32, bs: [n - k]i32) = partition (> 0) xs in as ++ bs");
    reject(
        "def f (xs: []i32): ?[k].([k]i32, [k + 1]i32) = let [k] (ys: [k]i32) = xs in (ys, ys ++ [0, 0])",
        Code::SizeMismatch,
        "let [k] (ys: [k]i32) = xs in (ys, ys ++ [0, 0])",
        "do not match",
    );
    reject(
        "def f [n] (xs: [n]i32) = let [k] (as: [n - k]i32, bs: [k]i32) = partition (> 0) xs in bs",
        Code::SizeMismatch,
        "[n - k]i32",
        "do not match",
    );
}

#[test]
fn coercions_and_ascriptions_say_sizes() {
    has_types("def f [n] (m: i64) (xs: [n]i32) = xs :> [m]i32", &["def f [n] (m: i64) (xs: [n]i32): [m]i32"]);
    reject("def f [n] (m: i64) (xs: [n]i32) = xs : [m]i32", Code::SizeMismatch, "[m]i32", "do not match");
    reject(
        "def f [n] (m: i64) (xs: [n]i32) = xs :> [m]i64",
        Code::TypeMismatch,
        "[m]i64",
        "Expected: [m]i64\nActual:   [n]i32",
    );
}

#[test]
fn slices_without_strides_have_known_sizes() {
    has_types(
        "def f [n] (k: i64) (xs: [n]i32) = (xs[1:k], xs[:k], xs[::-1], xs[0:k:1], xs[k:], xs[k::2])",
        &["def f [n] (k: i64) (xs: [n]i32): ([k - 1]i32, [k]i32, [n]i32, [k]i32, [n - k]i32, []i32)"],
    );
    reject("def f [n] (xs: [n]i32) = map2 (+) xs xs[1:]", Code::SizeMismatch, "xs[1:]", "do not match");
}

#[test]
fn ranges_have_unknown_sizes_but_for_simple_ones() {
    has_types("def f (n: i64) = (0..<n, 1...n, 0..2..<n)", &["def f (n: i64): ([n]i64, [n]i64, []i64)"]);
    has_types(
        "def f (n: i64) = (0..1..<n, 1..2...n, 1..0...n)",
        &["def f (n: i64): ([n]i64, [n]i64, []i64)"],
    );
    reject("def f (n: u8) = 0..<n", Code::TypeMismatch, "n", "signed");
    reject(
        "def f (n: i64) (xs: [n]i64) = map2 (+) xs (1..<n)",
        Code::SizeMismatch,
        "(1..<n)",
        "do not match",
    );
}

#[test]
fn rows_have_one_size() {
    accept("def f (n: i64) (m: i64) = map (\\i -> replicate m i) (iota n)");
    reject("def f (n: i64) = map (\\i -> iota i) (iota n)", Code::Causality, "(\\i -> iota i)", "Causality");
    reject(
        "def f (xss: [][]i32) = map (\\xs -> filter (> 0) xs) xss",
        Code::Causality,
        "(\\xs -> filter (> 0) xs)",
        "Causality",
    );
    reject("def f (xs: [2]i32) (ys: [3]i32) = [xs, ys]", Code::SizeMismatch, "ys", "Sizes `2` and `3`");
}

#[test]
fn sizes_are_i64() {
    accept("def f (n: i64) (xs: [n]i32) = xs");
    reject("def f (n: i32) (xs: [n]i32) = xs", Code::BadSize, "n", "Expected: i64\nActual:   i32");
    reject("def f (xs: [k]i32) = xs", Code::UnknownName, "k", "Unknown name `k`");
}

#[test]
fn a_size_parameter_is_determined() {
    accept("def f [n] (xs: [n]i32) = n");
    accept("def f [n] : [n]i32 = replicate n 0");
    reject("def f [n] (x: i32) = x + i32.i64 n", Code::UnboundSize, "n", "unused in pattern");
}

#[test]
fn local_functions_take_arrays_of_any_size() {
    accept(
        "def f [n] [m] (xs: [n]i32) (ys: [m]i32) = let sum [k] (zs: [k]i32) = reduce (+) 0 zs in sum xs + sum ys",
    );
    accept(
        "def f [n] [m] (xs: [n]i32) (ys: [m]i32) = let sum (zs: []i32) = reduce (+) 0 zs in sum xs + sum ys",
    );
}

#[test]
fn a_size_is_known_where_it_is_needed() {
    accept("def f (xs: []i32) = let ys = filter (> 0) xs in let zs = map (+ 1) ys in map2 (+) ys zs");
    accept("def f (n: i64) = map2 (\\a b -> a + b) (iota n) (iota n)");
    accept("def f (xss: [][]i32) = foldl (map2 (+)) (replicate 3 0) (map (\\xs -> xs[:3]) xss)");
    reject(
        "def f (xs: []i64) = map2 (+) xs (iota (length xs))",
        Code::Causality,
        "xs: []i64",
        "Unknown size `length xs` in parameter of `f`, which is inferred as: `[length xs]i64`",
    );
    reject(
        "def f (n: i64) = let g = \\x -> x in let ys = filter (> 0) (iota n) in g ys",
        Code::Causality,
        "x",
        "Causality check: size needed for type of `x` is computed at 1:46, too late",
    );
}

#[test]
fn a_local_function_may_be_part_of_a_size() {
    accept("def f (n: i64) = let g (m: i64) = m + n let xs = iota (g 1) in map2 (+) xs (iota (g 1))");
    has_types("def f (n: i64) = let g (m: i64) = m + n in iota (g 1)", &["def f (n: i64): []i64"]);
}

#[test]
fn a_function_may_promise_more_than_is_expected() {
    let length_of = "def length_of (f: i64 -> ?[k].[k]i64) = length (f 3)";
    accept(&format!("{length_of} def f = length_of iota def g = length_of (replicate 2)"));
    accept(&format!("{length_of} def f = length_of (\\n -> filter (> 1) (iota n))"));
    reject(
        "def row (f: i64 -> [3]i64) = f 1 def g = row (\\n -> filter (> 1) (iota n))",
        Code::Causality,
        "(\\n -> filter (> 1) (iota n))",
        "cannot be determined statically",
    );
    reject("def row (f: i64 -> [3]i64) = f 1 def g = row iota", Code::SizeMismatch, "iota", "do not match");
}

#[test]
fn a_binder_takes_a_size_that_is_still_open() {
    has_types(
        "def f (xs: []i32) = let [n] (ys: [n]i32) = xs in n def g xs = let [n] (ys: [n]i32) = xs in n",
        &["def f [n] (xs: [n]i32): i64", "def g [n] (xs: [n]i32): i64"],
    );
}

#[test]
fn sizes_of_parts_of_parameters_are_not_visible_to_callers() {
    accept("def f (x: i64) (_y: i64) (xs: [x]bool) = xs");
    reject(
        "def f (x: i64, _y: i64) (xs: [x]bool) = true",
        Code::UnboundSize,
        "xs: [x]bool",
        "refers to size `x`, which will not be accessible to the caller",
    );
    reject(
        "def f (x: i64, _y: i64) (xs: []i64) = map2 (+) xs (iota x)",
        Code::UnboundSize,
        "xs: []i64",
        "will not be accessible to the caller",
    );
    reject(
        "def f (x: i64, y: i64): [x]i64 = map (+ y) (iota x)",
        Code::UnboundSize,
        "[x]i64",
        "refers to the name `x`, which is bound to an inner component of a function parameter",
    );
    has_types("def f (x: i64, y: i64) = map (+ y) (iota x)", &["def f ((x, y): (i64, i64)): []i64"]);
}

#[test]
fn arguments_of_returned_functions_have_known_sizes() {
    accept("def f (n: i64) = \\(xs: [n]bool) -> xs[0]");
    accept("def f (b: bool) = \\(xs: []bool) -> xs[0] && b");
    reject(
        "def f (b: i64) = let (n, _) = (b, b) in \\(xs: [n]bool) -> xs[0]",
        Code::Causality,
        "let (n, _) = (b, b) in \\(xs: [n]bool) -> xs[0]",
        "Unknown size `n` in parameter of the function",
    );
    has_types("def f: []f32 -> f32 = f32.sum", &["def f [n]: [n]f32 -> f32"]);
}

#[test]
fn entry_points_learn_sizes_from_arrays() {
    accept("entry f [n] (xs: [n]i32) (ys: [n + 1]i32) = xs[0] + ys[0]");
    reject(
        "entry f [n] (ys: [n + 1]i32) = ys[0]",
        Code::BadEntry,
        "f",
        "size parameter [n] only used non-constructively",
    );
    reject("entry f [n]: [0][n]i32 = []", Code::BadEntry, "f", "must not be size-polymorphic");
}

#[test]
fn the_sizes_of_a_loop_may_have_names() {
    has_types(
        "def f (n: i64) = loop [k] (xs: [k]i64) = [0] for _i < n do xs ++ [k]",
        &["def f (n: i64): []i64"],
    );
    reject(
        "def f (xs: []i32) = let g ys = loop zs = ys for _i < 3i32 do tail zs in g xs",
        Code::SizeMismatch,
        "tail zs",
        "do not match",
    );
}

#[test]
fn blanks_and_comments_make_no_other_size() {
    let same = |a: &str, b: &str| {
        accept(&format!("def f [n] (b: bool) (p: [2]i64) (xs: [{a}]i32): [{b}]i32 = xs"));
    };
    same("if b then n+1 else n*2", "if  b then n + 1 else n  *2");
    same("if n<3&&b then -n else p[0]", "if n < 3 && b then - n -- or\n else p[ 0]");
    same("i64.bool(b||n==0)", "i64.bool (b || n == 0)");
    let other = |a: &str, b: &str| {
        reject(
            &format!(
                "def g (a: []i64) (i: i64) = a[i] def f (c: bool) (h: i64) (a: [2]i64) (xs: [{a}]i32): [{b}]i32 = xs"
            ),
            Code::SizeMismatch,
            "xs",
            "do not match",
        );
    };
    other("if c then h - 1 else 1", "if c then h + 1 else 1");
    other("if c then g a 1 else 1", "if c then a[1] else 1");
}

#[test]
fn an_assertion_does_not_change_a_size() {
    accept("def f (n: i64): [n]i64 = iota (assert (n > 0) n)");
    accept("def f (n: i64): [n + 1]i64 = iota (#[unsafe] assert (n > 0) (n + 1))");
    reject(
        "def f (n: i64): [n]i64 = iota (assert (n > 0) (n + 1))",
        Code::SizeMismatch,
        "iota (assert (n > 0) (n + 1))",
        "do not match",
    );
}

#[test]
fn one_unknown_size_of_an_abbreviation_is_one_where_it_is_used() {
    let pairs = "type~ pairs = ?[k].([k]i32, [k]i32) type~ others = pairs\n";
    accept(&format!("{pairs} def f (p: others) = let (xs, ys) = p in map2 (+) xs ys"));
    accept(&format!(
        "{pairs} def mk (xs: []i32): others = (xs, xs) def f (xs: []i32) = let (a, b) = mk xs in zip a b"
    ));
    accept(&format!(
        "{pairs} module m: {{type~ t val f: t -> i64}} with t = others = {{type~ t = others def f (p: t) = length (zip p.0 p.1)}}"
    ));
    reject(
        &format!(
            "{pairs} def mk (xs: []i32): others = let ys = filter (> 0) xs in (ys, ys) def f (xs: []i32) =
             let p = mk xs let q = mk xs in zip p.0 q.0"
        ),
        Code::SizeMismatch,
        "q.0",
        "do not match",
    );
    reject(
        &format!("{pairs} def mk (xs: [2]i32) (ys: [3]i32): others = (xs, ys)"),
        Code::SizeMismatch,
        "(xs, ys)",
        "do not match",
    );
}

#[test]
fn an_undetermined_size_of_a_written_result_is_a_parameter() {
    has_types(
        "def f (x: i32): [0][]i32 = [] def g: [0][]bool = []",
        &["def f [n] (x: i32): [0][n]i32", "def g [n]: [0][n]bool"],
    );
    has_types("def f (xs: []i32): []i32 = xs", &["def f [n] (xs: [n]i32): [n]i32"]);
    has_types("def f (x: i32): []i32 = filter (> x) [1]", &["def f (x: i32): []i32"]);
}
