//! Values as NumPy files (`.npy`): one array in each file; a scalar is an array without dimensions.
//!
//! | bytes | content |
//! | --- | --- |
//! | 6 | `\x93NUMPY` |
//! | 2 | the version of the format, 1.0 to 3.0 |
//! | 2 or 4 | the length of the header, little endian; 2 bytes in version 1 |
//! | as stated | the header: a Python dictionary of `descr`, `fortran_order` and `shape` |
//! | rest | the elements, in the order and the byte order that the header states |
//!
//! The header is read as the little language that NumPy writes, not as Python: strings, booleans and tuples of numbers,
//! nothing nested. So the time to read a header is linear in its length.

use std::io::{self, Read, Write};

use ravel_prim::PrimType;

use super::write_elements;
use crate::{Array, Data, Value, memory_limit};

const MAGIC: &[u8] = b"\x93NUMPY";

/// Headers are padded so that the elements begin at multiples of this.
const ALIGNMENT: usize = 64;

/// The maximum length of a header in bytes; 255 sizes and some blanks take far fewer.
const MAX_HEADER_BYTES: u64 = 1 << 16;

/// Reads the array of a whole file. It reads at most the number of bytes that the header states, so that an endless
/// file is refused too.
///
/// # Errors
/// A message about the file.
pub fn read_npy(file: &mut dyn Read) -> Result<Value, String> {
    let mut next = |bytes: u64| {
        let mut read = Vec::new();
        let done = (&mut *file).take(bytes).read_to_end(&mut read);
        done.map(|_| read).map_err(|trouble| format!("it cannot be read: {trouble}"))
    };
    if next(MAGIC.len() as u64)? != MAGIC {
        return Err("this is not a file of NumPy's: it does not begin with its mark".to_owned());
    }
    let cut = || "the file ends in its header".to_owned();
    let version: [u8; 2] = next(2)?.try_into().map_err(|_| cut())?;
    let length = match version {
        [1, 0] => u64::from(u16::from_le_bytes(next(2)?.try_into().map_err(|_| cut())?)),
        [2 | 3, 0] => u64::from(u32::from_le_bytes(next(4)?.try_into().map_err(|_| cut())?)),
        [major, minor] => return Err(format!("version {major}.{minor} of the format is unknown")),
    };
    let header = next(length.min(MAX_HEADER_BYTES))?;
    if length > MAX_HEADER_BYTES && header.len() as u64 == MAX_HEADER_BYTES {
        return Err(format!("the header has {length} bytes, which is more than any array needs"));
    }
    if (header.len() as u64) < length {
        return Err(cut());
    }
    let header = std::str::from_utf8(&header).map_err(|_| "the header is not a text".to_owned())?;
    let header = Header::parse(header)?;
    let wanted = header.bytes()?;
    let elements = next(wanted)?;
    let more = next(1)?;
    match elements.len() as u64 {
        found if found < wanted => {
            Err(format!("the header states {wanted} bytes of elements, but {found} follow"))
        }
        _ if !more.is_empty() => {
            Err(format!("the header states {wanted} bytes of elements, but more follow"))
        }
        _ => Ok(header.value(elements)),
    }
}

/// Writes the file of a value. The elements are copied in parts, so that a large array needs no memory for a second one.
///
/// # Errors
/// The error of the writer.
pub fn write_npy(value: &Value, out: &mut impl Write) -> io::Result<()> {
    let elem = value.elem();
    let order = if elem.bytes() == 1 { '|' } else { '<' };
    let kind = match elem {
        PrimType::Bool => 'b',
        _ if elem.is_float() => 'f',
        PrimType::U8 | PrimType::U16 | PrimType::U32 | PrimType::U64 => 'u',
        _ => 'i',
    };
    // A tuple of one element ends in a comma.
    let shape: String = match value.shape() {
        [size] => format!("{size},"),
        sizes => sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
    };
    let mut header =
        format!("{{'descr': '{order}{kind}{}', 'fortran_order': False, 'shape': ({shape}), }}", elem.bytes());
    let (version, before) = if header.len() + ALIGNMENT < usize::from(u16::MAX) { (1, 10) } else { (2, 12) };
    let end = (before + header.len() + 1).next_multiple_of(ALIGNMENT);
    header.extend(std::iter::repeat_n(' ', end - before - header.len() - 1));
    header.push('\n');
    let length = (header.len() as u32).to_le_bytes();
    let bytes = [MAGIC, &[version, 0], &length[..before - 8], header.as_bytes()].concat();
    write_elements(bytes, value, out)
}

