//! Options in Hull-White trees, one after the other, in memory for the widest and the highest tree.
//!
//! The nodes near the edges are treated apart, so that the others need no branches.

use ravel_abi::Value;
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
    /// Nodes on each side of the middle one.
    half: usize,
    reversion: f64,
    rate_step: f64,
}

/// Memory for one tree.
#[derive(Default)]
struct Memory {
    up: Vec<f64>,
    stay: Vec<f64>,
    down: Vec<f64>,
    discount: Vec<f64>,
    states: Vec<f64>,
    next: Vec<f64>,
    shifts: Vec<f64>,
}

pub fn prepare(record: &[Value]) -> Option<Run<'_>> {
    let [strike, maturity, expiry, _, steps, a, sigma, kind, rates, days] = record else { return None };
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
        for k in 0..width {
            let from_middle = k as f64 - tree.half as f64;
            let middle = k.clamp(1, width - 2);
            let offset = from_middle * tree.reversion - (middle as f64 - k as f64);
            let square = offset * offset;
            up[k] = 1.0 / 6.0 + (square + offset) / 2.0;
            stay[k] = 2.0 / 3.0 - square;
            down[k] = 1.0 / 6.0 + (square - offset) / 2.0;
            discount[k] = (-from_middle * tree.rate_step * tree.dt).exp();
        }

        let (mut states, mut next) = (&mut states[..width], &mut next[..width]);
        states.fill(0.0);
        states[tree.half] = 1.0;
        for (i, shift) in shifts.iter_mut().enumerate() {
            let mut sum = 0.0;
            for (state, discount) in states.iter_mut().zip(&*discount) {
                *state *= discount;
                sum += *state;
            }
            *shift = self.zero_bond((i + 1) as f64 * tree.dt) / sum;
            receive(up, stay, down, states, next, *shift);
            (states, next) = (next, states);
        }

        states.fill(100.0);
        for (i, &shift) in shifts.iter().enumerate().rev() {
            let at = |k: usize| {
                let middle = k.clamp(1, width - 2);
                let expected =
                    up[k] * states[middle + 1] + stay[k] * states[middle] + down[k] * states[middle - 1];
                shift * discount[k] * expected
            };
            next[0] = at(0);
            next[width - 1] = at(width - 1);
            let inner = 1..width - 1;
            let moves = up[inner.clone()].iter().zip(&stay[inner.clone()]).zip(&down[inner.clone()]);
            let inner_next = next[inner.clone()].iter_mut().zip(&discount[inner]);
            for (((next, discount), ((up, stay), down)), values) in
                inner_next.zip(moves).zip(states.windows(3))
            {
                *next = shift * discount * (up * values[2] + stay * values[1] + down * values[0]);
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

/// What every node of the next level gets from the nodes that lead to it.
fn receive(up: &[f64], stay: &[f64], down: &[f64], states: &[f64], next: &mut [f64], shift: f64) {
    let width = states.len();
    let from = |node: usize, to: usize| {
        let middle = node.clamp(1, width - 2);
        let probability = match to + 1 - middle {
            2 => up[node],
            1 => stay[node],
            0 => down[node],
            _ => 0.0,
        };
        probability * states[node]
    };
    let near_edge = |k: usize| {
        let nodes = k.saturating_sub(2)..=(k + 2).min(width - 1);
        let leads = nodes.filter(|node| k.abs_diff((*node).clamp(1, width - 2)) <= 1);
        shift * leads.map(|node| from(node, k)).sum::<f64>()
    };
    if width < 7 {
        (0..width).for_each(|k| next[k] = near_edge(k));
        return;
    }
    for k in (0..3).chain(width - 3..width) {
        next[k] = near_edge(k);
    }
    let inner = up[2..width - 4].iter().zip(&stay[3..width - 3]).zip(&down[4..width - 2]);
    for ((next, ((up, stay), down)), states) in
        next[3..width - 3].iter_mut().zip(inner).zip(states[2..].windows(3))
    {
        *next = shift * (up * states[0] + stay * states[1] + down * states[2]);
    }
}
