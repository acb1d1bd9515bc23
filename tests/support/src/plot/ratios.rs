//! The plot of `docs/benchmarks/cpu.svg`, drawn from the table of `cpu.md`.
//!
//! One row for each entry point, with a mark for each data set on a logarithmic scale. The plot is a few dozen SVG
//! elements, so a library of charts would be more code than this file.

use std::fmt::Write as _;

const ROW_HEIGHT: f64 = 22.0;
const LEFT_MARGIN: f64 = 220.0;
const WIDTH: f64 = 520.0;
const TOP: f64 = 40.0;

/// The first and the last value of the scale.
const SCALE: (f64, f64) = (1.0, 200.0);
/// The values that have a grid line.
const GRID: [f64; 8] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];

/// An entry point, and for each of its data sets the time of one thread divided by that of sequential Rust.
struct Row {
    entry: String,
    ratios: Vec<f64>,
}

/// The plot of a page of benchmarks as the text of an SVG file.
pub fn ratios(page: &str) -> String {
    let rows = rows(page);
    let bottom = TOP + ROW_HEIGHT * rows.len() as f64;
    let (width, height) = (LEFT_MARGIN + WIDTH + 30.0, bottom + 30.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT_MARGIN}\" y=\"20\">Time of one thread over that of sequential Rust, f64; each mark is a data \
         set</text>\n"
    );
    for value in GRID {
        let (at, below) = (x(value), bottom + 18.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\n\
             <text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{value}</text>"
        );
    }
    for (number, row) in rows.iter().enumerate() {
        let y = TOP + ROW_HEIGHT * (number as f64 + 0.5);
        let (end, baseline) = (LEFT_MARGIN - 12.0, y + 4.0);
        let _ = writeln!(svg, "<text x=\"{end}\" y=\"{baseline}\" text-anchor=\"end\">{}</text>", row.entry);
        for ratio in &row.ratios {
            let _ = writeln!(
                svg,
                "<circle cx=\"{:.1}\" cy=\"{y}\" r=\"4\" fill=\"#0072b2\" fill-opacity=\"0.6\"/>",
                x(*ratio)
            );
        }
    }
    svg + "</svg>\n"
}

/// The horizontal position of a ratio; a ratio outside of the scale is at its end.
fn x(ratio: f64) -> f64 {
    let (first, last) = SCALE;
    LEFT_MARGIN + WIDTH * ((ratio / first).ln() / (last / first).ln()).clamp(0.0, 1.0)
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
