//! Digests of results, for results that are too large to store.

use ravel_abi::{Data, Value};
use sha2::{Digest, Sha256};

/// The SHA-256 digest of the elements' bytes, each element little endian, in hexadecimal digits.
pub fn sha256(value: &Value) -> String {
    let mut hash = Sha256::new();
    match value {
        Value::Scalar(scalar) => hash.update(&scalar.bits().to_le_bytes()[..scalar.ty().bytes()]),
        Value::Array(array) => {
            let mut bytes = Vec::new();
            Data::write_bytes(&array.data, &mut bytes);
            hash.update(&bytes);
        }
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
