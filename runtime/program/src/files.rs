//! Files of the user: read, and written whole or not at all.
//!
//! What a file held stays until the new content is complete: that is written beside it and renamed. Where a
//! name is a link, it is the file at its end that is replaced. Who may not write a file may not replace it either; and
//! where nothing else may be beside it, as when it alone was lent to a container, it is written into.
//!
//! What is no file on a disk cannot be replaced: a new file in place of a device or a pipe would take it away from
//! everybody. So these are written into, and so is what a process holds open, behind what is there: that is what
//! `/dev/stdout` and its like lead to.
//!
//! A process that is killed leaves a file that is not complete. The next one that writes into the same folder removes
//! it. A writer holds a lock on its file, so that no other process removes a file that is still being written.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// More links than any system follows.
const MOST_LINKS: usize = 64;

/// How the name of a file begins that is not complete yet; some letters follow.
const PARTIAL: &str = ".ravel-";

/// After so long a file that is not complete, and that no process holds, was left by one that was killed.
const LEFT: Duration = Duration::from_secs(60);

/// Opens a file for reading.
///
/// # Errors
/// What to tell the user.
pub fn open(file: &Path) -> Result<File, String> {
    File::open(file).map_err(|trouble| unreadable(file.display(), &trouble))
}

/// Reads a whole file.
///
/// # Errors
/// What to tell the user.
pub fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|trouble| unreadable(file.display(), &trouble))
}

/// Writes a file. One that was there keeps its permissions.
///
/// # Errors
/// What to tell the user; then the file is as it was.
pub fn write(file: &Path, content: impl AsRef<[u8]>) -> Result<(), String> {
    put(file, &[content.as_ref()], false).map_err(|trouble| unwritable(file, &trouble))
}

/// Writes a file that can be started, from its parts.
///
/// # Errors
/// As [`write()`].
pub fn write_executable(file: &Path, parts: &[&[u8]]) -> Result<(), String> {
    put(file, parts, true).map_err(|trouble| unwritable(file, &trouble))
}

/// Looks whether a file could be written, before what shall stand there is made with much trouble.
///
/// # Errors
/// What to tell the user.
pub fn writable(file: &Path) -> Result<(), String> {
    let tried = place(file).and_then(|place| match place {
        Place::File(target) if !may_be_written(&target)? => tempfile::tempfile_in(folder(&target)).map(drop),
        _ => Ok(()),
    });
    tried.map_err(|trouble| unwritable(file, &trouble))
}

/// What is said of something that cannot be read.
pub fn unreadable(name: impl Display, trouble: &io::Error) -> String {
    format!("cannot read {name}: {trouble}")
}

/// What is said of a file or folder that cannot be written.
pub fn unwritable(file: &Path, trouble: &io::Error) -> String {
    format!("cannot write {}: {trouble}", file.display())
}

/// A file to be written, which no program may be: its source would be lost, or the executable that runs. Nor may it
/// be called `-`, by which some mean standard output.
///
/// # Errors
/// What to tell the user.
pub fn output_file(file: PathBuf) -> Result<PathBuf, String> {
    if file == Path::new("-") {
        return Err(
            "`-` is no name for a file here: standard output is `/dev/stdout`, and a file of that name `./-`"
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

/// Is a file of this name a program?
pub fn is_program(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "dsl" || extension == "fut")
}

/// The first of these files, if any, that is another one of them by the same or another name. What is no
/// file on a disk takes the content of all.
pub fn twice<'f>(files: &[&'f Path]) -> Option<&'f Path> {
    let places: Vec<Option<Place>> = files.iter().map(|file| place(file).ok()).collect();
    let known = |at: &usize| match &places[*at] {
        Some(Place::File(_)) => places[..*at].contains(&places[*at]),
        _ => false,
    };
    (0..files.len()).find(known).map(|at| files[at])
}

/// Where the content of a file goes.
#[derive(Debug, PartialEq)]
enum Place {
    /// To a file on a disk, which is replaced: its name without links.
    File(PathBuf),
    /// To what is no such file: it is written into.
    Stream,
    /// To the standard output of this process.
    Output,
    /// To its standard error.
    Errors,
}

