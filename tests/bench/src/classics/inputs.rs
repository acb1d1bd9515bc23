//! Data for the classics: the same numbers in every run.

use ravel_abi::{Element, Value};
use ravel_support::values::{array, vector};

/// Numbers that look random.
///
/// Source: Steele, Lea and Flood, Fast splittable pseudorandom number generators (OOPSLA 2014).
pub struct Numbers(u64);

impl Numbers {
    pub fn new() -> Numbers {
        Numbers(0)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number from 0 up to `bound`, which it excludes.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// An array of `n` numbers.
    pub fn vector<T: Element>(&mut self, n: usize, mut next: impl FnMut(&mut Numbers) -> T) -> Value {
        vector(&(0..n).map(|_| next(self)).collect::<Vec<T>>())
    }

    /// An array of any shape of numbers from 0 to 1.
    pub fn units(&mut self, shape: &[usize]) -> Value {
        let elements: Vec<f32> = (0..shape.iter().product()).map(|_| self.between(0.0, 1.0) as f32).collect();
        array(shape, &elements)
    }
}
