//! Each kind of consumption that the verifier rejects is resolved by a copy; nothing else is copied.

use ravel_core::{Program, parse, print, verify};

use crate::conflicts::resolve_conflicts;

/// The statements added by resolving the conflicts in a function with these statements.
fn copied(stms: &str) -> Vec<String> {
    let text = format!(
        "fun main (n: i64, x: i32, *xs: [n]i32, ys: [n]i32, zs: [n][n]i32) -> (r: i64) = {{ {stms} in n }}"
    );
    let mut program: Program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let before = print(&program);
    resolve_conflicts(&mut program);
    assert_eq!(verify(&program), Ok(()), "{}", print(&program));
    let after = print(&program);
    after.lines().filter(|line| !before.contains(line.trim())).map(|line| line.trim().to_owned()).collect()
}

#[test]
fn valid_consumption_is_not_copied() {
    let loops =
        "let o: [n]i32 = loop (a: [n]i32 = xs) for i: i64 < n do { let b: [n]i32 = a with [0] = x in b }";
    for stms in ["let a: [n]i32 = xs with [0] = x", loops] {
        assert_eq!(copied(stms), Vec::<String>::new(), "{stms}");
    }
}

#[test]
fn each_conflict_is_resolved_by_a_copy() {
    let update = "let b: [n]i32 = xs with [0] = x";
    for stms in [
        // The consumed array is used afterwards, is used by the same statement, belongs to the caller, is a parameter of
        // a lambda, or comes from outside the loop.
        &format!("{update} let c: i32 = xs[0]"),
        "let b: [n]i32 = xs with [0 : n : 1] = xs",
        "let b: [n]i32 = ys with [0] = x",
        "let es: [n]i32 = screma n { from zs map \\(z: [n]i32) -> { let b: [n]i32 = z with [0] = x let e: i32 = b[0] in e } to map }",
        "let a: i64 = loop (k: i64 = n) for i: i64 < n do { let b: [n]i32 = xs with [0] = x in k }",
        // The result of the loop comes from outside the loop, or is one array under two names.
        "let o: [n]i32 = loop (a: [n]i32 = xs) for i: i64 < n do { let b: [n]i32 = a with [0] = x in ys }",
        "let f: [n]i32 = copy ys let (o: [n]i32, p: [n]i32) = loop (a: [n]i32 = xs, d: [n]i32 = f) for i: i64 < n do { let b: [n]i32 = a with [0] = x in (b, b) }",
    ] {
        assert!(copied(stms).iter().any(|line| line.contains("copy ")), "{stms}");
    }
}
