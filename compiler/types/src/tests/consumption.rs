use ravel_base::Code;

use super::{accept, reject};

#[test]
fn consumed_arrays_may_not_be_used() {
    accept("def f (xs: *[]i32) = let ys = xs with [0] = 1 in ys[0]");
    reject(
        "def f (xs: *[]i32) = let ys = xs with [0] = 1 in ys[0] + xs[0]",
        Code::Consumed,
        "xs",
        "Using variable `xs`, but this was consumed",
    );
    reject(
        "def f (xs: *[]i32) = let zs = xs let xs[0] = 1 in xs[0] + zs[0]",
        Code::Consumed,
        "zs",
        "Using variable `xs`, but this was consumed at 1:38\n`zs` aliases `xs`",
    );
}

#[test]
fn scalars_are_never_consumed() {
    accept("def f (xs: *[]i32) = let x = xs[0] let xs[0] = 1 in xs[0] + x");
}

#[test]
fn both_places_are_shown() {
    let checked = super::check_text("def f (xs: *[]i32) = let ys = xs with [0] = 1 in (xs, ys)");
    assert_eq!(checked.diagnostics[0].caret, "used here");
    assert_eq!(checked.diagnostics[0].labels[0].text, "consumed here");
}

#[test]
fn functions_consume_the_marked_parameters() {
    accept("def g (xs: *[]i32) = xs[0] def f (xs: *[]i32) = g xs");
    reject("def g (xs: *[]i32) = xs[0] def f (xs: *[]i32) = g xs + xs[1]", Code::Consumed, "xs", "consumed");
    accept("def f (xs: *[]i32) (is: []i64) (vs: []i32) = (scatter xs is vs)[0]");
    reject("def f (xs: *[]i32) (is: []i64) = (scatter xs is xs)[0]", Code::Consumed, "xs", "consumed");
}

#[test]
fn only_unique_parameters_are_consumed() {
    reject(
        "def f (xs: []i32) = xs with [0] = 1",
        Code::NotConsumable,
        "xs with [0] = 1",
        "not marked with `*`",
    );
    reject(
        "def f (xs: []i32) = let ys = xs in ys with [0] = 1",
        Code::NotConsumable,
        "ys with [0] = 1",
        "Consuming `xs`, which is not consumable",
    );
    accept("def f (xs: []i32) = copy xs with [0] = 1");
    reject("def xs = [1i32, 2] def f = xs with [0] = 1", Code::NotConsumable, "xs with [0] = 1", "top level");
}

#[test]
fn results_share_memory_with_arguments_unless_unique() {
    accept("def g (xs: []i32): *[]i32 = copy xs def f (xs: []i32) = (g xs) with [0] = 1");
    reject(
        "def g (xs: []i32): []i32 = xs def f (xs: []i32) = (g xs) with [0] = 1",
        Code::NotConsumable,
        "(g xs) with [0] = 1",
        "`xs`",
    );
    accept("def g (xs: []i32) = copy xs def f (xs: []i32) = (g xs) with [0] = 1");
    reject("def f (xs: []i32): *[]i32 = xs", Code::NotConsumable, "*[]i32", "aliased to `xs`");
    accept("def f (xs: *[]i32): *[]i32 = xs");
}

#[test]
fn parts_share_memory_with_the_whole() {
    reject("def f (xss: *[][]i32) = let xs = xss[0] let xs[0] = 1 in xss", Code::Consumed, "xss", "consumed");
    reject("def f (xs: *[]i32) = let ys = xs[1:] let ys[0] = 1 in xs", Code::Consumed, "xs", "consumed");
    accept("def f (xs: *[]i32) (ys: []i32) = let (a, b) = (xs, ys) let a[0] = 1 in (a, b)");
    reject(
        "def f (xs: *[]i32) (ys: *[]i32) = let p = (xs, ys) let a = p.0 with [0] = 1 in (a, p.0)",
        Code::Consumed,
        "p.0",
        "consumed",
    );
}

