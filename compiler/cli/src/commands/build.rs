//! `ravel build`: an executable of a program.

use ravel_driver::Options;
use ravel_program::executable;

use crate::args::Build;
use crate::exit::{self, Exit};

/// Compiles the program and writes the executable.
pub fn build(args: &Build) -> Result<(), Exit> {
    let source = super::read_source(&args.file)?;
    let mut compiled = ravel_engine::compiled(&source, &Options::default(), args.backend.into())
        .map_err(|problems| exit::problems(&problems))?
        .ok_or_else(|| exit::usage("the interpreter runs no code: build for `cpu` or `gpu`"))?;
    if compiled.interface.entries.is_empty() {
        return Err(exit::user("the program has no entry point: write `entry main … = …` to make one"));
    }
    compiled.serves = args.server;
    let output = args.output.clone().unwrap_or_else(|| args.file.with_extension(""));
    executable::build(&compiled, &output).map_err(exit::user)
}
