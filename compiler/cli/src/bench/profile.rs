//! The profile of a call: the times of its parallel segments, each with its source line.

use std::time::Duration;

use ravel_abi::{Failure, SegmentTime};
use ravel_driver::Source;
use ravel_engine::Backend;
use ravel_program::{format_time, profile};

/// The profile of one call of the dataset with this name, as text.
pub fn text(
    profiled: &Result<(Vec<SegmentTime>, Duration), Failure>,
    backend: Backend,
    source: &Source,
    name: &str,
) -> String {
    let (spent, all) = match profiled {
        Ok(profiled) => profiled,
        Err(failure) => return format!("  no profile of {name} on {}: {failure}\n", backend.name()),
    };
    let waits = if backend == Backend::Gpu { ", waiting for each kernel" } else { "" };
    let took = format_time(all.as_secs_f64());
    let head = format!("  profile of {name} on {}, one call{waits}: {took}\n", backend.name());
    head + &profile::table(spent, *all, &|place| line(source, place).map(str::to_owned))
}

/// The source line of a place `NAME:LINE:…`.
fn line<'s>(source: &'s Source, place: &str) -> Option<&'s str> {
    let rest = place.strip_prefix(source.name())?.strip_prefix(':')?;
    let number: usize = rest.split(':').next()?.parse().ok()?;
    source.text().lines().nth(number.checked_sub(1)?).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_the_program_have_a_line() {
        let source = Source::new("a.dsl", "entry main (n: i64) =\n  iota n\n");
        assert_eq!(line(&source, "a.dsl:2:3-8"), Some("iota n"));
        for elsewhere in ["b.dsl:2:3", "a.dsl", "a.dsl:3:1", "a.dsl:0:1", "a.dsl:x:1", "<prelude>:1:1"] {
            assert_eq!(line(&source, elsewhere), None, "{elsewhere}");
        }
    }
}