/// The contents of a header.
struct Header {
    elem: PrimType,
    big_endian: bool,
    fortran_order: bool,
    shape: Vec<usize>,
}

impl Header {
    /// The number of bytes of the elements.
    fn bytes(&self) -> Result<u64, String> {
        let count = match self.shape.contains(&0) {
            true => Some(0),
            false => self.shape.iter().try_fold(1u64, |product, &size| product.checked_mul(size as u64)),
        };
        let bytes = count.and_then(|count| count.checked_mul(self.elem.bytes() as u64));
        let bytes = bytes.filter(|&bytes| bytes <= memory_limit());
        bytes.ok_or_else(|| "the header states more elements than fit in the memory".to_owned())
    }

    /// The array of these elements.
    fn value(self, mut elements: Vec<u8>) -> Value {
        let Header { elem, big_endian, fortran_order, shape } = self;
        if big_endian {
            elements.chunks_exact_mut(elem.bytes()).for_each(<[u8]>::reverse);
        }
        if fortran_order && shape.len() > 1 {
            elements = row_major(&elements, &shape, elem.bytes());
        }
        let data = Data::from_bytes(elem, &elements);
        match data.get(0) {
            Some(scalar) if shape.is_empty() => Value::Scalar(scalar),
            _ => Value::Array(Array { shape, data }),
        }
    }

    fn parse(text: &str) -> Result<Header, String> {
        let mut words = Words { rest: text };
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        words.take("{")?;
        while !words.skip("}") {
            let key = words.string()?;
            words.take(":")?;
            match key {
                "descr" => descr = Some(words.string()?),
                "fortran_order" => fortran_order = Some(words.boolean()?),
                "shape" => shape = Some(words.sizes()?),
                other => {
                    return Err(format!("the header has a key `{}`, which is unknown", other.escape_debug()));
                }
            }
            if !words.skip(",") && !words.rest.starts_with('}') {
                return Err(words.expected("`,` or `}`"));
            }
        }
        if !words.rest.is_empty() {
            return Err(words.expected("the end of the header"));
        }
        let lacks = |key: &str| format!("the header has no key `{key}`");
        let (elem, big_endian) = element_type(descr.ok_or_else(|| lacks("descr"))?)?;
        Ok(Header {
            elem,
            big_endian,
            fortran_order: fortran_order.ok_or_else(|| lacks("fortran_order"))?,
            shape: shape.ok_or_else(|| lacks("shape"))?,
        })
    }
}

/// The type that a description such as `<f8` stands for, and whether its bytes are in the other order.
fn element_type(descr: &str) -> Result<(PrimType, bool), String> {
    let no = || format!("elements of type `{}` are not those of a program", descr.escape_debug());
    let (order, kind) = descr.split_at_checked(1).ok_or_else(no)?;
    let big_endian = match order {
        "<" | "|" | "=" => false,
        ">" => true,
        _ => return Err(no()),
    };
    let elem = match kind {
        "b1" => PrimType::Bool,
        "i1" => PrimType::I8,
        "i2" => PrimType::I16,
        "i4" => PrimType::I32,
        "i8" => PrimType::I64,
        "u1" => PrimType::U8,
        "u2" => PrimType::U16,
        "u4" => PrimType::U32,
        "u8" => PrimType::U64,
        "f2" => PrimType::F16,
        "f4" => PrimType::F32,
        "f8" => PrimType::F64,
        _ => return Err(no()),
    };
    Ok((elem, big_endian))
}

