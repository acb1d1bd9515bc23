//! An executable: a copy of the running binary that carries a compiled program.
//!
//! The copy contains the runtime of the program. So compiler and runtime always agree, only one binary is installed,
//! and building needs no linker. The payload is appended to the binary, where the system ignores it; the locator in the
//! binary gives its position (see `locator`). A truncated executable does not run (see `truncation`).

use std::fmt;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::locator::{self, InvalidLocator, Locator};
use crate::{CompiledProgram, files, truncation};

/// The reason why the running executable cannot be used, and the remedy.
#[derive(Debug)]
pub struct DamagedExecutable(String);

impl fmt::Display for DamagedExecutable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Writes an executable, atomically (see [`files`]).
///
/// # Errors
/// A message about the file that could not be read or written.
pub fn build(program: &CompiledProgram, file: &Path) -> Result<(), String> {
    let mut binary = running_bytes().map_err(|trouble| files::unreadable("the binary of ravel", &trouble))?;
    truncation::move_interpreter_name_last(&mut binary);
    let payload =
        postcard::to_stdvec(program).map_err(|wrong| format!("cannot encode the program: {wrong}"))?;
    let locator = Locator {
        version: locator::VERSION,
        checksum: crc32fast::hash(&payload),
        start: binary.len() as u64,
        length: payload.len() as u64,
    };
    if !locator.write_into(&mut binary) {
        return Err("the binary of ravel has no place for a program".to_owned());
    }
    files::write_executable(file, &[&binary, &payload])
}

/// The program in the running binary; `None` if it is the compiler.
///
/// # Errors
/// [`DamagedExecutable`] if the payload of the locator is missing or changed.
pub fn of_this_binary() -> Result<Option<CompiledProgram>, DamagedExecutable> {
    let damaged = |what: String| {
        Err(DamagedExecutable(format!(
            "this executable is damaged: {what}; build it again with `ravel build`"
        )))
    };
    let locator = match locator::of_this_binary() {
        Ok(None) => return Ok(None),
        Ok(Some(locator)) => locator,
        Err(InvalidLocator) => return damaged("its record of where its program begins is wrong".to_owned()),
    };
    if locator.version != locator::VERSION {
        let (found, known) = (locator.version, locator::VERSION);
        return damaged(format!("its program has format {found}, and only format {known} is known"));
    }
    let mut payload = Vec::new();
    let read = running().and_then(|mut own| {
        let size = own.metadata()?.len();
        if Some(size) == locator.start.checked_add(locator.length) {
            own.seek(SeekFrom::Start(locator.start))?;
            own.read_to_end(&mut payload)?;
        }
        Ok(size)
    });
    match read {
        Err(trouble) => {
            let message = format!("this executable cannot read the program that it contains: {trouble}");
            return Err(DamagedExecutable(message));
        }
        Ok(_)
            if payload.len() as u64 != locator.length
                && !running_bytes().is_ok_and(|own| locator::is_in(&own)) =>
        {
            return Err(DamagedExecutable(
                "this executable cannot find its program: the system takes another file, such as a linker that was \
                 called with it, for what it runs; start the executable itself"
                    .to_owned(),
            ));
        }
        Ok(size) if payload.len() as u64 != locator.length => {
            let wanted = locator.start.saturating_add(locator.length);
            return damaged(format!("it has {size} bytes, but was built with {wanted}"));
        }
        Ok(_) => {}
    }
    if crc32fast::hash(&payload) != locator.checksum {
        return damaged("the checksum of its program is wrong".to_owned());
    }
    match postcard::take_from_bytes(&payload) {
        Ok((program, [])) => Ok(Some(program)),
        Ok(_) => damaged("there are bytes after its program".to_owned()),
        Err(wrong) => damaged(format!("its program cannot be decoded: {wrong}")),
    }
}

/// The contents of the running binary's file.
fn running_bytes() -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    running()?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The file of the running binary. On Linux this name stays valid when the file is moved.
fn running() -> std::io::Result<File> {
    File::open("/proc/self/exe").or_else(|_| File::open(std::env::current_exe()?))
}
