//! Shrinks arguments: first to shorter arrays, then to numbers closer to zero.

use ravel_abi::{Array, Data, Dim, Signature, Value};
use ravel_prim::{BinOp, CmpOp, PrimValue, binary, compare, convert};

/// The number of elements of an array that are shrunk, one at a time.
const ELEMENTS: usize = 30;

/// All ways to make these arguments smaller by one step: a shorter dimension, or one number closer to zero.
pub(super) fn smaller(signature: &Signature, args: &[Value]) -> Vec<Vec<Value>> {
    let mut all = Vec::new();
    for number in 0..signature.sizes {
        let size = size_of(signature, args, number);
        let lengths = [size / 2, size.saturating_sub(1)];
        for (at, &length) in lengths.iter().enumerate().filter(|(_, length)| **length < size) {
            if at == 0 || length != lengths[0] {
                all.extend(shorter(signature, args, number, length));
            }
        }
    }
    for (number, arg) in args.iter().enumerate() {
        let mut replace = |value: Value| {
            let mut args = args.to_vec();
            args[number] = value;
            all.push(args);
        };
        match arg {
            Value::Scalar(scalar) => {
                lesser(*scalar).into_iter().for_each(|lesser| replace(Value::Scalar(lesser)))
            }
            Value::Array(array) => {
                for at in 0..array.data.len().min(ELEMENTS) {
                    for lesser in array.data.get(at).map(lesser).unwrap_or_default() {
                        let mut array = array.clone();
                        if array.data.set(at, lesser) {
                            replace(Value::Array(array));
                        }
                    }
                }
            }
        }
    }
    all
}

/// The value of a size variable in these arguments.
fn size_of(signature: &Signature, args: &[Value], number: usize) -> usize {
    let dims = signature.params.iter().zip(args).flat_map(|(param, arg)| param.dims.iter().zip(arg.shape()));
    let mut sizes = dims.filter(|(dim, _)| **dim == Dim::Size(number)).map(|(_, &size)| size);
    sizes.next().expect("each size is one of a parameter")
}

/// The arguments with a size variable reduced to `length`; `None` if there is too little memory.
fn shorter(signature: &Signature, args: &[Value], number: usize, length: usize) -> Option<Vec<Value>> {
    let truncate = |(param, arg): (&ravel_abi::ParamType, &Value)| match arg {
        Value::Scalar(_) => Some(arg.clone()),
        Value::Array(array) => {
            let dims = param.dims.iter().zip(&array.shape);
            let shape = dims.map(|(dim, &size)| if *dim == Dim::Size(number) { length } else { size });
            truncated(array, shape.collect()).map(Value::Array)
        }
    };
    signature.params.iter().zip(args).map(truncate).collect()
}

/// An array with only the first elements along each dimension.
fn truncated(array: &Array, shape: Vec<usize>) -> Option<Array> {
    let count = shape.iter().product::<usize>();
    let mut data = Data::zeros(array.data.elem(), count as u128).ok()?;
    for at in 0..count {
        let (mut rest, mut from, mut stride) = (at, 0, 1);
        for (&new, &old) in shape.iter().zip(&array.shape).rev() {
            from += rest % new * stride;
            rest /= new;
            stride *= old;
        }
        if !data.set(at, array.data.get(from)?) {
            return None;
        }
    }
    Some(Array { shape, data })
}

/// Numbers closer to zero, the closest first; none for zero itself.
fn lesser(scalar: PrimValue) -> Vec<PrimValue> {
    let ty = scalar.ty();
    let number = |number: i64| convert(PrimValue::I64(number), ty);
    let toward = |op, by| binary(op, scalar, number(by));
    let holds = |op| compare(op, scalar, number(0)) == Some(true);
    if holds(CmpOp::Eq) {
        return Vec::new();
    }
    let mut lesser = vec![number(0)];
    if ty.is_integer() {
        lesser.extend(toward(BinOp::Quot, 2));
        lesser.extend(toward(if holds(CmpOp::Lt) { BinOp::Add } else { BinOp::Sub }, 1));
    } else if ty.is_float() {
        let whole = convert(convert(scalar, ravel_abi::PrimType::I64), ty);
        lesser.push(whole);
        lesser.extend(binary(BinOp::Div, whole, number(2)));
    }
    let mut seen = vec![scalar.bits()];
    lesser.retain(|lesser| {
        let is_new = !seen.contains(&lesser.bits());
        seen.push(lesser.bits());
        is_new
    });
    lesser
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_shrink_towards_zero() {
        assert_eq!(lesser(PrimValue::I32(-7)), [0, -3, -6].map(PrimValue::I32));
        assert_eq!(lesser(PrimValue::I32(1)), [PrimValue::I32(0)]);
        assert_eq!(lesser(PrimValue::F64(2.5)), [0.0, 2.0, 1.0].map(PrimValue::F64));
        assert_eq!(lesser(PrimValue::Bool(false)), []);
        assert_eq!(lesser(PrimValue::U8(0)), []);
    }

    #[test]
    fn truncation_keeps_the_first_elements_of_each_dimension() {
        let array = Array { shape: vec![2, 3], data: Data::I32((0..6).collect()) };
        let cut = truncated(&array, vec![2, 2]);
        assert_eq!(cut, Some(Array { shape: vec![2, 2], data: Data::I32(vec![0, 1, 3, 4].into()) }));
    }
}
