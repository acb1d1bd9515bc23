//! Standard output and standard error.

use std::io::{self, BufWriter, StdoutLock, Write};

use crate::exit::{self, Exit};

/// Writes to standard error. An error of the write is ignored: there is no other place to report it.
pub fn error(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Writes to standard output. It is not an error if the reader has closed it.
///
/// # Errors
/// The exit code, after the message was printed, if the output cannot be written.
pub fn output(bytes: &[u8]) -> Result<(), Exit> {
    offer(bytes).map(drop)
}

/// Writes to standard output. Returns false if the reader has closed it, so that endless output can stop.
///
/// # Errors
/// As [`output`].
pub fn offer(bytes: &[u8]) -> Result<bool, Exit> {
    offer_from(|out| out.write_all(bytes))
}

/// Lets `write` write to standard output, so that long output need not be in memory. It is not an error if the reader has
/// closed it.
///
/// # Errors
/// As [`output`].
pub fn output_from(write: impl FnOnce(&mut Output) -> io::Result<()>) -> Result<(), Exit> {
    offer_from(write).map(drop)
}

/// Standard output with a buffer.
pub type Output = BufWriter<StdoutLock<'static>>;

fn offer_from(write: impl FnOnce(&mut Output) -> io::Result<()>) -> Result<bool, Exit> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(trouble) if trouble.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(trouble) => Err(unwritable(&trouble)),
    }
}

/// Parses the command line of the process. Prints help and usage errors.
///
/// # Errors
/// The exit code if help or an error was printed.
pub fn arguments<A: clap::Parser>() -> Result<A, Exit> {
    A::try_parse().map_err(|said| {
        let printed = said.print().and_then(|()| io::stdout().flush());
        match printed {
            Err(trouble) if !said.use_stderr() && trouble.kind() != io::ErrorKind::BrokenPipe => {
                unwritable(&trouble)
            }
            _ if said.use_stderr() => Exit::Usage,
            _ => Exit::Fine,
        }
    })
}

fn unwritable(trouble: &io::Error) -> Exit {
    exit::user(format!("cannot write to standard output: {trouble}"))
}