/// The words of a header.
struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// Skips blanks, and then this mark if it is next.
    fn skip(&mut self, mark: &str) -> bool {
        self.rest = self.rest.trim_start();
        let found = self.rest.strip_prefix(mark);
        self.rest = found.unwrap_or(self.rest).trim_start();
        found.is_some()
    }

    fn take(&mut self, mark: &str) -> Result<(), String> {
        if self.skip(mark) { Ok(()) } else { Err(self.expected(&format!("`{mark}`"))) }
    }

    fn expected(&self, what: &str) -> String {
        let found: String = self.rest.chars().take(12).filter(|c| !c.is_control()).collect();
        match found.is_empty() {
            true => format!("the header ends where {what} is expected"),
            false => format!("the header has `{found}` where {what} is expected"),
        }
    }

    fn string(&mut self) -> Result<&'a str, String> {
        for quote in ["'", "\""] {
            if self.skip(quote) {
                let (string, rest) =
                    self.rest.split_once(quote).ok_or_else(|| self.expected("a closed string"))?;
                self.rest = rest.trim_start();
                return Ok(string);
            }
        }
        Err(self.expected("a string"))
    }

    fn boolean(&mut self) -> Result<bool, String> {
        match (self.skip("True"), self.skip("False")) {
            (true, _) => Ok(true),
            (false, true) => Ok(false),
            (false, false) => Err(self.expected("`True` or `False`")),
        }
    }

    /// A tuple of sizes.
    fn sizes(&mut self) -> Result<Vec<usize>, String> {
        let mut sizes = Vec::new();
        self.take("(")?;
        while !self.skip(")") {
            let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
            let size: i64 = self.rest[..end].parse().map_err(|_| self.expected("a size"))?;
            self.rest = &self.rest[end..];
            // Python 2 wrote an L after large numbers.
            self.skip("L");
            sizes.push(usize::try_from(size).map_err(|_| self.expected("a size"))?);
            if !self.skip(",") && !self.rest.starts_with(')') {
                return Err(self.expected("`,` or `)`"));
            }
        }
        if sizes.len() > usize::from(u8::MAX) {
            return Err("the array has more than 255 dimensions".to_owned());
        }
        Ok(sizes)
    }
}

