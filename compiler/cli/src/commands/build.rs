//! `ravel build`: an executable of a program, or parts of it for those who embed it.

mod emit;
mod manifest;
mod object;
mod stale;

use ravel_driver::Options;
use ravel_program::{executable, files};

use crate::args::{Build, Machine, Part};
use crate::exit::{self, Exit};

/// Compiles the program and writes the executable, or its parts.
pub fn build(args: &Build) -> Result<(), Exit> {
    let machine = machine(args)?;
    let output = args.output.clone().unwrap_or_else(|| args.file.with_extension(""));
    let output = files::output_file(output).map_err(exit::usage)?;
    if args.emit.is_empty() {
        files::writable(&output).map_err(exit::user)?;
    } else if output.exists() && !output.is_dir() {
        let output = output.display();
        return Err(exit::user(format!(
            "cannot write {output}: parts go into a folder, and it is none; -o names one"
        )));
    }
    let source = super::read_source(&args.file)?;
    let mut compiled = ravel_engine::compiled(&source, &Options::default(), machine.into())
        .map_err(|problems| exit::problems(&problems))?;
    if compiled.interface.entries.is_empty() {
        return Err(super::no_entries());
    }
    if !args.emit.is_empty() {
        return emit::write(&args.emit, &source, &compiled, &output);
    }
    compiled.serves = args.server;
    executable::build(&compiled, &output).map_err(exit::user)
}

/// What to compile for: the machine that the wanted parts belong to, if any does.
fn machine(args: &Build) -> Result<Machine, Exit> {
    let wanted = |parts: [Part; 2]| args.emit.iter().any(|part| parts.contains(part));
    let machine = match (wanted([Part::Wgsl, Part::Spirv]), wanted([Part::Clif, Part::Object])) {
        (true, true) => return Err(exit::usage("parts for the GPU and for the CPU are not written at once")),
        (true, false) => Machine::Gpu,
        (false, true) => Machine::Cpu,
        (false, false) => return Ok(args.backend.unwrap_or(Machine::Cpu)),
    };
    match args.backend {
        Some(asked) if asked != machine => {
            Err(exit::usage("--emit wants parts for one machine, and --backend is the other: leave it out"))
        }
        _ => Ok(machine),
    }
}