#[test]
fn a_branch_consumes_for_both() {
    accept("def f (b: bool) (xs: *[]i32) = if b then xs with [0] = 1 else xs with [1] = 1");
    reject(
        "def f (b: bool) (xs: *[]i32) = let ys = if b then xs with [0] = 1 else [1, 2] :> []i32 in (xs, ys)",
        Code::Consumed,
        "xs",
        "consumed",
    );
    reject(
        "def f (b: bool) (xs: *[]i32) (ys: []i32) = (if b then xs else ys) with [0] = 1",
        Code::NotConsumable,
        "(if b then xs else ys) with [0] = 1",
        "`ys`",
    );
}

#[test]
fn an_array_that_one_side_consumes_and_the_other_returns_belongs_to_the_result() {
    accept(
        "def f (b: bool) (xs: *[]i32) = let ys = if b then xs with [0] = 1 else xs in ys with [0] = ys[1]",
    );
    accept(
        "def f (b: bool) (xs: *[]i32) (ys: *[]i32) =
           let (x, y) = if b then (xs with [0] = 1, ys) else (xs, ys with [0] = 1)
           let x[0] = y[0]
           let y[0] = x[0]
           in (x, y)",
    );
    reject(
        "def f (b: bool) (xs: *[]i32) = let ys = if b then xs with [0] = 1 else xs in ys[0] + xs[0]",
        Code::Consumed,
        "xs",
        "consumed",
    );
    const SHARED: &str = "if b then (xs with [0] = 1, [1, 2] :> []i32) else (xs, xs)";
    let with = |rest: &str| format!("def f (b: bool) (xs: *[]i32) = let (x, y) = {SHARED} {rest}");
    accept(&with("in x[0] + y[0]"));
    reject(
        &with("let x[0] = 2 in y[0]"),
        Code::Consumed,
        "y",
        "the result of if-expression, which it aliases",
    );
}

#[test]
fn a_lambda_consumes_nothing_from_outside() {
    accept("def f (n: i64) = map (\\i -> let xs = replicate 3 i let xs[0] = 1 in xs[1]) (iota n)");
    reject(
        "def f (n: i64) (xs: *[]i64) = map (\\i -> let ys = xs with [0] = i in ys[1]) (iota n)",
        Code::NotConsumable,
        "xs with [0] = i",
        "may be called many times",
    );
    reject(
        "def f (xs: *[]i32) = let g (i: i64) = xs[i] let xs[0] = 1 in g 0 + xs[0]",
        Code::Consumed,
        "g",
        "Using variable `xs`, but this was consumed at 1:49\n`g` aliases `xs`",
    );
}

#[test]
fn a_loop_consumes_its_first_values() {
    accept("def f (n: i64) = loop xs = replicate n 0 for i < n do xs with [i] = i");
    reject(
        "def f (n: i64) (xs: []i64) = loop ys = xs for i < n do ys with [i] = i",
        Code::NotConsumable,
        "xs",
        "Consuming `xs`, which is not consumable",
    );
    reject(
        "def f (n: i64) (xs: *[]i64) = let ys = loop ys = xs for i < n do ys with [i] = i in (xs, ys)",
        Code::Consumed,
        "xs",
        "consumed",
    );
    reject(
        "def f (n: i64) (xs: *[]i64) = loop s = 0 for i < n do let ys = xs with [i] = s in ys[0]",
        Code::NotConsumable,
        "xs with [i] = s",
        "the loop body may run many times",
    );
    reject(
        "def f [n] (a: [n]i64) = loop xs = copy a for i < n do let ys = xs with [i] = i in if ys[0] > 1 then ys else a",
        Code::NotConsumable,
        "let ys = xs with [i] = i in if ys[0] > 1 then ys else a",
        "aliases `a`",
    );
}

