//! Traces a rule: each firing with the statements before and after it, and each refusal with the premise that failed.
//!
//! A firing is observed by fuel: the results of a pass with fuel for k and for k + 1 firings differ in what firing k + 1 did. So
//! rules need no tracing code; each traced firing costs two runs of its pass.

mod difference;

use std::fmt::Write as _;

use ravel_abi::Machine;
use ravel_base::Span;
use ravel_core::visit::Visit;
use ravel_core::{Program as CoreProgram, Stm, Var, VarTable, print_stm};
use ravel_kernel::Target;
use ravel_passes::{Cx, Pass};

use crate::pipeline::{Ir, PassReport};
use crate::source::Source;
use difference::difference;

/// The firings of a rule in these runs of passes, numbered from `first`, and the refusals of the last run of each pass: what an
/// earlier run refused may have fired later.
pub fn trace<P: Ir>(
    source: &Source,
    rule: &str,
    (first, reports): (usize, &[PassReport<P>]),
    without: &[&'static str],
    machine: Machine,
) -> String {
    let mut text = String::new();
    let mut firings = 0;
    for (number, report) in (first..).zip(reports) {
        let mut fuel = 0;
        for event in report.events.iter().filter(|event| event.refused.is_none()) {
            if event.rule == rule {
                firings += 1;
                let places = places(source, event.origin.spans.iter());
                let _ = writeln!(text, "{rule} {firings}, in {number:02}-{}{places}", report.pass.name);
                if event.costs_fuel {
                    let result =
                        |fuel| with_fuel(report.pass, &report.before, fuel, without, Target::of(machine));
                    let [one, other] = [fuel, fuel + 1].map(result);
                    text.push_str(&difference(&one, &other));
                }
            }
            fuel += u64::from(event.costs_fuel);
        }
    }
    if firings == 0 {
        let _ = writeln!(text, "{rule} did not fire");
    }
    for (at, report) in reports.iter().enumerate() {
        let is_last = reports[at + 1..].iter().all(|later| later.pass.name != report.pass.name);
        for event in report.events.iter().filter(|event| is_last && event.rule == rule) {
            let Some(refusal) = event.refused else { continue };
            let places = places(source, event.origin.place().into_iter().chain(refusal.other));
            let _ = writeln!(text, "{rule} refused, in {:02}-{}{places}", first + at, report.pass.name);
            let _ = writeln!(text, "  it requires {}: {}", refusal.premise.name, refusal.premise.about);
            let at = refusal.span.map(|span| format!("at {}: ", source.sources().describe(span)));
            if at.is_some() || refusal.name.is_some() {
                let _ = writeln!(text, "  {}{}", at.unwrap_or_default(), refusal.reason());
            }
        }
    }
    text
}

/// The statements that lowering made by this rule.
pub fn by_lowering(source: &Source, rule: &str, program: &CoreProgram) -> String {
    struct Search<'a> {
        source: &'a Source,
        rule: &'a str,
        vars: &'a VarTable,
        firings: usize,
        text: String,
    }
    impl Visit for Search<'_> {
        fn var(&mut self, _: &Var) {}
        fn binder(&mut self, _: &Var) {}
        fn stm(&mut self, stm: &Stm) {
            if stm.origin.rules.contains(&self.rule) {
                self.firings += 1;
                let places = places(self.source, stm.origin.spans.iter());
                let _ = writeln!(self.text, "{} {}, in lowering{places}", self.rule, self.firings);
                let lines = print_stm(self.vars, stm);
                lines.lines().for_each(|line| _ = writeln!(self.text, "  + {line}"));
            }
            self.exp(&stm.exp);
        }
    }
    let (mut text, mut firings) = (String::new(), 0);
    for function in &program.functions {
        let mut search = Search { source, rule, vars: &function.vars, firings, text };
        search.body(&function.body);
        (firings, text) = (search.firings, search.text);
    }
    if firings == 0 { format!("{rule} did not fire\n") } else { text }
}

/// `, at a.dsl:1:2-5 and a.dsl:2:1-4`, if there is any place.
fn places(source: &Source, spans: impl Iterator<Item = Span>) -> String {
    let places: Vec<_> = spans.map(|span| source.sources().describe(span)).collect();
    if places.is_empty() { String::new() } else { format!(", at {}", places.join(" and ")) }
}

/// The program after a pass with this fuel.
fn with_fuel<P: Ir>(
    pass: &Pass<P>,
    before: &P,
    fuel: u64,
    without: &[&'static str],
    target: &Target,
) -> String {
    let mut program = before.clone();
    (pass.run)(&mut program, &mut Cx::new(target, fuel).without(without));
    program.print()
}
