//! Reads the user's files, and writes regular files atomically where the folder allows it.
//!
//! The new content is written to a temporary file in the same folder, which is then renamed, so the old content stays
//! until the new one is complete. If a name is a link, its target is replaced. A file without write permission is not
//! replaced, even if its folder would allow that. If the folder allows no other file, as with a single file mounted
//! into a container, the file is overwritten in place. This is not atomic: a failure may leave part of the new
//! content. So an executable is never overwritten in place.
//!
//! Devices and pipes are written to, not replaced, since a new file with their name would hide them from other
//! processes. Output to an open stream of this process, such as `/dev/stdout`, is appended to it.
//!
//! A killed process leaves its temporary file. A later write into the same folder removes it, once it is
//! a minute old. A writer holds a lock on its temporary file, so that no other process removes one in use.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The most links to follow; no system follows more.
const MAX_LINKS: usize = 64;

/// The prefix of a temporary file's name; random letters follow.
const TEMPORARY_PREFIX: &str = ".ravel-";

/// The age from which an unlocked temporary file counts as left by a killed process.
const STALE_AGE: Duration = Duration::from_secs(60);

/// Opens a file of values for reading. It may be a pipe.
///
/// # Errors
/// The message for the user.
pub fn open(file: &Path) -> Result<File, String> {
    File::open(file).map_err(|trouble| unreadable(file.display(), &trouble))
}

/// Opens a regular file, or a stream that is open already, such as `/dev/stdin`. Named pipes and devices are refused
/// before they are opened, since they may block or be endless.
///
/// # Errors
/// The message for the user.
pub fn open_regular(file: &Path) -> Result<File, String> {
    if place(file).is_ok_and(|place| place == Target::Special) {
        let trouble = io::Error::new(ErrorKind::InvalidInput, "it is not a regular file");
        return Err(unreadable(file.display(), &trouble));
    }
    open(file)
}

/// Reads a whole file, as [`open_regular()`] opens it.
///
/// # Errors
/// The message for the user.
pub fn read(file: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = open_regular(file)?.read_to_end(&mut bytes);
    read.map(|_| bytes).map_err(|trouble| unreadable(file.display(), &trouble))
}

/// Writes a file. An existing file keeps its permissions.
///
/// # Errors
/// The message for the user. The old file is then unchanged, unless it is one that is overwritten in place: the header of
/// this module says which are.
pub fn write(file: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    write_from(file, |out| out.write_all(content.as_ref()))
}

/// Writes a file with the content that a function writes.
///
/// # Errors
/// As [`write()`].
pub fn write_from(file: &Path, content: impl Fn(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    put(file, content, false).map_err(|trouble| unwritable(file, &trouble))
}

/// Writes an executable file: the concatenation of the parts.
///
/// # Errors
/// As [`write()`].
pub fn write_executable(file: &Path, parts: &[&[u8]]) -> Result<(), String> {
    let content = |out: &mut dyn Write| parts.iter().try_for_each(|part| out.write_all(part));
    put(file, content, true).map_err(|trouble| unwritable(file, &trouble))
}

/// Checks that a file can be written, so that an error is reported before the content is computed.
///
/// # Errors
/// The message for the user.
pub fn writable(file: &Path) -> Result<(), String> {
    let tried = place(file).and_then(|place| match place {
        Target::File(target) if !exists_unprotected(&target)? => {
            tempfile::tempfile_in(folder(&target)).map(drop)
        }
        _ => Ok(()),
    });
    tried.map_err(|trouble| unwritable(file, &trouble))
}

/// The message about a file that cannot be read.
pub fn unreadable(name: impl Display, trouble: &io::Error) -> String {
    format!("cannot read {name}: {trouble}")
}

/// The message about a file or folder that cannot be written.
pub fn unwritable(file: &Path, trouble: &io::Error) -> String {
    format!("cannot write {}: {trouble}", file.display())
}

/// Checks the name of an output file. It may not be a program (a source or the running executable would be
/// lost), nor `-`, which other tools use for standard output.
///
/// # Errors
/// The message for the user.
pub fn output_file(file: PathBuf) -> Result<PathBuf, String> {
    if file == Path::new("-") {
        return Err(
            "`-` is not a name for a file here: write `/dev/stdout` for standard output, or `./-` for a file called `-`"
                .to_owned(),
        );
    }
    let real = file.canonicalize().unwrap_or_else(|_| file.clone());
    let runs_here =
        || std::env::current_exe().and_then(|own| own.canonicalize()).is_ok_and(|own| own == real);
    match is_program(&real) || runs_here() {
        true => Err(format!("{} is a program, and would be overwritten", file.display())),
        false => Ok(file),
    }
}

/// Whether a file with this name is a program.
pub fn is_program(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "dsl" || extension == "fut")
}

/// The first of these names that leads to the same file as an earlier one. Devices and pipes may be named several
/// times.
pub fn duplicate<'f>(files: &[&'f Path]) -> Option<&'f Path> {
    let places: Vec<Option<Target>> = files.iter().map(|file| place(file).ok()).collect();
    let known = |at: &usize| match &places[*at] {
        Some(Target::File(_)) => places[..*at].contains(&places[*at]),
        _ => false,
    };
    (0..files.len()).find(known).map(|at| files[at])
}