#[test]
fn a_new_value_does_not_share_memory_with_the_array() {
    accept("def f (xs: *[]i32) = xs with [0:2] = [1, 2]");
    reject(
        "def f (xs: *[]i32) = xs with [0:2] = xs[1:3]",
        Code::Consumed,
        "xs[1:3]",
        "might alias update value `xs[1:3]`",
    );
}

#[test]
fn a_function_passed_on_consumes_no_more_than_promised() {
    reject(
        "def g (xs: *[3]i32) = xs[0] def f (xss: [][3]i32) = map g xss",
        Code::NotConsumable,
        "g",
        "incompatible regarding consuming their arguments",
    );
}

#[test]
fn the_last_argument_is_evaluated_and_consumed_first() {
    accept("def f [n] (xs: *[n]i32) = scatter xs (iota n) (map (\\i -> xs[n - 1 - i]) (iota n))");
    accept("def g (a: *[]i32) (x: i32) = a with [0] = x def f (xs: *[]i32) = g xs xs[1]");
    accept("def g (x: i32) (y: i32) = x + y def f (xs: *[]i32) = g (xs with [0] = 1)[0] xs[1]");
    for (function, arguments) in [
        ("g (a: []i32) (x: i32) = x", "xs (xs with [0] = 1)[0]"),
        ("g (x: i32) (y: i32) = x", "xs[1] (xs with [0] = 1)[0]"),
        ("g (x: i32) (a: *[]i32) = a", "xs[1] xs"),
    ] {
        let text = format!("def {function} def f (xs: *[]i32) = g {arguments}");
        reject(&text, Code::Consumed, "xs", "`xs`, but this was consumed");
    }
    // Operands are evaluated from left to right.
    accept("def (+++) (x: i32) (y: i32) = x def f (xs: *[]i32) = xs[1] +++ (xs with [0] = 1)[0]");
    reject(
        "def (+++) (x: i32) (y: i32) = x def f (xs: *[]i32) = (xs with [0] = 1)[0] +++ xs[1]",
        Code::Consumed,
        "xs",
        "`xs`, but this was consumed",
    );
    reject(
        "def f (xs: *[]i32) = let g (a: *[]i32) = a with [0] = xs[1] in g xs",
        Code::Consumed,
        "xs",
        "Argument is consumed, but aliases the function being applied",
    );
}

#[test]
fn a_value_outlives_what_is_evaluated_after_it() {
    for whole in [
        "(xs, xs with [0] = 1)",
        "[xs, xs with [0] = 1]",
        "xs == (xs with [0] = 1)",
        "xs[(xs with [0] = 1)[0]]",
        "xs with [0] = (xs with [0] = 1)[0]",
        "loop s = xs for x in (xs with [0] = 1) do s",
    ] {
        let text = format!("def f [n] (xs: *[n]i64) = {whole}");
        reject(&text, Code::Consumed, "xs", "Using variable `xs`, but this was consumed");
    }
}

#[test]
fn components_may_be_consumed_one_by_one() {
    accept(
        "def f (p: *([]i32, []i32)) = let (a, b) = p let a[0] = 1 in (a, b)
         def g (xs: []i32) = f (copy xs, copy xs)",
    );
    reject(
        "def f (p: *([]i32, []i32)) = p.0[0] def g (xs: *[]i32) = f (xs, xs)",
        Code::Consumed,
        "(xs, xs)",
        "Two components",
    );
    reject(
        "def f (xs: []i32) = let a = copy xs in (a, a)
         def g (xs: []i32) = let (p, q) = f (copy xs) let p[0] = 1 in (p, q)",
        Code::Consumed,
        "q",
        "consumed",
    );
    reject(
        "def f (xs: []i32): *([]i32, []i32) = let a = copy xs in (a, a)",
        Code::NotConsumable,
        "*([]i32, []i32)",
        "A fresh-declared component of the return value is aliased to some other component",
    );
}

