//! Each firing of a rule, with the statements before and behind it.
//!
//! Fuel makes this easy: a pass with fuel for k firings and one with fuel for k + 1 differ in what
//! the last one did. So no rule has to know that it is watched. It costs two runs of the pass for
//! each firing.

mod difference;

use std::fmt::Write as _;

use ravel_core::{Program, print};
use ravel_kernel::Target;
use ravel_passes::{Cx, Pass};

use crate::dev::Machine;
use crate::pipeline::PassReport;
use crate::source::Source;
use difference::difference;

/// The pass that has a rule of this name.
///
/// # Errors
/// What to say where there is none.
pub fn pass_with_rule(rule: &str) -> Result<&'static Pass, String> {
    let passes = crate::pipeline::all_passes();
    passes.iter().find(|pass| pass.rules.contains(&rule)).copied().ok_or_else(|| {
        let known: Vec<_> = passes.iter().flat_map(|pass| pass.rules).copied().collect();
        format!("there is no rule `{rule}`; there is {}", known.join(", "))
    })
}

/// The firings of a rule in these runs of passes.
pub fn trace(source: &Source, rule: &str, reports: &[PassReport], machine: Machine) -> String {
    let mut text = String::new();
    let mut firings = 0;
    for (at, report) in reports.iter().enumerate() {
        let mut fuel = 0;
        for event in report.events.iter().filter(|event| event.refused.is_none()) {
            if event.rule == rule {
                firings += 1;
                let places: Vec<_> =
                    event.origin.spans.iter().map(|&span| source.sources().describe(span)).collect();
                let _ = write!(text, "{rule} {firings}, in {:02}-{}", at + 1, report.pass.name);
                let _ = match places.is_empty() {
                    true => writeln!(text),
                    false => writeln!(text, ", at {}", places.join(" and ")),
                };
                if event.costs_fuel {
                    let stopped = |fuel| with_fuel(report.pass, &report.before, fuel, machine.target());
                    let [one, other] = [fuel, fuel + 1].map(stopped);
                    text.push_str(&difference(&one, &other));
                }
            }
            fuel += u64::from(event.costs_fuel);
        }
    }
    if firings == 0 {
        let _ = writeln!(text, "{rule} did not fire");
    }
    text
}

/// The program behind a pass in which rules fire so often.
fn with_fuel(pass: &Pass, before: &Program, fuel: u64, target: &Target) -> String {
    let mut program = before.clone();
    (pass.run)(&mut program, &mut Cx::new(target, fuel));
    print(&program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_found_by_name() {
        assert_eq!(pass_with_rule("F1").map(|pass| pass.name), Ok("fuse-vertical"));
        assert!(pass_with_rule("F9").is_err_and(|wrong| wrong.contains("`F9`") && wrong.contains("F1")));
    }
}
