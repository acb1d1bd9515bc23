//! Sizes that are used as numbers: they pass through the checks of their arrays that nothing else needs.

use super::core;

/// The number of assertions in the code of a program with this entry point, applied to an index and a matrix.
fn assertions(definitions: &str, result: &str, exp: &str) -> usize {
    let text = core(&format!("{definitions}\nentry main (i: i64) (xss: [][]i32): {result} = {exp}"));
    text.lines().filter(|line| line.contains(" = assert ")).count()
}

#[test]
fn a_size_that_is_used_alone_is_checked() {
    for exp in ["length xss[i]", "length [xss[i]]", "length (map (+ 1) xss[i])"] {
        assert_eq!(assertions("", "i64", exp), 2, "{exp}");
    }
    assert_eq!(assertions("", "i64", "length (zip xss[0] xss[i])"), 4);
    assert_eq!(assertions("", "i32", "i32.sum (map (const 1) xss[i])"), 2);
    assert_eq!(assertions("", "i32", "loop n = 0 for _x in xss[i] do n + 1"), 2);
}

#[test]
fn a_size_is_not_checked_if_its_array_is_needed() {
    let xs = "let xs = xss[i] in";
    assert_eq!(assertions("", "(i64, i32)", &format!("{xs} (length xs, i32.sum xs)")), 1);
    assert_eq!(assertions("", "[]i32", &format!("{xs} reverse xs")), 1);
    assert_eq!(
        assertions("", "[]i32", &format!("{xs} map (\\j -> if j < length xs then xs[0] else 0) [i]")),
        2
    );
    assert_eq!(assertions("", "i32", &format!("{xs} if length xs > 1 then xs[1] else xs[0]")), 3);
}

#[test]
fn an_array_that_one_side_of_a_branch_needs_is_not_needed_before_it() {
    assert_eq!(assertions("", "i32", "let xs = xss[i] in if length xs > 1 then 0 else xs[0]"), 3);
}

#[test]
fn the_caller_checks_the_size_of_an_argument() {
    let called = "#[noinline] def f [n] (xs: [n]i32): (i64, i32) = (length xs, i32.sum xs)";
    assert_eq!(assertions(called, "i64", "(f xss[i]).0"), 2);
    assert_eq!(assertions(called, "i32", "(f xss[i]).1"), 1);
    assert_eq!(assertions(called, "(i64, i32)", "f xss[i]"), 1);
}

#[test]
fn a_check_inside_a_branch_has_a_witness() {
    let branch = |then: &str| {
        format!("let (xs, y) = if i > 0 then {then} else (xss[0], 0) in length xs + i64.i32 y * 0")
    };
    let alone = |then: &str| branch(then).replace(" + i64.i32 y * 0", "");
    let witnesses = |exp: &str| {
        let text = core(&format!("entry main (i: i64) (xss: [][]i32): i64 = {exp}"));
        text.matches("\"A check failed.\"").count()
    };
    assert_eq!(witnesses(&alone("(xss[i], 0)")), 1);
    assert_eq!(witnesses(&branch("(xss[i], 0)")), 1);
    // The check of another result does not count, nor one that the result needs.
    assert_eq!(witnesses(&alone("(xss[1 - 1], xss[0, i])")), 1);
    assert_eq!(witnesses("i64.i32 (let xs = if i > 0 then xss[i] else xss[0] in xs[length xs - 1])"), 0);
    assert_eq!(witnesses("length (loop xs = xss[0] for j < i do xss[j])"), 1);
    assert_eq!(witnesses("length (loop (xs, _) = (xss[0], 0) for j < i do (xs, xss[j, 0])).0"), 0);
    assert_eq!(witnesses("i64.i32 (let xs = loop xs = xss[0] for j < i do xss[j] in xs[length xs - 1])"), 0);
}
