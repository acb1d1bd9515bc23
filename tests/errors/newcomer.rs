//! Typical mistakes of newcomers: each message points at the right place, names the mistake and says what to do.

use ravel_driver::Source;

use super::diagnostics;
use crate::snapshots;

/// A typical mistake: the program that makes it, and what the message must contain.
struct Mistake {
    /// The name of the program's file in `newcomer/`, without its extension.
    case: &'static str,
    line: usize,
    column: usize,
    /// Text that must occur in the message, in a line below it, or in a note: what the mistake is about.
    name: &'static str,
    /// Text that must occur in a label, in the text at the caret or in the help.
    hint: &'static str,
}

const MISTAKES: &[Mistake] = &[
    Mistake {
        case: "missing_parenthesis",
        line: 7,
        column: 3,
        name: "'in'",
        hint: "this waits for its \")\"",
    },
    Mistake {
        case: "wrong_argument_order",
        line: 5,
        column: 22,
        name: "[n]i32",
        hint: "the second argument would fit here: exchange the two",
    },
    Mistake {
        case: "map2_of_two_sizes",
        line: 3,
        column: 67,
        name: "\"n\" and \"m\"",
        hint: "this argument of \"map2\" has type \"[m]f64\"",
    },
    Mistake {
        case: "use_after_consumption",
        line: 4,
        column: 29,
        name: "\"xs\"",
        hint: "use it before it is consumed, or consume a `copy`",
    },
    Mistake {
        case: "forgotten_in",
        line: 4,
        column: 3,
        name: "\"map\"",
        hint: "Expected \"in\" in front of this",
    },
    Mistake {
        case: "misspelt_name",
        line: 4,
        column: 29,
        name: "\"sqaures\"",
        hint: "did you mean `squares`?",
    },
    Mistake {
        case: "missing_module",
        line: 3,
        column: 3,
        name: "\"math.sqrt\"",
        hint: "`sqrt` is in the modules `f16`, `f32` and `f64`",
    },
    Mistake {
        case: "f32_and_f64",
        line: 5,
        column: 21,
        name: "f64",
        hint: "convert one of them, with `f32.f64` or `f64.f32`",
    },
    Mistake {
        case: "tuple_projection",
        line: 7,
        column: 10,
        name: "\"2\"",
        hint: "its components are `.0` and `.1`",
    },
    Mistake {
        case: "irregular_array",
        line: 4,
        column: 4,
        name: "\"1\" and \"2\"",
        hint: "the rows of an array have one size",
    },
    Mistake {
        case: "cast_as_in_c",
        line: 3,
        column: 16,
        name: "\"f32\"",
        hint: "`f32.i64` converts i64 to f32",
    },
    Mistake {
        case: "function_with_a_double_arrow",
        line: 2,
        column: 10,
        name: "\"=>\"",
        hint: "a function is written `\\x -> …`",
    },
    Mistake {
        case: "local_function_that_calls_itself",
        line: 2,
        column: 54,
        name: "\"fact\"",
        hint: "define it at the top level",
    },
    Mistake {
        case: "operator_without_parentheses",
        line: 2,
        column: 3,
        name: "\"map\"",
        hint: "argument in parentheses",
    },
    Mistake {
        case: "neutral_element_after_the_array",
        line: 2,
        column: 12,
        name: "[]i32",
        hint: "the third argument would fit here: exchange the two",
    },
    Mistake {
        case: "function_of_a_number_module",
        line: 2,
        column: 3,
        name: "\"sqrt\"",
        hint: "write `f64.sqrt`",
    },
    Mistake { case: "else_if_in_one_word", line: 2, column: 30, name: "'then'", hint: "written `else if`" },
    Mistake {
        case: "branches_in_braces",
        line: 2,
        column: 16,
        name: "'}'",
        hint: "a branch is `if c then a else b`",
    },
    Mistake {
        case: "elements_of_another_type",
        line: 2,
        column: 15,
        name: "[n]i64",
        hint: "convert its elements with `map f32.i64`",
    },
    Mistake {
        case: "function_of_an_array",
        line: 2,
        column: 12,
        name: "[n]f64",
        hint: "`map f64.sqrt` applies it to each element",
    },
    Mistake {
        case: "sum_of_two_arrays",
        line: 2,
        column: 3,
        name: "[n]f64",
        hint: "`map2 (+)` applies it to each element",
    },
    Mistake { case: "negative_argument", line: 2, column: 3, name: "\"rotate\"", hint: "`f (-1)`" },
    Mistake {
        case: "functions_that_call_each_other",
        line: 1,
        column: 37,
        name: "\"odd\"",
        hint: "functions cannot call each other",
    },
    Mistake {
        case: "value_that_hides_a_module",
        line: 2,
        column: 19,
        name: "\"i64\"",
        hint: "`i32` is a value here, and hides the module",
    },
    Mistake {
        case: "parameter_that_hides_a_module",
        line: 1,
        column: 14,
        name: "\"i64\"",
        hint: "`i32` is a value here, and hides the module",
    },
    Mistake { case: "length_as_a_field", line: 2, column: 5, name: "\"length\"", hint: "`length xs`" },
    Mistake { case: "method_call", line: 2, column: 4, name: "\"sqrt\"", hint: "`f64.sqrt x`" },
    Mistake { case: "choice_as_in_c", line: 2, column: 5, name: "'?'", hint: "`if c then a else b`" },
    Mistake { case: "word_for_and", line: 2, column: 9, name: "\"and\"", hint: "`x && y`" },
    Mistake { case: "word_for_or", line: 2, column: 3, name: "\"x\"", hint: "`x || y`" },
    Mistake { case: "semicolon", line: 2, column: 16, name: "\";\"", hint: "a binding ends with `in`" },
    Mistake {
        case: "for_without_loop",
        line: 2,
        column: 3,
        name: "'for'",
        hint: "`loop x = e for i < n do …`",
    },
    Mistake {
        case: "loop_that_keeps_its_size",
        line: 2,
        column: 3,
        name: "\"n\"",
        hint: "`loop (xs: [n]t) = …`",
    },
    Mistake {
        case: "for_in_without_loop",
        line: 2,
        column: 3,
        name: "'for'",
        hint: "`loop x = e for y in ys do …`",
    },
    Mistake {
        case: "while_without_loop",
        line: 2,
        column: 3,
        name: "'while'",
        hint: "`loop x = e while c do …`",
    },
    Mistake {
        case: "loop_that_changes_its_size",
        line: 2,
        column: 47,
        name: "\"n\"",
        hint: "write `[]` in the type of the loop parameter",
    },
];

