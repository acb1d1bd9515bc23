use super::*;

fn cases(text: &str) -> Vec<Case> {
    parse(text).expect("a spec").expect("a block").cases
}

#[test]
fn a_program_without_a_block_has_no_tests() {
    assert_eq!(parse("-- a comment\ndef x = 1\n"), Ok(None));
}

#[test]
fn values_may_span_lines_and_come_from_files() {
    let cases = cases("-- about\n-- ==\n-- input { 1\n--   [2, 3] }\n-- output @ a.out\ndef x = 1\n");
    assert_eq!(cases.len(), 1);
    assert_eq!(cases[0].line, 3);
    assert_eq!(cases[0].entry, "main");
    assert_eq!(cases[0].input, Input::Values(Values::Text(" 1\n   [2, 3] ".to_owned())));
    assert_eq!(cases[0].expected, Expected::Output(Values::File("a.out".to_owned())));
}

#[test]
fn every_entry_gets_the_case() {
    let cases = cases("-- ==\n-- entry: f g\n-- input { }\n-- error: out of.*\n");
    assert_eq!(cases.iter().map(|case| case.entry.as_str()).collect::<Vec<_>>(), ["f", "g"]);
    assert!(cases.iter().all(|case| case.expected == Expected::Error("out of.*".to_owned())));
}

#[test]
fn an_error_without_input_is_the_compilers() {
    let spec = parse("-- ==\n-- error: Unknown\n").unwrap().unwrap();
    assert_eq!(spec.compile_error.as_deref(), Some("Unknown"));
}

#[test]
fn wrong_clauses_are_located() {
    let wrong = |text| parse(text).unwrap_err();
    assert_eq!(wrong("-- ==\n-- inptu { 1 }\n").line, 2);
    assert!(wrong("-- ==\n-- output { 1 }\n").message.contains("without an `input`"));
    assert!(wrong("-- ==\n-- input { 1\n").message.contains("closing"));
    assert!(wrong("-- ==\n-- input\n").message.contains("followed by"));
    assert!(wrong("-- ==\n-- input @\n").message.contains("file name"));
}

#[test]
fn cases_have_names_and_tags() {
    let cases = cases(
        "-- ==\n-- entry: f\n-- input { 1 }\n-- nobench no_gpu input { 2 }\n-- \"two words\" compiled input { 3 }\n",
    );
    let shown: Vec<_> = cases.iter().map(|case| (case.name.as_str(), case.tags.join(" "))).collect();
    assert_eq!(
        shown,
        [("#0", "".into()), ("#1", "nobench no_gpu".into()), ("\"two words\"", "compiled".into())]
    );
}

#[test]
fn input_may_be_random_or_an_expression() {
    let cases = cases(
        "-- ==\n-- random input { [10]i32 }\n-- auto output\n-- script input { f {x = \"}\", y = 1} }\n\
         -- nobench script input @ in.script\n-- random nobench input { i32 }\n-- input { 1 }\n",
    );
    assert_eq!(cases[0].input, Input::Random(" [10]i32 ".to_owned()));
    assert_eq!(cases[0].expected, Expected::Auto);
    assert_eq!(cases[1].input, Input::Script(Values::Text(" f {x = \"}\", y = 1} ".to_owned())));
    assert_eq!(cases[2].input, Input::Script(Values::File("in.script".to_owned())));
    assert_eq!(cases[3].input, Input::Random(" i32 ".to_owned()));
    assert_eq!(cases[3].tags, ["nobench"]);
    assert_eq!(cases[4].input, Input::Values(Values::Text(" 1 ".to_owned())));
}

#[test]
fn programs_have_tags_warnings_structures_and_properties() {
    let text = "-- about\n--==\n-- tags { a no_gpu }\n-- warning: deprecated\n\
                -- structure { Screma 1 }\n-- structure gpu { SegMap 2\n-- SegRed 0 }\n-- property: p q\n";
    let spec = parse(text).unwrap().unwrap();
    assert_eq!(spec.tags, ["a", "no_gpu"]);
    assert_eq!(spec.warnings, ["deprecated"]);
    assert_eq!(spec.properties, [("p".to_owned(), 8), ("q".to_owned(), 8)]);
    assert_eq!(spec.structures[0].entries, [""; 0]);
    assert_eq!(spec.structures[0].counts, [("Screma".to_owned(), 1)]);
    assert_eq!(spec.structures[1].stage.as_deref(), Some("gpu"));
    assert_eq!(spec.structures[1].counts.len(), 2);
}

#[test]
fn several_blocks_are_one_specification() {
    let text =
        "-- ==\n-- entry: f\n-- input { 1 } output { 2 }\ndef f = 1\n-- ==\n-- input { 3 } output { 4 }\n";
    let entries: Vec<String> = cases(text).into_iter().map(|case| case.entry).collect();
    assert_eq!(entries, ["f", "main"]);
}
