//! If two loop results are disjoint, one may be updated while the other is in use; if they alias, it may not.

use crate::{parse, verify};

/// The verifier's message about these statements, or `valid`. They may consume `p`, `q` and `xs`, but not `ys`.
fn check(stms: &str) -> String {
    let text = format!(
        "fun main (n: i64, c: bool, *xs: [4]i32, ys: [4]i32) -> (r: i32) = {{
            let p: [4]i32 = copy ys let q: [4]i32 = copy ys {stms} in 0i32
        }}"
    );
    let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&program).map_or_else(|error| error.message, |()| "valid".to_owned())
}

/// A loop that binds `a` and `b`. `inits` are the initial values of its parameters `d` and `e`, `body` is its body.
fn loop_text(inits: &str, body: &str) -> String {
    let (first, second) = inits.split_once(' ').expect("two");
    let head = format!("let (a: [4]i32, b: [4]i32) = loop (d: [4]i32 = {first}, e: [4]i32 = {second})");
    format!("{head} for i: i64 < n do {{ {body} }} ")
}

const UPDATE_A: &str = "let u: [4]i32 = a with [0] = 1i32 ";

fn uses(var: &str) -> String {
    format!("{UPDATE_A} let w: i32 = {var}[0]")
}

#[test]
fn results_that_are_never_the_same_array_are_disjoint() {
    let next = "let f: [4]i32 = copy e in (e, f)";
    for round in ["in (e, d)", next, "let f: [4]i32 = copy d in (f, d)"] {
        assert_eq!(check(&(loop_text("p q", round) + &uses("b"))), "valid", "{round}");
        assert_eq!(
            check(&(loop_text("p q", round) + UPDATE_A + "let v: [4]i32 = b with [0] = 2i32")),
            "valid"
        );
    }
    let again = loop_text("p q", "in (e, d)")
        + "let (g: [4]i32, h: [4]i32) = loop (k: [4]i32 = a, l: [4]i32 = b) for j: i64 < n do { in (l, k) }
           let u: [4]i32 = g with [0] = 1i32 let w: i32 = h[0]";
    assert_eq!(check(&again), "valid");
    let within = "let (a: [4]i32, b: [4]i32) = loop (s: [4]i32 = p, t: [4]i32 = q) for j: i64 < n do {
            let (f: [4]i32, g: [4]i32) = loop (d: [4]i32 = s, e: [4]i32 = t) for i: i64 < n do { in (e, d) }
            let h: [4]i32 = f with [0] = 1i32
            in (h, g)
        }";
    assert_eq!(check(&format!("{within} {}", uses("b"))), "valid");
}

#[test]
fn results_that_may_be_the_same_array_alias() {
    let swap = "in (e, d)";
    let dead = |var: &str, message: String| assert!(message.starts_with(&format!("`{var}")), "{message}");
    let after = |stms: String, var: &str| {
        let message = check(&stms);
        assert!(message.contains("is used after it was consumed"), "{stms}: {message}");
        dead(var, message);
    };
    // The same initial value; the same next value; a next value that another parameter may have become.
    after(loop_text("p p", swap) + &uses("b"), "b");
    after(loop_text("p q", "in (d, d)") + &uses("b"), "b");
    after(loop_text("p q", "in (e, p)") + &uses("b"), "b");
    // A result may be its initial value, so neither may be consumed while the other is used.
    after(loop_text("p q", swap) + &uses("p"), "p");
    after(loop_text("p q", swap) + &uses("q"), "q");
    after(loop_text("p q", swap) + "let u: [4]i32 = p with [0] = 1i32 let w: i32 = b[0]", "b");
    // The same for a view of it.
    after(loop_text("p q", swap) + "let v: [2]i32 = slice a[0 : 2 : 1]" + &uses("v"), "v");
    // A result of another loop over the same arrays.
    let other =
        "let (g: [4]i32, h: [4]i32) = loop (k: [4]i32 = q, l: [4]i32 = p) for j: i64 < n do { in (l, k) }";
    after(loop_text("p q", swap) + other + &uses("h"), "h");
    // A result of the first of two loops in a row.
    let second =
        "let (g: [4]i32, h: [4]i32) = loop (k: [4]i32 = a, l: [4]i32 = b) for j: i64 < n do { in (l, k) }
        let u: [4]i32 = g with [0] = 1i32 ";
    for old in ["a", "b", "p"] {
        after(format!("{} {second} let w: i32 = {old}[0]", loop_text("p q", swap)), old);
    }
    // A parameter of the inner loop starts as an outer array that a parameter of the outer loop may be.
    let outer = "let (a: [4]i32, b: [4]i32) = loop (s: [4]i32 = p, t: [4]i32 = q) for j: i64 < n do {
            let (f: [4]i32, g: [4]i32) = loop (d: [4]i32 = s, e: [4]i32 = p) for i: i64 < n do { in (e, d) }
            in (f, g)
        }";
    after(format!("{outer} {}", uses("b")), "b");
    // One side of a branch returns an array, the other consumes one that may alias it: the live result may be that
    // array.
    let branch = "let o: [4]i32 = if c then { let z: [4]i32 = a with [0] = 1i32 in z } else p ";
    assert_eq!(check(&(loop_text("p q", swap) + branch + "let w: i32 = o[0]")), "valid");
    after(loop_text("p q", swap) + branch + "let v: [4]i32 = o with [0] = 1i32 let w: i32 = b[0]", "b");
    after(loop_text("p q", swap) + branch + "let v: [4]i32 = b with [0] = 1i32 let w: i32 = o[0]", "o");
    after(loop_text("p q", swap) + branch + "let w: i32 = p[0]", "p");
    let two = branch.replace("let o: [4]i32", "let (o: [4]i32, o2: [4]i32)").replace("in z", "in (z, ys)");
    let two = two.replace("else p", "else (p, p)");
    after(loop_text("p q", swap) + &two + "let v: [4]i32 = o with [0] = 1i32 let w: i32 = o2[0]", "o2");
}

