//! Sizes of the local-volatility calibration.

use ravel_abi::Value;

use crate::values::scalar;

/// Numbers of strikes, of grid points along x and along y, and of moments.
const SIZES: [(&str, [i32; 4]); 5] = [
    ("tiny", [4, 8, 12, 10]),
    ("mini", [8, 32, 32, 16]),
    ("small", [16, 32, 256, 256]),
    ("medium", [128, 256, 32, 64]),
    ("large", [256, 256, 256, 64]),
];

/// The names of the sizes.
pub fn sizes() -> impl Iterator<Item = &'static str> {
    SIZES.iter().map(|size| size.0)
}

/// The input of a size: a market with the usual s0, t, alpha, nu and beta.
pub fn input(size: &str) -> Option<Vec<Value>> {
    let (_, numbers) = SIZES.iter().find(|known| known.0 == size)?;
    let market = [0.03, 5.0, 0.2, 0.6, 0.5];
    Some(numbers.iter().copied().map(scalar).chain(market.map(scalar)).collect())
}
