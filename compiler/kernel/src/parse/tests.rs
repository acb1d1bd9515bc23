//! Printed text is parsed back, and syntax errors have a place.

use ravel_base::Symbol;

use super::parse;
use crate::sample::{BLOCKS, CALLS, SAMPLE};
use crate::{ScalarExp, Stm, Var};

#[test]
fn printed_text_is_parsed_back() {
    for sample in [SAMPLE, CALLS, BLOCKS] {
        let program = parse(sample).expect("the sample is well-formed");
        assert_eq!(program.to_string(), sample);
        let mut renumbered = program.clone();
        renumbered.renumber();
        assert_eq!(renumbered, program);
    }
}

#[test]
fn a_combination_is_parsed_back() {
    let combine = "combine max c1_3[i_0] = v4";
    let text = format!(
        "entry \"f\" [n] () -> () {{ segment blocks (g < n) chunk 1i64 {{
           alloc c: workgroup i32 = 8i64 view c1_3: i32 [8i64] = c + 0i64 * [1i64]
           segment map (i_0 < 8i64) {{ let v4: i32 = i32(i_0) {combine} }} }} }}"
    );
    let program = parse(&text).expect("a program");
    let printed = program.to_string();
    assert!(printed.contains("combine max c1_"), "{printed}");
    assert_eq!(parse(&printed), Ok(program));
    let unknown = parse(&text.replace("combine max", "combine more")).expect_err("no operator");
    assert!(unknown.to_string().contains("expected an operator of two operands"), "{unknown}");
}

#[test]
fn parameters_may_have_any_name() {
    for name in
        ["tile", "main.0.points", "odd name", "", "3", "\"quoted\"", "a\\b`c`", "two\nlines\u{7}", "größe"]
    {
        let text = "entry \"f\" [] () -> (i64) { let x: i64 = param \"p\" -4i64 yield x }";
        let mut program = parse(text).expect("a program");
        let exp = ScalarExp::Param(Symbol::new(name), -4);
        program.entries[0].body.stms[0].stm = Stm::Let { var: Var(0), exp };
        let again = parse(&program.to_string()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again, program, "{name}");
    }
}

#[test]
fn renumbering_drops_gaps_and_keeps_hints() {
    let text = r#"entry "f" [] (x_7: i32, v3: i32) -> (i32) { let y: i32 = add(x_7, v3) yield y }"#;
    let mut program = parse(text).expect("well-formed");
    assert!(program.to_string().contains("let y_2: i32 = add(x_0, v1)"), "{program}");
    let vars = &mut program.entries[0].vars;
    let spare = vars.iter().next().expect("there are variables").1.clone();
    vars.push(spare);
    program.renumber();
    assert_eq!(program.entries[0].vars.len(), 3);
}

#[test]
fn syntax_errors_have_a_place() {
    let fault = |text: &str| parse(text).expect_err("not well-formed").to_string();
    assert_eq!(
        fault("entry \"f\" [] () -> ()\n{ let x: i32 = y }"),
        "2:16: expected a variable bound before"
    );
    assert_eq!(fault("entry \"f\" [] () -> () {"), "1:24: expected a statement");
    assert_eq!(fault("\"f"), "1:1: unclosed quotes");
    assert_eq!(fault("message1 ="), "1:1: messages are numbered in order");
    let twice = "entry \"f\" [n] (n: i32) -> () {}";
    assert_eq!(fault(twice), "1:16: `n` is bound twice");
    let word = |text: &str| fault(&format!("entry \"f\" [n] () -> () {{\n  {text}\n}}"));
    assert_eq!(word("let x: i64 = plus(n, n)"), "2:16: `plus` is not an operator of 2 operands");
    assert_eq!(word("let x: i64 = param \"p\" 2i32"), "2:26: the default of a parameter is an i64");
    assert_eq!(
        word("segment maps (i < n) chunk 1i64 {}"),
        "2:11: a segment is a `map`, a `reduce`, a `scan` or `blocks`"
    );
    let inner =
        "entry \"f\" [n] () -> () { segment map (i < n) chunk 1i64 { segment map (j < n) chunk 1i64 {} } }";
    assert!(fault(inner).ends_with("there are no segments inside a thread"));
    let blocks = |text: &str| {
        fault(&format!("entry \"f\" [n] () -> () {{ segment blocks (i < n) chunk 1i64 {{ {text} }} }}"))
    };
    assert!(blocks("segment blocks (j < n) {}").ends_with("a segment is a `map`, a `reduce` or a `scan`"));
    assert!(blocks("segment map (j < n) chunk 1i64 {}").ends_with("expected `{`"));
    assert!(blocks("segment map (j < n) { segment map (k < n) {} }").ends_with("inside a thread"));
    let deep = "if true {".repeat(2000);
    assert!(fault(&format!("entry \"f\" [] () -> () {{ {deep}")).ends_with("nested too deeply"));
}

#[test]
fn the_parser_does_not_panic_on_mangled_text() {
    for sample in [SAMPLE, CALLS, BLOCKS] {
        for cut in (0..sample.len()).filter(|&cut| sample.is_char_boundary(cut)) {
            let _ = parse(&sample[..cut]);
            let _ = parse(&sample[cut..]);
            let _ = parse(&format!("{}ä{}", &sample[..cut], &sample[cut..]));
        }
    }
}