#[test]
fn each_mistake_is_located_named_and_explained() {
    ravel_driver::on_large_stack(|| {
        let cases = snapshots::cases("errors/newcomer", "snap");
        assert_eq!(cases.len(), MISTAKES.len(), "every case has its line in the table");
        for mistake in MISTAKES {
            let case = snapshots::root().join("errors/newcomer").join(mistake.case).with_extension("dsl");
            let (source, diagnostics) = diagnostics(&case);
            let [diagnostic] = &diagnostics[..] else {
                panic!("{}: one message, not {}", mistake.case, diagnostics.len())
            };
            let labels = diagnostic.labels.iter().map(|label| &label.text);
            let hints: Vec<&String> =
                labels.chain([&diagnostic.caret]).chain(diagnostic.help.as_ref()).collect();
            assert_eq!(
                place(&source, diagnostic.span),
                Some((mistake.line, mistake.column)),
                "{}",
                mistake.case
            );
            let facts = diagnostic.facts.iter().map(|fact| &fact.text);
            let mut named = [&diagnostic.message].into_iter().chain(facts).chain(&diagnostic.notes);
            assert!(
                named.any(|text| text.contains(mistake.name)),
                "{}: {}",
                mistake.case,
                diagnostic.texts()
            );
            assert!(hints.iter().any(|hint| hint.contains(mistake.hint)), "{}: {hints:?}", mistake.case);
        }
    });
}

/// Line and column of a message.
fn place(source: &Source, span: Option<ravel_base::Span>) -> Option<(usize, usize)> {
    let span = span?;
    let position = source.sources().position(span.file, span.start);
    Some((position.line, position.column))
}
