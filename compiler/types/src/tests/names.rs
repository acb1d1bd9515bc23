use ravel_base::{Code, Kind};

use super::{accept, check_text, has_types, reject};

#[test]
fn a_name_must_be_defined_before() {
    accept("def a = 1i32 def b = a");
    reject("def b = a + 1", Code::UnknownName, "a", "Unknown name `a`");
}

#[test]
fn the_nearest_name_is_suggested() {
    reject("def f (xs: []i32) = redcue (+) 0 xs", Code::UnknownName, "redcue", "did you mean `reduce`?");
    reject("def f (x: f64) = f64.srqt x", Code::UnknownName, "f64.srqt", "did you mean `f64.sqrt`?");
    reject("def f (x: i23) = x", Code::UnknownType, "i23", "did you mean `i32`?");
}

#[test]
fn names_of_other_languages_are_explained() {
    for (names, advice) in ravel_syntax::foreign::VALUES {
        for name in *names {
            let is_word = name.starts_with(|first: char| first.is_alphabetic());
            let text = match is_word {
                true => format!("def f (x: i32) = x == {name}"),
                false => format!("def f (x: i32) = x {name} 1"),
            };
            let diagnostics = check_text(&text).diagnostics;
            let has_advice = |help: &String| help == advice;
            assert!(
                diagnostics.iter().any(|one| one.help.iter().any(has_advice)),
                "{text}\n{diagnostics:#?}"
            );
        }
    }
}

#[test]
fn qualifiers_name_modules() {
    accept("def f (x: f64) = f64.sqrt x");
    reject("def f (x: f64) = g64.sqrt x", Code::UnknownName, "g64.sqrt", "there is no module `g64`");
    let here = "`sqrt` is in the modules `f16`, `f32` and `f64`";
    reject("def f (x: f64) = math.sqrt x", Code::UnknownName, "math.sqrt", here);
    let here = "`go` is in the module `n`";
    reject("module n = { def go = 1i32 } def f = m.go", Code::UnknownName, "m.go", here);
}

#[test]
fn modules_are_name_spaces() {
    has_types(
        "module m = { def a = 1i32 module n = { def b = a + 1 } def c = n.b } def d = m.n.b + m.c",
        &["def m.a: i32", "def m.n.b: i32", "def m.c: i32", "def d: i32"],
    );
    reject("module m = { def a = 1i32 } def b = a", Code::UnknownName, "a", "Unknown name `a`");
}

#[test]
fn inner_names_shadow_outer_ones() {
    has_types("def f (x: i32) = let x = x == 0 in x", &["def f (x: i32): bool"]);
    has_types("def map (x: i32) = x + 1 def y = map 3", &["def map (x: i32): i32", "def y: i32"]);
    has_types(
        "def (+) (x: i32) (y: i32) = x == y def b = 1 + 2",
        &["def + (x: i32) (y: i32): bool", "def b: bool"],
    );
    reject("def f (x: i32) = (let y = x in y) + y", Code::UnknownName, "y", "Unknown name `y`");
}

#[test]
fn a_pattern_binds_a_name_once() {
    accept("def f (x: i32) (y: i32) = x + y");
    reject("def f (x: i32) (x: i32) = x", Code::DuplicateName, "x", "Name `x` also bound at 1:8");
    reject("def f (p: (i32, i32)) = let (a, a) = p in a", Code::DuplicateName, "a", "bound a second time");
    reject("def a = 1i32 def a = 2i32", Code::DuplicateName, "a", "Duplicate definition");
}

#[test]
fn each_broken_definition_is_reported_and_no_other() {
    let checked = check_text(
        "def a: i32 = true
         def b = a + 1i64
         def c = nothing
         def d = c + b
         entry main (x: i32) = if x then 1 else 2",
    );
    let codes: Vec<_> = checked.diagnostics.iter().map(|diagnostic| diagnostic.kind).collect();
    let expected = [Code::TypeMismatch, Code::TypeMismatch, Code::UnknownName, Code::TypeMismatch];
    assert_eq!(codes, expected.map(Kind::Error));
}

#[test]
fn errors_that_depend_on_a_broken_value_are_not_reported() {
    reject(
        "def f (v: vector) = f64.sqrt (reduce (+) 0 (map (** 2) v)) + (filter (> 0) v)[0]",
        Code::UnknownType,
        "vector",
        "Unknown type",
    );
}

#[test]
fn names_that_begin_with_an_underscore_may_not_be_used() {
    let says = "variables prefixed with underscore may not be accessed";
    reject("def f (_x: i32) (y: i32) = y + _x", Code::HiddenName, "_x", says);
    reject("def f (x: i32) = loop _y = x for i < 3 do _y", Code::HiddenName, "_y", says);
    reject("module m = { def _x = 2i32 } def f = m._x", Code::HiddenName, "m._x", says);
    accept("def f (_x: i32) (x: {_a: i32}) = x._a");
}
