use super::*;
use crate::parse;

/// The arrays of the last function, by name, that may share memory with `var`.
fn shares(text: &str, var: &str) -> Vec<String> {
    let program = parse(text).unwrap();
    let function = program.functions.last().unwrap();
    let aliases = Aliases::of(function, &Summaries::of(&program));
    let named = |name: &str| {
        let hint = Some(Symbol::new(name));
        function.vars.iter().find(|(_, info)| info.hint == hint).map(|(var, _)| var).unwrap()
    };
    let var = named(var);
    function
        .vars
        .iter()
        .filter(|&(other, _)| other != var && aliases.vars_may_alias(var, other))
        .map(|(_, info)| info.hint.unwrap().to_string())
        .collect()
}

#[test]
fn views_share_and_copies_do_not() {
    let text = "fun f (xs: [4]i32) -> () = {
        let view: [2]i32 = slice xs[0 : 2 : 1]
        let flat: [2][2]i32 = reshape xs
        let laid: [2][2]i32 = manifest (1, 0) flat
        let fresh: [4]i32 = copy xs
        in ()
    }";
    assert_eq!(shares(text, "xs"), ["view", "flat", "laid"]);
    assert_eq!(shares(text, "fresh"), [""; 0]);
}

#[test]
fn branches_share_with_both_sides() {
    let text = "fun f (c: bool, xs: [4]i32, ys: [4]i32) -> () = {
        let zs: [4]i32 = if c then xs else ys
        in ()
    }";
    assert_eq!(shares(text, "zs"), ["xs", "ys"]);
}

#[test]
fn one_side_may_return_an_array_that_the_other_consumes() {
    let text = "fun f (c: bool, *xs: [4]i32) -> () = {
        let (ys: [4]i32, zs: [4]i32) = if c then {
            let old: [4]i32 = copy xs
            let new: [4]i32 = xs with [0] = 1i32
            in (new, old)
        } else (xs, xs)
        in ()
    }";
    assert_eq!(shares(text, "xs"), [""; 0]);
    assert_eq!(shares(text, "ys"), ["zs", "new"]);
    assert_eq!(shares(text, "zs"), ["ys", "old"]);
    let twice = "fun f (c: bool, *xs: [4]i32) -> (r: [4]i32) = {
        let ys: [4]i32 = if c then { let new: [4]i32 = xs with [0] = 1i32 in new } else xs
        let zs: [4]i32 = ys with [1] = 2i32
        in zs
    }";
    assert_eq!(crate::verify(&parse(twice).unwrap()), Ok(()));
}

#[test]
fn consumption_in_one_side_of_a_branch_does_not_affect_the_other() {
    let text = "fun f (c: bool, d: bool, *xs: [4]i32) -> () = {
        let ys: [4]i32 = if c then { let new: [4]i32 = xs with [0] = 1i32 in new } else {
            let same: [4]i32 = if d then xs else xs
            let made: [4]i32 = if d then { let other: [4]i32 = xs with [1] = 1i32 in other } else xs
            in made
        }
        in ()
    }";
    assert_eq!(shares(text, "xs"), ["same"]);
    assert_eq!(shares(text, "made"), ["ys", "other"]);
}

#[test]
fn results_of_consumed_loop_parameters_have_places_of_their_own() {
    let text = "fun f (n: i64, *xs: [4]i32, *ys: [4]i32) -> () = {
        let (one: [4]i32, two: [4]i32) = loop (a: [4]i32 = xs, b: [4]i32 = ys) for i: i64 < n do {
            let new: [4]i32 = a with [i] = 1i32
            in (b, new)
        }
        in ()
    }";
    assert_eq!(shares(text, "one"), [""; 0]);
    assert_eq!(shares(text, "two"), [""; 0]);
}

#[test]
fn a_loop_result_shares_with_all_iterations_unless_the_parameter_is_consumed() {
    let text = "fun f (n: i64, *xs: [4]i32, ys: [4]i32) -> () = {
        let (keep: [4]i32, swap: [4]i32, made: [4]i32) =
            loop (a: [4]i32 = ys, b: [4]i32 = ys, c: [4]i32 = xs) for i: i64 < n do {
                let d: [4]i32 = c with [i] = 1i32
                in (b, a, d)
            }
        in ()
    }";
    assert_eq!(shares(text, "keep"), ["ys", "swap"]);
    assert_eq!(shares(text, "made"), [""; 0]);
}

