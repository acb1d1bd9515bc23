//! The commands, one a file. Each returns the exit code of its failure.

pub mod build;
pub mod check;
pub mod completions;
pub mod dataset;
pub mod dev;
pub mod devices;
pub mod doctor;
pub mod explain;
pub mod run;
pub mod test;

pub use dev::pass_times;

use std::path::{Path, PathBuf};

use ravel_driver::Source;
use ravel_program::job::unreadable;

use crate::exit::{self, Exit};

/// Reads a program from a file.
pub fn read_source(file: &Path) -> Result<Source, Exit> {
    let known = file.extension().is_some_and(|extension| extension == "dsl" || extension == "fut");
    if !known {
        return Err(exit::user(format!(
            "{} is not a program: its name must end in .dsl or .fut",
            file.display()
        )));
    }
    let name = file.display().to_string();
    let bytes = read_file(file)?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(trouble) => {
            let at = trouble.utf8_error().valid_up_to();
            let line = trouble.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
            Err(exit::user(format!("{name}:{line}: not UTF-8 text (byte {at})")))
        }
    }
}

/// Reads a whole file.
fn read_file(file: &Path) -> Result<Vec<u8>, Exit> {
    std::fs::read(file).map_err(|trouble| unreadable(file.display(), &trouble))
}

/// The programs at or below a path, in the order of their names.
pub fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Exit> {
    let cannot = |trouble| exit::user(format!("cannot read {}: {trouble}", path.display()));
    if !path.is_dir() {
        std::fs::metadata(path).map_err(cannot)?;
        files.push(path.to_owned());
        return Ok(());
    }
    let mut below = std::fs::read_dir(path)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>())
        .map_err(cannot)?;
    below.sort();
    for path in below {
        let program = path.extension().is_some_and(|extension| extension == "dsl" || extension == "fut");
        if program || path.is_dir() {
            collect(&path, files)?;
        }
    }
    Ok(())
}
