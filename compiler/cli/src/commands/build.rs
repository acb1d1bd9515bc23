//! `ravel build`: compiles a program to an executable, or to parts for embedding.

mod emit;
mod manifest;
mod object;
mod stale;

use ravel_abi::Machine;
use ravel_driver::{Options, Processors};
use ravel_program::{executable, files};

use crate::args::{Build, Part};
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
            "cannot write {output}: it is not a folder, and parts go into a folder; name one with -o"
        )));
    }
    let source = super::read_source(&args.file)?;
    let vector_bits = args.vector_bits.bits();
    let options = Options { vector_bits, processors: Processors::All, ..Options::default() };
    let mut compiled =
        ravel_engine::compiled(&source, &options, machine).map_err(|problems| exit::problems(&problems))?;
    if compiled.interface.entries.is_empty() {
        return Err(super::no_entries());
    }
    if !args.emit.is_empty() {
        return emit::write(&args.emit, &source, &compiled, &output);
    }
    compiled.serves = args.server;
    executable::build(&compiled, &output).map_err(exit::user)
}

/// The machine to compile for. Parts such as `wgsl` or `object` determine it; otherwise `--backend` does.
fn machine(args: &Build) -> Result<Machine, Exit> {
    let wanted = |parts: [Part; 2]| args.emit.iter().any(|part| parts.contains(part));
    let machine = match (wanted([Part::Wgsl, Part::Spirv]), wanted([Part::Clif, Part::Object])) {
        (true, true) => {
            return Err(exit::usage("--emit cannot combine parts for the GPU with parts for the CPU"));
        }
        (true, false) => Machine::Gpu,
        (false, true) => Machine::Cpu,
        (false, false) => return Ok(args.backend.unwrap_or(Machine::Cpu)),
    };
    match args.backend {
        Some(selected) if selected != machine => {
            Err(exit::usage("--backend names another machine than the parts of --emit: leave --backend out"))
        }
        _ => Ok(machine),
    }
}
