use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use ravel_base::{Code, FileId, Kind};

use super::*;
use crate::ast::{Exp, ExpNode, Keyword};
use crate::print;

/// Runs `f` with the stack the driver gives to the compiler.
fn with_large_stack<T: Send + 'static>(f: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(1 << 30).spawn(f).unwrap().join().unwrap()
}

fn ok(text: &str) -> Program {
    let parsed = parse(FileId(0), text);
    assert!(parsed.diagnostics.is_empty(), "{text}\n{:#?}", parsed.diagnostics);
    parsed.program
}

/// The errors of `text`, one on each line: code, the source text that is marked, message, text at the caret, notes, help.
fn errors(text: &str) -> String {
    let parsed = parse(FileId(0), text);
    let line = |diagnostic: &Diagnostic| {
        let span = diagnostic.span.expect("a syntax error has a place");
        let Kind::Error(code) = diagnostic.kind else { panic!("{diagnostic:?}") };
        let mut line = format!("{} at `{}`: ", code.number(), &text[span.start as usize..span.end as usize]);
        // Diagnostics put names in double quotes; the expected texts have backquotes.
        let plain = |text: &str| text.replace('"', "`");
        line += &plain(&diagnostic.message);
        let parts = [&diagnostic.caret].into_iter().chain(&diagnostic.notes).chain(&diagnostic.help);
        for part in parts.filter(|part| !part.is_empty()) {
            line += "; ";
            line += &plain(part);
        }
        for label in &diagnostic.labels {
            line += &format!(
                "; `{}` {}",
                &text[label.span.start as usize..label.span.end as usize],
                plain(&label.text)
            );
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
fn long_chains_are_accepted() {
    with_large_stack(|| {
        let long = ok(&format!("def f = {}1", "let x = x + 1 in ".repeat(10_000)));
        assert_eq!(print::program(&long).lines().count(), 10_002);
        ok(&format!("def f = 0{}", " + 1".repeat(10_000)));
        ok(&format!("def f = g{}", " <| g".repeat(10_000)));
        ok(&format!("def f = {}x", "let x = if x then x else -x + 1 in ".repeat(5_000)));
        ok(&format!("def f = {}in x", "let x = x + (1) ".repeat(10_000)));
        ok(&format!("def f = f{}", " x".repeat(10_000)));
        ok(&format!("def f = {}2", "if b then 1 else ".repeat(5_000)));
        ok(&format!("def f = x{}", ".a".repeat(20_000)));
        ok(&format!("def f = [{}]", "-1, ".repeat(100_000)));
        ok(&"def f = x\n".repeat(50_000));
        ok(&"let f = x\n".repeat(50_000));
        ok(&format!("module m = {{\n{}}}", "let f = (x, if a then b else \\x -> c)\n".repeat(10_000)));
    });
}

#[test]
fn a_chain_beyond_the_limit_is_an_error() {
    let chains = [
        format!("def f = 0{}", " + 1".repeat(200_000)),
        format!("def f =\n{}in x", "let x = 1\n".repeat(200_000)),
        format!("def f = {}x", "(let x = 1\nlet y = ".repeat(600)),
        "module m = {\n".repeat(600),
    ];
    for chain in chains {
        let errors = with_large_stack(move || errors(&chain));
        assert_eq!(errors.split(' ').next(), Some(Code::TooDeep.number()), "{errors}");
    }
}

#[test]
fn a_file_beyond_the_size_limit_is_an_error() {
    let text = |bytes: usize| format!("def f = \"{}\"", "x".repeat(bytes));
    assert_eq!(errors(&text(1_999_997)), "");
    for wrong in [text(1_999_998), format!("def f = [{}]", "1,".repeat(1_000_000))] {
        let found = errors(&wrong);
        assert!(found.starts_with("E0004") && found.contains("This program is too large"), "{found}");
    }
}

/// Declarations with a syntax error, each with the expected output of `errors`.
const MISTAKES: &[(&str, &str)] = &[
    ("def f = )", "E0003 at `)`: Unexpected token: ')'; Expected an expression; no bracket is open here"),
    (
        "def f (x: i32 = 2",
        "E0003 at `=`: Unexpected token: '='; Expected `)`; a parameter has no default value",
    ),
    ("def f =", "E0003 at `=`: Unexpected end of file; Expected an expression after this"),
    (
        "def f = let x = 1\ndef g = 2",
        "E0003 at `def`: Missing `in` before `def`; Expected `in`; Unexpected `def` - missing `in`?; the bindings of a `let` end with `in` and the result",
    ),
    (
        "def f x =\n  let y = x + 1\n  y * 2\ndef g = 1",
        "E0003 at `y`: Missing `in` before `y`; Expected `in` in front of this; Unexpected `y` - missing `in`?; \
         the bindings of a `let` end with `in` and the result; `let` this `let` waits for its `in`",
    ),
    (
        "def f = map (\\x ->\n  let y = x\n  y * 2) xs",
        "E0003 at `y`: Missing `in` before `y`; Expected `in` in front of this; Unexpected `y` - missing `in`?; \
         the bindings of a `let` end with `in` and the result; `let` this `let` waits for its `in`",
    ),
    (
        "def f x =\n  let y = x\n  |> g\n  +\n  1\n  (\n  2)\ndef g = 1",
        "E0003 at `(`: Missing `in` before `(`; Expected `in` in front of this; Unexpected `(` - missing `in`?; \
         the bindings of a `let` end with `in` and the result; `let` this `let` waits for its `in`",
    ),
    (
        "def f x =\n  let y = g (\n  x\n  z)\n  y * 2\ndef g = 1",
        "E0003 at `y`: Missing `in` before `y`; Expected `in` in front of this; Unexpected `y` - missing `in`?; \
         the bindings of a `let` end with `in` and the result; `let` this `let` waits for its `in`",
    ),
    (
        "def f x =\n  let y =\n  x\ndef g = 1",
        "E0003 at `def`: Missing `in` before `def`; Expected `in`; Unexpected `def` - missing `in`?; \
         the bindings of a `let` end with `in` and the result",
    ),
    (
        "def f = let x = 1 x + 1",
        "E0003 at `1`: Unexpected end of file; Expected `in` after this; \
         the bindings of a `let` end with `in` and the result",
    ),
    (
        "def f = x in y",
        "E0003 at `in`: Unexpected token: 'in'; Expected a declaration; there is no `let` that this `in` could end",
    ),
    (
        "def f = let x = in x",
        "E0003 at `in`: Unexpected token: 'in'; Expected an expression; a value is missing before `in`",
    ),
    (
        "def f = if a b else c",
        "E0003 at `else`: Unexpected token: 'else'; Expected `then`; an `if` goes on with `then` and `else`",
    ),
    (
        "def f = if a then b",
        "E0003 at `b`: Unexpected end of file; Expected `else` after this; an `if` always has an `else`",
    ),
    (
        "def f = loop x = 1 for i < n x",
        "E0003 at `x`: Unexpected end of file; Expected `do` after this; the body of a `loop` stands after `do`",
    ),
    (
        "def f = (1, 2\ndef g = 1",
        "E0003 at `def`: Unexpected token: 'def'; Expected `)`; `(` this waits for its `)`",
    ),
    ("def f = [1, 2)", "E0003 at `)`: Unexpected token: ')'; Expected `]`; `[` this waits for its `]`"),
    (
        "def f = a = b",
        "E0003 at `=`: Unexpected token: '='; Expected an operator; two values are compared with `==`",
    ),
    ("def in = 1", "E0003 at `in`: Unexpected token: 'in'; Expected a name; a keyword cannot be a name"),
    (
        "f x = 1",
        "E0003 at `f`: Unexpected token: 'f'; Expected a declaration; a definition begins with `def`: `def f x = e`",
    ),
    (
        "def f = 0..10",
        "E0003 at `10`: Unexpected end of file; Expected one of the following after this: `...`, `..<`, `..>` or an operator; \
         use '...' for ranges, not '..': a range ends with `...`, `..<` or `..>` and its last element",
    ),
    (
        "def f = (a + b *)",
        "E0003 at `)`: Unexpected token: ')'; Expected an expression; an operator has an operand on both sides: `x + 1`",
    ),
    ("type t =", "E0003 at `=`: Unexpected end of file; Expected a type after this"),
    (
        "import x",
        "E0003 at `x`: Unexpected token: 'x'; Expected a string; \
         a file is imported by `import `path/to/file``, without its extension",
    ),
    (
        "def f = 'ab'",
        "E0003 at `'`: Unexpected token: '''; Expected an expression; \
         a character literal holds one character; a text is written in double quotes",
    ),
    (
        "def f = 1 $ 2",
        "E0001 at `$`: Invalid lexical syntax: `$` is not part of the language; `f <| x` applies `f` to `x`",
    ),
    ("def f = x\0y", "E0001 at `\0`: Invalid lexical syntax: `\\0` is not part of the language"),
    ("def f = ä", "E0001 at `ä`: Invalid lexical syntax: `ä` is not part of the language"),
    ("def f = \"abc", "E0002 at `\"abc`: Unclosed string literal: it is not closed on its line"),
    ("def f = \"\\q\"", "E0002 at `\"\\q\"`: Invalid lexical syntax: `\\q` is not an escape sequence"),
    (
        "def (&&) x y = 1",
        "E0003 at `&&`: The && operator may not be redefined; \
         choose another name: `&&&` and `|||` have the same precedence",
    ),
    ("def f = 0x1.0p2000", "E0002 at `0x1.0p2000`: this number is larger than any float type holds"),
    (
        "def f = 999999999999999999999999999999999999999",
        "E0002 at `999999999999999999999999999999999999999`: Literal out of bounds for every integer type",
    ),
    (
        "def (m.+) x y = 1",
        "E0003 at `m.+`: Cannot use a qualified name in binding position: `m.+`; \
         define the operator without the module's name in front",
    ),
];

#[test]
fn mistakes_are_explained() {
    for (text, expected) in MISTAKES {
        assert_eq!(errors(text), *expected, "{text}");
    }
}

#[test]
fn parsing_continues_after_a_broken_declaration() {
    let names = |text: &str| {
        let decs = parse(FileId(0), text).program.decs;
        let name = |dec: &Dec| match dec {
            Dec::Value(dec) => dec.name.node.to_string(),
            Dec::Error(_) => "!".to_owned(),
            _ => "?".to_owned(),
        };
        (errors(text).lines().count(), decs.iter().map(name).collect::<String>())
    };
    // Later bindings of the same broken body are not reported.
    assert_eq!(names("def f =\nlet y = )\nlet z = 1\nin z\ndef g = )\ndef h = 1"), (2, "!!!h".to_owned()));
    assert_eq!(names("module m = { def x = )  def y = 1 }\ndef z = 1"), (1, "!z".to_owned()));
    assert_eq!(names("module m = { def x = )\ndef y = 1\ndef z = 1"), (1, "!yz".to_owned()));
    assert_eq!(names("def def f = 1 def g = ) def h = 2"), (2, "!f!h".to_owned()));
    assert_eq!(names("def a = 1 ) module type t = { val x: i32 } def b = 2"), (1, "!?b".to_owned()));
}

#[test]
fn precedence_is_that_of_the_language() {
    let pairs = [
        ("a + b * c - d", "(a + (b * c)) - d"),
        ("a ** b ** c", "(a ** b) ** c"),
        ("a <| b <| c", "a <| (b <| c)"),
        ("a |> b |> c <| d", "(a |> b) |> (c <| d)"),
        ("a || b |> c", "(a || b) |> c"),
        ("a && b || c && d", "(a && b) || (c && d)"),
        ("a == b && c < d", "(a == b) && (c < d)"),
        ("a & b == c", "(a & b) == c"),
        ("a << b & c + d", "(a << b) & (c + d)"),
        ("a + b << c", "(a + b) << c"),
        ("a >-> b >>= c +^ d *^ e", "a >-> (b >>= (c +^ (d *^ e)))"),
        ("a `f` b + c `g` d", "(a `f` (b + c)) `g` d"),
        ("-a ** b", "(-a) ** b"),
        ("-f x + !g y", "(-(f x)) + (!(g y))"),
        ("0..<n |> f", "0..<(n |> f)"),
        ("a + b with [0] = c + d", "(a + b) with [0] = (c + d)"),
        ("a with [0] = b with [1] = c", "(a with [0] = b) with [1] = c"),
        ("x + if a then b else c + d", "x + (if a then b else (c + d))"),
        ("if a then b else c : t", "if a then b else (c : t)"),
        ("a + b : t", "(a + b) : t"),
        ("f x \\y -> y + z", "f x (\\y -> (y + z))"),
        ("f a[0] [0] (g)[1]", "f (a[0]) ([0]) ((g)[1])"),
        ("let x = 1 let y = 2 in x + y", "let x = 1 in (let y = 2 in (x + y))"),
        (
            "match a case 1 -> match b case 2 -> c case 3 -> d",
            "match a case 1 -> (match b case 2 -> c case 3 -> d)",
        ),
        ("#[a] x + y", "#[a] (x + y)"),
        ("#a #b c", "#a (#b) c"),
    ];
    for (plain, explicit) in pairs {
        let text = |exp| print::program(&ok(&format!("def f = {exp}")));
        assert_eq!(text(plain), text(explicit));
    }
}

#[test]
fn white_space_and_comments_are_skipped() {
    let program = ok("\t-- | Doc.\r\n--  more \r\n\r\n-- other\ndef\tf\r\n=\x0c 1 -- no doc\n+ 2--\n--");
    let [Dec::Value(dec)] = &program.decs[..] else { panic!("{program:?}") };
    assert_eq!(dec.doc, None);
    let program = ok("-- | Doc.\r\n--  more \r\n#[x]\r\ndef f = 1");
    let [Dec::Value(dec)] = &program.decs[..] else { panic!("{program:?}") };
    assert_eq!(dec.doc.as_deref(), Some("Doc.\n more"));
}

#[test]
fn spans_cover_the_source_of_nodes() {
    let text = "def f = ((a + b)[1] + -c.0)";
    let program = ok(text);
    let [Dec::Value(dec)] = &program.decs[..] else { panic!("{program:?}") };
    let slice = |exp: &Exp| &text[exp.span.start as usize..exp.span.end as usize];
    assert_eq!(slice(&dec.body), "((a + b)[1] + -c.0)");
    let ExpNode::Binary(left, operator, right) = &dec.body.node else { panic!("{:?}", dec.body) };
    assert_eq!((slice(left), slice(right)), ("(a + b)[1]", "-c.0"));
    assert_eq!(operator.span.start, 20);
}

#[test]
fn incomplete_text_is_recognised() {
    let is_incomplete = |text: &str| parse(FileId(0), text).is_incomplete;
    for text in [
        "def",
        "def f (x: i32) =",
        "def f = (1 +",
        "def f = if true then 1",
        "open {\ndef a = 1",
        "#[noinline]",
    ] {
        assert!(is_incomplete(text), "{text}");
    }
    for text in ["", "-- def", "def f = 1", "def f = 1)", "def f = ) (", "def f = 'a", "def )\ndef g = 2"] {
        assert!(!is_incomplete(text), "{text}");
    }
}

#[test]
fn an_expression_is_the_body_of_a_definition() {
    let read = |text: &str| parse_expression("it".into(), true, FileId(0), text);
    let parsed = read("let x = 1 in\nx + 1");
    assert!(parsed.diagnostics.is_empty() && !parsed.is_incomplete, "{:?}", parsed.diagnostics);
    let [Dec::Value(value)] = &parsed.program.decs[..] else { panic!("{:?}", parsed.program) };
    assert!(value.keyword == Keyword::Entry && value.name.node == "it".into());
    let place = |text: &str| {
        let parsed = read(text);
        let span = parsed.diagnostics[0].span.expect("a syntax error has a place");
        (span.start, span.end, parsed.is_incomplete)
    };
    assert_eq!(place(") 1"), (0, 1, false));
    assert_eq!(place("1 + + 2"), (4, 5, false));
    assert_eq!(place("f ("), (2, 3, true));
    assert_eq!(place(""), (0, 0, true));
}

#[test]
fn an_operator_and_its_modules_have_no_space_between() {
    let program = ok("def f = 1 m.n.+ 2");
    let [Dec::Value(dec)] = &program.decs[..] else { panic!("{program:?}") };
    let ExpNode::Binary(_, operator, _) = &dec.body.node else { panic!("{:?}", dec.body) };
    assert_eq!(operator.to_string(), "m.n.+");
    assert!(!errors("def f = 1 m .+ 2").is_empty());
    assert!(!errors("def f = 1 m. + 2").is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_parser_panic(text in any::<String>()) {
        parse(FileId(0), &text);
    }

    #[test]
    fn no_tokens_make_the_parser_panic(tokens in vec(select(TOKENS), 0..60)) {
        for separator in ["", " ", "\n"] {
            let text = tokens.join(separator);
            let parsed = parse(FileId(0), &text);
            for diagnostic in parsed.diagnostics {
                let span = diagnostic.span.expect("a syntax error has a place");
                prop_assert!(text.get(span.start as usize..span.end as usize).is_some());
            }
        }
    }
}

const TOKENS: &[&str] = &[
    "assert", "case", "def", "do", "else", "entry", "false", "for", "if", "import", "in", "include", "let",
    "local", "loop", "match", "module", "open", "then", "true", "type", "val", "while", "with", "(", ")",
    "[", "]", "{", "}", "#[", ",", ":", ":>", ".", "..", "...", "..<", "..>", "\\", "`", "?", "???", "_",
    "~", "'", "'~", "'^", "=", "->", "-", "*", "!", "<", "^", "|", "|>", "<|", "||", "&&", "==", "&", "<<",
    "+", "/", "**", "x", "m.x", "m.+", "#c", ".0", "1", "2i8", "0x1f", "1.5", "1e9f32", "'c'", "\"s\"", "\"",
    "\\n", "--", "-- |", "\0", "ü", "\r\n",
];
