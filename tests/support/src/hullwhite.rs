//! Portfolios of options on zero-coupon bonds, in seven distributions of the sizes of their trees.

use ravel_abi::Value;
use ravel_abi::random::Random;

use crate::values::vector;

/// Steps a year in all portfolios.
const STEPS: u16 = 12;

/// The zero curve: rates, and the days for which they hold.
const RATES: [f64; 15] = [
    0.0501772, 0.0498284, 0.0497234, 0.0496157, 0.0499058, 0.0509389, 0.0579733, 0.0630595, 0.0673464,
    0.0694816, 0.0708807, 0.0727527, 0.0730852, 0.0739790, 0.0749015,
];
const DAYS: [i32; 15] = [3, 31, 62, 94, 185, 367, 731, 1096, 1461, 1826, 2194, 2558, 2922, 3287, 3653];

/// How often a tree is exceptionally large in a skewed portfolio: one in this many.
const SKEW: u64 = 100;

/// The names of the distributions.
pub const KINDS: [&str; 7] = [
    "uniform",
    "random",
    "random-constant-height",
    "random-constant-width",
    "skewed",
    "skewed-constant-height",
    "skewed-constant-width",
];

/// Years to maturity, and the width of the tree; none for that of the reversion rate 0.1.
fn tree(kind: usize, random: &mut Random) -> (u64, Option<u64>) {
    let mut odd = |least: u64, most: u64| least + 2 * random.below((most - least) / 2 + 1);
    let width = match kind {
        1 | 2 => Some(odd(7, 511)),
        4..=6 => Some(odd(7, 107)),
        _ => None,
    };
    let years = match kind {
        1 | 3 => random.between(1, 100),
        4..=6 => random.between(1, 30),
        _ => 9,
    };
    let exceptional = kind >= 4 && random.below(SKEW) == 0;
    match kind {
        4 if exceptional => (random.between(70, 100), Some(411 + 2 * random.below(51))),
        5 if exceptional => (100, width),
        6 if exceptional => (years, Some(511)),
        _ => (years, width),
    }
}

/// A reversion rate with five decimals, in the middle of those whose trees have this odd width.
///
/// The half width j is the least with 0.184 / j < 1 - exp(-a / 12).
fn reversion(width: u64) -> f64 {
    let half = (width / 2) as f64;
    let middle = (0.184 / half + 0.184 / (half - 1.0)) / 2.0;
    (-f64::from(STEPS) * (1.0 - middle).ln() * 1e5).round() / 1e5
}

/// The record of a portfolio of `count` puts.
pub fn portfolio(kind: &str, count: usize, seed: u64) -> Option<Vec<Value>> {
    let kind = KINDS.iter().position(|known| *known == kind)?;
    let mut random = Random::new(seed);
    let (years, rates): (Vec<f64>, Vec<f64>) = (0..count)
        .map(|_| tree(kind, &mut random))
        .map(|(years, width)| (years as f64, width.map_or(0.1, reversion)))
        .unzip();
    Some(record(&years, &vec![STEPS; count], &rates))
}

/// The example of Hull and White's book, at several numbers of steps a year.
pub fn book() -> Vec<Value> {
    record(&[9.0; 6], &[1, 5, 10, 25, 100, 365], &[0.1; 6])
}

/// Puts of strike 63 that expire after three years.
fn record(years: &[f64], steps: &[u16], reversion: &[f64]) -> Vec<Value> {
    let count = years.len();
    vec![
        vector(&vec![63.0; count]),
        vector(years),
        vector(&vec![3.0; count]),
        vector(&vec![365u16; count]),
        vector(steps),
        vector(reversion),
        vector(&vec![0.01; count]),
        vector(&vec![1i8; count]),
        vector(&RATES),
        vector(&DAYS),
    ]
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_reversion_rate_gives_its_width() {
        for width in (7..=511).step_by(2) {
            let half = (0.184 / (1.0 - (-super::reversion(width) / 12.0).exp())).floor() as u64 + 1;
            assert_eq!(2 * half + 1, width);
        }
    }
}
