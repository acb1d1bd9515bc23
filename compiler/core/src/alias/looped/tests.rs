//! What is told apart may be updated while the other is used, and nothing else.

use crate::{parse, verify};

/// What the law says of these statements, which may consume `p`, `q` and `xs`, but not `ys`.
fn law(stms: &str) -> String {
    let text = format!(
        "fun main (n: i64, c: bool, *xs: [4]i32, ys: [4]i32) -> (r: i32) = {{
            let p: [4]i32 = copy ys let q: [4]i32 = copy ys {stms} in 0i32
        }}"
    );
    let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&program).map_or_else(|error| error.message, |()| "lawful".to_owned())
}

/// A loop that binds `a` and `b`, whose parameters `d` and `e` begin with the first two and go on with the last two.
fn looped(firsts: &str, round: &str) -> String {
    let (first, second) = firsts.split_once(' ').expect("two");
    let head = format!("let (a: [4]i32, b: [4]i32) = loop (d: [4]i32 = {first}, e: [4]i32 = {second})");
    format!("{head} for i: i64 < n do {{ {round} }} ")
}

const UPDATE_A: &str = "let u: [4]i32 = a with [0] = 1i32 ";

fn uses(var: &str) -> String {
    format!("{UPDATE_A} let w: i32 = {var}[0]")
}

#[test]
fn results_that_are_never_one_array_are_told_apart() {
    let next = "let f: [4]i32 = copy e in (e, f)";
    for round in ["in (e, d)", next, "let f: [4]i32 = copy d in (f, d)"] {
        assert_eq!(law(&(looped("p q", round) + &uses("b"))), "lawful", "{round}");
        assert_eq!(law(&(looped("p q", round) + UPDATE_A + "let v: [4]i32 = b with [0] = 2i32")), "lawful");
    }
    let again = looped("p q", "in (e, d)")
        + "let (g: [4]i32, h: [4]i32) = loop (k: [4]i32 = a, l: [4]i32 = b) for j: i64 < n do { in (l, k) }
           let u: [4]i32 = g with [0] = 1i32 let w: i32 = h[0]";
    assert_eq!(law(&again), "lawful");
    let within = "let (a: [4]i32, b: [4]i32) = loop (s: [4]i32 = p, t: [4]i32 = q) for j: i64 < n do {
            let (f: [4]i32, g: [4]i32) = loop (d: [4]i32 = s, e: [4]i32 = t) for i: i64 < n do { in (e, d) }
            let h: [4]i32 = f with [0] = 1i32
            in (h, g)
        }";
    assert_eq!(law(&format!("{within} {}", uses("b"))), "lawful");
}

#[test]
fn what_may_be_one_array_is_not() {
    let swap = "in (e, d)";
    let dead = |var: &str, message: String| assert!(message.starts_with(&format!("`{var}")), "{message}");
    let after = |stms: String, var: &str| {
        let message = law(&stms);
        assert!(message.contains("is used after it was consumed"), "{stms}: {message}");
        dead(var, message);
    };
    // The first values are one; a round makes them one; a round gives what another parameter has become.
    after(looped("p p", swap) + &uses("b"), "b");
    after(looped("p q", "in (d, d)") + &uses("b"), "b");
    after(looped("p q", "in (e, p)") + &uses("b"), "b");
    // A result is its first value, on both sides of its consumption.
    after(looped("p q", swap) + &uses("p"), "p");
    after(looped("p q", swap) + &uses("q"), "q");
    after(looped("p q", swap) + "let u: [4]i32 = p with [0] = 1i32 let w: i32 = b[0]", "b");
    // So is a view of it.
    after(looped("p q", swap) + "let v: [2]i32 = slice a[0 : 2 : 1]" + &uses("v"), "v");
    // A result of another loop over the same arrays.
    let other =
        "let (g: [4]i32, h: [4]i32) = loop (k: [4]i32 = q, l: [4]i32 = p) for j: i64 < n do { in (l, k) }";
    after(looped("p q", swap) + other + &uses("h"), "h");
    // A result of the first of two loops in a row.
    let behind =
        "let (g: [4]i32, h: [4]i32) = loop (k: [4]i32 = a, l: [4]i32 = b) for j: i64 < n do { in (l, k) }
        let u: [4]i32 = g with [0] = 1i32 ";
    for old in ["a", "b", "p"] {
        after(format!("{} {behind} let w: i32 = {old}[0]", looped("p q", swap)), old);
    }
    // What an outer parameter has become outside.
    let outer = "let (a: [4]i32, b: [4]i32) = loop (s: [4]i32 = p, t: [4]i32 = q) for j: i64 < n do {
            let (f: [4]i32, g: [4]i32) = loop (d: [4]i32 = s, e: [4]i32 = p) for i: i64 < n do { in (e, d) }
            in (f, g)
        }";
    after(format!("{outer} {}", uses("b")), "b");
    // What one side of a branch hands on, while the other consumes what it may be: the one that is left may be it.
    let branch = "let o: [4]i32 = if c then { let z: [4]i32 = a with [0] = 1i32 in z } else p ";
    assert_eq!(law(&(looped("p q", swap) + branch + "let w: i32 = o[0]")), "lawful");
    after(looped("p q", swap) + branch + "let v: [4]i32 = o with [0] = 1i32 let w: i32 = b[0]", "b");
    after(looped("p q", swap) + branch + "let v: [4]i32 = b with [0] = 1i32 let w: i32 = o[0]", "o");
    after(looped("p q", swap) + branch + "let w: i32 = p[0]", "p");
    let two = branch.replace("let o: [4]i32", "let (o: [4]i32, o2: [4]i32)").replace("in z", "in (z, ys)");
    let two = two.replace("else p", "else (p, p)");
    after(looped("p q", swap) + &two + "let v: [4]i32 = o with [0] = 1i32 let w: i32 = o2[0]", "o2");
}

