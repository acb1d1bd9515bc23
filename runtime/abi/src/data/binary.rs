//! Values in binary.
//!
//! | bytes | content |
//! | --- | --- |
//! | 1 | the letter `b` |
//! | 1 | 2, the version |
//! | 1 | the number r of dimensions |
//! | 4 | the element type in ASCII, blank-padded on the left |
//! | 8r | the sizes, outermost first |
//! | rest | the elements, row-major; a bool is one byte |
//!
//! All numbers are little endian.

use std::io::{self, Write};

use ravel_prim::PrimType;

use super::{Cursor, Fault, write_elements};
use crate::{Array, Data, Value};

/// The first byte of a binary value.
pub const MARK: u8 = b'b';
const VERSION: u8 = 2;

/// Reads the value at the cursor, which is at the mark.
pub fn read(cursor: &mut Cursor) -> Result<Value, Fault> {
    cursor.binary = true;
    let start = cursor.at;
    let cut = |cursor: &Cursor| Fault::cut(cursor.bytes.len(), "the binary value ends in its header");
    let &[_, version, rank] = cursor.take(3).ok_or_else(|| cut(cursor))? else {
        return Err(cut(cursor));
    };
    if version != VERSION {
        let message = format!("binary values of version {version} are unknown, only version {VERSION} is");
        return Err(Fault::new(start + 1, message));
    }
    let name = cursor.take(4).ok_or_else(|| cut(cursor))?;
    let elem = element_type(name).ok_or_else(|| {
        Fault::new(start + 3, format!("no element type is called `{}`", name.escape_ascii()))
    })?;
    let mut shape = Vec::with_capacity(usize::from(rank));
    for _ in 0..rank {
        let at = cursor.at;
        let size = cursor.take(8).and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
        let size = size.ok_or_else(|| cut(cursor))?;
        let size = i64::try_from(size).ok().and_then(|size| usize::try_from(size).ok());
        shape.push(size.ok_or_else(|| Fault::new(at, "a size is negative or too large"))?);
    }
    let elements = match shape.contains(&0) {
        true => Some(0),
        false => shape.iter().try_fold(1u128, |product, &size| product.checked_mul(size as u128)),
    };
    let bytes = elements.and_then(|count| count.checked_mul(elem.bytes() as u128)).unwrap_or(u128::MAX);
    let present = cursor.rest().len();
    let data = usize::try_from(bytes).ok().and_then(|count| cursor.take(count)).ok_or_else(|| {
        let sizes: String = shape.iter().map(|size| format!("[{size}]")).collect();
        let says = format!("the header says {sizes}{elem}, but");
        match bytes <= u128::from(crate::memory_limit()) {
            true => Fault::cut(cursor.at, format!("{says} only {present} bytes of elements follow")),
            false => Fault::new(cursor.at, format!("{says} this many elements do not fit in the memory")),
        }
    })?;
    let data = Data::from_bytes(elem, data);
    match data.get(0) {
        Some(scalar) if rank == 0 => Ok(Value::Scalar(scalar)),
        _ => Ok(Value::Array(Array { shape, data })),
    }
}

/// Appends the value. Types have fewer than 256 dimensions.
pub fn write(value: &Value, out: &mut impl Write) -> io::Result<()> {
    let shape = value.shape();
    let mut bytes = vec![MARK, VERSION, u8::try_from(shape.len()).unwrap_or(u8::MAX)];
    bytes.extend(format!("{:>4}", value.elem().name()).bytes());
    shape.iter().for_each(|&size| bytes.extend((size as u64).to_le_bytes()));
    write_elements(bytes, value, out)
}

fn element_type(name: &[u8]) -> Option<PrimType> {
    PrimType::from_name(std::str::from_utf8(name).ok()?.trim_start_matches(' '))
}
