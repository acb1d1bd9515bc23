//! The payload locator: a static in the binary with the position of the program that the binary carries, if any.
//!
//! In the compiler's own binary the locator is empty. `executable` copies the binary, appends the program, and writes
//! the position, length and checksum of the payload into the locator. A binary reads the locator in its own memory to
//! learn whether it is an executable. So a binary that has lost its payload is detected.
//!
//! | bytes | content |
//! | --- | --- |
//! | 24 | the mark, which identifies the locator in the file |
//! | 4 | the version of the payload's format; 0: the locator is empty |
//! | 4 | the checksum of the payload (CRC-32) |
//! | 8 | the position of the payload in the file |
//! | 8 | the length of the payload |
//! | 4 | the checksum of the fields above |
//!
//! All numbers are little endian.

/// The version of the payload's format.
pub const VERSION: u32 = 2;

const MARK: usize = 24;
const SIZE: usize = MARK + 4 + 4 + 8 + 8 + 4;

/// The locator of this binary. The mark occurs nowhere else in it.
static BYTES: [u8; SIZE] =
    *b"\x07ravel payload locator\xf1\xa9\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// The contents of a locator that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locator {
    /// The version of the payload's format.
    pub version: u32,
    /// The checksum of the payload.
    pub checksum: u32,
    /// The position of the payload in the file.
    pub start: u64,
    /// The length of the payload in bytes.
    pub length: u64,
}

/// A locator that is neither empty nor valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidLocator;

/// The locator of this binary. `black_box` keeps the compiler from assuming that it is still empty.
fn own_bytes() -> &'static [u8; SIZE] {
    std::hint::black_box(&BYTES)
}

/// The locator of the running binary; `None` if it is empty.
pub fn of_this_binary() -> Result<Option<Locator>, InvalidLocator> {
    read(&own_bytes()[MARK..])
}

fn read(fields: &[u8]) -> Result<Option<Locator>, InvalidLocator> {
    let mut rest = fields;
    let mut number = |bytes: usize| {
        let (field, others) = rest.split_at_checked(bytes).ok_or(InvalidLocator)?;
        rest = others;
        let value = field.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
        Ok::<u64, InvalidLocator>(value)
    };
    let half = |value: u64| u32::try_from(value).map_err(|_| InvalidLocator);
    let (version, checksum) = (half(number(4)?)?, half(number(4)?)?);
    let (start, length, own) = (number(8)?, number(8)?, half(number(4)?)?);
    if fields.iter().all(|&byte| byte == 0) {
        return Ok(None);
    }
    let locator = Locator { version, checksum, start, length };
    if locator.fields()[..fields.len()] == *fields && own != 0 {
        Ok(Some(locator))
    } else {
        Err(InvalidLocator)
    }
}

/// Whether a binary has a locator, empty or not.
pub fn is_in(binary: &[u8]) -> bool {
    memchr::memmem::find(binary, &own_bytes()[..MARK]).is_some()
}

impl Locator {
    /// Writes this locator into a binary. Returns false unless the binary has exactly one locator, and that one is
    /// empty.
    #[must_use]
    pub fn write_into(&self, binary: &mut [u8]) -> bool {
        let mark = &own_bytes()[..MARK];
        let found: Vec<usize> = memchr::memmem::find_iter(binary, mark).take(2).collect();
        let [at] = found[..] else { return false };
        let Some(fields) = binary.get_mut(at + MARK..at + SIZE) else { return false };
        if fields.iter().any(|&byte| byte != 0) {
            return false;
        }
        fields.copy_from_slice(&self.fields());
        true
    }

    fn fields(&self) -> [u8; SIZE - MARK] {
        let mut bytes = Vec::new();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend(self.checksum.to_le_bytes());
        bytes.extend(self.start.to_le_bytes());
        bytes.extend(self.length.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        let mut fields = [0; SIZE - MARK];
        fields.copy_from_slice(&bytes);
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCATOR: Locator = Locator { version: VERSION, checksum: 0xdead_beef, start: 4096, length: 77 };

    fn binary() -> Vec<u8> {
        [b"before".as_slice(), own_bytes(), b"after"].concat()
    }

    #[test]
    fn an_empty_locator_is_found_and_written_once() {
        assert_eq!(of_this_binary(), Ok(None));
        let mut binary = binary();
        assert!(LOCATOR.write_into(&mut binary));
        assert_eq!(read(&binary[6 + MARK..6 + SIZE]), Ok(Some(LOCATOR)));
        assert!(!LOCATOR.write_into(&mut binary), "it is written already");
        assert!(is_in(&binary) && !is_in(b"none"));
        assert!(!LOCATOR.write_into(&mut [b"none".as_slice()].concat()), "there is none");
        assert!(!LOCATOR.write_into(&mut [self::binary(), self::binary()].concat()), "there are two");
    }

    #[test]
    fn every_flipped_bit_breaks_it() {
        let fields = LOCATOR.fields();
        for bit in 0..8 * fields.len() {
            let mut flipped = fields;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(read(&flipped), Err(InvalidLocator), "bit {bit}");
            let mut whole = [0; SIZE - MARK];
            whole[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(read(&whole), Err(InvalidLocator), "bit {bit} of an empty one");
        }
    }
}
