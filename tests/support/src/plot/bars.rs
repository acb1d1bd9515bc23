//! The plot of `classics.svg`, from the table of `classics.md`: three bars for each row.
//!
//! They are the times of Ravel on one thread, of Ravel on two threads and of rayon on two, each divided by the time of
//! sequential Rust. A bar to the left is faster than sequential Rust, one to the right slower.

use std::fmt::Write as _;

use super::Frame;

const BAR: f64 = 7.0;

const FRAME: Frame = Frame {
    left_margin: 270.0,
    width: 480.0,
    top: 60.0,
    row_height: 3.0 * BAR + 7.0,
    grid: &[0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0],
};

/// The names and colours of the bars.
const BARS: [(&str, &str); 3] =
    [("Ravel, one thread", "#0072b2"), ("Ravel, two threads", "#56b4e9"), ("rayon, two threads", "#e69f00")];

/// A row of the table.
struct Row {
    name: String,
    /// The times of [`BARS`] divided by that of sequential Rust.
    ratios: [f64; 3],
}

/// The plot of the page as the text of an SVG file.
pub fn bars(page: &str) -> String {
    let rows: Vec<Row> = page.lines().filter_map(row).collect();
    let title = "Time divided by that of sequential Rust: to the left is faster";
    let mut svg = FRAME.begin(title, rows.iter().map(|row| row.name.as_str()));
    for (place, (name, colour)) in BARS.iter().enumerate() {
        let at = FRAME.left_margin + 160.0 * place as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{at}\" y=\"32\" width=\"12\" height=\"12\" fill=\"{colour}\"/>\n\
             <text x=\"{}\" y=\"43\">{name}</text>",
            at + 18.0
        );
    }
    for (number, row) in rows.iter().enumerate() {
        let top = FRAME.middle(number) - 1.5 * BAR;
        for (place, (ratio, (_, colour))) in row.ratios.iter().zip(BARS).enumerate() {
            let (one, at) = (FRAME.x(1.0), FRAME.x(*ratio));
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{}\" fill=\"{colour}\"/>",
                one.min(at),
                top + BAR * place as f64,
                (one - at).abs(),
                BAR - 1.0
            );
        }
    }
    svg + "</svg>\n"
}

/// A line of the page, if it is a row of the table.
fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.split('|').map(str::trim).collect();
    let [_, entry, data, one, sequential, _, two, rayon, ..] = cells[..] else { return None };
    let millis = |cell: &str| cell.strip_suffix(" ms")?.parse::<f64>().ok();
    let sequential = millis(sequential)?;
    let ratios = [millis(one)? / sequential, millis(two)? / sequential, millis(rayon)? / sequential];
    Some(Row { name: format!("{}: {data}", entry.replace('`', "")), ratios })
}

#[cfg(test)]
mod tests {
    use super::bars;

    #[test]
    fn every_row_has_three_bars_which_end_with_the_scale() {
        let page = "| entry point | data | Ravel, one thread | sequential Rust |\n| --- | --- | ---: | ---: |\n\
                    | `a` | 10 f32 | 5.0 ms | 10.0 ms | 0.50 | 5000.0 ms | 10.0 ms | 500.00 | 1.0 ms |\n\
                    | `b` | 10 f32 | **failed** | | | | | | |\n";
        let svg = bars(page);
        assert_eq!(svg.matches("height=\"6\"").count(), 3, "{svg}");
        assert!(svg.contains(">a: 10 f32</text>") && !svg.contains(">b: 10 f32</text>"), "{svg}");
        // From 1 to the end of the scale, and from 1 to 1.
        assert!(svg.contains("x=\"510.0\" y=\"70.5\" width=\"240.0\""), "{svg}");
        assert!(svg.contains("x=\"510.0\" y=\"77.5\" width=\"0.0\""), "{svg}");
    }
}
