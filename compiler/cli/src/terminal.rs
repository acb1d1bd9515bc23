//! What goes to standard output and standard error.

use std::io::{self, IsTerminal, Write};

use ravel_driver::Style;

use crate::exit::{self, Exit};

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

/// Writes to standard error; nobody is left to tell if that fails.
pub fn error(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Writes to standard output. A reader that has gone away is no error.
pub fn output(bytes: &[u8]) -> Result<(), Exit> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(trouble) if trouble.kind() != io::ErrorKind::BrokenPipe => {
            Err(exit::user(format!("cannot write to standard output: {trouble}")))
        }
        _ => Ok(()),
    }
}