/// Reorders elements of `size` bytes from column-major to row-major.
fn row_major(elements: &[u8], shape: &[usize], bytes: usize) -> Vec<u8> {
    let mut strides = vec![bytes; shape.len()];
    for dim in 1..shape.len() {
        strides[dim] = strides[dim - 1] * shape[dim - 1];
    }
    let mut index = vec![0; shape.len()];
    let mut result = Vec::with_capacity(elements.len());
    while result.len() < elements.len() {
        let at: usize = index.iter().zip(&strides).map(|(index, stride)| index * stride).sum();
        result.extend_from_slice(&elements[at..at + bytes]);
        for dim in (0..shape.len()).rev() {
            index[dim] += 1;
            if index[dim] < shape[dim] {
                break;
            }
            index[dim] = 0;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ravel_prim::PrimValue;

    use super::*;

    fn file(header: &str, elements: &[u8]) -> Vec<u8> {
        let length = (header.len() as u16).to_le_bytes();
        [MAGIC, &[1, 0], &length, header.as_bytes(), elements].concat()
    }

    fn read_npy(mut bytes: &[u8]) -> Result<Value, String> {
        super::read_npy(&mut bytes)
    }

    fn says(header: &str, elements: &[u8]) -> String {
        read_npy(&file(header, elements)).expect_err("the file is wrong")
    }

    #[test]
    fn a_file_without_end_is_refused() {
        let says = |begin: &[u8]| {
            let read = super::read_npy(&mut begin.chain(std::io::repeat(b' ')));
            read.expect_err("the file has no end")
        };
        assert!(says(b"").contains("not a file of NumPy's"));
        assert!(says(b"\x93NUMPY\x02\x00\xff\xff\xff\xff").contains("4294967295 bytes"));
        let whole = file("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}", &[0; 8]);
        assert_eq!(says(&whole), "the header states 8 bytes of elements, but more follow");
    }

    /// The file of a value.
    fn npy_file(value: &Value) -> Vec<u8> {
        let mut file = Vec::new();
        write_npy(value, &mut file).expect("a vector takes all bytes");
        file
    }

    #[test]
    fn every_type_reads_back() {
        for elem in PrimType::ALL {
            for (shape, count) in [(vec![], 1), (vec![0, 3], 0), (vec![3], 3), (vec![2, 1, 3], 6)] {
                let bytes: Vec<u8> = (0..count * elem.bytes()).map(|byte| byte as u8 % 2).collect();
                let data = Data::from_bytes(elem, &bytes);
                let value = match shape.is_empty() {
                    true => Value::Scalar(data.get(0).expect("there is one")),
                    false => Value::Array(Array { shape, data }),
                };
                let file = npy_file(&value);
                assert_eq!((file.len() - count * elem.bytes()) % ALIGNMENT, 0);
                assert_eq!(read_npy(&file), Ok(value));
            }
        }
    }

    #[test]
    fn other_orders_are_turned() {
        let elements: Vec<u8> = (0..6u16).flat_map(u16::to_be_bytes).collect();
        let read = read_npy(&file("{'descr': '>u2', 'fortran_order': True, 'shape': (2, 3), }", &elements));
        let data = Data::U16(vec![0, 2, 4, 1, 3, 5].into());
        assert_eq!(read, Ok(Value::Array(Array { shape: vec![2, 3], data })));
        let python2 = "{\"shape\": (1L,),\"fortran_order\":False,\"descr\":\"|b1\"}\n";
        let data = Data::Bool(vec![true].into());
        assert_eq!(read_npy(&file(python2, &[1])), Ok(Value::Array(Array { shape: vec![1], data })));
        let version_2 =
            [MAGIC, &[2, 0, 52, 0, 0, 0], b"{'descr':'|i1','fortran_order':False,'shape':()}    ", &[9]];
        assert_eq!(read_npy(&version_2.concat()), Ok(Value::Scalar(PrimValue::I8(9))));
    }

    #[test]
    fn errors_are_reported() {
        let header = |descr: &str, shape: &str| {
            format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}}}")
        };
        for (header, message) in [
            (header("'<c8'", "(1,)"), "elements of type `<c8` are not those of a program"),
            (header("'<f8'", "(2,)"), "the header states 16 bytes of elements, but 8 follow"),
            (header("'<f8'", "(-2,)"), "the header has `-2,)}` where a size is expected"),
            (header("'<f8'", "(99999999999,)"), "the header states more elements than fit in the memory"),
            (
                header("'<f8'", "(4611686018427387904, 4, 4)"),
                "the header states more elements than fit in the memory",
            ),
            (header("[('a', '<f8')]", "(1,)"), "the header has `[('a', '<f8'` where a string is expected"),
            ("{'descr': '<f8', 'shape': ()}".to_owned(), "the header has no key `fortran_order`"),
            ("{'colour': 3}".to_owned(), "the header has a key `colour`, which is unknown"),
            ("{'descr': '<f8'".to_owned(), "the header ends where `,` or `}` is expected"),
            (header("'<f8'", "((((((1,"), "the header has `(((((1,}` where a size is expected"),
        ] {
            let said = says(&header, &[0; 8]);
            assert!(said.starts_with(message), "{header}: {said}");
        }
        assert!(read_npy(b"[1, 2]").is_err_and(|said| said.contains("not a file of NumPy's")));
        assert!(read_npy(b"\x93NUMPY\x09\x00").is_err_and(|said| said.contains("version 9.0")));
        assert!(
            read_npy(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{")
                .is_err_and(|said| said.contains("ends in its header"))
        );
    }

    proptest! {
        #[test]
        fn no_file_brings_the_reader_down(at in 0usize..140, byte: u8, cut in 0usize..140) {
            let data = Data::I32(vec![1, 2, 3].into());
            let mut bytes = npy_file(&Value::Array(Array { shape: vec![1, 3], data }));
            bytes[at] = byte;
            let _ = read_npy(&bytes);
            let _ = read_npy(&bytes[..cut]);
        }
    }
}
