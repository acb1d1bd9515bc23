//! The commands, one file each. A command that fails returns its exit code.

pub mod build;
pub mod check;
pub mod completions;
pub mod dataset;
pub mod dev;
pub mod devices;
pub mod doctor;
pub mod explain;
pub mod profile;
pub mod run;
pub mod test;

pub use dev::pass_times;

use std::path::{Path, PathBuf};

use ravel_abi::tuning;
use ravel_driver::{Options, Source};
use ravel_engine::{Backend, Engine, Executable, Tuning};
use ravel_program::files::{self, is_program};
use ravel_program::tuning_file;

use crate::args::{Selection, Threads};
use crate::exit::{self, Exit};
use crate::runner::TestBackend;
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

/// The error for a program without entry points.
pub fn no_entries() -> Exit {
    exit::user("the program has no entry point: write `entry main … = …` to make one")
}

/// Collects the programs at or below a path, sorted by name.
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

/// Sets tuning parameters of the entry point that was compiled. Each must exist in some entry point, or may be a limit of one: a
/// tuning file serves all of them.
pub fn tune(executable: &mut Executable, mut tuning: Tuning, source: &Source) -> Result<(), Exit> {
    let unknown = tuning.forget_unknown(executable.signatures());
    if !unknown.is_empty() {
        let entries = ravel_driver::tuning_parameters(source).map_err(|wrong| exit::problems(&wrong))?;
        let known = entries.values().flatten().map(String::as_str).collect();
        let is_limit = |name: &str| tuning::is_limit(name, entries.keys().map(String::as_str));
        let mut unknown = unknown.iter().filter(|name| !is_limit(name));
        unknown.try_for_each(|name| tuning::check_known_among(name, &known)).map_err(exit::user)?;
    }
    executable.tune(&tuning).map_err(exit::user)
}

/// The settings of tuning parameters: from the command line, and from tuning files next to programs.
pub struct Tunings {
    command_line: Tuning,
    reads_files: bool,
}

impl Tunings {
    /// The settings of the command line.
    pub fn new(selection: &Selection) -> Result<Tunings, Exit> {
        Ok(Tunings { command_line: selection.tuning.read()?, reads_files: !selection.no_tuning })
    }

    /// Sets the tuning parameters of a program. An unknown name in its tuning file is only noted, since the file may be for
    /// another compiler.
    pub fn tune(&self, program: &Path, executable: &mut Executable) -> Result<(), String> {
        let mut file = program.as_os_str().to_owned();
        file.push(".tuning");
        let file = PathBuf::from(file);
        let mut tuning = match self.reads_files && file.exists() {
            true => tuning_file(&file)?,
            false => Tuning::default(),
        };
        for name in tuning.forget_unknown(executable.signatures()) {
            let file = file.display();
            terminal::error(&format!("note: {file} sets `{name}`, which the program does not have\n"));
        }
        executable.tune(&tuning.and(self.command_line.clone()))
    }
}

/// Opens an engine for each selected backend. Duplicates are ignored.
pub fn test_backends(selection: &Selection, threads: Threads) -> Result<Vec<TestBackend>, Exit> {
    let open = |&backend: &Backend| {
        let (threads, most) = (threads.count(), selection.memory.most());
        let open = move || Ok(Engine::open(backend, threads)?.with_max_memory(most));
        let options = Options {
            vector_bits: selection.vector_bits.bits(),
            without: selection.without.rules.clone(),
            ..Options::default()
        };
        TestBackend::new(backend, options, open).map_err(|no| exit::failure(&no))
    };
    let named = &selection.backend;
    let is_first = |&(at, backend): &(usize, &Backend)| !named[..at].contains(backend);
    named.iter().enumerate().filter(is_first).map(|(_, backend)| open(backend)).collect()
}
