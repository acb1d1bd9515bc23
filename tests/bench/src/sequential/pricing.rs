//! Monte-Carlo pricing. Prices are computed one path at a time, but Sobol points and normal deviates for a few
//! paths together. The Sobol point of a path is computed from the previous point by an exclusive or in each
//! dimension.

use ravel_abi::Value;
use ravel_support::values::vector;

use super::{Run, count, elements, size};

/// A contract, and a market that is described by a single model.
struct Pricing<'a> {
    contract: usize,
    paths: usize,
    underlyings: usize,
    dates: usize,
    bits: usize,
    /// For each bit a row of direction numbers, one for each dimension.
    directions: Vec<u32>,
    factor: &'a [f64],
    volatilities: &'a [f64],
    drifts: &'a [f64],
    start: &'a [f64],
    deterministic: &'a [f64],
    discounts: &'a [f64],
    bridge: Vec<Step>,
}

/// A step of the Brownian bridge. Dates count from 1; at date 0 every motion is 0.
#[derive(Clone, Copy)]
struct Step {
    target: usize,
    left: usize,
    right: usize,
    deviation: f64,
    left_weight: f64,
    right_weight: f64,
}

/// The approximate number of normal deviates that are computed together.
const BLOCK: usize = 256;

/// The prices to which the contract compares those of its underlyings.
const REFERENCE_PRICES: [f64; 3] = [3758.05, 11840.0, 1200.0];
const BARRIERS: [f64; 3] = [2630.635, 8288.0, 840.0];

pub fn prepare(input: &[Value]) -> Option<Run<'_>> {
    let [
        contract,
        paths,
        table,
        factor,
        volatilities,
        drifts,
        start,
        deterministic,
        discounts,
        dates,
        weights,
    ] = input
    else {
        return None;
    };
    let (bits, dimensions) = (size(table, 1)?, size(table, 0)?);
    let numbers = elements::<i32>(table)?;
    let directions =
        (0..bits).flat_map(|bit| (0..dimensions).map(move |k| numbers[k * bits + bit] as u32)).collect();
    let d = size(dates, 1)?;
    let (at, weights) = (elements::<i32>(dates)?, elements::<f64>(weights)?);
    let step = |q: usize| Step {
        target: at[q] as usize,
        left: at[d + q] as usize,
        right: at[2 * d + q] as usize,
        deviation: weights[q],
        left_weight: weights[d + q],
        right_weight: weights[2 * d + q],
    };
    let pricing = Pricing {
        contract: count(contract)?,
        paths: count(paths)?,
        underlyings: size(factor, 1)?,
        dates: d,
        bits,
        directions,
        factor: elements(factor)?,
        volatilities: elements(volatilities)?,
        drifts: elements(drifts)?,
        start: elements(start)?,
        deterministic: elements(deterministic)?,
        discounts: elements(discounts)?,
        bridge: (0..d).map(step).collect(),
    };
    Some(Box::new(move || vector(&[pricing.price()])))
}

impl Pricing<'_> {
    fn price(&self) -> f64 {
        match self.underlyings {
            1 => self.mean::<1>(),
            _ => self.mean::<3>(),
        }
    }

    /// The mean payoff with `U` underlyings.
    fn mean<const U: usize>(&self) -> f64 {
        let dimensions = U * self.dates;
        let scale = 1.0 / (1u64 << self.bits) as f64;
        let at_once = BLOCK.div_ceil(dimensions);
        let mut point = vec![0u32; dimensions];
        let mut deviates = vec![0.0; at_once * dimensions];
        let mut motion = vec![[0.0; U]; self.dates + 1];
        let mut prices = vec![[0.0; U]; self.dates];
        let factor: [[f64; U]; U] = std::array::from_fn(|j| std::array::from_fn(|l| self.factor[j * U + l]));
        let start: [f64; U] = std::array::from_fn(|j| self.start[j]);
        let (volatilities, drifts) = (self.volatilities.as_chunks::<U>().0, self.drifts.as_chunks::<U>().0);
        let mut total = 0.0;
        for first in (0..self.paths).step_by(at_once) {
            let deviates = &mut deviates[..at_once.min(self.paths - first) * dimensions];
            for (path, coordinates) in (first as u32..).zip(deviates.chunks_exact_mut(dimensions)) {
                let bit = path.trailing_ones() as usize;
                let row = &self.directions[bit * dimensions..][..dimensions];
                for ((coordinate, last), direction) in coordinates.iter_mut().zip(&mut point).zip(row) {
                    *last ^= direction;
                    *coordinate = f64::from(*last) * scale;
                }
            }
            inverse_normals(deviates);
            for deviates in deviates.chunks_exact(dimensions) {
                for (step, deviates) in self.bridge.iter().zip(deviates.as_chunks::<U>().0) {
                    let (left, right) = (motion[step.left], motion[step.right]);
                    motion[step.target] = std::array::from_fn(|m| {
                        step.left_weight * left[m]
                            + step.right_weight * right[m]
                            + step.deviation * deviates[m]
                    });
                }
                let mut price = start;
                let market = volatilities.iter().zip(drifts).zip(&mut prices);
                for (ends, ((volatilities, drifts), prices)) in motion.array_windows::<2>().zip(market) {
                    let increments: [f64; U] = std::array::from_fn(|l| ends[1][l] - ends[0][l]);
                    for j in 0..U {
                        let noise: f64 = (0..=j).map(|l| factor[j][l] * increments[l]).sum();
                        price[j] *= (noise * volatilities[j] + drifts[j]).exp();
                    }
                    *prices = price;
                }
                total += self.payoff(&prices);
            }
        }
        total / self.paths as f64
    }

    fn payoff<const U: usize>(&self, prices: &[[f64; U]]) -> f64 {
        let worst = |prices: &[f64; U]| {
            prices
                .iter()
                .zip(REFERENCE_PRICES)
                .fold(f64::INFINITY, |worst, (price, level)| worst.min(price / level))
        };
        match self.contract {
            1 => (prices[0][0] - 4000.0).max(0.0) * self.deterministic[0] * self.discounts[0],
            2 => match prices[..4].iter().position(|prices| worst(prices) >= 1.0) {
                Some(date) => (1150 + 150 * date) as f64 * self.discounts[date],
                None => {
                    let last = worst(&prices[4]);
                    let amount = if last >= 1.0 {
                        1750.0
                    } else if last > 0.75 {
                        1000.0
                    } else {
                        1000.0 * last
                    };
                    amount * self.discounts[4]
                }
            },
            _ => {
                let last = worst(&prices[self.dates - 1]);
                let touched =
                    |prices: &[f64; U]| prices.iter().zip(BARRIERS).any(|(price, barrier)| *price <= barrier);
                let reduced = last < 1.0 && prices.iter().any(touched);
                100.0 * self.discounts[0] + 1000.0 * if reduced { last } else { 1.0 } * self.discounts[1]
            }
        }
    }
}

