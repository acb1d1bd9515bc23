//! The profile of calls as a table: the time of each parallel segment of a program, with its place in the source.

use std::fmt::Write as _;
use std::time::Duration;

use ravel_abi::{SegmentName, SegmentTime};

/// A line for each segment and one for the rest of the calls' total time. `source` returns the source line at a place, if
/// the source is available.
pub fn table(spent: &[SegmentTime], all: Duration, source: &dyn Fn(&str) -> Option<String>) -> String {
    let all = all.as_secs_f64();
    let share = |seconds: f64| format!("{:5.1} %  {:>8}", 100.0 * seconds / all, format_time(seconds));
    let (mut text, mut outside) = (String::new(), all);
    for SegmentTime { segment: SegmentName { name, place }, launches, time } in spent {
        let seconds = time.as_secs_f64();
        outside -= seconds;
        let at = place.as_ref().map_or(String::new(), |place| format!(" at {place}"));
        let _ = writeln!(text, "  {}  {launches:>6} x  {name}{at}", share(seconds));
        if let Some(line) = place.as_ref().and_then(|place| source(place)) {
            let _ = writeln!(text, "{:32}| {line}", "");
        }
    }
    let _ = writeln!(text, "  {}            outside of these", share(outside.max(0.0)));
    text
}

/// A time with three digits and a suitable unit: `1.23 ms`.
pub fn format_time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        _ if seconds >= 1.0 => (seconds, "s"),
        _ if seconds >= 1e-3 => (seconds * 1e3, "ms"),
        _ => (seconds * 1e6, "us"),
    };
    let digits = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_share_of_each_segment_and_of_the_rest() {
        let segment = |name: &str, place: Option<&str>| SegmentName {
            name: name.to_owned(),
            place: place.map(str::to_owned),
        };
        let spent = [
            SegmentTime {
                segment: segment("reduce", Some("a.dsl:2:1-9")),
                launches: 3,
                time: Duration::from_millis(75),
            },
            SegmentTime { segment: segment("map", None), launches: 1, time: Duration::from_millis(5) },
        ];
        let table = table(&spent, Duration::from_millis(100), &|place| {
            place.starts_with("a.dsl:2:").then(|| "reduce (+) 0 xs".to_owned())
        });
        let lines = [
            "   75.0 %   75.0 ms       3 x  reduce at a.dsl:2:1-9",
            "                                | reduce (+) 0 xs",
            "    5.0 %   5.00 ms       1 x  map",
            "   20.0 %   20.0 ms            outside of these",
        ];
        assert_eq!(table.lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn times_have_three_digits() {
        let all = [2.5e-7, 0.00099, 0.0012345, 0.012345, 0.12345, 12.345].map(format_time);
        assert_eq!(all, ["0.25 us", "990 us", "1.23 ms", "12.3 ms", "123 ms", "12.3 s"]);
    }
}
