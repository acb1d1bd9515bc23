//! The arguments of the commands that are about Ravel itself rather than about a program.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::{Backend, Threads};

/// Arguments of `ravel doctor`.
#[derive(Args, Debug)]
#[command(after_help = "\
Each backend runs a small program whose answer is known. The exit code is 1 where a backend does not work \
that was asked for by name or, without names, cpu or interp: a machine may do without a GPU.")]
pub struct Doctor {
    /// The backends that have to work, separated by commas.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub backend: Vec<Backend>,
}

/// Arguments of `ravel completions`.
#[derive(Args, Debug)]
#[command(after_help = "\
Where a shell looks for it:
  ravel completions bash > ~/.local/share/bash-completion/completions/ravel
  ravel completions zsh > \"${fpath[1]}/_ravel\"
  ravel completions fish > ~/.config/fish/completions/ravel.fish")]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Arguments of `ravel repl`.
#[derive(Args, Debug)]
#[command(after_help = "\
Type `:help` for the commands of a session. Ctrl-C ends what runs, Ctrl-D the session; an input goes on until \
it is finished, or until an empty line, and Alt-Enter begins a new line anywhere. What is pasted is taken line by line, \
but a line that is indented goes on with those before it. Inputs are kept in \
$XDG_STATE_HOME/ravel/history.

Without a terminal there is no prompt, and the exit code is 1 if something was wrong:
  echo 'f64.sum (map f64.i64 (iota 10))' | ravel repl")]
pub struct Repl {
    /// A program to begin with, as `:load` does.
    pub file: Option<PathBuf>,
    /// Where to run.
    #[arg(long, value_enum, default_value = "cpu")]
    pub backend: Backend,
    #[command(flatten)]
    pub threads: Threads,
}
