//! Converts values to words and blocks, and back.

use std::ptr::NonNull;

use ravel_abi::{Array, Element, Elements, Failure, Value, with_data, with_element};
use ravel_prim::{PrimType, PrimValue};

use crate::heap::Heap;

/// A scalar as its representation; an array as the address of its elements. The call reads the elements of the argument in
/// place. If it `consumes` the argument, it gets a copy in a new block.
///
/// # Safety
///
/// The argument outlives the call.
pub unsafe fn to_word(heap: &mut Heap, value: &Value, consumes: bool) -> Result<u64, Failure> {
    let data = match value {
        Value::Scalar(scalar) => return Ok(scalar.bits()),
        Value::Array(array) => &array.data,
    };
    let count = i64::try_from(data.len()).unwrap_or(i64::MAX);
    let bytes = data.elem().bytes();
    let start = with_data!(data, elements => NonNull::from(&**elements).cast::<u8>());
    if !consumes {
        // SAFETY: promised by the caller; elements of arguments do not change.
        unsafe { heap.borrow(start, count, bytes as u64)? };
        return Ok(start.expose_provenance().get() as u64);
    }
    let block = heap.allocate(count, bytes as u64)?;
    // SAFETY: the block is new and has room for the elements; a bool is a byte of 0 or 1.
    unsafe { start.copy_to_nonoverlapping(block, data.len() * bytes) };
    Ok(block.expose_provenance().get() as u64)
}

/// The value of these words: a scalar, or sizes and a block. With a heap, an array takes over its block
/// where the heap allows it; otherwise the elements are copied.
///
/// # Safety
///
/// The sizes are followed by the address of a block of the heap with that many elements. If there is a heap, its call is
/// over.
pub unsafe fn from_words(heap: Option<&Heap>, elem: PrimType, words: &[u64]) -> Result<Value, Failure> {
    let [sizes @ .., last] = words else { return Err(Failure::Bug("a result is missing".into())) };
    if sizes.is_empty() {
        return Ok(Value::Scalar(PrimValue::from_bits(elem, *last)));
    }
    let shape: Vec<usize> = sizes.iter().map(|&size| size as usize).collect();
    let count = shape.iter().try_fold(1_usize, |count, &size| count.checked_mul(size));
    let count = count.ok_or_else(|| Failure::out_of_memory(u128::MAX))?;
    let block = NonNull::new(std::ptr::with_exposed_provenance_mut::<u8>(*last as usize))
        .ok_or_else(|| Failure::Bug("a result has no elements".into()))?;
    if elem == PrimType::Bool {
        // SAFETY: promised by the caller; any byte is valid here.
        let bytes = unsafe { copied::<u8>(block, count) }?;
        let bools: Elements<bool> = bytes.iter().map(|&byte| byte != 0).collect();
        return Ok(Value::Array(Array { shape, data: bool::wrap(bools) }));
    }
    // SAFETY: promised by the caller.
    let data = match heap.and_then(|heap| unsafe { heap.give_out(block) }) {
        // SAFETY: promised by the caller; any bits are an element.
        Some(block) => {
            with_element!(elem, T => T::wrap(Elements::of_runtime(unsafe { block.elements::<T>(count) })))
        }
        // SAFETY: as above.
        None => with_element!(elem, T => T::wrap(unsafe { copied::<T>(block, count) }?)),
    };
    Ok(Value::Array(Array { shape, data }))
}

/// A copy of the elements of a block.
///
/// # Safety
///
/// The block has so many elements of this type.
unsafe fn copied<T: Element>(block: NonNull<u8>, count: usize) -> Result<Vec<T>, Failure> {
    let mut copy = Vec::new();
    copy.try_reserve_exact(count)
        .map_err(|_| Failure::out_of_memory(count as u128 * T::TYPE.bytes() as u128))?;
    // SAFETY: promised by the caller; there is room.
    unsafe {
        block.cast().copy_to_nonoverlapping(NonNull::from(&mut copy[..]).cast::<T>(), count);
        copy.set_len(count);
    }
    Ok(copy)
}
