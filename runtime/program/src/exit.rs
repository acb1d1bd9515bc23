//! Exit codes, and the exit code of each kind of failure.

use std::io::Write as _;
use std::process::ExitCode;

use ravel_abi::Failure;

use crate::terminal;

/// The outcome of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Success.
    Fine,
    /// An error in the program, its data or the environment, which the user can correct.
    User,
    /// An error in the command line.
    Usage,
    /// A limitation: the program is right, but this compiler or device cannot run it yet.
    Limitation,
    /// A bug in the compiler.
    Bug,
}

impl Exit {
    /// The code that the process returns.
    fn code(self) -> u8 {
        match self {
            Exit::Fine => 0,
            Exit::User => 1,
            Exit::Usage => 2,
            Exit::Limitation => 3,
            Exit::Bug => 4,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Ends the process, which has no memory left. Standard error has no buffer, so this allocates nothing.
pub fn out_of_memory() -> ! {
    let _ = std::io::stderr().write_all(b"error: not enough memory\n");
    std::process::exit(Exit::User.code().into())
}

/// Prints a failure at run time and returns the exit code.
pub fn failure(failure: &Failure) -> Exit {
    let title = match failure {
        Failure::Program { .. } | Failure::Memory { .. } => "Error",
        Failure::Limitation(_) => "limitation",
        Failure::Bug(_) => "bug in the compiler",
        _ => "error",
    };
    terminal::error(&format!("{title}: {failure}\n"));
    of_failure(failure)
}

/// The exit code of a failed run.
pub fn of_failure(failure: &Failure) -> Exit {
    match failure {
        Failure::Limitation(_) => Exit::Limitation,
        Failure::Bug(_) => Exit::Bug,
        _ => Exit::User,
    }
}

/// Prints an error in the user's files or options.
pub fn user(message: impl std::fmt::Display) -> Exit {
    terminal::error(&format!("error: {message}\n"));
    Exit::User
}

/// Prints an error in the command line.
pub fn usage(message: impl std::fmt::Display) -> Exit {
    terminal::error(&format!("error: {message}\n"));
    Exit::Usage
}