#[test]
fn consuming_parameters_of_a_loop_share_no_memory() {
    accept("def f (xs: []i32) = loop (a, b) = (copy xs, copy xs) for i < 3i32 do (b, a with [0] = i)");
    reject(
        "def f (xs: []i32) = loop (a, b) = (copy xs, xs) for i < 3i32 do (b, a with [0] = i)",
        Code::NotConsumable,
        "(copy xs, xs)",
        "Consuming `xs`, which is not consumable",
    );
    reject(
        "def f (xs: *[]i32) = loop (a, b) = (xs, xs) for i < 3i32 do (a with [0] = i, b)",
        Code::Consumed,
        "(xs, xs)",
        "Initial values of `a` and `b` share memory",
    );
    reject(
        "def f (xs: *[]i32) = loop a = xs for i < 3i32 do a with [0] = xs[1]",
        Code::Consumed,
        "xs",
        "Loop body uses `xs`, but this is consumed",
    );
    reject(
        "def f (xs: []i32) =
           loop (a, b) = (copy xs, copy xs) for i < 3i32 do let c = a with [0] = b[1] in (c, c)",
        Code::NotConsumable,
        "let c = a with [0] = b[1] in (c, c)",
        "loop parameter `b` aliases other consumed loop parameter `a`",
    );
}

#[test]
fn results_of_a_loop_may_alias_all_their_sources() {
    let swap = |result: &str| {
        format!(
            "def f (xs: *[]i32) (ys: *[]i32) =
               let (a, b) = loop (a, b) = (xs, ys) for i < 3i32 do {result}
               let a[0] = 1 in (a, b)"
        )
    };
    accept(&swap("(a, b)"));
    reject(&swap("(b, a)"), Code::Consumed, "b", "consumed");
    reject(&swap("let c = copy a in (c, c)"), Code::Consumed, "b", "consumed");
}

#[test]
fn the_types_of_functional_parameters_include_consumption() {
    accept(
        "def apply 'a 'b (f: *a -> b) (x: *a) = f x
         def zero (xs: *[]i32) = xs with [0] = 0
         def first (xs: []i32) = xs[0]
         def f (xs: *[]i32) = apply zero xs def g (xs: *[]i32) = apply first xs",
    );
    reject(
        "def zero (xs: *[3]i32): i32 = 0 def g: [3]i32 -> i32 = zero",
        Code::NotConsumable,
        "zero",
        "incompatible regarding consuming their arguments",
    );
    // Parameters are contravariant: for a function that takes a function, the rule is reversed.
    accept(
        "def twice (h: (*[3]i32 -> i32) -> i32) (k: [3]i32 -> i32) = h k
         def f (h: ([3]i32 -> i32) -> i32) (zero: [3]i32 -> i32) = h zero",
    );
}

#[test]
fn a_function_that_is_bound_contains_no_consumption() {
    let update = "def update (xs: *[]i32) (i: i32) (y: i32) = xs with [i] = y";
    accept(&format!("{update} def f (xs: *[]i32) = update xs 0 1"));
    reject(
        &format!("{update} def f (xs: *[]i32) = let g = update xs in (g 0 0, g 0 0)"),
        Code::NotConsumable,
        "update xs",
        "contains consumption of `xs`",
    );
    reject(
        "def f (xs: *[]i32) = let (g, y) = let ys = xs with [0] = 1 in (\\x -> x + ys[0], ys[1]) in g y",
        Code::NotConsumable,
        "let ys = xs with [0] = 1 in (\\x -> x + ys[0], ys[1])",
        "contains consumption",
    );
}

