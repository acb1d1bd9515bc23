//! Records, sum types, `match` and literals.

use ravel_base::{Code, Kind};

use super::{accept, check_text, has_types, place, reject};

#[test]
fn records_are_constructed_and_decomposed() {
    has_types(
        "def f (y: bool) = let x = 1i32 in {y, x} def g (r: {x: i32, y: bool}) = (r.y, r.x)",
        &["def f (y: bool): {x: i32, y: bool}", "def g (r: {x: i32, y: bool}): (bool, i32)"],
    );
    has_types(
        "def f {b = x, a = y} = (x + 1i32, y && x > 0)",
        &["def f ({a = y, b = x}: {a: bool, b: i32}): (i32, bool)"],
    );
    accept("def f (r: {a: {b: i32}}) = r.a.b + (r).a.b def g = (.a.b) {a = {b = 1i32}}");
    reject("def f (r: {x: i32}) = r.y", Code::UnknownField, ".y", "its only field is `x`");
    reject("def f = (.y) {x = 1i32, z = 2i32}", Code::UnknownField, "y", "its fields are `x` and `z`");
    reject(
        "def f (r: {x: i32}) = let {y} = r in y",
        Code::TypeMismatch,
        "{y}",
        "Expected: {x: i32}\nActual:   {y: a}",
    );
    reject("def f r = r.x", Code::AmbiguousType, "r", "Must be a record with fields `x`");
}

#[test]
fn fields_are_distinct() {
    accept("def f = {x = 1i32, y = 2i32} def g (r: {x: i32, y: i32}) = let {x, y} = r in x + y");
    reject("def f = {x = 1i32, x = 2i32}", Code::DuplicateName, "x", "Field `x` previously defined at 1:10");
    reject("def f (r: {x: i32, x: i32}) = 1i32", Code::DuplicateName, "x", "Duplicate record fields in type");
    reject(
        "def f {x = a, x = b} = a + b + 1i32",
        Code::DuplicateName,
        "x",
        "Duplicate fields in record pattern",
    );
    reject(
        "def f (s: #a | #b | #a) = 1i32",
        Code::DuplicateName,
        "#a",
        "Duplicate constructors in sum type: constructor `#a`",
    );
}

#[test]
fn tuples_are_records_with_numbered_fields() {
    has_types(
        "def f = {1 = true, 0 = 2i32} def g {0 = x, 1 = y} = (x + 1i32, y && true)",
        &["def f: (i32, bool)", "def g ((x, y): (i32, bool)): (i32, bool)"],
    );
    accept("def f (t: (i32, bool)): {0: i32, 1: bool} = t");
    has_types("def f = {0 = true}", &["def f: {0: bool}"]);
}

#[test]
fn record_updates_keep_the_other_fields() {
    has_types(
        "def f (r: {x: {y: i32, z: bool}, w: f32}) = r with x.y = 2 with w = 1",
        &["def f (r: {w: f32, x: {y: i32, z: bool}}): {w: f32, x: {y: i32, z: bool}}"],
    );
    has_types("def f (t: (i32, bool)) = t with 0 = 5", &["def f (t: (i32, bool)): (i32, bool)"]);
    has_types("def f (r: {xs: []i32}) = r with xs = [1, 2]", &["def f [n] (r: {xs: [n]i32}): {xs: [2]i32}"]);
    reject(
        "def f (r: {x: i32}) = r with x = true",
        Code::TypeMismatch,
        "true",
        "the new value has type `bool`",
    );
    reject("def f (r: {x: i32}) = r with y = 1", Code::UnknownField, "y", "Attempt to access field `y` of");
    // A `let` before the update can determine the type of the record. The type of the result comes too late.
    has_types("def f r = let y = (r: {x: i32}).x in r with x = y", &["def f (r: {x: i32}): {x: i32}"]);
    for text in ["def f r: {x: i32} = r with x = 1", "def f r = r with x = 1i32", "def f r = r with x = r.x"]
    {
        reject(text, Code::AmbiguousType, "r", "Full type of `r` is not known at this point");
    }
}

