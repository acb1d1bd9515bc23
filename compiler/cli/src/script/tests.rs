use ravel_driver::{Options, Source};
use ravel_engine::{Backend, Engine};

use super::*;

const PROGRAM: &str = "\
entry pair (n: i64): (i64, [n]i64) = (n, iota n)
entry sum [n] (k: i64) (xs: [n]i64): i64 = k + reduce (+) 0 xs
entry five: i32 = 5
";

/// The value of an expression as text, or its error.
fn eval(text: &str) -> String {
    let text = text.to_owned();
    ravel_driver::on_large_stack(move || {
        let engine = Engine::open(Backend::Interp, None).expect("an interpreter");
        let source = Source::new("a.dsl", PROGRAM);
        let executable = engine.compile(&source, &Options::default()).expect("it compiles");
        match values(&text, &executable, Path::new("")) {
            Ok(values) => ravel_abi::write_text(&values).trim_end().replace('\n', "; "),
            Err(wrong) => wrong,
        }
    })
}

#[test]
fn literals_tuples_records_and_arrays() {
    assert_eq!(eval("1"), "1i32");
    assert_eq!(eval("(-2i64, 1e-3, f32.inf, true)"), "-2i64; 0.001f64; f32.inf; true");
    assert_eq!(eval("{b = 1, a = [2i8, 3i8]}"), "[2i8, 3i8]; 1i32");
    assert_eq!(eval("[[1, 2], [3, 4]]"), "[[1i32, 2i32], [3i32, 4i32]]");
    assert_eq!(eval("empty([0][2]f32)"), "empty([0][2]f32)");
    assert_eq!(eval("()"), "");
}

#[test]
fn entry_points_are_applied_and_tuples_are_their_components() {
    assert_eq!(eval("pair 3i64"), "3i64; [0i64, 1i64, 2i64]");
    assert_eq!(eval("sum (pair 4i64)"), "10i64");
    assert_eq!(eval("let (k, xs) = pair 3i64 in (sum k xs, five)"), "6i64; 5i32");
    assert_eq!(eval("let five = 6 in (five, [five])"), "6i32; [6i32]");
}

#[test]
fn wrong_expressions_are_errors() {
    assert_eq!(eval("(1, 2"), "expected `,`, found the end");
    assert_eq!(eval("1 2"), "expected the end of the expression, found `2`");
    assert_eq!(eval("other 1"), "there is no entry point `other`");
    assert_eq!(eval("sum 1 2"), "argument 1 (`k`) has the wrong type\n  Expected: i64\n  Actual:   i32");
    assert_eq!(eval("[1, 2i64]"), "the elements of an array have one type, not i64");
    assert_eq!(eval("[]"), "an array without elements is written empty([0]i32)");
    assert_eq!(eval("$other 1"), "there is no builtin `$other`; the builtins are $loaddata and $loadbytes");
    assert_eq!(eval("$loaddata \"missing.in\"").split(':').next(), Some("cannot read missing.in"));
    assert_eq!(eval("let (a, b) = 1 in a"), "the pattern (a, b) needs a tuple with as many components");
    assert!(eval(&"(".repeat(1000)).contains("nested more than"));
}
