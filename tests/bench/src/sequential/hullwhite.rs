//! Options in Hull-White trees, one at a time. The memory suits the widest and the highest tree and is reused.
//!
//! The lowest and the highest node are handled separately, so that the others need no branches.

use ravel_abi::Value;
use ravel_support::sums::dot;
use ravel_support::values::vector;

use super::{Run, elements};

/// A portfolio.
struct Portfolio<'a> {
    options: Vec<Tree>,
    rates: &'a [f64],
    days: &'a [i32],
}

/// An option and the shape of its tree.
struct Tree {
    strike: f64,
    is_put: bool,
    dt: f64,
    levels: usize,
    expiry: usize,
    /// The number of nodes on each side of the middle one.
    half: usize,
    reversion: f64,
    rate_step: f64,
}

/// Memory for one tree. Each probability is multiplied by the discount factor of its node, and is zero at the lowest
/// and the highest node.
struct Memory {
    up: Vec<f64>,
    stay: Vec<f64>,
    down: Vec<f64>,
    discount: Vec<f64>,
    states: Vec<f64>,
    next: Vec<f64>,
    shifts: Vec<f64>,
}

pub fn prepare(input: &[Value]) -> Option<Run<'_>> {
    let [strike, maturity, expiry, _, steps, a, sigma, kind, rates, days] = input else { return None };
    let [strike, maturity, expiry, a, sigma] =
        [strike, maturity, expiry, a, sigma].map(elements::<f64>).map(Option::unwrap_or_default);
    let (steps, kind) = (elements::<u16>(steps)?, elements::<i8>(kind)?);
    let tree = |o: usize| {
        let steps = f64::from(steps[o]);
        let dt = 1.0 / steps;
        let reversion = (-a[o] * dt).exp() - 1.0;
        let variance = sigma[o] * sigma[o] * (1.0 - (-2.0 * a[o] * dt).exp()) / (2.0 * a[o]);
        Tree {
            strike: strike[o],
            is_put: kind[o] == 1,
            dt,
            levels: (maturity[o] * steps).round() as usize,
            expiry: (expiry[o] * steps).round() as usize,
            half: (-0.184 / reversion).floor() as usize + 1,
            reversion,
            rate_step: (3.0 * variance).sqrt(),
        }
    };
    let options: Vec<Tree> = (0..strike.len()).map(tree).collect();
    let portfolio = Portfolio { options, rates: elements(rates)?, days: elements(days)? };
    let widest = portfolio.options.iter().map(|tree| 2 * tree.half + 1).max().unwrap_or(0);
    let highest = portfolio.options.iter().map(|tree| tree.levels).max().unwrap_or(0);
    let row = || vec![0.0; widest];
    let mut memory = Memory {
        up: row(),
        stay: row(),
        down: row(),
        discount: row(),
        states: row(),
        next: row(),
        shifts: vec![0.0; highest],
    };
    Some(Box::new(move || {
        let values: Vec<f64> =
            portfolio.options.iter().map(|tree| portfolio.valuate(tree, &mut memory)).collect();
        vector(&values)
    }))
}

impl Portfolio<'_> {
    fn zero_bond(&self, years: f64) -> f64 {
        let (rates, days) = (self.rates, self.days);
        let day = (365.0 * years + 0.5).floor() as i32;
        let rate = if day <= days[0] {
            rates[0]
        } else if day > days[days.len() - 1] {
            rates[rates.len() - 1]
        } else {
            let after = days.partition_point(|&other| other < day);
            let before = after - 1;
            let share = f64::from(day - days[before]) / f64::from(days[after] - days[before]);
            rates[before] + share * (rates[after] - rates[before])
        };
        (-rate * years).exp()
    }

    fn valuate(&self, tree: &Tree, memory: &mut Memory) -> f64 {
        let width = 2 * tree.half + 1;
        let Memory { up, stay, down, discount, states, next, shifts } = memory;
        let (up, stay, down) = (&mut up[..width], &mut stay[..width], &mut down[..width]);
        let (discount, shifts) = (&mut discount[..width], &mut shifts[..tree.levels]);
        let half = tree.half as f64;
        let mut branching = |k: usize, middle: usize| {
            let from_middle = k as f64 - half;
            discount[k] = (-from_middle * tree.rate_step * tree.dt).exp();
            let offset = from_middle * tree.reversion - (middle as f64 - k as f64);
            let square = offset * offset;
            [1.0 / 6.0 + (square - offset) / 2.0, 2.0 / 3.0 - square, 1.0 / 6.0 + (square + offset) / 2.0]
                .map(|probability| probability * discount[k])
        };
        let (lowest, highest) = (branching(0, 1), branching(width - 1, width - 2));
        for k in [0, width - 1] {
            (down[k], stay[k], up[k]) = (0.0, 0.0, 0.0);
        }
        for k in 1..width - 1 {
            [down[k], stay[k], up[k]] = branching(k, k);
        }

        let (mut states, mut next) = (&mut states[..width], &mut next[..width]);
        states.fill(0.0);
        states[tree.half] = 1.0;
        for (i, shift) in shifts.iter_mut().enumerate() {
            *shift = self.zero_bond((i + 1) as f64 * tree.dt) / dot(states, discount);
            next[0] = *shift * down[1] * states[1];
            next[width - 1] = *shift * up[width - 2] * states[width - 2];
            let arriving = up[..width - 2].iter().zip(&stay[1..width - 1]).zip(&down[2..]);
            for ((next, ((up, stay), down)), states) in
                next[1..width - 1].iter_mut().zip(arriving).zip(states.windows(3))
            {
                *next = *shift * up.mul_add(states[0], stay.mul_add(states[1], down * states[2]));
            }
            for j in 0..3 {
                next[j] += *shift * lowest[j] * states[0];
                next[width - 3 + j] += *shift * highest[j] * states[width - 1];
            }
            (states, next) = (next, states);
        }

        states.fill(100.0);
        for (i, &shift) in shifts.iter().enumerate().rev() {
            let expected = |moves: &[f64; 3], targets: &[f64]| {
                shift * (moves[0] * targets[0] + moves[1] * targets[1] + moves[2] * targets[2])
            };
            next[0] = expected(&lowest, &states[..3]);
            next[width - 1] = expected(&highest, &states[width - 3..]);
            let leaving = down[1..width - 1].iter().zip(&stay[1..width - 1]).zip(&up[1..width - 1]);
            for ((next, ((down, stay), up)), states) in
                next[1..width - 1].iter_mut().zip(leaving).zip(states.windows(3))
            {
                *next = shift * down.mul_add(states[0], stay.mul_add(states[1], up * states[2]));
            }
            if i == tree.expiry {
                for value in next.iter_mut() {
                    *value = if tree.is_put { tree.strike - *value } else { *value - tree.strike }.max(0.0);
                }
            }
            (states, next) = (next, states);
        }
        states[tree.half]
    }
}