#[test]
fn constructors_make_values_of_sum_types() {
    has_types(
        "def f (b: bool): (#none | #some i32 bool) = if b then #none else #some 1 b",
        &["def f (b: bool): #none | #some i32 bool"],
    );
    has_types("def f (s: #b (#c | #d) | #a (#c)) = 1i32", &["def f (s: #a (#c) | #b (#c | #d)): i32"]);
    reject("def f = #a", Code::AmbiguousType, "#a", "Must be a sum type with constructors `#a`");
    reject("def f: #a | #b = #c", Code::UnknownConstructor, "#c", "its constructors are `#a` and `#b`");
    reject(
        "def f: #a i32 | #b = #a",
        Code::TypeMismatch,
        "#a",
        "Expected: one payload\nActual:   no payload",
    );
    reject("def f: #a i32 | #b = #a true", Code::TypeMismatch, "#a true", "`i32` and `bool` differ");
    reject("def f = #a + 1", Code::BadOperand, "#a", "Expected: a number");
}

#[test]
fn a_match_has_one_type() {
    has_types(
        "def f (s: #a i32 | #b) = match s case #a x -> x case #b -> 0",
        &["def f (s: #a i32 | #b): i32"],
    );
    reject(
        "def f (s: #a | #b) = match s case #a -> 1i32 case #b -> true",
        Code::TypeMismatch,
        "true",
        "this branch has type `bool`",
    );
    reject(
        "def f (x: i32) = match x case true -> 1i32 case _ -> 2",
        Code::TypeMismatch,
        "true",
        "this pattern",
    );
    reject(
        "def f (s: #a) = match s case #b -> 1i32",
        Code::UnknownConstructor,
        "#b",
        "its constructors are `#a`",
    );
    reject("def f s = match s case #b -> 1i32", Code::AmbiguousType, "s", "constructors `#b`");
    reject(
        "def f (x: i32) = match x case 0 -> (\\y -> y + x) case _ -> (\\y -> y)",
        Code::BadFunctionUse,
        "(\\y -> y + x)",
        "found to be functional",
    );
}

#[test]
fn a_match_covers_every_value() {
    let missed = |text: &str, value: &str| {
        reject(
            text,
            Code::UnmatchedCases,
            "x",
            &format!("Unmatched cases in match expression\nNot matched: {value}\n"),
        );
    };
    accept("def f (x: #a | #b) = match x case #a -> 1i32 case #b -> 2");
    missed("def f (x: #a | #b) = match x case #a -> 1i32", "#b");
    accept("def f (x: (bool, bool)) = match x case (true, _) -> 1i32 case (_, true) -> 2 case _ -> 3");
    missed("def f (x: (bool, bool)) = match x case (true, _) -> 1i32 case (_, true) -> 2", "(false, false)");
    missed("def f (x: i32) = match x case 0 -> 1i32 case 1 -> 2", "2");
    missed("def f (x: f64) = match x case 0.0 -> 1i32", "1.0");
    missed("def f (x: i32) = match x case 'a' -> 1i32", "0");
    accept("def f (x: i32) = match x case -1 -> 1i32 case 0x10 -> 2 case y -> y");
    missed(
        "def f (x: #a (#c i32 | #d) bool | #b) = match x case #a (#c _) _ -> 1i32 case #b -> 2",
        "#a #d _",
    );
    missed("def f (x: #a (#c i32 | #d)) = match x case #a (#c 1) -> 1i32 case #a #d -> 2", "#a (#c 0)");
    missed("def f (x: {p: bool, q: i32}) = match x case {p = true, q} -> q", "{p = false, q = _}");
    accept("def f (x: (#a | #b, i32)) = match x case (#a, 1) -> 1i32 case (#b, _) -> 2 case (_, y) -> y");
}

#[test]
fn patterns_of_binders_must_be_irrefutable() {
    accept("def f (x: #only i32) = let #only y = x in y");
    accept("def f (#only y: #only i32) = map (\\(#only z: #only i32) -> z + y)");
    let refuted = |text: &str, at: &str, value: &str| {
        let says = format!("Pattern does not match every value\nNot matched: {value}\n");
        reject(text, Code::RefutablePattern, at, &says);
    };
    refuted("def f (x: #a i32 | #b) = let #a y = x in y", "#a y", "#b");
    refuted("def f (x: (i32, i32)) = let (1, y) = x in y", "(1, y)", "(0, _)");
    refuted("def f (#a: #a | #b) = 1i32", "#a: #a | #b", "#b");
    refuted("def f = \\(true, x) -> x + 1i32", "(true, x)", "(false, _)");
    refuted("def f (xs: [](bool, i32)) = loop s = 0 for (true, x) in xs do s + x", "(true, x)", "(false, _)");
    refuted("def f (n: i32) = loop (1, s) = (1i32, 0i32) for i < n do (1, s + i)", "(1, s)", "(0, _)");
}

