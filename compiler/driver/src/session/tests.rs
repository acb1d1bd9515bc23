use ravel_base::Kind;

use super::*;

fn on_large_stack(test: impl FnOnce() + Send + 'static) {
    crate::on_large_stack(test);
}

/// The type of an expression, or the first error: its message, and the text at its place.
fn ty(session: &mut Session, text: &str) -> String {
    match session.check_expression(text) {
        Ok(checked) => checked.ty,
        Err(problems) => {
            let error = &problems.diagnostics[0];
            let at = error.span.map_or("", |span| &text[span.start as usize..span.end as usize]);
            format!("{} at `{at}`", error.message)
        }
    }
}

#[test]
fn texts_are_classified_by_how_they_begin() {
    use InputKind::{Definitions, Expression, Nothing};
    for (text, wanted, unfinished) in [
        ("", Nothing, false),
        ("  -- only a comment", Nothing, false),
        ("1 + 2", Expression, false),
        ("let x = 1 in x", Expression, false),
        ("let x = 1", Definitions, false),
        ("def f (x: i32) = x", Definitions, false),
        ("-- why\ndef f = 1 entry g = 2", Definitions, false),
        ("import \"segmented\"", Definitions, false),
        ("#[noinline] def f = 1", Definitions, false),
        ("def f (x: i32) =", Definitions, true),
        ("def f (x: i32) = x +", Definitions, true),
        ("f (1,", Expression, true),
        ("if true then 1", Expression, true),
        ("module m = {", Definitions, true),
        ("let x =", Definitions, true),
        ("let x = 1 in", Expression, true),
        ("1 +", Expression, true),
        ("1 + )", Expression, false),
        ("def f = )", Definitions, false),
        ("'a", Expression, false),
    ] {
        assert_eq!((input_kind(text), is_unfinished(text)), (wanted, unfinished), "{text}");
    }
}

#[test]
fn a_line_continues_a_complete_text_if_no_input_begins_so() {
    for (text, line) in [
        ("let a = 1", "in a + 1"),
        ("[1, 2]", "|> map (+ 1)"),
        ("def f xs = xs", "|> map (+ 1)"),
        ("match 1 case 1 -> 2", "case _ -> 3"),
        ("xs", "with [0] = 1"),
        ("1", ": i32"),
        ("0", "..< 3"),
        ("1", "* 2"),
        ("(1, 2)", ".0"),
    ] {
        assert!(continues(text, line), "{text}, {line}");
    }
    for (text, line) in [
        ("let a = 1", "a + 1"),
        ("def a = 1", "let b = 2"),
        ("1", "- 2"),
        ("1", "(2)"),
        ("1", "#[inline] def f = 1"),
        // No input begins so, but the token cannot follow the text.
        ("def a = 1", "in a + 1"),
        ("1", "case _ -> 3"),
        ("1", ")"),
        ("1", "= 2"),
        ("1", "\u{1f600}"),
        ("1", "\"open"),
        ("1", ""),
        ("1", "-- why"),
    ] {
        assert!(!continues(text, line), "{text}, {line}");
    }
}

#[test]
fn definitions_persist_and_may_be_shadowed() {
    on_large_stack(|| {
        let mut session = Session::default();
        let defined = session.define("def n: i64 = 3 entry f (x: i32): i32 = x").expect("it is correct");
        assert_eq!(defined.values, ["def n: i64", "entry f (x: i32): i32"]);
        session.define("def g (x: i32): i32 = f x + 1").expect("it is correct");
        session.define("def f (x: f64): f64 = x").expect("it may be shadowed");
        assert_eq!(ty(&mut session, "(f 1, g 1, n, iota n)"), "(f64, i32, i64, []i64)");
        assert!(session.define("def h = missing").is_err());
        assert_eq!(ty(&mut session, "h"), "Unknown name \"h\" at `h`");
    });
}

#[test]
fn a_function_calls_itself_rather_than_the_function_that_it_replaces() {
    on_large_stack(|| {
        let mut session = Session::default();
        session.define("def f (n: i32): i32 = n").expect("it is correct");
        let again = session.define("def f (n: i32) (m: i32): i32 = if n == 0 then m else f (n - 1) (m + 2)");
        assert!(again.expect("it is recursive").warnings.is_empty());
        let module = session.define("module m = { def f (n: i32) = f n 1 }").expect("it is correct");
        assert_eq!(module.warnings.len(), 1, "it uses the outer function");
        assert_eq!(ty(&mut session, "m.f 1"), "i32");
    });
}

#[test]
fn errors_point_into_the_typed_text() {
    on_large_stack(|| {
        let mut session = Session::default();
        session.define("def x: i32 = 1").expect("it is correct");
        assert_eq!(
            ty(&mut session, "x + true").rsplit_once(" at "),
            Some(("Operand of \"+\" has the wrong type", "`true`"))
        );
        let Err(problems) = session.check_expression("  (") else { panic!("it is unfinished") };
        let error = &problems.diagnostics[0];
        assert!(matches!(error.kind, Kind::Error(_)));
        assert_eq!(error.span.map(|span| problems.sources.describe(span)).as_deref(), Some("input 3:1:3"));
    });
}

