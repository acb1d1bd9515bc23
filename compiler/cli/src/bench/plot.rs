//! Plots median times and their confidence intervals as SVG, on a logarithmic scale: one row for each dataset of an entry
//! point, with a mark for each backend.
//!
//! The plot needs a few dozen SVG elements, so it is written directly, without a plotting library.

use std::fmt::Write as _;

use ravel_program::format_time;

use super::record::Measurement;
use crate::xml::escaped;

const ROW_HEIGHT: f64 = 22.0;
const LEFT_MARGIN: f64 = 340.0;
const WIDTH: f64 = 520.0;
const TOP: f64 = 48.0;

/// Colours that colour-blind readers can distinguish, after Okabe and Ito, "Color Universal Design".
const COLOURS: [&str; 3] = ["#0072b2", "#d55e00", "#009e73"];

/// The plot as the text of an SVG file.
pub fn svg(cases: &[Measurement]) -> String {
    let mut rows: Vec<String> = Vec::new();
    let mut backends: Vec<&str> = Vec::new();
    for case in cases {
        let name = row_name(case);
        if !rows.contains(&name) {
            rows.push(name);
        }
        if !backends.contains(&case.backend.as_str()) {
            backends.push(&case.backend);
        }
    }
    let times: Vec<_> = cases.iter().map(Measurement::times).collect();
    let ends = times.iter().flat_map(|times| {
        let median = times.median();
        let (low, high) = times.interval().unwrap_or((median, median));
        [low, high]
    });
    let ends: Vec<f64> = ends.filter(|end| *end > 0.0).map(f64::log10).collect();
    let first = ends.iter().copied().fold(f64::INFINITY, f64::min).floor().clamp(-9.0, 6.0);
    let last = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil().clamp(first + 1.0, 7.0);
    let x = |seconds: f64| {
        let part = (seconds.max(1e-12).log10() - first) / (last - first);
        LEFT_MARGIN + WIDTH * part.clamp(0.0, 1.0)
    };
    let bottom = TOP + ROW_HEIGHT * rows.len() as f64;
    let (width, height) = (LEFT_MARGIN + WIDTH + 60.0, bottom + 30.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for decade in first as i32..=last as i32 {
        let at = x(10.0_f64.powi(decade));
        let label = format_time(10.0_f64.powi(decade)).replace(".00 ", " ").replace(".0 ", " ");
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" y1=\"{TOP}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\n\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            bottom + 18.0
        );
    }
    for (number, backend) in backends.iter().enumerate() {
        let (at, colour) = (LEFT_MARGIN + 90.0 * number as f64, COLOURS[number % COLOURS.len()]);
        let _ = writeln!(
            svg,
            "<circle cx=\"{at:.1}\" cy=\"24\" r=\"5\" fill=\"{colour}\"/>\n\
             <text x=\"{:.1}\" y=\"28\">{}</text>",
            at + 10.0,
            escaped(backend)
        );
    }
    for (number, name) in rows.iter().enumerate() {
        let y = TOP + ROW_HEIGHT * (number as f64 + 0.5);
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            LEFT_MARGIN - 12.0,
            y + 4.0,
            escaped(name)
        );
        for (case, times) in cases.iter().zip(&times).filter(|(case, _)| row_name(case) == *name) {
            let colour = backends.iter().position(|backend| *backend == case.backend).unwrap_or(0);
            let colour = COLOURS[colour % COLOURS.len()];
            let median = times.median();
            let (low, high) = times.interval().unwrap_or((median, median));
            let _ = writeln!(
                svg,
                "<line x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
                 <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{colour}\"><title>{}</title></circle>",
                x(low),
                x(high),
                x(median),
                escaped(&format!("{}: {}", case.name(), format_time(median)))
            );
        }
    }
    svg + "</svg>\n"
}

/// The program, entry point and dataset of a measurement.
fn row_name(case: &Measurement) -> String {
    let program = case.program.rsplit('/').next().unwrap_or(&case.program);
    format!("{program} {} {}", case.entry, case.dataset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dataset_has_a_row_and_every_backend_a_mark() {
        let svg = svg(&[
            Measurement::example("\"a<b\"", "cpu", &[0.001; 8]),
            Measurement::example("\"a<b\"", "gpu", &[0.01; 8]),
            Measurement::example("#1", "cpu", &[0.1; 8]),
        ]);
        assert_eq!(svg.matches("<title>").count(), 3);
        assert_eq!(svg.matches("text-anchor=\"end\"").count(), 2);
        assert!(svg.contains("a.dsl main &quot;a&lt;b&quot; on gpu: 10.0 ms"), "{svg}");
        // A factor of ten is the same distance everywhere on the scale.
        let marks: Vec<f64> = svg
            .split("<circle cx=\"")
            .skip(3)
            .filter_map(|rest| rest.split('"').next()?.parse().ok())
            .collect();
        assert!(
            (marks[1] - marks[0] - (marks[2] - marks[1])).abs() < 0.2 && marks[1] > marks[0],
            "{marks:?}"
        );
    }

    #[test]
    fn extreme_times_can_be_plotted() {
        for times in [&[][..], &[0.0], &[1e300], &[1e-300]] {
            let svg = svg(&[Measurement::example("#0", "cpu", times)]);
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
        assert!(svg(&[]).ends_with("</svg>\n"));
    }
}