/// A loop from `from` to `to` that copies its parameter in every iteration, and copies it again in a branch.
fn copying_loop(from: &str, to: &str) -> String {
    format!(
        "let {to}: [4]i32 = loop ({to}1: [4]i32 = {from}) for {to}2: i64 < n do {{
            let {to}3: [4]i32 = copy {to}1
            let {to}4: bool = lt {to}2 7
            let {to}5: [4]i32 = if {to}4 then {{ let {to}6: [4]i32 = copy {to}3 in {to}6 }} else {to}3
            in {to}5
        }}\n"
    )
}

#[test]
fn a_chain_of_loops_has_few_places() {
    let chain = |length: usize| {
        let link = |at: usize| {
            copying_loop(&at.checked_sub(1).map_or("xs".into(), |at| format!("l{at}x")), &format!("l{at}x"))
        };
        let loops: String = (0..length).map(link).collect();
        format!(
            "fun f (n: i64, xs: [4]i32, ys: [4]i32) -> () = {{ {loops} let other: [4]i32 = copy xs in () }}"
        )
    };
    let program = parse(&chain(50)).unwrap();
    let aliases = Aliases::of(&program.functions[0], &Summaries::of(&program));
    assert!(aliases.places.values().all(|places| places.len() <= 3), "{:?}", aliases.places);
    let shared = shares(&chain(3), "xs");
    assert!(["l0x", "l1x", "l2x"].iter().all(|link| shared.iter().any(|name| name == link)), "{shared:?}");
    assert_eq!(shares(&chain(3), "other"), [""; 0]);
    let shared = shares(&chain(3), "l2x");
    assert!(["xs", "l0x", "l1x"].iter().all(|link| shared.iter().any(|name| name == link)), "{shared:?}");
}

#[test]
fn a_nest_of_branches_has_few_places() {
    let nested = |inner: String, at: usize| {
        format!(
            "let r{at}: [4]i32 = if c then {{ let x{at}: [4]i32 = copy xs in x{at} }} else {{ {inner} in r{} }}",
            at + 1
        )
    };
    let nest = (0..50).rev().fold("let r50: [4]i32 = copy xs".to_owned(), nested);
    let text = format!(
        "fun f (c: bool, xs: [4]i32) -> () = {{ {nest} let again: [4]i32 = if c then r0 else xs in () }}"
    );
    let program = parse(&text).unwrap();
    let aliases = Aliases::of(&program.functions[0], &Summaries::of(&program));
    assert!(aliases.places.values().all(|places| places.len() <= 3), "{:?}", aliases.places);
    let shared = shares(&text, "r0");
    assert!(shared.contains(&"again".to_owned()) && !shared.contains(&"xs".to_owned()), "{shared:?}");
}

#[test]
fn a_place_that_escapes_through_two_results_keeps_its_name() {
    let text = format!(
        "fun f (n: i64, c: bool, xs: [4]i32, ys: [4]i32) -> () = {{ {}
            let (one: [4]i32, two: [4]i32) = if c then {{ let new: [4]i32 = copy a in (new, new) }} else (a, ys)
            in ()
        }}",
        copying_loop("xs", "a")
    );
    assert!(shares(&text, "two").contains(&"one".to_owned()));
    assert!(!shares(&text, "two").contains(&"xs".to_owned()));
}

#[test]
fn the_result_of_a_call_may_alias_returned_arguments() {
    let text = "fun pick (xs: [4]i32, ys: [4]i32) -> (a: [4]i32, b: [4]i32, c: [4]i32) = {
            let zs: [4]i32 = copy ys
            in (xs, zs, zs)
        }
        fun f (xs: [4]i32, ys: [4]i32) -> () = {
            let (a: [4]i32, b: [4]i32, c: [4]i32) = call pick (xs, ys)
            in ()
        }";
    assert_eq!(shares(text, "a"), ["xs"]);
    assert_eq!(shares(text, "b"), ["c"]);
    assert_eq!(shares(text, "ys"), [""; 0]);
}

#[test]
fn recursive_functions_have_summaries() {
    let text = "fun f (c: bool, xs: [4]i32) -> (r: [4]i32) = {
        let y: [4]i32 = if c then xs else { let z: [4]i32 = call f (c, xs) in z }
        in y
    }";
    assert_eq!(shares(text, "xs"), ["y", "z"]);
}
