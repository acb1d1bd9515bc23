//! Writes a compiled program as files, for embedding.

use std::io::ErrorKind;
use std::path::Path;

use ravel_abi::Machine;
use ravel_abi::plan::Kernel;
use ravel_driver::dev::{self, Form};
use ravel_driver::{Options, Source};
use ravel_program::{Code, CompiledProgram, files, spirv};

use super::{manifest, object, stale};
use crate::args::Part;
use crate::exit::{self, Exit};

/// The file of the manifest.
const MANIFEST: &str = "manifest.json";

/// The file of the CPU's functions before Cranelift.
pub const CLIF: &str = "program.clif";

/// The object file.
pub const OBJECT: &str = "program.o";

/// Writes the requested files of the program into a folder, creating it if necessary. If the manifest replaces another
/// program's manifest, the other program's files are removed.
pub fn write(parts: &[Part], source: &Source, program: &CompiledProgram, folder: &Path) -> Result<(), Exit> {
    let mut written: Vec<(String, Vec<u8>)> = Vec::new();
    let manifest = manifest::text(program).into_bytes();
    for part in parts {
        match (part, &program.code) {
            (Part::Manifest, _) => written.push((MANIFEST.to_owned(), manifest.clone())),
            (Part::Wgsl, Code::Gpu(plan)) => {
                let kernels = plan.kernels.iter().enumerate();
                written.extend(
                    kernels.map(|(at, kernel)| (file_name(at, kernel, "wgsl"), kernel.wgsl.clone().into())),
                );
            }
            (Part::Spirv, Code::Gpu(plan)) => {
                for (at, kernel) in plan.kernels.iter().enumerate() {
                    let words = spirv(&kernel.wgsl).map_err(|wrong| {
                        exit::failure(&ravel_abi::Failure::Bug(format!("{}: {wrong}", kernel.name)))
                    })?;
                    let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                    written.push((file_name(at, kernel, "spv"), bytes));
                }
            }
            (Part::Clif, Code::Cpu(_)) => {
                let text = dev::optimised_core(source, &Options::default(), Machine::Cpu, &mut |_| {})
                    .and_then(|core| dev::emit(source, &core, Form::Clif, Machine::Cpu))
                    .map_err(|problems| exit::problems(&problems))?;
                written.push((CLIF.to_owned(), text.into_bytes()));
            }
            (Part::Object, Code::Cpu(blob)) => {
                let bytes = object::bytes(blob).map_err(exit::user)?;
                written.push((OBJECT.to_owned(), bytes));
            }
            (Part::Wgsl | Part::Spirv, Code::Cpu(_)) | (Part::Clif | Part::Object, Code::Gpu(_)) => {
                let message = "the program was compiled for another machine than its parts".to_owned();
                return Err(exit::failure(&ravel_abi::Failure::Bug(message)));
            }
        }
    }
    std::fs::create_dir_all(folder).map_err(|trouble| exit::user(files::unwritable(folder, &trouble)))?;
    let before = files::read(&folder.join(MANIFEST)).unwrap_or_default();
    written
        .iter()
        .try_for_each(|(name, bytes)| files::write(&folder.join(name), bytes))
        .map_err(exit::user)?;
    if !parts.contains(&Part::Manifest) || before == manifest {
        return Ok(());
    }
    let old = stale::files(&before);
    old.iter()
        .filter(|old| !written.iter().any(|(new, _)| new == *old))
        .try_for_each(|old| remove(&folder.join(old)))
}

fn remove(file: &Path) -> Result<(), Exit> {
    match std::fs::remove_file(file) {
        Err(trouble) if trouble.kind() != ErrorKind::NotFound => {
            Err(exit::user(format!("cannot remove {}, a file of another program: {trouble}", file.display())))
        }
        _ => Ok(()),
    }
}

/// The file name of a kernel: its number and its name.
pub fn file_name(number: usize, kernel: &Kernel, extension: &str) -> String {
    let name: String = kernel.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    format!("{number}-{name}.{extension}")
}
