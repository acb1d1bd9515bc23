//! Each firing of a rule, with the statements before and behind it.
//!
//! Fuel makes this easy: a pass with fuel for k firings and one with fuel for k + 1 differ in what
//! the last one did. So no rule has to know that it is watched. It costs two runs of the pass for
//! each firing.

mod difference;

use std::fmt::Write as _;

use ravel_kernel::Target;
use ravel_passes::{Cx, Pass};

use crate::dev::Machine;
use crate::pipeline::{Ir, PassReport};
use crate::source::Source;
use difference::difference;

/// The firings of a rule in these runs of passes, the first of which has this number.
pub fn trace<P: Ir>(
    source: &Source,
    rule: &str,
    (first, reports): (usize, &[PassReport<P>]),
    machine: Machine,
) -> String {
    let mut text = String::new();
    let mut firings = 0;
    for (number, report) in (first..).zip(reports) {
        let mut fuel = 0;
        for event in report.events.iter().filter(|event| event.refused.is_none()) {
            if event.rule == rule {
                firings += 1;
                let places: Vec<_> =
                    event.origin.spans.iter().map(|&span| source.sources().describe(span)).collect();
                let _ = write!(text, "{rule} {firings}, in {number:02}-{}", report.pass.name);
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
fn with_fuel<P: Ir>(pass: &Pass<P>, before: &P, fuel: u64, target: &Target) -> String {
    let mut program = before.clone();
    (pass.run)(&mut program, &mut Cx::new(target, fuel));
    program.print()
}