#[test]
fn one_side_may_return_another_name_of_an_array_that_the_other_consumes() {
    let inside = loop_text("p q", "UPDATE let f: [4]i32 = copy d in (e, f)");
    let branch = format!(
        "let o: [4]i32 = if c then p else {{ {inside} let z: [4]i32 = a with [0] = 1i32 in z }} let w: i32 = o[0]"
    );
    for update in ["let g: [4]i32 = d with [0] = 1i32", ""] {
        let copied =
            branch.replace("UPDATE let f: [4]i32 = copy d", &format!("let f: [4]i32 = copy d {update}"));
        assert_eq!(check(&copied), "valid", "{update}");
    }
    // One side returns a choice, and the other consumes one of its candidates.
    let branch = format!(
        "let s: [4]i32 = copy ys
         let o: [4]i32 = if c then {{ let z: [4]i32 = p with [0] = 1i32 in z }} else {{ {} in a }} ",
        loop_text("s p", "in (e, d)")
    );
    assert_eq!(check(&(branch.clone() + "let w: i32 = o[0]")), "valid");
    let message = check(&(branch + "let v: [4]i32 = o with [0] = 1i32 let w: i32 = s[0]"));
    assert!(message.starts_with("`s") && message.contains("used after it was consumed"), "{message}");
}

#[test]
fn a_choice_belongs_to_a_body_if_all_its_candidates_do() {
    let message = check(&(loop_text("p ys", "in (e, d)") + UPDATE_A));
    assert!(message.contains("does not belong to this body"), "{message}");
    let outside = "let o: i64 = loop (k: i64 = n) for j: i64 < n do {
            let (a: [4]i32, b: [4]i32) = loop (d: [4]i32 = p, e: [4]i32 = q) for i: i64 < n do { in (e, d) }
            let u: [4]i32 = a with [0] = 1i32
            in k
        }";
    let message = check(outside);
    assert!(message.contains("does not belong to this body"), "{message}");
}

#[test]
fn a_valid_program_stays_valid_without_a_consumption() {
    let loops = "let (a: [4]i32, b: [4]i32, c1: [4]i32) = loop (d: [4]i32 = p, e: [4]i32 = q, f: [4]i32 = xs) for i: i64 < n do {
            UPDATE
            let g: [4]i32 = copy e
            in (f, e, g)
        }
        let u: [4]i32 = c1 with [0] = 1i32
        let v: [4]i32 = a with [0] = 2i32
        let w: i32 = b[0]";
    for update in ["let h: [4]i32 = d with [0] = 7i32", ""] {
        assert_eq!(check(&loops.replace("UPDATE", update)), "valid", "{update}");
    }
}
