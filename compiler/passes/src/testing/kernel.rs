//! Runs passes on kernel text, for tests.

use ravel_kernel::{MemProgram, Program, Target, parse};

use crate::{Cx, KernelPass};

fn verified(program: &Program) -> MemProgram {
    MemProgram::verify(program.clone(), &Target::CPU).unwrap_or_else(|error| panic!("{error}\n{program}"))
}

/// The text of a program with variables numbered in order of appearance.
fn text_of(program: &Program) -> String {
    let mut program = program.clone();
    program.renumber();
    program.to_string()
}

/// The text after one pass, and its events: `rule`, or `rule refused: premise`. Checks that a second run fires
/// nothing, and that nothing changes without fuel.
pub fn trace(pass: &KernelPass, text: &str) -> (String, Vec<String>) {
    let mut program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verified(&program);
    let mut unchanged = program.clone();
    unchanged.remove_dead_code();
    let before = text_of(&unchanged);
    (pass.run)(&mut unchanged, &mut Cx::new(&Target::CPU, 0));
    assert_eq!(text_of(&unchanged), before, "{} rewrites without fuel", pass.name);
    let mut cx = Cx::new(&Target::CPU, u64::MAX);
    (pass.run)(&mut program, &mut cx);
    verified(&program);
    let text = text_of(&program);
    let mut again = Cx::new(&Target::CPU, u64::MAX);
    (pass.run)(&mut program, &mut again);
    assert_eq!(
        (again.firing_count(), text_of(&program)),
        (0, text.clone()),
        "a second run of {} fires",
        pass.name
    );
    let events = cx.take_events().into_iter().map(|event| match event.refused {
        None => event.rule.to_owned(),
        Some(refusal) => format!("{} refused: {}", event.rule, refusal.premise.name),
    });
    (text, events.collect())
}

/// Checks that the rule fires on a text, and that on each variant, with some pieces of text replaced, it is refused
/// for the named premise.
pub fn needs(pass: &KernelPass, rule: &str, text: &str, variants: &[(&str, &[(&str, &str)])]) {
    let (_, events) = trace(pass, text);
    assert!(events.iter().any(|event| event == rule), "{events:?}");
    for &(premise, changes) in variants {
        let mut variant = text.to_owned();
        for (old, new) in changes {
            assert!(variant.contains(old), "no `{old}`");
            variant = variant.replace(old, new);
        }
        let (after, events) = trace(pass, &variant);
        let refused = format!("{rule} refused: {premise}");
        assert!(
            events.contains(&refused) && !events.iter().any(|event| event == rule),
            "{premise}: {events:?}\n{after}"
        );
    }
}
