//! Output to standard output and standard error.

use std::io::{self, IsTerminal};

use ravel_driver::Style;

pub use ravel_program::terminal::{arguments, error, offer, output, output_from};

/// The style of diagnostics on standard error.
pub fn style() -> Style {
    style_of(&io::stderr())
}

/// The style of diagnostics on standard output.
pub fn output_style() -> Style {
    style_of(&io::stdout())
}

/// Colours only on a terminal, and only if `NO_COLOR` is not set.
fn style_of(stream: &impl IsTerminal) -> Style {
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if stream.is_terminal() && !no_colour { Style::Colour } else { Style::Plain }
}

/// Shows progress on a terminal, replacing the last progress line; an empty text removes it.
pub fn progress(text: &str) {
    if io::stderr().is_terminal() {
        error(&format!("\r\x1b[K{text}"));
    }
}
