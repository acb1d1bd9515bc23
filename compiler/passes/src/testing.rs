//! Runs passes on core text, for tests.

pub mod kernel;

use std::convert::Infallible;

use ravel_core::{Program, parse, print, renumber, verify};
use ravel_kernel::Target;

use crate::{Cx, Pass, Step, run_steps};

/// The verified program with this text.
fn read(text: &str) -> Program {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&program).unwrap_or_else(|error| panic!("{error}"));
    program
}

fn run(steps: &[Step], program: &mut Program, cx: &mut Cx) {
    let mut run = |pass: &'static Pass| {
        let before = cx.firing_count();
        (pass.run)(program, cx);
        verify(program).unwrap_or_else(|error| panic!("after {}: {error}\n{}", pass.name, print(program)));
        Ok::<bool, Infallible>(cx.firing_count() > before)
    };
    let Ok(()) = run_steps(steps, None, &mut run);
    renumber(program);
}

/// The text of a program after these steps. The verifier runs after each pass.
pub fn optimise(steps: &[Step], text: &str) -> String {
    optimise_for(&Target::CPU, steps, text)
}

/// [`optimise`] for any target.
pub fn optimise_for(target: &Target, steps: &[Step], text: &str) -> String {
    let mut program = read(text);
    run(steps, &mut program, &mut Cx::new(target, u64::MAX));
    print(&program)
}

/// The text after one pass, and its events: `rule`, or `rule refused: premise`. Checks that a second run fires nothing,
/// and that nothing changes without fuel.
pub fn trace(pass: &'static Pass, text: &str) -> (String, Vec<String>) {
    let mut program = read(text);
    let mut unchanged = program.clone();
    run(&[Step::Run(pass)], &mut unchanged, &mut Cx::new(&Target::CPU, 0));
    assert_eq!(print(&unchanged), print(&program), "{} rewrites without fuel", pass.name);
    let mut cx = Cx::new(&Target::CPU, u64::MAX);
    run(&[Step::Run(pass)], &mut program, &mut cx);
    let mut again = Cx::new(&Target::CPU, u64::MAX);
    run(&[Step::Run(pass)], &mut program, &mut again);
    let events = again.take_events();
    let fired = events.iter().find(|event| event.refused.is_none());
    assert!(fired.is_none(), "a second run of {} fires {fired:?}", pass.name);
    let events = cx.take_events().into_iter().map(|event| match event.refused {
        None => event.rule.to_owned(),
        Some(refusal) => format!("{} refused: {}", event.rule, refusal.premise.name),
    });
    (print(&program), events.collect())
}

/// A program of one function with a fixed list of parameters, these statements and these results.
pub fn within(stms: &str, result: &str, types: &str) -> String {
    format!(
        "fun main (n: i64, m: i64, c: bool, x: i32, y: i32, u: f64, *xs: [n]i32, ys: [n]i32) -> ({types}) = {{
            {stms}
            in {result}
        }}
        entry main = main (n, m, c, x, y, u, *xs, ys) -> ({})",
        types.split(", ").map(|part| part.split(':').next().unwrap_or(part)).collect::<Vec<_>>().join(", ")
    )
}

/// The body of a program's only function, as text without braces and indentation.
pub fn statements(text: &str) -> String {
    let start = text.find(" = {").map_or(0, |at| at + 4);
    let end = text.rfind("}\nentry").unwrap_or(text.len());
    let lines = text[start..end].trim().lines();
    lines.map(|line| line.strip_prefix("  ").unwrap_or(line)).collect::<Vec<_>>().join("\n")
}
