//! The plots of `docs/benchmarks`, drawn from the tables there: rows along a logarithmic scale of ratios. A plot is a few
//! dozen SVG elements, so a library of charts would be more code than these files.

mod bars;
mod ratios;

use std::fmt::Write as _;

pub use bars::bars;
pub use ratios::ratios;

/// The frame of a plot. Lengths are in SVG's user units.
struct Frame {
    /// The space for the names of the rows.
    left_margin: f64,
    /// The length of the scale.
    width: f64,
    /// The space above the rows.
    top: f64,
    row_height: f64,
    /// The values that have a grid line. The scale begins with the first and ends with the last.
    grid: &'static [f64],
}

impl Frame {
    /// The beginning of an SVG file: the title, the grid, and the names of the rows.
    fn begin<'n>(&self, title: &str, names: impl ExactSizeIterator<Item = &'n str>) -> String {
        let Frame { left_margin, width, top, row_height, grid } = self;
        let bottom = top + row_height * names.len() as f64;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{left_margin}\" y=\"20\">{title}</text>\n",
            left_margin + width + 30.0,
            bottom + 30.0
        );
        for &value in *grid {
            let (at, below) = (self.x(value), bottom + 18.0);
            let colour = if value == 1.0 { "#000" } else { "#ddd" };
            let _ = writeln!(
                svg,
                "<line x1=\"{at:.1}\" y1=\"{top}\" x2=\"{at:.1}\" y2=\"{bottom}\" stroke=\"{colour}\"/>\n\
                 <text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{value}</text>"
            );
        }
        for (number, name) in names.enumerate() {
            let (end, baseline) = (left_margin - 12.0, self.middle(number) + 4.0);
            let _ = writeln!(svg, "<text x=\"{end}\" y=\"{baseline}\" text-anchor=\"end\">{name}</text>");
        }
        svg
    }

    /// The vertical position of the middle of a row.
    fn middle(&self, number: usize) -> f64 {
        self.top + self.row_height * (number as f64 + 0.5)
    }

    /// The horizontal position of a ratio; a ratio outside of the scale is at its end.
    fn x(&self, ratio: f64) -> f64 {
        let (first, last) = (self.grid[0], self.grid[self.grid.len() - 1]);
        self.left_margin + self.width * ((ratio / first).ln() / (last / first).ln()).clamp(0.0, 1.0)
    }
}