/// Converts numbers between 0 and 1 to quantiles of the normal distribution (Wichura, "Algorithm AS 241", Applied
/// Statistics, 1988). Two loops have no branches: one records which numbers lie in the tails, the other treats all
/// numbers as central. The numbers in the tails are then recomputed.
fn inverse_normals(numbers: &mut [f64]) {
    let (mut tails, mut places) = ([0.0; BLOCK], [0; BLOCK]);
    for numbers in numbers.chunks_mut(BLOCK) {
        let mut count = 0;
        for (place, &p) in numbers.iter().enumerate() {
            (tails[count], places[count]) = (p, place);
            count += usize::from((p - 0.5).abs() > 0.425);
        }
        for number in &mut *numbers {
            let q = *number - 0.5;
            let x = 0.180625 - q * q;
            *number = q * polynomial(&MIDDLE, x) / polynomial(&MIDDLE_DENOMINATOR, x);
        }
        for (&p, &place) in tails[..count].iter().zip(&places) {
            numbers[place] = tail(p);
        }
    }
}

/// The quantile of a number in a tail.
fn tail(p: f64) -> f64 {
    let r = (-p.min(1.0 - p).ln()).sqrt();
    let tail = if r <= 5.0 {
        polynomial(&NEAR, r - 1.6) / polynomial(&NEAR_DENOMINATOR, r - 1.6)
    } else {
        polynomial(&FAR, r - 5.0) / polynomial(&FAR_DENOMINATOR, r - 5.0)
    };
    tail.copysign(p - 0.5)
}

fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| x.mul_add(sum, *c))
}

const MIDDLE: [f64; 8] = [
    3.3871328727963665,
    133.14166789178438,
    1971.5909503065513,
    13731.69376550946,
    45921.95393154987,
    67265.7709270087,
    33430.57558358813,
    2509.0809287301227,
];
const MIDDLE_DENOMINATOR: [f64; 8] = [
    1.0,
    42.31333070160091,
    687.1870074920579,
    5394.196021424751,
    21213.794301586597,
    39307.89580009271,
    28729.085735721943,
    5226.495278852854,
];
const NEAR: [f64; 8] = [
    1.4234371107496835,
    4.630337846156546,
    5.769497221460691,
    3.6478483247632045,
    1.2704582524523684,
    0.2417807251774506,
    0.022723844989269184,
    0.0007745450142783414,
];
const NEAR_DENOMINATOR: [f64; 8] = [
    1.0,
    2.053191626637759,
    1.6763848301838038,
    0.6897673349851,
    0.14810397642748008,
    0.015198666563616457,
    0.0005475938084995345,
    1.0507500716444169e-09,
];
const FAR: [f64; 8] = [
    6.657904643501103,
    5.463784911164114,
    1.7848265399172913,
    0.29656057182850487,
    0.026532189526576124,
    0.0012426609473880784,
    2.7115555687434876e-05,
    2.0103343992922881e-07,
];
const FAR_DENOMINATOR: [f64; 8] = [
    1.0,
    0.599832206555888,
    0.1369298809227358,
    0.014875361290850615,
    0.0007868691311456133,
    1.8463183175100548e-05,
    1.421511758316446e-07,
    2.0442631033899397e-15,
];