#[test]
fn a_result_may_not_alias_a_top_level_value() {
    accept("def pair = (1i32, 2i64) def f () = pair");
    accept("def table = [1i32, 2] def f (i: i64) = table[i] def g () = copy table def h = table");
    reject(
        "def table = [1i32, 2] def f () = table",
        Code::AliasedResult,
        "table",
        "Function result aliases the free variable `table`",
    );
    reject("def table = [[1i32], [2]] def f (i: i64) = table[i]", Code::AliasedResult, "table[i]", "`table`");
    // A lambda in the body may return the free variable, if the result of the function does not alias it.
    accept("def table = [1i32, 2] def f (n: i64) = map (\\_ -> table) (iota n)");
    reject(
        "def table = [1i32, 2] def f (_: i64) = \\(_: i64) -> table",
        Code::AliasedResult,
        "\\(_: i64) -> table",
        "`table`",
    );
    reject(
        "def table = [1i32, 2] def f (n: i64) = (\\(_: i64) -> table) n with [0] = 1",
        Code::NotConsumable,
        "(\\(_: i64) -> table) n with [0] = 1",
        "Consuming `table`",
    );
}

#[test]
fn a_component_is_gone_alone() {
    accept("def f (p: *([]i32, []i32)) = let xs = p.0 with [0] = 1 in (xs, p.1)");
    accept("def f (p: *(([]i32, []i32), []i32)) = let xs = p.0.1 with [0] = 1 in (xs, p.0.0, p.1)");
    reject(
        "def f (p: *(([]i32, []i32), []i32)) = let xs = p.0.1 with [0] = 1 in (xs, p.0)",
        Code::Consumed,
        "p.0",
        "`p`",
    );
}

/// Each component of a tuple has its own mark, in parameters and in results.
#[test]
fn components_are_marked_each_for_itself() {
    const TAKES: &str = "def f (a: *[]i32, b: []i32) = a with [0] = b[0]\n";
    let takes = |text: &str| format!("{TAKES}{text}");
    accept(&takes("def g (x: *[]i32) (y: []i32) = let z = f (x, y) in (z, y)"));
    reject(
        &takes("def g (x: []i32) (y: *[]i32) = f (x, y)"),
        Code::NotConsumable,
        "(x, y)",
        "Consuming variable `x`",
    );
    reject(&takes("def g (x: *[]i32) = f (x, x)"), Code::Consumed, "(x, x)", "self-aliased");
    reject(&takes("def g (x: *[]i32) (y: []i32) = (f (x, y))[0] + x[0]"), Code::Consumed, "x", "`x`");
    accept("def f (p: {a: *[]i32, b: []i32}) = p.a with [0] = p.b[0]");
    reject(
        "def f (p: {a: []i32, b: *[]i32}) = p.a with [0] = p.b[0]",
        Code::NotConsumable,
        "p.a with [0] = p.b[0]",
        "`p`",
    );

    const GIVES: &str = "def h [n] (a: *[n]i32) (b: [n]i32): (*[n]i32, [n]i32) = (a, b)\n";
    let gives = |text: &str| format!("{GIVES}{text}");
    accept(&gives("def g (x: *[2]i32) (y: [2]i32) = let (p, q) = h x y in (p with [0] = 1, q)"));
    reject(
        &gives("def g (x: *[2]i32) (y: [2]i32) = let (p, q) = h x y in (p, q with [0] = 1)"),
        Code::NotConsumable,
        "q with [0] = 1",
        "Consuming variable `y`",
    );
    reject(
        "def h [n] (a: *[n]i32) (b: [n]i32): (*[n]i32, [n]i32) = (b, a)",
        Code::NotConsumable,
        "(*[n]i32, [n]i32)",
        "aliased to `b`",
    );
    reject(
        "def h [n] (a: *[n]i32): (*[n]i32, [n]i32) = (a, a)",
        Code::NotConsumable,
        "(*[n]i32, [n]i32)",
        "some other component",
    );
}

