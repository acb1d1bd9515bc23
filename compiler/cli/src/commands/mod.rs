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
use ravel_engine::{Backend, Engine, Executable, Tuning};
use ravel_program::files::{self, is_program};
use ravel_program::tuning_file;

use crate::args::{Selection, Threads};
use crate::exit::{self, Exit};
use crate::runner::Station;
use crate::terminal;

/// Reads a program from a file.
pub fn read_source(file: &Path) -> Result<Source, Exit> {
    if !is_program(file) {
        return Err(exit::user(format!(
            "{} is not a program: its name must end in .dsl or .fut",
            file.display()
        )));
    }
    let name = file.display().to_string();
    let bytes = ravel_driver::read_program(file)
        .map_err(|trouble| exit::user(files::unreadable(file.display(), &trouble)))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(trouble) => {
            let at = trouble.utf8_error().valid_up_to();
            let line = trouble.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
            Err(exit::user(format!("{name}:{line}: not UTF-8 text (byte {at})")))
        }
    }
}

/// A program from which nothing is compiled.
pub fn no_entries() -> Exit {
    exit::user("the program has no entry point: write `entry main … = …` to make one")
}

/// The programs at or below a path, in the order of their names.
pub fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Exit> {
    let cannot = |trouble| exit::user(files::unreadable(path.display(), &trouble));
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
        if is_program(&path) || path.is_dir() {
            collect(&path, files)?;
        }
    }
    Ok(())
}

/// How the tuning parameters of programs are set: by the command line, and by the files beside them.
pub struct Tunings {
    given: Tuning,
    beside: bool,
}

impl Tunings {
    /// What the command line says.
    pub fn new(selection: &Selection) -> Result<Tunings, Exit> {
        Ok(Tunings { given: selection.tuning.read()?, beside: !selection.no_tuning })
    }

    /// Tunes a program. A name in the file beside it that the program lacks is only noted: the file may be that of another compiler.
    pub fn tune(&self, program: &Path, executable: &mut Executable) -> Result<(), String> {
        let mut file = program.as_os_str().to_owned();
        file.push(".tuning");
        let file = PathBuf::from(file);
        let mut tuning = match self.beside && file.exists() {
            true => tuning_file(&file)?,
            false => Tuning::default(),
        };
        for name in tuning.forget_unknown(executable.signatures()) {
            let file = file.display();
            terminal::error(&format!("note: {file} sets `{name}`, which the program does not have\n"));
        }
        executable.tune(&tuning.and(self.given.clone()))
    }
}

/// The backends that are asked for, each once, with an engine.
pub fn stations(selection: &Selection, threads: Threads) -> Result<Vec<Station>, Exit> {
    let open = |&backend: &crate::args::Backend| {
        let backend = Backend::from(backend);
        let (threads, most) = (threads.count(), selection.memory.most());
        let open = move || Ok(Engine::open(backend, threads)?.with_max_memory(most));
        Station::new(backend, open).map_err(|no| exit::failure(&no))
    };
    let named = &selection.backend;
    let is_first = |&(at, backend): &(usize, &crate::args::Backend)| !named[..at].contains(backend);
    named.iter().enumerate().filter(is_first).map(|(_, backend)| open(backend)).collect()
}
