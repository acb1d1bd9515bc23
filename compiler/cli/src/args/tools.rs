//! The arguments of the commands that concern Ravel itself and not a program: doctor, completions, repl.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;
use ravel_engine::Backend;

use super::{Threads, backend};

/// Arguments of `ravel doctor`.
#[derive(Args, Debug)]
#[command(after_help = "\
Each backend runs a small program whose result is known. The exit code is 1 if a backend named by --backend does not \
work. Without --backend it is 1 if cpu or interp does not work. A machine without a GPU is not an error by default:
  ravel doctor --backend gpu")]
pub struct Doctor {
    /// The backends that must work, separated by commas.
    #[arg(long, value_parser = backend(), value_delimiter = ',')]
    pub backend: Vec<Backend>,
}

/// Arguments of `ravel completions`.
#[derive(Args, Debug)]
#[command(after_help = "\
Each shell loads completion scripts from a folder of its own:
  ravel completions bash > ~/.local/share/bash-completion/completions/ravel
  ravel completions zsh > \"${fpath[1]}/_ravel\"
  ravel completions fish > ~/.config/fish/completions/ravel.fish")]
pub struct Completions {
    /// The shell to write the script for.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Arguments of `ravel repl`.
#[derive(Args, Debug)]
#[command(after_help = "\
An expression prints its value, a definition adds to the session, and `:help` lists the commands. An input ends when it \
is syntactically complete, or at an empty line; Alt-Enter starts a new line anywhere. Pasted text is read line by line, and an \
indented line continues the input before it. Ctrl-C stops the running computation, Ctrl-D ends the session. The history is stored in \
$XDG_STATE_HOME/ravel/history.

Without a terminal there is no prompt, and the exit code is 1 if an input had an error:
  echo 'f64.sum (map f64.i64 (iota 10))' | ravel repl")]
pub struct Repl {
    /// A program to load first, as `:load` does.
    pub file: Option<PathBuf>,
    /// The backend to run on.
    #[arg(long, value_parser = backend(), default_value = "cpu")]
    pub backend: Backend,
    #[command(flatten)]
    pub threads: Threads,
}