/// A value of a module may consume less than its specification says, and more of its result may be unique.
#[test]
fn modules_keep_to_the_marks_of_components() {
    let module =
        |spec: &str, value: &str| format!("module m: {{ val f [n]: {spec} }} = {{ def f [n] {value} }}");
    accept(&module("(*[n]i32, [n]i32) -> i32", "(a: *[n]i32, b: [n]i32) = (a with [0] = b[0])[0]"));
    reject(
        &module("([n]i32, *[n]i32) -> i32", "(a: *[n]i32, b: [n]i32) = (a with [0] = b[0])[0]"),
        Code::ModuleMismatch,
        "{",
        "specifies `val f [n] : ([n]i32, *[n]i32) -> i32`, but module provides",
    );
    accept(&module("[n]i32 -> (*[n]i32, [n]i32)", "(a: [n]i32): (*[n]i32, [n]i32) = (copy a, a)"));
    reject(
        &module("[n]i32 -> ([n]i32, *[n]i32)", "(a: [n]i32): (*[n]i32, [n]i32) = (copy a, a)"),
        Code::ModuleMismatch,
        "{",
        "specifies `val f [n] : [n]i32 -> ([n]i32, *[n]i32)`, but module provides",
    );
}

#[test]
fn the_types_of_functional_parameters_include_fresh_results() {
    let g = "def g (f: []i32 -> *[]i32) (x: []i32): *[]i32 = (f x) with [0] = 9\n";
    let bad = |rest: &str, place: &str| {
        reject(rest, Code::NotConsumable, place, "have incompatible uniqueness");
    };
    accept(&format!(
        "{g} def h (y: []i32) = copy y def f (x: []i32) = (g h x, g (\\z -> copy z) x, g copy x)"
    ));
    accept(&format!("{g} def f (x: []i32) = let h y = copy y in g h x"));
    accept(&format!("{g} def f (x: []i32) = let k = \\y -> map (+ 1) y in g (\\z -> k z) x"));
    bad(&format!("{g} def f (x: []i32) = g (\\z -> z) x"), "(\\z -> z)");
    bad(&format!("{g} def f (x: []i32) = g (\\_ -> x) x"), "(\\_ -> x)");
    bad(&format!("{g} def f (x: []i32) = g id x"), "id");
    bad(&format!("{g} def h (y: []i32): []i32 = y def f (x: []i32) = g h x"), "h");
    bad(&format!("{g} def f (x: []i32) = let h (y: []i32) = y in g h x"), "h");
    bad(&format!("{g} def f (x: []i32) = g ((\\z -> z) : []i32 -> *[]i32) x"), "(\\z -> z)");
    // The function is part of a record or a constructor's payload.
    bad(
        "def g (r: {f: []i32 -> *[]i32}) (x: []i32) = r.f x with [0] = 9
         def f (x: []i32) = g {f = \\z -> z} x",
        "\\z -> z",
    );
    bad(
        "def g (c: #c ([]i32 -> *[]i32)) (x: []i32) = match c case #c f -> f x with [0] = 9
         def f (x: []i32) = g (#c (\\z -> z)) x",
        "(\\z -> z)",
    );
    accept("def g (f: []i32 -> (i32, *[]i32)) (x: []i32) = f x def f (x: []i32) = g (\\z -> (1, copy z)) x");
    bad(
        "def g (f: []i32 -> (i32, *[]i32)) (x: []i32) = f x def f (x: []i32) = g (\\z -> (1, z)) x",
        "(\\z -> (1, z))",
    );
    // The expected type is a written one.
    accept("def g: []i32 -> *[]i32 = \\x -> copy x");
    bad("def g: []i32 -> *[]i32 = \\x -> x", "\\x -> x");
    bad("def g (b: bool): []i32 -> *[]i32 = \\x -> x", "\\x -> x");
    bad("def f (x: []i32) = let g: []i32 -> *[]i32 = \\x -> x in g x", "\\x -> x");
    bad("def f (r: {g: [3]i32 -> *[3]i32}) = r with g = \\x -> x", "\\x -> x");
    accept("def f (r: {g: [3]i32 -> *[3]i32}) = r with g = \\x -> copy x");
    // Parameters are contravariant: for a function that takes a function, the rule is reversed.
    accept(
        "def twice (h: ([]i32 -> []i32) -> i32) (k: []i32 -> *[]i32) = h k
         def f (h: ([]i32 -> []i32) -> i32) (k: (([]i32 -> *[]i32) -> i32) -> i32) = k h",
    );
    bad("def f (h: ([]i32 -> *[]i32) -> i32) (k: (([]i32 -> []i32) -> i32) -> i32) = k h", "h");
}

#[test]
fn a_constant_may_not_have_a_unique_type() {
    accept("def xs: [3]i32 = [1, 2, 3] entry main: *[3]i32 = [1, 2, 3] def f (): *[3]i32 = [1, 2, 3]");
    reject("def xs: *[3]i32 = [1, 2, 3]", Code::NotConsumable, "*[3]i32", "cannot have a unique type");
}

#[test]
fn the_result_of_a_local_function_is_checked_part_by_part() {
    let used = |code: Code, text: &str, place: &str, message: &str| reject(text, code, place, message);
    // The caller may consume a fresh component of the result, but not one that aliases an argument still in use.
    accept("def f (x: *[]i32) = let h a = (copy a, a) let (p, q) = h x in (p with [0] = 1, q, x)");
    used(
        Code::Consumed,
        "def f (x: *[]i32) = let h a = (copy a, a) let (p, q) = h x let r = q with [0] = 1 in (p, r, x[1])",
        "x",
        "Using variable `x`",
    );
    // Two components that share memory are not fresh.
    used(
        Code::Consumed,
        "def f (n: i64) = let h k = (let a = iota k in (a, a)) let (p, q) = h n in (p with [0] = 1, q)",
        "q",
        "Using variable `q`",
    );
    // If a parameter is a function that takes a function, the argument must not demand a more unique result of that one.
    let use_of = "def use (h: ([]i32 -> []i32) -> []i32) (x: []i32) = h (\\y -> y)\n";
    accept(&format!("{use_of} def f (x: []i32) = let g (f: []i32 -> []i32) = copy (f x) in use g x"));
    used(
        Code::NotConsumable,
        &format!("{use_of} def f (x: []i32) = let g (f: []i32 -> *[]i32) = f x with [0] = 1 in use g x"),
        "g",
        "have incompatible uniqueness",
    );
    // The result is a function. Its own results may alias its arguments, and they alias what the function captures.
    accept(
        "def f (y: *[]i32) = let make (_: i32): []i32 -> *[]i32 = \\z -> copy z let w = make 1 y with [0] = 1 in (y, w)",
    );
    used(
        Code::Consumed,
        "def f (y: *[]i32) = let make (_: i32) = \\(z: []i32) -> z let w = make 1 y with [0] = 1 in (y[1], w)",
        "y",
        "Using variable `y`",
    );
    accept("def f (x: *[3]i32) = let add a b = map2 (+) a b let y = add x x with [0] = 1 in add x y");
    used(
        Code::Consumed,
        "def f (x: *[3]i32) = let add a b = map2 (+) a b let part = add x let y = x with [0] = 1 in part y",
        "part",
        "`part` aliases `x`",
    );
}

#[test]
fn values_of_abstract_types_may_share_memory_with_themselves() {
    const MODULE: &str =
        "module m: {type t val make: i64 -> t val same: t -> *t val ops: {make: i64 -> t}} = {
           type t = ([3]i64, [3]i64)
           def make (_: i64): t = let xs = iota 3 in (xs, xs)
           def same (x: t): *t = copy x
           def ops = {make = \\(i: i64): t -> make i}
         }
        ";
    let with = |text: &str| format!("{MODULE}{text}");
    accept(&with("def f (i: i64): *m.t = m.same (m.make i)"));
    accept(&with("def f (i: i64): *m.t = copy (m.make i)"));
    accept(&with("def f (x: *m.t): *m.t = id x"));
    for made in
        ["m.make i", "i |> m.make", "m.ops.make i", "let make = m.make in make i", "(\\j -> m.make j) i"]
    {
        let text = with(&format!("def f (i: i64): *m.t = {made}"));
        reject(&text, Code::NotConsumable, "*m.t", "may have internal aliases");
    }
}