#[test]
fn unreachable_cases_are_worth_a_remark() {
    let text = "def f (x: #a | #b) = match x case #a -> 1i32 case #b -> 2 case _ -> 3";
    let checked = check_text(text);
    let [warning] = &checked.diagnostics[..] else { panic!("{:#?}", checked.diagnostics) };
    assert_eq!(warning.kind, Kind::Warning(Code::UnreachableCase));
    assert_eq!(place(text, warning), "_");
    assert_eq!(checked.program.definitions.len(), 1);
    accept("def f (x: #a | #b) = match x case #a -> 1i32 case _ -> 3");
}

#[test]
fn matches_are_checked_in_bounded_time() {
    let columns = 24;
    let case = |at: usize| {
        let parts = (0..columns).map(|column| if column == at { "#a" } else { "_" });
        format!("case ({}) -> {at}i32", parts.collect::<Vec<_>>().join(", "))
    };
    let cases: Vec<String> = (0..columns).map(case).collect();
    let types = vec!["(#a | #b | #c)"; columns].join(", ");
    let checked = check_text(&format!("def f (x: ({types})) = match x {}", cases.join(" ")));
    assert!(checked.diagnostics.iter().any(|diagnostic| diagnostic.is_fatal()));
}

#[test]
fn unreachable_cases_of_very_long_matches_are_not_sought() {
    let cases_and_a_copy = |count: i32| {
        let cases: String = (0..count).map(|value| format!("case {value} -> 1i32 ")).collect();
        check_text(&format!("def f (x: i32) = match x {cases} case 0 -> 2 case _ -> 3")).diagnostics.len()
    };
    assert_eq!(cases_and_a_copy(100), 1);
    assert_eq!(cases_and_a_copy(4_000), 0);
}

#[test]
fn a_number_has_neither_fields_nor_constructors() {
    let number = "a number, which has no field `y`";
    reject("def f = map (\\x -> x.y) [1]", Code::UnknownField, ".y", number);
    reject(
        "def f = map (\\x -> match x case #y -> 1 case #z -> 2) [1]",
        Code::UnknownConstructor,
        "#y",
        "constructors `#y` with a number",
    );
    accept("def f = map (\\x -> x.y) [{y = 1}]");
}

#[test]
fn characters_are_numbers() {
    has_types(
        "def f = 'a' def g: f32 = 'b' def h (x: i64) = x == '\\n'",
        &["def f: i32", "def g: f32", "def h (x: i64): bool"],
    );
}

#[test]
fn composite_values_without_functions_are_compared() {
    accept("def f (a: {x: i32, y: []f32}) = a == a def g (a: #a | #b i32) = a != #b 1");
    reject("def f (a: {x: i32 -> i32}) = a == a", Code::BadOperand, "a", "which does not support equality");
}

#[test]
fn an_error_is_reported_once() {
    let unknown = |text: &str| reject(text, Code::UnknownName, "oops", "Unknown name");
    unknown("def f = match oops case #a xs -> length xs case #b -> 0 case #a _ -> 1");
    unknown("def f = let #some (x, 1) = oops in x");
    unknown("def f = let {x, y} = oops in x + y.z");
    unknown("def f = (oops with x.y = 1).z");
    unknown("def f = #some oops");
}

#[test]
fn a_sum_has_less_than_256_constructors() {
    let sum = |count: usize| (0..count).map(|number| format!("#c{number}")).collect::<Vec<_>>().join(" | ");
    accept(&format!("def f (x: {}) = 1i32", sum(255)));
    reject(
        &format!("def f (x: {}) = 1i32", sum(256)),
        Code::BadTypeDeclaration,
        "#c255",
        "less than 256 constructors",
    );
    // Only the type is reported, not its uses.
    let cases: String = (0..256).map(|number| format!("case #c{number} -> {number}i32\n")).collect();
    reject(
        &format!("def f (x: {}): i32 = match x\n{cases}\ndef g = f #c7", sum(256)),
        Code::BadTypeDeclaration,
        "#c255",
        "less than 256 constructors",
    );
}
