//! Converts values to words and blocks, and back.

use ravel_abi::{Array, Data, Failure, Value};
use ravel_prim::{PrimType, PrimValue};

use crate::heap::Heap;

/// Runs `$body` with `$vec` bound to the vector of a [`Data`] in whose elements any bits are valid.
macro_rules! with_plain {
    ($data:expr, $bools:ident => $special:expr, $vec:ident => $body:expr) => {
        match $data {
            Data::Bool($bools) => $special,
            Data::I8($vec) => $body,
            Data::I16($vec) => $body,
            Data::I32($vec) => $body,
            Data::I64($vec) => $body,
            Data::U8($vec) => $body,
            Data::U16($vec) => $body,
            Data::U32($vec) => $body,
            Data::U64($vec) => $body,
            Data::F16($vec) => $body,
            Data::F32($vec) => $body,
            Data::F64($vec) => $body,
        }
    };
}

/// A scalar as its representation; an array as the address of a new block that holds its elements.
pub fn to_word(heap: &Heap, value: &Value) -> Result<u64, Failure> {
    let data = match value {
        Value::Scalar(scalar) => return Ok(scalar.bits()),
        Value::Array(array) => &array.data,
    };
    let count = i64::try_from(data.len()).unwrap_or(i64::MAX);
    let block = heap.allocate(count, data.elem().bytes() as u64)?.as_ptr();
    let copy = |from: *const u8, count: usize| {
        // SAFETY: the block is new and has room for the elements; a bool is a byte of 0 or 1.
        unsafe { std::ptr::copy_nonoverlapping(from, block, count * data.elem().bytes()) }
    };
    with_plain!(data, bools => copy(bools.as_ptr().cast(), bools.len()), vec => copy(vec.as_ptr().cast(), vec.len()));
    Ok(block.expose_provenance() as u64)
}

/// The value of these words: a scalar, or sizes and a block.
///
/// # Safety
///
/// The sizes are followed by the address of a block with that many elements.
pub unsafe fn from_words(elem: PrimType, words: &[u64]) -> Result<Value, Failure> {
    let [sizes @ .., last] = words else { return Err(Failure::Bug("a result is missing".into())) };
    if sizes.is_empty() {
        return Ok(Value::Scalar(PrimValue::from_bits(elem, *last)));
    }
    let block = std::ptr::with_exposed_provenance::<u8>(*last as usize);
    let shape: Vec<usize> = sizes.iter().map(|&size| size as usize).collect();
    let count = shape.iter().try_fold(1_usize, |count, &size| count.checked_mul(size));
    let count = count.ok_or_else(|| Failure::out_of_memory(u128::MAX))?;
    let mut data = Data::from_bytes(elem, &[]);
    with_plain!(
        &mut data,
        bools => {
            // SAFETY: promised by the caller; any byte is valid here.
            let bytes = unsafe { std::slice::from_raw_parts(block, count) };
            bools.extend(bytes.iter().map(|&byte| byte != 0));
        },
        vec => {
            vec.try_reserve_exact(count)
                .map_err(|_| Failure::out_of_memory(count as u128 * elem.bytes() as u128))?;
            // SAFETY: promised by the caller; there is room, and any bits are an element.
            unsafe {
                std::ptr::copy_nonoverlapping(block.cast(), vec.as_mut_ptr(), count);
                vec.set_len(count);
            }
        }
    );
    Ok(Value::Array(Array { shape, data }))
}

/// Bytes of the elements of an array; 0 for a scalar.
pub fn array_bytes(value: &Value) -> u64 {
    match value {
        Value::Scalar(_) => 0,
        Value::Array(array) => (array.data.len() * array.data.elem().bytes()) as u64,
    }
}
