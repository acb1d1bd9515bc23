//! Truncated executables: makes them fail at start with an error instead of a signal.
//!
//! The system maps a binary into memory as its header says and does not check the length of the file. If the end is
//! missing, the first access to it kills the process by a signal, before any code runs and without a message. One part
//! of a binary is also read from the file: the name of its *interpreter*, the dynamic linker. If it cannot be read,
//! the start fails with an error that shells and other callers report. So the name is moved after everything that is
//! mapped: a truncation that removes mapped bytes removes the name too. The linker itself reads its name at the old
//! address in memory.
//!
//! | where an executable is truncated | result |
//! | --- | --- |
//! | in its header, within the first kilobyte | the system: Exec format error |
//! | in the mapped part, or in the name after it | the system: Input/output error |
//! | in the compiled program at its end | the executable reports that it is damaged (see `locator`) |
//!
//! Symbols and notes for debuggers are not mapped; executables do not have them.
//!
//! Only 64-bit ELF is handled. A binary of another format, or one without an interpreter, is not changed.

/// The first bytes of a 64-bit ELF file: the magic number, 64 bits, little endian.
const MAGIC: &[u8] = b"\x7fELF\x02\x01";

/// Where two fields are in the file's header: the offset of the table of segments, and the number of segments.
const SEGMENT_TABLE: (usize, usize) = (32, 56);

/// Where three fields are in the file's header, and their sizes: the offset of the table of sections, the number of
/// sections, and the index of the section that holds their names.
const SECTION_TABLE: [(usize, usize); 3] = [(40, 8), (60, 2), (62, 2)];

/// The size of a segment's entry in the table, and where its kind, start and length are in the entry.
const SEGMENT: (usize, usize, usize, usize) = (56, 0, 8, 32);

/// The kind of a segment that is mapped into memory.
const MAPPED: usize = 1;

/// The kind of the segment that contains the name of the interpreter.
const INTERPRETER: usize = 3;

/// An entry of the table of segments.
struct Segment {
    kind: usize,
    /// Where the field with `start` is in the file.
    start_field: usize,
    start: usize,
    end: usize,
}

/// Cuts a binary after its mapped part and appends the name of its interpreter there.
pub fn move_interpreter_name_last(binary: &mut Vec<u8>) {
    let Some((name, end)) = name_and_mapped_end(binary) else { return };
    let text = binary[name.start..name.end].to_vec();
    binary.truncate(end);
    binary[name.start_field..name.start_field + 8].copy_from_slice(&(end as u64).to_le_bytes());
    for (at, size) in SECTION_TABLE {
        binary[at..at + size].fill(0);
    }
    binary.extend(text);
}

/// The segment of the interpreter's name, and the end of the mapped part, which contains all headers.
fn name_and_mapped_end(binary: &[u8]) -> Option<(Segment, usize)> {
    if !binary.starts_with(MAGIC) {
        return None;
    }
    let (table, count) = (number::<8>(binary, SEGMENT_TABLE.0)?, number::<2>(binary, SEGMENT_TABLE.1)?);
    let segments: Option<Vec<Segment>> = (0..count).map(|at| segment(binary, table, at)).collect();
    let mut segments = segments?;
    let end = segments.iter().filter(|segment| segment.kind == MAPPED).map(|mapped| mapped.end).max()?;
    let name = segments.iter().position(|segment| segment.kind == INTERPRETER)?;
    let headers = table.checked_add(count * SEGMENT.0)?.max(64);
    (headers <= end).then(|| (segments.swap_remove(name), end))
}

fn segment(binary: &[u8], table: usize, at: usize) -> Option<Segment> {
    let (size, kind, start, length) = SEGMENT;
    let entry = table.checked_add(at * size)?;
    let begins = number::<8>(binary, entry.checked_add(start)?)?;
    let end = begins.checked_add(number::<8>(binary, entry.checked_add(length)?)?)?;
    let kind = number::<4>(binary, entry.checked_add(kind)?)?;
    (end <= binary.len()).then_some(Segment { kind, start_field: entry + start, start: begins, end })
}

/// The number of `BYTES` bytes at an offset.
fn number<const BYTES: usize>(binary: &[u8], at: usize) -> Option<usize> {
    let field = binary.get(at..at.checked_add(BYTES)?)?;
    usize::try_from(field.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with a header, three segments (the interpreter and two mapped ones), and bytes after them.
    fn binary() -> Vec<u8> {
        let mut bytes = vec![0; 64];
        bytes[..6].copy_from_slice(MAGIC);
        let mut put = |at: usize, value: u64, size: usize| {
            bytes.resize(bytes.len().max(at + size), 0);
            bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        };
        put(32, 64, 8);
        put(40, 320, 8);
        put(56, 3, 2);
        put(60, 9, 2);
        for (at, [kind, start, length]) in [[3, 240, 7], [1, 0, 260], [1, 260, 40]].into_iter().enumerate() {
            put(64 + 56 * at, kind, 4);
            put(64 + 56 * at + 8, start, 8);
            put(64 + 56 * at + 32, length, 8);
        }
        put(240, u64::from_le_bytes(*b"/linker\0"), 7);
        put(299, 0, 1);
        bytes.extend([7; 50]);
        bytes
    }

    #[test]
    fn the_name_of_the_interpreter_comes_last() {
        let mut changed = binary();
        move_interpreter_name_last(&mut changed);
        assert_eq!(changed.len(), 300 + 7);
        assert_eq!(&changed[300..], b"/linker");
        assert_eq!(&changed[240..247], b"/linker", "the linker looks for it in memory");
        assert_eq!(number::<8>(&changed, 64 + 8), Some(300));
        assert_eq!((number::<8>(&changed, 40), number::<2>(&changed, 60)), (Some(0), Some(0)));
        let same = |at: std::ops::Range<usize>| assert_eq!(changed[at.clone()], binary()[at]);
        same(0..40);
        same(64 + 16..300);
    }

    #[test]
    fn other_binaries_are_not_changed() {
        let stays = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut changed = binary();
            change(&mut changed);
            let before = changed.clone();
            move_interpreter_name_last(&mut changed);
            assert_eq!(changed, before);
        };
        stays(&|bytes| bytes[0] = b'M');
        stays(&|bytes| bytes[4] = 1);
        stays(&|bytes| bytes.truncate(20));
        stays(&|bytes| bytes.truncate(290));
        stays(&|bytes| bytes[32..40].fill(0xff));
        stays(&|bytes| bytes[56] = 200);
        stays(&|bytes| bytes[64] = 4);
        stays(&|bytes| bytes[64 + 32 + 7] = 0xff);
        stays(&|bytes| [64 + 56, 64 + 112].iter().for_each(|&at| bytes[at] = 4));
        // The file would end within its header.
        stays(&|bytes| (bytes[64 + 56 + 33], bytes[64 + 112]) = (0, 4));
    }
}
