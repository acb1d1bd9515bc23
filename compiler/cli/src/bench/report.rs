//! The table of measurements.

use ravel_engine::Backend;
use ravel_program::format_time;

use super::record::Measurement;

/// For each column, whether it is right-aligned.
const RIGHT_ALIGNED: [bool; 8] = [false, false, true, true, true, true, true, true];

/// The rows of a program's datasets. Ratios are to the first backend of the same dataset.
pub fn table(cases: &[Measurement]) -> String {
    let mut rows: Vec<[String; 8]> = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        let times = case.times();
        let same = |other: &&Measurement| (&other.entry, &other.dataset) == (&case.entry, &case.dataset);
        let first = cases[..at].iter().find(same);
        let spread = times.spread().map_or("?".to_owned(), |spread| format!("{:.1} %", spread * 100.0));
        rows.push([
            if first.is_none() { format!("{} {}", case.entry, case.dataset) } else { String::new() },
            case.backend.clone(),
            format_time(times.median()),
            format!("+- {spread}{}", if case.settled { "" } else { " !" }),
            format!("{} runs", times.runs().len()),
            first.map_or(String::new(), |first| {
                format!("{:.2} x {}", times.median() / first.times().median(), first.backend)
            }),
            labelled_bytes(case, "peak", case.peak_bytes),
            labelled_bytes(case, "moved", case.moved_bytes()),
        ]);
    }
    let mut widths = [0; 8];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |row: &[String; 8]| {
        let mut line = String::new();
        for ((cell, &width), right) in row.iter().zip(&widths).zip(RIGHT_ALIGNED) {
            if width > 0 {
                let cell = if right { format!("{cell:>width$}") } else { format!("{cell:width$}") };
                line += &format!("  {cell}");
            }
        }
        line.trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// A labelled number of bytes; empty for the interpreter, which does not count them.
fn labelled_bytes(case: &Measurement, what: &str, count: u64) -> String {
    if case.backend == Backend::Interp.name() { String::new() } else { format!("{what} {}", bytes(count)) }
}

/// A number of bytes with a suitable unit.
fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut unit) = (count as f64, 0);
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_units() {
        let all = [0, 1023, 1024, 1536 << 10, 5 << 40, u64::MAX].map(bytes);
        assert_eq!(all, ["0 B", "1023 B", "1.0 KiB", "1.5 MiB", "5.0 TiB", "16777216.0 TiB"]);
    }
}
