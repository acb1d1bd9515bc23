//! The arguments of the commands that are about Ravel itself rather than about a program.

use clap::Args;
use clap_complete::Shell;

use super::Backend;

/// Arguments of `ravel doctor`.
#[derive(Args, Debug)]
#[command(after_help = "\
Each backend runs a small program whose answer is known. The exit code is 1 where a backend does not work
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
