//! Bisection: runs the pipeline with different amounts of fuel to find the firing that makes a program wrong.

use std::fmt;

use ravel_base::Span;
use ravel_core::{Program, print};
use ravel_driver::{Options, run_core_passes};
use ravel_kernel::Target;
use ravel_passes::Event;

/// The firing that makes a program wrong.
#[derive(Debug)]
pub struct GuiltyFiring {
    /// Its number, from 1: the least fuel with which the result is wrong.
    pub fuel: u64,
    /// The pass.
    pub pass: &'static str,
    /// The rule.
    pub rule: &'static str,
    /// The source locations of the code on which it fired, if the program has them.
    pub places: Vec<Span>,
    /// The program before it.
    pub before: String,
    /// The program after it.
    pub after: String,
}

/// The result of a run with limited fuel: the program, if it is valid, and the last firing.
struct Run {
    program: Option<Program>,
    fired: u64,
    last: Option<(&'static str, Event)>,
}

fn run(program: &Program, fuel: u64) -> Run {
    let options = Options { fuel, ..Options::default() };
    let (mut fired, mut last) = (0, None);
    let done = run_core_passes(
        program.clone(),
        &options,
        &Target::CPU,
        Some(&mut |done| {
            for event in done.events.into_iter().filter(|event| event.refused.is_none()) {
                fired += 1;
                last = Some((done.pass.name, event));
            }
        }),
    );
    Run { program: done.ok(), fired, last }
}

/// Finds the guilty firing. `is_right` checks a valid program. Returns `None` if the program is right with unlimited
/// fuel, or wrong without any.
pub fn bisect(program: &Program, is_right: &dyn Fn(&Program) -> bool) -> Option<GuiltyFiring> {
    let right = |fuel: u64| run(program, fuel).program.is_some_and(|program| is_right(&program));
    if !right(0) {
        return None;
    }
    // A run that stops at an invalid program does not see all firings. So search for the least fuel that gives a wrong
    // program.
    let mut wrong = 1;
    while right(wrong) {
        if run(program, wrong).fired < wrong {
            return None;
        }
        wrong *= 2;
    }
    let mut good = wrong / 2;
    while wrong - good > 1 {
        let middle = good + (wrong - good) / 2;
        *if right(middle) { &mut good } else { &mut wrong } = middle;
    }
    let (before, after) = (run(program, good), run(program, wrong));
    let before = print(&before.program?);
    let (pass, event) = match &after.program {
        Some(_) => after.last?,
        None => last_before_the_fault(program, wrong)?,
    };
    let after = after.program.map_or_else(|| "no valid program".to_owned(), |program| print(&program));
    Some(GuiltyFiring {
        fuel: wrong,
        pass,
        rule: event.rule,
        places: event.origin.spans.iter().collect(),
        before,
        after,
    })
}

/// The last firing of a run whose last pass produced an invalid program. This run does not verify it.
fn last_before_the_fault(program: &Program, fuel: u64) -> Option<(&'static str, Event)> {
    let mut program = program.clone();
    let mut cx = ravel_passes::Cx::new(&Target::CPU, fuel);
    let mut last = None;
    let mut run = |pass: &'static ravel_passes::Pass| {
        let outcome = ravel_driver::guarded(pass.name, || (pass.run)(&mut program, &mut cx));
        let fired = cx.take_events().into_iter().rfind(|event| event.refused.is_none());
        let has_fired = fired.is_some();
        last = fired.map(|event| (pass.name, event)).or(last.take());
        match outcome.is_err() || ravel_core::verify(&program).is_err() {
            true => Err(()),
            false => Ok(has_fired),
        }
    };
    // The error is the one that the caller has seen.
    let _ = ravel_passes::run_steps(ravel_passes::PIPELINE, None, &mut run);
    last
}

impl fmt::Display for GuiltyFiring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "firing {} is guilty: {} of the pass {}", self.fuel, self.rule, self.pass)?;
        let (before, after): (Vec<&str>, Vec<&str>) =
            (self.before.lines().collect(), self.after.lines().collect());
        let same = before.iter().zip(&after).take_while(|(a, b)| a == b).count();
        let rest = (before.len() - same).min(after.len() - same);
        let suffix =
            (0..rest).take_while(|at| before[before.len() - 1 - at] == after[after.len() - 1 - at]).count();
        for line in &before[same..before.len() - suffix] {
            writeln!(f, "- {line}")?;
        }
        for line in &after[same..after.len() - suffix] {
            writeln!(f, "+ {line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "
        fun main (x: i64) -> (r: i64) = {
          let a: i64 = add x 0
          let b: i64 = mul a 1
          let c: i64 = div b 4
          let d: i64 = xor c x
          in d
        }
        entry main = main (x) -> (r)";

    #[test]
    fn the_firing_that_makes_the_difference_is_named() {
        let program = ravel_core::parse(PROGRAM).expect("a program");
        // Pretend that the shift is wrong.
        let guilty = bisect(&program, &|program| !print(program).contains("shr")).expect("a culprit");
        assert_eq!((guilty.pass, guilty.rule), ("simplify", "strength-reduction"));
        let text = guilty.to_string();
        let changed = |sign: &str| text.lines().filter(|line| line.starts_with(sign)).count();
        assert_eq!((changed("-"), changed("+")), (1, 1), "{text}");
        assert!(text.contains("shr"), "{text}");
    }

    #[test]
    fn bisection_blames_no_firing_if_the_program_is_correct_or_was_wrong_before() {
        let program = ravel_core::parse(PROGRAM).expect("a program");
        assert!(bisect(&program, &|_| true).is_none());
        assert!(bisect(&program, &|_| false).is_none());
    }
}
