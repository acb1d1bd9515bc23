//! The results of the test command's steps: printed as they come, and again in a table at the end, so that a long log
//! ends with them.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::ops::AddAssign;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The steps that have run.
#[derive(Default)]
pub struct Report {
    steps: Vec<Step>,
}

struct Step {
    name: &'static str,
    passed: bool,
    time: Duration,
    /// The number of tests, if it ran tests.
    tests: Option<Tally>,
}

/// The numbers of tests that passed, failed or were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    passed: usize,
    failed: usize,
    left_out: usize,
}

impl Report {
    /// Runs a step that has no tests to count.
    pub fn step(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> Result<(), String>,
    ) -> Result<(), String> {
        eprintln!("==> {name}");
        let before = Instant::now();
        let outcome = work();
        self.steps.push(Step { name, passed: outcome.is_ok(), time: before.elapsed(), tests: None });
        outcome
    }

    /// Runs a command that tests, and adds up its summary lines. A command that runs no test fails: a filter in it may
    /// have lost its tests.
    pub fn tests(&mut self, name: &'static str, command: Command) -> Result<(), String> {
        let before = Instant::now();
        let mut tests = Tally::default();
        let outcome = run_and_count(command, &mut tests).and_then(|line| match tests.passed {
            0 => Err(format!("`{line}` ran no test")),
            _ => Ok(()),
        });
        let step = Step { name, passed: outcome.is_ok(), time: before.elapsed(), tests: Some(tests) };
        self.steps.push(step);
        outcome
    }
}

/// Runs a command, passes its lines on, and adds up the summaries among them. Returns the command's line.
fn run_and_count(mut command: Command, tests: &mut Tally) -> Result<String, String> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    eprintln!("==> {line}");
    let trouble = |trouble| format!("cannot run `{line}`: {trouble}");
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(trouble)?;
    if let Some(stdout) = child.stdout.take() {
        for text in BufReader::new(stdout).split(b'\n') {
            let text = text.map_err(trouble)?;
            let text = String::from_utf8_lossy(&text);
            println!("{text}");
            if let Some(summary) = Tally::read(&text) {
                *tests += summary;
            }
        }
    }
    let status = child.wait().map_err(trouble)?;
    if status.success() { Ok(line) } else { Err(format!("`{line}` failed")) }
}

impl Tally {
    /// The counts of a summary line, of a test binary or of `ravel test`.
    fn read(line: &str) -> Option<Tally> {
        let counts = line.split_once("test result: ").map_or(line, |(_, rest)| rest);
        let counts = counts.split_once(". ").map_or(counts, |(_, rest)| rest);
        let mut tally = Tally::default();
        let mut words = 0;
        for part in counts.split([',', ';']) {
            let Some((count, word)) = part.trim().split_once(' ') else { continue };
            let Ok(count) = count.parse::<usize>() else { continue };
            match word {
                "passed" => tally.passed += count,
                "failed" => tally.failed += count,
                "ignored" | "filtered out" | "skipped" | "limited" => tally.left_out += count,
                _ => continue,
            }
            words += 1;
        }
        (words >= 3 && counts.starts_with(|first: char| first.is_ascii_digit())).then_some(tally)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.left_out += other.left_out;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} left out", self.passed, self.failed, self.left_out)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        let mut all = Tally::default();
        for Step { name, passed, time, tests } in &self.steps {
            let verdict = if *passed { "ok" } else { "FAILED" };
            write!(f, "{name:<12} {verdict:<7} {:>5} s", time.as_secs())?;
            if let Some(tests) = tests {
                write!(f, "  {tests}")?;
                all += *tests;
            }
            writeln!(f)?;
        }
        writeln!(f, "{all}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(passed: usize, failed: usize, left_out: usize) -> Option<Tally> {
        Some(Tally { passed, failed, left_out })
    }

    #[test]
    fn summaries_are_counted_and_other_lines_are_not() {
        let line =
            "test result: ok. 19 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s";
        assert_eq!(Tally::read(line), tally(19, 0, 4));
        let line =
            "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 9s";
        assert_eq!(Tally::read(line), tally(2, 1, 0));
        assert_eq!(Tally::read("3052 passed, 1 failed, 2 skipped, 4 limited"), tally(3052, 1, 6));
        for other in ["", "running 3 tests", "test a ... ok", "    3 passed, 1 failed", "2 passed, and so on"]
        {
            assert_eq!(Tally::read(other), None, "{other}");
        }
    }

    #[test]
    fn a_command_that_runs_no_test_fails() {
        let echo = |line: &str| {
            let mut command = Command::new("echo");
            command.arg(line);
            Report::default().tests("tests", command)
        };
        assert_eq!(echo("test result: ok. 1 passed; 0 failed; 0 ignored"), Ok(()));
        let none = "test result: ok. 0 passed; 0 failed; 9 filtered out";
        assert_eq!(echo(none), Err(format!("`echo {none}` ran no test")));
    }

    #[test]
    fn the_last_line_counts_all_tests() {
        let mut report = Report::default();
        let step = |passed, tests| Step { name: "tests", passed, time: Duration::from_secs(61), tests };
        report.steps = vec![step(true, None), step(true, tally(5, 0, 1)), step(false, tally(7, 2, 0))];
        let text = report.to_string();
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                "",
                "tests        ok         61 s",
                "tests        ok         61 s  5 passed, 0 failed, 1 left out",
                "tests        FAILED     61 s  7 passed, 2 failed, 0 left out",
                "12 passed, 2 failed, 1 left out",
            ]
        );
    }
}
