//! What a call spends its time on: its parallel parts, each with the line of the source that it comes from.

use std::fmt::Write as _;

use ravel_abi::{Part, Spent};
use ravel_driver::Source;
use ravel_engine::Backend;

use super::rounds::Running;
use crate::measure::shown;

/// The profile of one more call of a dataset, which is called so.
pub fn of(running: &Running<'_>, source: &Source, name: &str) -> String {
    let backend = running.backend();
    let (spent, all) = match running.profile() {
        Ok(profiled) => profiled,
        Err(failure) => return format!("  no profile of {name} on {}: {failure}\n", backend.name()),
    };
    let waits = if backend == Backend::Gpu { ", waiting for each kernel" } else { "" };
    let all = all.as_secs_f64();
    let mut text = format!("  profile of {name} on {}, one call{waits}: {}\n", backend.name(), shown(all));
    let share = |seconds: f64| format!("{:5.1} %  {:>8}", 100.0 * seconds / all, shown(seconds));
    let mut outside = all;
    for Spent { part: Part { name, place }, launches, time } in &spent {
        let seconds = time.as_secs_f64();
        outside -= seconds;
        let at = place.as_ref().map_or(String::new(), |place| format!(" at {place}"));
        let _ = writeln!(text, "  {}  {launches:>6} x  {name}{at}", share(seconds));
        if let Some(line) = place.as_ref().and_then(|place| line(source, place)) {
            let _ = writeln!(text, "{:32}| {line}", "");
        }
    }
    let _ = writeln!(text, "  {}            outside of these", share(outside.max(0.0)));
    text
}

/// The line of the program that a place `NAME:LINE:…` begins in.
fn line<'s>(source: &'s Source, place: &str) -> Option<&'s str> {
    let rest = place.strip_prefix(source.name())?.strip_prefix(':')?;
    let number: usize = rest.split(':').next()?.parse().ok()?;
    source.text().lines().nth(number.checked_sub(1)?).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_the_program_have_a_line() {
        let source = Source::new("a.dsl", "entry main (n: i64) =\n  iota n\n");
        assert_eq!(line(&source, "a.dsl:2:3-8"), Some("iota n"));
        for elsewhere in ["b.dsl:2:3", "a.dsl", "a.dsl:3:1", "a.dsl:0:1", "a.dsl:x:1", "<prelude>:1:1"] {
            assert_eq!(line(&source, elsewhere), None, "{elsewhere}");
        }
    }
}
