//! What goes to standard output and standard error.

use std::io::{self, IsTerminal};

use ravel_driver::Style;

pub use ravel_program::terminal::{arguments, error, offer, output};

/// How to draw on standard error.
pub fn style() -> Style {
    style_of(&io::stderr())
}

/// How to draw on standard output.
pub fn output_style() -> Style {
    style_of(&io::stdout())
}

/// Colours only on a terminal, and not where `NO_COLOR` is set.
fn style_of(stream: &impl IsTerminal) -> Style {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if stream.is_terminal() && !unwanted { Style::Colour } else { Style::Plain }
}

/// Shows on a terminal how far the work is, in place of what was shown before; nothing takes that away.
pub fn progress(text: &str) {
    if io::stderr().is_terminal() {
        error(&format!("\r\x1b[K{text}"));
    }
}
