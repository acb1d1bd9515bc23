use ravel_base::Code;

use super::{check_text, reject};

/// Asserts that an application to an array is refused at this argument, with this advice.
#[track_caller]
fn assert_advice(body: &str, wrong: &str, advice: &str) {
    reject(&program(body), Code::TypeMismatch, wrong, advice);
}

/// Asserts that a program is refused without advice to use `map`.
#[track_caller]
fn assert_no_advice(body: &str) {
    let text = program(body);
    let diagnostics = check_text(&text).diagnostics;
    assert!(!diagnostics.is_empty(), "{text}");
    let mentions_map = |help: &String| help.contains("map");
    assert!(!diagnostics.iter().any(|one| one.help.iter().any(mentions_map)), "{text}\n{diagnostics:#?}");
}

fn program(body: &str) -> String {
    format!(
        "def inc (x: i32) = x + 1 def both (p: (i32, i32)) = p.0 + p.1 def (<+>) (x: i32) (y: i32) = x + y \
         def main [n][m] (x: i32) (xs: [n]i32) (ys: [n]i32) (xss: [m][n]i32) = {body}"
    )
}

#[test]
fn functions_are_not_lifted_to_arrays() {
    assert_advice("inc xs", "xs", "`map inc` applies it to each element");
    assert_advice("xs |> inc", "xs", "`map inc` applies it to each element");
    assert_advice("inc xss", "xss", "`map (map inc)` applies it to each element");
    assert_advice("both (zip xs ys)", "(zip xs ys)", "`map both` applies it to each element");
    assert_advice("i32.sum xss", "xss", "`map i32.sum` applies it to each element");
    assert_advice("let f = \\x -> x * 2 in f xs", "xs", "`map f` applies it to each element");
    assert_advice("i32.max xs ys", "xs", "`map2 i32.max` applies it to each element");
    assert_advice("xs <+> ys", "xs", "`map2 (<+>)` applies it to each element");
    assert_advice("reduce (+) 0 xss", "xss", "`map (reduce …)` applies it to each element");
    assert_advice("i32.max x xs", "xs", "`map (i32.max …)` applies it to each element");
    let any = "to apply a function to each element of an array, use `map`";
    assert_advice("i32.max xs x", "xs", any);
    assert_advice("i32.max xs xss", "xs", any);
    assert_advice("i32.max xs", "xs", any);
    assert_advice("(\\x -> x + 1) xs", "xs", any);
}

#[test]
fn operators_are_not_lifted_to_arrays() {
    let refused = |body: &str, wrong: &str, advice: &str| {
        reject(&program(body), Code::BadOperand, wrong, advice);
    };
    refused("xs + ys", "xs", "`map2 (+)` applies it to each element");
    refused("xs < ys", "xs", "`map2 (<)` applies it to each element");
    refused("xss * xss", "xss", "`map2 (map2 (*))` applies it to each element");
    let any = "to apply an operator to each element of an array, use `map`";
    refused("xs + 1", "xs", any);
    refused("xss + xs", "xss", any);
    refused("-xs", "xs", any);
    refused("!xs", "xs", any);
    assert_advice("1 + xs", "xs", any);
    assert_advice("x == xs", "xs", any);
    assert_advice("xss == xs", "xs", any);
}

#[test]
fn arrays_of_other_things_are_not_to_be_mapped() {
    assert_no_advice("inc true");
    assert_no_advice("i64.abs xs");
    assert_no_advice("both xs");
    assert_no_advice("i32.sum x");
    assert_no_advice("i32.max true xs");
    assert_no_advice("x + true");
    assert_no_advice("true + xs");
    assert_no_advice("xs == xs[1:]");
    assert_no_advice("and xs");
    assert_no_advice("reduce (+) xs");
    assert_no_advice("\"a\" * x");
    assert_no_advice("xs * [true]");
}

#[test]
fn a_missing_argument_is_named() {
    assert_advice("reduce (+) xs", "xs", "the second argument is missing: it is a number");
    assert_advice("reduce i32.max xs", "xs", "the second argument is missing: it has type `i32`");
    assert_advice(
        "reduce 0i32 xs",
        "0i32",
        "the first argument is missing: it is a function of two arguments",
    );
    assert_advice("all xs", "xs", "the first argument is missing");
    assert_advice("both x x", "x", "the function takes a tuple of 2 values here");
    assert_advice("foldl (+) xs", "xs", "the second argument is missing");
}
