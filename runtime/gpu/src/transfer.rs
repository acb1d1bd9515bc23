//! Converts values to bytes of the device and back. Small types take four bytes on the device: integers of 8 and 16
//! bits are extended to 32 by their signedness, an f16 is the f32 of the same value, a bool is 0 or 1.

use ravel_abi::{Data, f16};
use ravel_prim::{PrimType, PrimValue};

/// The elements in the device's representation.
pub(crate) fn to_device(data: &Data) -> Vec<u8> {
    match data {
        Data::Bool(elements) => elements.iter().flat_map(|&x| u32::from(x).to_le_bytes()).collect(),
        Data::I8(elements) => elements.iter().flat_map(|&x| i32::from(x).to_le_bytes()).collect(),
        Data::I16(elements) => elements.iter().flat_map(|&x| i32::from(x).to_le_bytes()).collect(),
        Data::U8(elements) => elements.iter().flat_map(|&x| u32::from(x).to_le_bytes()).collect(),
        Data::U16(elements) => elements.iter().flat_map(|&x| u32::from(x).to_le_bytes()).collect(),
        Data::F16(elements) => elements.iter().flat_map(|&x| x.to_f32().to_le_bytes()).collect(),
        other => {
            let mut bytes = Vec::new();
            other.write_bytes(&mut bytes);
            bytes
        }
    }
}

/// The elements of a block.
pub(crate) fn from_device(elem: PrimType, bytes: &[u8]) -> Data {
    let words = || bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    match elem {
        PrimType::Bool => Data::Bool(words().map(|word| word != 0).collect()),
        PrimType::I8 => Data::I8(words().map(|word| word as i8).collect()),
        PrimType::I16 => Data::I16(words().map(|word| word as i16).collect()),
        PrimType::U8 => Data::U8(words().map(|word| word as u8).collect()),
        PrimType::U16 => Data::U16(words().map(|word| word as u16).collect()),
        PrimType::F16 => Data::F16(words().map(|word| f16::from_f32(f32::from_bits(word))).collect()),
        _ => Data::from_bytes(elem, bytes),
    }
}

/// The scalar in these bytes, little endian.
pub(crate) fn scalar(elem: PrimType, bytes: &[u8]) -> PrimValue {
    let bits = bytes.iter().rev().fold(0, |bits: u64, &byte| bits << 8 | u64::from(byte));
    match elem {
        PrimType::F16 => ravel_prim::convert(PrimValue::F32(f32::from_bits(bits as u32)), elem),
        _ => PrimValue::from_bits(elem, bits),
    }
}

/// The bytes of a scalar as a parameter, as wide as the device's type.
pub(crate) fn parameter(value: PrimValue) -> Vec<u8> {
    let wide = match value.ty() {
        PrimType::I8 | PrimType::I16 => ravel_prim::convert(value, PrimType::I32),
        PrimType::F16 => ravel_prim::convert(value, PrimType::F32),
        _ => value,
    };
    wide.bits().to_le_bytes()[..ravel_abi::plan::device_bytes(value.ty())].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bools_take_four_bytes() {
        let data = Data::Bool(vec![true, false].into());
        let bytes = to_device(&data);
        assert_eq!(bytes, [1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(from_device(PrimType::Bool, &bytes), data);
        assert_eq!(parameter(PrimValue::Bool(true)), [1, 0, 0, 0]);
    }

    #[test]
    fn small_numbers_take_four_bytes() {
        let all = [
            Data::I8(vec![-128, 127].into()),
            Data::I16(vec![-32768, 32767].into()),
            Data::U8(vec![0, 255].into()),
            Data::U16(vec![0, 65535].into()),
            Data::F16(vec![f16::from_f32(-0.0), f16::INFINITY].into()),
        ];
        for data in all {
            let bytes = to_device(&data);
            assert_eq!((bytes.len(), from_device(data.elem(), &bytes)), (8, data));
        }
        assert_eq!(parameter(PrimValue::I8(-2)), [0xfe, 0xff, 0xff, 0xff]);
    }

    #[test]
    fn scalars_survive_the_transfer() {
        for value in [PrimValue::I64(-2), PrimValue::F32(-0.0), PrimValue::U32(7), PrimValue::F64(1.5)] {
            assert_eq!(scalar(value.ty(), &parameter(value)), value);
        }
        for value in [PrimValue::I16(-2), PrimValue::F16(f16::EPSILON), PrimValue::U8(200)] {
            assert_eq!(scalar(value.ty(), &parameter(value)), value);
        }
    }
}
