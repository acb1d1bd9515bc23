//! Files of the user: read, and written whole or not at all.
//!
//! What a file held stays until the new content is complete: that is written beside it and renamed. Where a
//! name is a link, it is the file at its end that is replaced. What is no file on a disk cannot be replaced: a new
//! file in place of a device or a pipe would take it away from everybody. So these are written into, and so is what
//! the process holds open itself, which is what `/dev/stdout` and its like lead to.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// More links than any system follows.
const MOST_LINKS: usize = 64;

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

/// What is said of something that cannot be read.
pub fn unreadable(name: impl Display, trouble: &io::Error) -> String {
    format!("cannot read {name}: {trouble}")
}

/// What is said of a file or folder that cannot be written.
pub fn unwritable(file: &Path, trouble: &io::Error) -> String {
    format!("cannot write {}: {trouble}", file.display())
}

fn put(file: &Path, parts: &[&[u8]], executable: bool) -> io::Result<()> {
    let Some(target) = replaceable(file)? else {
        let mut device = File::create(file)?;
        return parts.iter().try_for_each(|part| device.write_all(part));
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".ravel-");
    #[cfg(unix)]
    {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;
        // What the user's mask lets pass of it.
        builder.permissions(Permissions::from_mode(if executable { 0o777 } else { 0o666 }));
    }
    let mut partial = builder.tempfile_in(folder(&target))?;
    if let (false, Ok(known)) = (executable, target.metadata()) {
        partial.as_file().set_permissions(known.permissions())?;
    }
    for part in parts {
        partial.write_all(part)?;
    }
    partial.persist(target).map(drop).map_err(|failed| failed.error)
}

/// Where the file is, or would be, that a name leads to; none if it is to be written into.
fn replaceable(file: &Path) -> io::Result<Option<PathBuf>> {
    let mut name = file.to_owned();
    for _ in 0..MOST_LINKS {
        match name.symlink_metadata() {
            Ok(found) if found.is_symlink() => {
                let folder = folder(&name).canonicalize()?;
                if folder.starts_with("/proc") {
                    return Ok(None);
                }
                name = folder.join(name.read_link()?);
            }
            Ok(found) if found.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(found) => return Ok(found.is_file().then_some(name)),
            Err(trouble) if trouble.kind() == ErrorKind::NotFound => return Ok(Some(name)),
            Err(trouble) => return Err(trouble),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn temporary() -> tempfile::TempDir {
        tempfile::tempdir().expect("a folder for temporary files")
    }

    fn content(file: &Path) -> String {
        fs::read_to_string(file).expect("the file can be read")
    }

    #[test]
    fn a_file_is_replaced_at_once_and_nothing_else_is_left() {
        let folder = temporary();
        let file = folder.path().join("a");
        write(&file, "one").expect("a file can be written");
        write_executable(&file, &[b"two", b" three"]).expect("a file can be replaced");
        assert_eq!(content(&file), "two three");
        assert!(write(folder.path(), "x").is_err_and(|told| told.starts_with("cannot write ")), "a folder");
        assert!(write(&folder.path().join("none/a"), "x").is_err(), "there is no such folder");
        assert_eq!(fs::read_dir(folder.path()).expect("the folder can be read").count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn permissions_stay_and_executables_can_be_started() {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;
        let folder = temporary();
        let file = folder.path().join("a");
        let mode = || file.metadata().expect("there is a file").permissions().mode() & 0o777;
        write(&file, "one").expect("a file can be written");
        fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("they can be set");
        write(&file, "two").expect("a file can be written");
        assert_eq!(mode(), 0o600);
        write_executable(&file, &[b"three"]).expect("a file can be written");
        assert_eq!(mode() & 0o500, 0o500);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_stays_and_what_it_leads_to_is_replaced() {
        use std::os::unix::fs::symlink;
        let folder = temporary();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inner")).expect("a folder can be made");
        for (to, link) in [("inner/file", "second"), ("second", "first"), ("circle", "circle")] {
            symlink(to, at(link)).expect("a link can be made");
        }
        for text in ["made", "made anew"] {
            write(&at("first"), text).expect("it can be written");
            assert_eq!(content(&at("inner/file")), text);
            assert!(at("first").is_symlink() && at("second").is_symlink());
        }
        assert!(write(&at("circle"), "x").is_err_and(|told| told.contains("circle")));
        symlink(folder.path(), at("folder")).expect("a link can be made");
        assert!(write(&at("folder"), "x").is_err(), "a link to a folder is no file");
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_is_written_into() {
        let folder = temporary();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts");
        assert!(made.success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || content(&pipe)
        });
        write(&pipe, "through the pipe").expect("it can be written");
        assert!(!pipe.metadata().expect("it is still there").is_file(), "the pipe became a file");
        assert_eq!(reader.join().expect("the reader ends"), "through the pipe");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_device_and_what_the_process_holds_open_are_written_into() {
        use std::os::fd::AsRawFd;
        write(Path::new("/dev/null"), "nothing").expect("it can be written");
        assert!(!Path::new("/dev/null").metadata().expect("it is still there").is_file());
        let folder = temporary();
        let file = folder.path().join("a");
        let held = File::create(&file).expect("a file can be written");
        let name = PathBuf::from(format!("/dev/fd/{}", held.as_raw_fd()));
        write(&name, "held").expect("it can be written");
        assert_eq!(held.metadata().expect("it is open").len(), 4, "another file took its place");
    }
}