#[test]
fn what_one_side_consumes_under_a_new_name_the_other_may_hand_on() {
    let inside = looped("p q", "UPDATE let f: [4]i32 = copy d in (e, f)");
    let branch = format!(
        "let o: [4]i32 = if c then p else {{ {inside} let z: [4]i32 = a with [0] = 1i32 in z }} let w: i32 = o[0]"
    );
    for update in ["let g: [4]i32 = d with [0] = 1i32", ""] {
        let copied =
            branch.replace("UPDATE let f: [4]i32 = copy d", &format!("let f: [4]i32 = copy d {update}"));
        assert_eq!(law(&copied), "lawful", "{update}");
    }
    // What is one of two is handed on, and one of the two consumed.
    let branch = format!(
        "let s: [4]i32 = copy ys
         let o: [4]i32 = if c then {{ let z: [4]i32 = p with [0] = 1i32 in z }} else {{ {} in a }} ",
        looped("s p", "in (e, d)")
    );
    assert_eq!(law(&(branch.clone() + "let w: i32 = o[0]")), "lawful");
    let message = law(&(branch + "let v: [4]i32 = o with [0] = 1i32 let w: i32 = s[0]"));
    assert!(message.starts_with("`s") && message.contains("used after it was consumed"), "{message}");
}

#[test]
fn what_is_one_of_several_belongs_to_a_body_if_all_do() {
    let message = law(&(looped("p ys", "in (e, d)") + UPDATE_A));
    assert!(message.contains("does not belong to this body"), "{message}");
    let outside = "let o: i64 = loop (k: i64 = n) for j: i64 < n do {
            let (a: [4]i32, b: [4]i32) = loop (d: [4]i32 = p, e: [4]i32 = q) for i: i64 < n do { in (e, d) }
            let u: [4]i32 = a with [0] = 1i32
            in k
        }";
    let message = law(outside);
    assert!(message.contains("does not belong to this body"), "{message}");
}

#[test]
fn a_lawful_program_stays_lawful_without_a_consumption() {
    let loops = "let (a: [4]i32, b: [4]i32, c1: [4]i32) = loop (d: [4]i32 = p, e: [4]i32 = q, f: [4]i32 = xs) for i: i64 < n do {
            UPDATE
            let g: [4]i32 = copy e
            in (f, e, g)
        }
        let u: [4]i32 = c1 with [0] = 1i32
        let v: [4]i32 = a with [0] = 2i32
        let w: i32 = b[0]";
    for update in ["let h: [4]i32 = d with [0] = 7i32", ""] {
        assert_eq!(law(&loops.replace("UPDATE", update)), "lawful", "{update}");
    }
}
