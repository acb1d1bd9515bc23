//! Values to bytes of the device and back. They differ in one type: a bool takes four bytes there.

use ravel_abi::Data;
use ravel_prim::{PrimType, PrimValue};

/// The elements as a block holds them.
pub(crate) fn to_device(data: &Data) -> Vec<u8> {
    match data {
        Data::Bool(elements) => elements.iter().flat_map(|&x| u32::from(x).to_le_bytes()).collect(),
        other => {
            let mut bytes = Vec::new();
            other.write_bytes(&mut bytes);
            bytes
        }
    }
}

/// The elements of a block.
pub(crate) fn from_device(elem: PrimType, bytes: &[u8]) -> Data {
    match elem {
        PrimType::Bool => {
            Data::Bool(bytes.chunks_exact(4).map(|word| word.iter().any(|&byte| byte != 0)).collect())
        }
        _ => Data::from_bytes(elem, bytes),
    }
}

/// The scalar whose representation these bytes are, little endian.
pub(crate) fn scalar(elem: PrimType, bytes: &[u8]) -> PrimValue {
    let bits = bytes.iter().rev().fold(0, |bits: u64, &byte| bits << 8 | u64::from(byte));
    PrimValue::from_bits(elem, bits)
}

/// The scalar as a parameter: as many bytes as the device gives its type.
pub(crate) fn parameter(value: PrimValue) -> Vec<u8> {
    value.bits().to_le_bytes()[..ravel_abi::plan::device_bytes(value.ty())].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bools_take_four_bytes() {
        let data = Data::Bool(vec![true, false]);
        let bytes = to_device(&data);
        assert_eq!(bytes, [1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(from_device(PrimType::Bool, &bytes), data);
        assert_eq!(parameter(PrimValue::Bool(true)), [1, 0, 0, 0]);
    }

    #[test]
    fn scalars_come_back() {
        for value in [PrimValue::I64(-2), PrimValue::F32(-0.0), PrimValue::U32(7), PrimValue::F64(1.5)] {
            assert_eq!(scalar(value.ty(), &parameter(value)), value);
        }
    }
}