/// What a name leads to.
#[derive(Debug, PartialEq)]
enum Target {
    /// A regular file, which is replaced: its name without links.
    File(PathBuf),
    /// A device, named pipe or similar file, which is written to.
    Special,
    /// A file that some process has open, which is written to.
    Stream,
    /// The standard output of this process.
    Output,
    /// The standard error of this process.
    Errors,
}

fn put(file: &Path, content: impl Fn(&mut dyn Write) -> io::Result<()>, executable: bool) -> io::Result<()> {
    let write_to = |out: &mut dyn Write| content(out).and_then(|()| out.flush());
    let target = match place(file)? {
        Target::File(target) => target,
        Target::Special | Target::Stream => {
            return write_to(&mut OpenOptions::new().append(true).open(file)?);
        }
        Target::Output => {
            return match write_to(&mut io::stdout().lock()) {
                // It is not an error if the reader has closed the pipe.
                Err(trouble) if trouble.kind() == ErrorKind::BrokenPipe => Ok(()),
                done => done,
            };
        }
        Target::Errors => return write_to(&mut io::stderr().lock()),
    };
    let exists = exists_unprotected(&target)?;
    match replace(&target, executable, write_to) {
        Err(trouble) if exists && !executable && cannot_be_replaced(&trouble) => {
            write_to(&mut File::create(&target)?)
        }
        done => done,
    }
}

/// Whether the file exists.
///
/// # Errors
/// The file exists, but may not be written.
fn exists_unprotected(file: &Path) -> io::Result<bool> {
    let Ok(known) = file.metadata() else { return Ok(false) };
    if known.permissions().readonly() {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "it is read-only"));
    }
    match OpenOptions::new().write(true).open(file) {
        Err(trouble) if trouble.kind() == ErrorKind::PermissionDenied => Err(trouble),
        // A running executable cannot be written, but it can be replaced.
        _ => Ok(true),
    }
}

/// Whether the error means that the file cannot be replaced: no other file can be created in its folder, or none
/// renamed over it.
fn cannot_be_replaced(trouble: &io::Error) -> bool {
    use ErrorKind::{NotFound, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(trouble.kind(), NotFound | PermissionDenied | ReadOnlyFilesystem | ResourceBusy)
}

/// Replaces a file: writes a temporary file beside it, then renames the temporary file.
fn replace(
    file: &Path,
    executable: bool,
    write_to: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    remove_stale(folder(file));
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    #[cfg(unix)]
    {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;
        // The system removes the permissions that the user's umask forbids.
        builder.permissions(Permissions::from_mode(if executable { 0o777 } else { 0o666 }));
    }
    let mut partial = builder.tempfile_in(folder(file))?;
    // If files cannot be locked, only its age protects a temporary file from removal by another process.
    let _ = partial.as_file().try_lock();
    if let (false, Ok(known)) = (executable, file.metadata()) {
        partial.as_file().set_permissions(known.permissions())?;
    }
    write_to(&mut partial)?;
    partial.persist(file).map(drop).map_err(|failed| failed.error)
}

/// Removes temporary files of killed processes from a folder. A failure to remove one is ignored.
fn remove_stale(folder: &Path) {
    let is_old = |path: &Path| {
        let changed = path.symlink_metadata().ok().filter(fs::Metadata::is_file)?.modified().ok()?;
        changed.elapsed().ok().filter(|age| *age > STALE_AGE)
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_partial = entry.file_name().to_str().is_some_and(|name| name.starts_with(TEMPORARY_PREFIX));
        if is_partial
            && is_old(&path).is_some()
            && File::open(&path).is_ok_and(|left| left.try_lock().is_ok())
        {
            let _ = fs::remove_file(path);
        }
    }
}

/// Follows the links of a name.
fn place(file: &Path) -> io::Result<Target> {
    if file.as_os_str().to_string_lossy().ends_with(std::path::is_separator) {
        return Err(ErrorKind::IsADirectory.into());
    }
    let mut name = file.to_owned();
    for _ in 0..MAX_LINKS {
        match name.symlink_metadata() {
            Ok(found) if found.is_symlink() => {
                let folder = folder(&name).canonicalize()?;
                if folder.starts_with("/proc") {
                    return Ok(open_stream(&folder, &name));
                }
                name = folder.join(name.read_link()?);
            }
            Ok(found) if found.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => return Ok(Target::Special),
            Err(trouble) if trouble.kind() != ErrorKind::NotFound => return Err(trouble),
            // The file exists, or will be created.
            Ok(_) | Err(_) => {
                let last = name.file_name().ok_or(ErrorKind::InvalidFilename)?;
                return Ok(Target::File(folder(&name).canonicalize()?.join(last)));
            }
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// The target of a link under `/proc`, which names an open file of a process. Standard output and standard error of
/// this process are recognised, so that the output keeps its order with the process's own.
fn open_stream(folder: &Path, name: &Path) -> Target {
    let own = Path::new("/proc/self/fd").canonicalize().is_ok_and(|own| own == folder);
    match name.file_name().and_then(|number| number.to_str()) {
        Some("1") if own => Target::Output,
        Some("2") if own => Target::Errors,
        _ => Target::Stream,
    }
}

fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests;
