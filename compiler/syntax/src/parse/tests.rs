use ravel_base::{Code, FileId, Kind};

use super::*;

/// Runs `f` with the stack the driver gives to the compiler.
fn with_large_stack<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(1 << 30).spawn(f).unwrap().join().unwrap()
}

fn ok(text: &str) -> Program {
    let parsed = parse(FileId(0), text);
    assert!(parsed.diagnostics.is_empty(), "{text}\n{:#?}", parsed.diagnostics);
    parsed.program
}

/// The errors of `text`, one a line: code, the text at the caret, message, caret, help.
fn errors(text: &str) -> String {
    let parsed = parse(FileId(0), text);
    let line = |diagnostic: &Diagnostic| {
        let span = diagnostic.span.expect("a syntax error has a place");
        let Kind::Error(code) = diagnostic.kind else { panic!("{diagnostic:?}") };
        let mut line = format!("{} at `{}`: ", code.number(), &text[span.start as usize..span.end as usize]);
        line += &diagnostic.message;
        for part in [&diagnostic.caret].into_iter().chain(&diagnostic.help).filter(|part| !part.is_empty()) {
            line += "; ";
            line += part;
        }
        for label in &diagnostic.labels {
            line +=
                &format!("; `{}` {}", &text[label.span.start as usize..label.span.end as usize], label.text);
        }
        line
    };
    parsed.diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn three_broken_declarations_give_three_errors() {
    let text = "def a = )\ndef good = 1\ndef b (x: i32 = 2\n\nentry c = if x then 1\ndef fine = 2\n";
    assert_eq!(errors(text).lines().count(), 3, "{}", errors(text));
    let kept = parse(FileId(0), text).program.decs;
    let names = kept.iter().filter_map(|dec| match dec {
        Dec::Value(dec) => Some(dec.name.node.as_str()),
        _ => None,
    });
    assert_eq!(names.collect::<Vec<_>>(), ["good", "fine"]);
    assert_eq!(kept.iter().filter(|dec| matches!(dec, Dec::Error(_))).count(), 3);
}

#[test]
fn nesting_beyond_the_limit_is_one_located_error() {
    for (open, close) in
        [("(", ")"), ("[", "]"), ("f (", ")"), ("if a then ", " else 0"), ("\\x -> ", ""), ("- ", "")]
    {
        let nested =
            |depth: usize| format!("def f = {}1{}\ndef g = 2", open.repeat(depth), close.repeat(depth));
        ok(&nested(400));
        let errors = with_large_stack(move || errors(&nested(600)));
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.starts_with("E0004"), "{errors}");
    }
}

#[test]
fn long_chains_are_fine() {
    with_large_stack(|| {
        ok(&format!("def f = 0{}", " + 1".repeat(10_000)));
        ok(&format!("def f = g{}", " <| g".repeat(10_000)));
        ok(&format!("def f = {}x", "let x = if x then x else -x + 1 in ".repeat(5_000)));
        ok(&format!("def f = {}in x", "let x = x + (1) ".repeat(10_000)));
        ok(&format!("def f = f{}", " x".repeat(10_000)));
        ok(&format!("def f = [{}]", "-1, ".repeat(100_000)));
        ok(&"def f = x\n".repeat(50_000));
    });
}

#[test]
fn a_chain_without_end_is_an_error() {
    let errors = with_large_stack(|| errors(&format!("def f = 0{}", " + 1".repeat(200_000))));
    assert_eq!(errors.lines().count(), 1);
    assert_eq!(errors.split(' ').next(), Some(Code::TooDeep.number()));
}
