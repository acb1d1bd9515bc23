//! The fuse: a place in the binary that says whether the binary carries a program.
//!
//! In the compiler's own binary the fuse is whole. To build an executable the binary is copied, the
//! program is put behind its end, and the fuse is *burnt*: it gets the place, the length and the
//! checksum of the payload. So a binary knows at once, by looking into its own memory, whether it is
//! an executable; and one that has lost its payload still knows that it should have one.
//!
//! | bytes | content |
//! | --- | --- |
//! | 24 | the mark, by which the fuse is found in the file |
//! | 4 | the version of the payload's format; 0: the fuse is whole |
//! | 4 | the checksum of the payload (CRC-32) |
//! | 8 | where the payload begins in the file |
//! | 8 | how long it is |
//! | 4 | the checksum of the fields above |
//!
//! All numbers are little endian.

/// The version of the payload's format.
pub const VERSION: u32 = 2;

const MARK: usize = 24;
const SIZE: usize = MARK + 4 + 4 + 8 + 8 + 4;

/// The fuse of this binary. Nothing else in it may hold the mark.
static FUSE: [u8; SIZE] =
    *b"\x07ravel executable fuse\xf1\xa9\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// What a burnt fuse says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burnt {
    /// The version of the payload's format.
    pub version: u32,
    /// The checksum of the payload.
    pub checksum: u32,
    /// Where the payload begins in the file.
    pub start: u64,
    /// How many bytes it has.
    pub length: u64,
}

/// A fuse that is neither whole nor burnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;

/// The fuse of this binary, as it is in the file, whatever the compiler knows of it.
fn own_bytes() -> &'static [u8; SIZE] {
    std::hint::black_box(&FUSE)
}

/// What the fuse of the running binary says; `None` if it is whole.
pub fn own() -> Result<Option<Burnt>, Broken> {
    read(&own_bytes()[MARK..])
}

fn read(fields: &[u8]) -> Result<Option<Burnt>, Broken> {
    let mut rest = fields;
    let mut number = |bytes: usize| {
        let (field, others) = rest.split_at_checked(bytes).ok_or(Broken)?;
        rest = others;
        let value = field.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
        Ok::<u64, Broken>(value)
    };
    let half = |value: u64| u32::try_from(value).map_err(|_| Broken);
    let (version, checksum) = (half(number(4)?)?, half(number(4)?)?);
    let (start, length, own) = (number(8)?, number(8)?, half(number(4)?)?);
    if fields.iter().all(|&byte| byte == 0) {
        return Ok(None);
    }
    let burnt = Burnt { version, checksum, start, length };
    if burnt.fields()[..fields.len()] == *fields && own != 0 { Ok(Some(burnt)) } else { Err(Broken) }
}

/// Does a binary hold a fuse, whatever that says?
pub fn is_in(binary: &[u8]) -> bool {
    memchr::memmem::find(binary, &own_bytes()[..MARK]).is_some()
}

impl Burnt {
    /// Burns the fuse in a binary. False if it does not hold one fuse, and that one whole.
    #[must_use]
    pub fn burn(&self, binary: &mut [u8]) -> bool {
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

    const BURNT: Burnt = Burnt { version: VERSION, checksum: 0xdead_beef, start: 4096, length: 77 };

    fn binary() -> Vec<u8> {
        [b"before".as_slice(), own_bytes(), b"behind"].concat()
    }

    #[test]
    fn a_whole_fuse_is_found_and_burnt_once() {
        assert_eq!(own(), Ok(None));
        let mut binary = binary();
        assert!(BURNT.burn(&mut binary));
        assert_eq!(read(&binary[6 + MARK..6 + SIZE]), Ok(Some(BURNT)));
        assert!(!BURNT.burn(&mut binary), "it is burnt already");
        assert!(is_in(&binary) && !is_in(b"none"));
        assert!(!BURNT.burn(&mut [b"none".as_slice()].concat()), "there is none");
        assert!(!BURNT.burn(&mut [self::binary(), self::binary()].concat()), "there are two");
    }

    #[test]
    fn every_flipped_bit_breaks_it() {
        let fields = BURNT.fields();
        for bit in 0..8 * fields.len() {
            let mut flipped = fields;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(read(&flipped), Err(Broken), "bit {bit}");
            let mut whole = [0; SIZE - MARK];
            whole[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(read(&whole), Err(Broken), "bit {bit} of a whole one");
        }
    }
}
