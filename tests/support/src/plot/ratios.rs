//! The plot of `cpu.svg`, from the table of `cpu.md`: a row for each entry point, with a mark for each data set.

use std::fmt::Write as _;

use super::Frame;

const FRAME: Frame = Frame {
    left_margin: 220.0,
    width: 520.0,
    top: 40.0,
    row_height: 22.0,
    grid: &[1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0],
};

/// An entry point, and for each of its data sets the time of one thread divided by that of sequential Rust.
struct Row {
    entry: String,
    ratios: Vec<f64>,
}

/// The plot of a page of benchmarks as the text of an SVG file.
pub fn ratios(page: &str) -> String {
    let rows = rows(page);
    let title = "Time of one thread over that of sequential Rust, f64; each mark is a data set";
    let mut svg = FRAME.begin(title, rows.iter().map(|row| row.entry.as_str()));
    for (number, row) in rows.iter().enumerate() {
        let y = FRAME.middle(number);
        for ratio in &row.ratios {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{y}\" r=\"4\" fill=\"#0072b2\" fill-opacity=\"0.6\"/>",
                FRAME.x(*ratio)
            );
        }
    }
    svg + "</svg>\n"
}

/// The entry points of the table that have a ratio, in the order of the table.
fn rows(page: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, entry, _, _, _, _, _, _, ratio, ..] = cells[..] else { continue };
        let Ok(ratio) = ratio.parse() else { continue };
        let entry = entry.replace('`', "");
        match rows.iter_mut().find(|row| row.entry == entry) {
            Some(row) => row.ratios.push(ratio),
            None => rows.push(Row { entry, ratios: vec![ratio] }),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::ratios;

    #[test]
    fn every_entry_point_has_a_row_and_every_ratio_a_mark() {
        let row = |entry: &str, ratio: &str| {
            format!("| `{entry}` | d | 1 ms | 1 ms | 1 ms | 1.0 | 1 ms | {ratio} | 0 |\n")
        };
        let page = [row("a", "2.00"), row("b", "3.00"), row("a", "1000"), row("c", "")].concat();
        let svg = ratios(&page);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert_eq!(svg.matches("text-anchor=\"end\"").count(), 2);
        assert!(svg.contains("cx=\"740.0\""), "what lies beyond the scale is at its end: {svg}");
    }
}
