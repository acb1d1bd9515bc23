//! Files of values next to a program, plain or compressed.

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use ravel_driver::spec::Values;
use ravel_program::files;

/// The values in a test block, or in the file that it names.
pub fn values(program: &Path, values: &Values) -> Result<Vec<u8>, String> {
    match values {
        Values::Text(text) => Ok(text.clone().into_bytes()),
        Values::File(name) => read(&program.parent().unwrap_or(Path::new("")).join(name)),
    }
}

/// The bytes of a file, decompressed if its name ends in `.gz`.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    let bytes = files::read(path)?;
    if path.extension().is_none_or(|extension| extension != "gz") {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    let limit = ravel_abi::memory_limit();
    MultiGzDecoder::new(bytes.as_slice())
        .take(limit)
        .read_to_end(&mut unpacked)
        .map_err(|trouble| files::unreadable(path.display(), &trouble))?;
    Ok(unpacked)
}
