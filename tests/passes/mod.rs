//! Pass tests: `PASS/CASE.core`, or `.kernel` for a pass over kernel IR, goes through the pass. The snapshot holds the
//! fired and refused rules and the resulting program. The name of a case states what must happen:
//!
//! * `RULE` or `RULE-…`: this rule fires.
//! * `without-PREMISE` or `without-PREMISE-…`: a rule is refused for this premise, and does not fire.
//! * `keeps-…`: nothing fires, and nothing is refused.

mod examples;
pub mod headers;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ravel_abi::Machine;
use ravel_driver::{Ir, Options, Passes, Source, dev};
use ravel_passes::{Event, Premise};

use crate::snapshots;

/// A pass over either IR.
struct AnyPass {
    name: &'static str,
    is_core: bool,
    rules: &'static [&'static str],
    premises: &'static [Premise],
}

/// All passes, over core IR and over kernel IR.
fn passes() -> Vec<AnyPass> {
    let Passes { core, kernel } = Passes::all();
    let core = core.iter().map(|pass| (pass.name, true, pass.rules, pass.premises));
    let all = core.chain(kernel.iter().map(|pass| (pass.name, false, pass.rules, pass.premises)));
    all.map(|(name, is_core, rules, premises)| AnyPass { name, is_core, rules, premises }).collect()
}

/// The cases of all passes.
fn cases() -> Vec<PathBuf> {
    [snapshots::cases("passes", "core"), snapshots::cases("passes", "kernel")].concat()
}

/// The outcome of a case.
struct CaseOutcome {
    /// The fired and refused rules.
    report: String,
    /// The firings and refusals, one by one.
    events: Vec<Event>,
    /// The resulting program.
    text: String,
}

/// Runs the pass that the folder of a case is named for.
fn run(case: &Path) -> CaseOutcome {
    let folder = case.parent().expect("a folder");
    let pass = folder.file_name().expect("named for its pass").to_string_lossy().into_owned();
    let is_core = case.extension().is_some_and(|extension| extension == "core");
    run_on(&pass, is_core, &Source::new(snapshots::name(case), snapshots::text(case)))
}

/// Runs a pass on core IR or kernel IR.
fn run_on(pass: &str, is_core: bool, source: &Source) -> CaseOutcome {
    let passes = Passes::named(&[pass.to_owned()]).expect("there is such a pass");
    let options = Options { passes: Some(passes), ..Options::default() };
    let (mut report, mut events) = (String::new(), Vec::new());
    // The first line may name the target machine.
    let machine = match source.text().starts_with("-- for the GPU\n") {
        true => Machine::Gpu,
        false => Machine::Cpu,
    };
    let text = match is_core {
        true => dev::resume_core(source, &options, machine, &mut |done| {
            report.push_str(&dev::event_counts(&done));
            events.extend(done.events);
        })
        .map(|core| core.text()),
        false => dev::resume_kernel(source, &options, machine, &mut |done| {
            report.push_str(&dev::event_counts(&done));
            events.extend(done.events);
        })
        .map(|kernel| kernel.text()),
    };
    let text = text.unwrap_or_else(|wrong| panic!("{}: {:?}", source.name(), wrong.diagnostics));
    CaseOutcome { report, events, text }
}

/// Whether the events match the name of the case.
fn keeps_promise(name: &str, events: &[Event]) -> bool {
    let has_fired = |rule: &str| events.iter().any(|event| event.rule == rule && event.refused.is_none());
    if let Some(name) = name.strip_prefix("without-") {
        events.iter().any(|event| {
            event.refused.is_some_and(|refusal| shows(name, refusal.premise.name)) && !has_fired(event.rule)
        })
    } else if name.starts_with("keeps-") {
        events.is_empty()
    } else {
        events.iter().any(|event| event.refused.is_none() && shows(name, event.rule))
    }
}

/// Whether the name of a case begins with the name of this rule or premise.
fn shows(name: &str, what: &str) -> bool {
    name.strip_prefix(what).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

#[test]
fn every_pass_does_what_its_cases_show() {
    ravel_driver::on_large_stack(|| {
        for case in cases() {
            let CaseOutcome { report, events, text } = run(&case);
            let name = case.file_stem().expect("a name").to_string_lossy();
            assert!(keeps_promise(&name, &events), "{} does not show it:\n{report}", snapshots::name(&case));
            snapshots::check(&case, &format!("{report}\n{text}"));
        }
    });
}

#[test]
fn every_rule_has_a_case_and_only_rules_fire() {
    ravel_driver::on_large_stack(|| {
        let cases = cases();
        for pass in passes() {
            let of_pass = |case: &&PathBuf| case.parent().is_some_and(|folder| folder.ends_with(pass.name));
            let reports: String = cases.iter().filter(of_pass).map(|case| run(case).report).collect();
            let acted: BTreeSet<_> = reports.lines().filter_map(|line| line.split(' ').next()).collect();
            assert_eq!(acted, pass.rules.iter().copied().collect(), "the rules of {}", pass.name);
        }
    });
}

/// Except for `inline`, whose premise is about thousands of statements: its unit tests generate them.
#[test]
fn every_premise_has_a_case_that_it_refuses() {
    let cases = cases();
    for pass in passes().into_iter().filter(|pass| pass.name != "inline") {
        for premise in pass.premises {
            let is_shown = cases.iter().any(|case| {
                let stem = case.file_stem().expect("a name").to_string_lossy();
                case.parent().is_some_and(|folder| folder.ends_with(pass.name))
                    && stem.strip_prefix("without-").is_some_and(|name| shows(name, premise.name))
            });
            assert!(is_shown, "no case of {} shows {}", pass.name, premise.name);
        }
    }
}

/// A refusal whose text has a blank for a name has the name that fills it.
#[test]
fn every_refusal_names_the_array_in_its_text() {
    ravel_driver::on_large_stack(|| {
        for case in cases() {
            let refused = run(&case).events.into_iter().filter_map(|event| event.refused);
            let nameless = refused
                .filter(|refusal| refusal.premise.otherwise.contains("{}") && refusal.name.is_none())
                .map(|refusal| refusal.premise.name)
                .collect::<Vec<_>>();
            assert!(nameless.is_empty(), "{} blames nothing for {nameless:?}", snapshots::name(&case));
        }
    });
}