fn put(file: &Path, parts: &[&[u8]], executable: bool) -> io::Result<()> {
    let write_to = |out: &mut dyn Write| {
        parts.iter().try_for_each(|part| out.write_all(part)).and_then(|()| out.flush())
    };
    let target = match place(file)? {
        Place::File(target) => target,
        Place::Stream => return write_to(&mut OpenOptions::new().append(true).open(file)?),
        Place::Output => {
            return match write_to(&mut io::stdout().lock()) {
                // A reader that has gone away is no error.
                Err(trouble) if trouble.kind() == ErrorKind::BrokenPipe => Ok(()),
                done => done,
            };
        }
        Place::Errors => return write_to(&mut io::stderr().lock()),
    };
    let there_is_one = may_be_written(&target)?;
    match replace(&target, executable, write_to) {
        Err(alone) if there_is_one && !executable && is_alone(&alone) => {
            write_to(&mut File::create(&target)?)
        }
        done => done,
    }
}

/// Whether there is such a file.
///
/// # Errors
/// There is one, but it may not be written.
fn may_be_written(file: &Path) -> io::Result<bool> {
    let Ok(known) = file.metadata() else { return Ok(false) };
    if known.permissions().readonly() {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "it is read-only"));
    }
    match OpenOptions::new().write(true).open(file) {
        Err(trouble) if trouble.kind() == ErrorKind::PermissionDenied => Err(trouble),
        // An executable that runs cannot be written, but replaced.
        _ => Ok(true),
    }
}

/// Is this the trouble with a file beside which, or in place of which, no other can be?
fn is_alone(trouble: &io::Error) -> bool {
    use ErrorKind::{NotFound, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(trouble.kind(), NotFound | PermissionDenied | ReadOnlyFilesystem | ResourceBusy)
}

/// Writes a new file beside it, and gives that its name.
fn replace(
    file: &Path,
    executable: bool,
    write_to: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    remove_left(folder(file));
    let mut builder = tempfile::Builder::new();
    builder.prefix(PARTIAL);
    #[cfg(unix)]
    {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;
        // What the user's mask lets pass of it.
        builder.permissions(Permissions::from_mode(if executable { 0o777 } else { 0o666 }));
    }
    let mut partial = builder.tempfile_in(folder(file))?;
    // Where files cannot be locked, their age alone protects them.
    let _ = partial.as_file().try_lock();
    if let (false, Ok(known)) = (executable, file.metadata()) {
        partial.as_file().set_permissions(known.permissions())?;
    }
    write_to(&mut partial)?;
    partial.persist(file).map(drop).map_err(|failed| failed.error)
}

/// Removes what killed processes have left in a folder. That it cannot be removed is no reason not to write.
fn remove_left(folder: &Path) {
    let is_old = |path: &Path| {
        let changed = path.symlink_metadata().ok().filter(fs::Metadata::is_file)?.modified().ok()?;
        changed.elapsed().ok().filter(|age| *age > LEFT)
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_partial = entry.file_name().to_str().is_some_and(|name| name.starts_with(PARTIAL));
        if is_partial
            && is_old(&path).is_some()
            && File::open(&path).is_ok_and(|left| left.try_lock().is_ok())
        {
            let _ = fs::remove_file(path);
        }
    }
}

/// Where a name leads to.
fn place(file: &Path) -> io::Result<Place> {
    if file.as_os_str().to_string_lossy().ends_with(std::path::is_separator) {
        return Err(ErrorKind::IsADirectory.into());
    }
    let mut name = file.to_owned();
    for _ in 0..MOST_LINKS {
        match name.symlink_metadata() {
            Ok(found) if found.is_symlink() => {
                let folder = folder(&name).canonicalize()?;
                if folder.starts_with("/proc") {
                    return Ok(held(&folder, &name));
                }
                name = folder.join(name.read_link()?);
            }
            Ok(found) if found.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => return Ok(Place::Stream),
            Err(trouble) if trouble.kind() != ErrorKind::NotFound => return Err(trouble),
            // There is such a file, or there will be.
            Ok(_) | Err(_) => {
                let last = name.file_name().ok_or(ErrorKind::InvalidFilename)?;
                return Ok(Place::File(folder(&name).canonicalize()?.join(last)));
            }
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// What a process holds open, by a name that Linux has for it. The streams of this process are written in order with
/// what else goes there.
fn held(folder: &Path, name: &Path) -> Place {
    let own = Path::new("/proc/self/fd").canonicalize().is_ok_and(|own| own == folder);
    match name.file_name().and_then(|number| number.to_str()) {
        Some("1") if own => Place::Output,
        Some("2") if own => Place::Errors,
        _ => Place::Stream,
    }
}

fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests;