#[test]
fn values_without_a_layout_have_a_type() {
    on_large_stack(|| {
        let mut session = Session::default();
        for (text, wanted) in [
            ("map", "(a -> b) -> [n]a -> *[n]b"),
            ("\\(x: i32) -> x", "i32 -> i32"),
            ("(1i32, i32.abs)", "(i32, i32 -> i32)"),
        ] {
            let checked = session.check_expression(text).expect("it is correct");
            assert_eq!((checked.ty.as_str(), checked.layout), (wanted, None));
        }
        let checked =
            session.check_expression("{a = [(1i32, #x : #x | #y f32)], b = ()}").expect("it is correct");
        let layout = checked.layout.expect("it can be shown");
        let leaves = layout.interface.leaves(layout.ty).len();
        assert_eq!((checked.ty.as_str(), leaves), ("{a: [1](i32, #x | #y f32), b: ()}", 3));
    });
}

#[test]
fn a_program_is_loaded_and_reloaded() {
    on_large_stack(|| {
        let mut session = Session::default();
        session.define("def forgotten = 1").expect("it is correct");
        let program = |text: &str| Source::new("a.dsl", text);
        let loaded = session.load(program("def n: i64 = 3\nentry main (x: i64): i64 = x * n"));
        assert_eq!(loaded.expect("it is correct").values, ["def n: i64", "entry main (x: i64): i64"]);
        assert!(ty(&mut session, "forgotten").starts_with("Unknown name"));
        session.define("def twice = 2 * n").expect("it is correct");
        session.define("def main4 = main 4").expect("it is correct");
        assert!(session.reload(program("def n: i64 =")).is_err());
        assert_eq!(ty(&mut session, "(twice, main4)"), "(i64, i64)");
        let (_, dropped) = session.reload(program("def n: i32 = 4")).expect("it is correct");
        assert_eq!(dropped.len(), 1);
        assert_eq!(ty(&mut session, "twice"), "i32");
        assert!(ty(&mut session, "main4").starts_with("Unknown name"));
    });
}

#[test]
fn imports_stay_in_scope() {
    on_large_stack(|| {
        let mut session = Session::default();
        session.define("import \"sorts\"").expect("it is correct");
        session.define("def x: i32 = 1").expect("it is correct");
        assert!(ty(&mut session, "merge_sort").starts_with("("), "{}", ty(&mut session, "merge_sort"));
        session.define("local import \"segmented\"").expect("it is correct");
        assert!(ty(&mut session, "segmented_scan").starts_with("Unknown name"));
        let program = "import \"sorts\"\ndef n: i64 = 3";
        session.load(Source::new("a.dsl", program)).expect("it is correct");
        assert!(ty(&mut session, "merge_sort").starts_with("Unknown name"));
    });
}

#[test]
fn the_last_value_has_a_name() {
    on_large_stack(|| {
        let mut session = Session::default();
        assert!(ty(&mut session, "it").starts_with("Unknown name"));
        let evaluate = |session: &mut Session, text: &str| {
            let checked = session.check_expression(text).expect("it is correct");
            session.set_last(&checked.source);
            checked.ty
        };
        session.define("def f (x: i32) = x").expect("it is correct");
        assert_eq!(evaluate(&mut session, "f 1"), "i32");
        // Later definitions do not change it.
        session.define("def f (x: f64) = x").expect("it is correct");
        session.define("def kept = it").expect("it is correct");
        assert_eq!(evaluate(&mut session, "(it, it)"), "(i32, i32)");
        assert_eq!(evaluate(&mut session, "it.0 + kept"), "i32");
        assert_eq!(evaluate(&mut session, "map"), "(a -> b) -> [n]a -> *[n]b");
        assert_eq!(ty(&mut session, "it f [1]"), "[1]f64");
        // Expressions that are not used are not kept as texts.
        let texts = session.history.texts.len();
        for _ in 0..5 {
            evaluate(&mut session, "iota 3 -- items");
        }
        assert_eq!(session.history.texts.len(), texts);
        session.reload(Source::new("a.dsl", "def it_is = 3")).expect("it is correct");
        assert_eq!(ty(&mut session, "(kept, it[0])"), "(i32, i64)");
    });
}

#[test]
fn many_values_of_a_module_are_counted() {
    on_large_stack(|| {
        let module = |count: usize| {
            let values: String = (0..count).map(|number| format!("def v{number} = {number}i32 ")).collect();
            let text = format!("module m = {{ module inner = {{ {values} }} }} def after (x: f32) = x");
            Session::default().define(&text).expect("it is correct").values
        };
        assert_eq!(module(2), ["def m.inner.v0: i32", "def m.inner.v1: i32", "def after (x: f32): f32"]);
        assert_eq!(module(9), ["module m: 9 values", "def after (x: f32): f32"]);
    });
}

#[test]
fn names_are_completed_through_modules() {
    on_large_stack(|| {
        let mut session = Session::default();
        session.define("module mine = { def first = 1 def second = 2 } def mild = 3").expect("it is correct");
        assert_eq!(session.names("mi"), ["mild", "mine"]);
        assert_eq!(session.names("mine."), ["mine.first", "mine.second"]);
        assert_eq!(session.names("f64.sq"), ["f64.sqrt"]);
        assert!(session.names("").contains(&"reduce_by_index".to_owned()));
        for word in ["none.", "mine.first.", "map.", ".", "mine..", "\u{1f600}"] {
            assert!(session.names(word).len() < 1000, "{word}");
        }
    });
}
