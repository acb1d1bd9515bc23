//! Heston calibration: the same sequence of trials as in the program, one member and one quote at a time.

use ravel_abi::Value;
use ravel_support::heston::{Objective, Parameters};
use ravel_support::values::scalar;

use super::{Run, count, elements};

const LOWER: Parameters = [1e-6, 1e-6, -1.0, 1e-4, 1e-4];
const UPPER: Parameters = [1.0, 1.0, 0.0, 4.0, 2.0];

pub fn prepare(input: &[Value]) -> Option<Run<'_>> {
    let [evaluations, points, members, today, maturities, strikes, volatilities] = input else {
        return None;
    };
    let (evaluations, members, points) = (count(evaluations)?, count(members)?, count(points)?);
    let today = count(today)? as i32;
    let maturities = elements::<i32>(maturities)?;
    let (strikes, volatilities) = (elements::<f64>(strikes)?, elements::<f64>(volatilities)?);
    Some(Box::new(move || {
        let objective = Objective::of(points, today, maturities, strikes, volatilities);
        scalar(calibrate(&objective, members, evaluations))
    }))
}

/// Differential evolution; returns the root-mean-square error in percent.
fn calibrate(objective: &Objective, members: usize, evaluations: usize) -> f64 {
    let mut parts = objective.parts();
    let mut population: Vec<Parameters> = (0..members)
        .map(|i| {
            let key = split(stream(0), i);
            std::array::from_fn(|j| LOWER[j] + (UPPER[j] - LOWER[j]) * uniform(bits(key, j)))
        })
        .collect();
    let mut values: Vec<f64> = population.iter().map(|x| objective.at(x, &mut parts)).collect();
    let mut trials = population.clone();
    let mut evaluated = members;
    for generation in 1.. {
        let best = least(&values);
        if evaluated >= evaluations || values[best] <= 0.0 {
            break;
        }
        let key = stream(generation);
        let weight = (1.0 + uniform(bits(key, 0))) / 2.0;
        for (i, trial) in trials.iter_mut().enumerate() {
            *trial = trial_vector(&population, &population[best], weight, split(key, i), i);
        }
        for ((old, old_value), trial) in population.iter_mut().zip(&mut values).zip(&trials) {
            let value = objective.at(trial, &mut parts);
            if value < *old_value {
                (*old, *old_value) = (*trial, value);
            }
        }
        evaluated += members;
    }
    let best = population[least(&values)];
    objective.rmse(&best, &mut parts)
}

fn least(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, i| if values[i] < values[best] { i } else { best })
}

/// A trial vector to replace member `i`.
fn trial_vector(population: &[Parameters], best: &Parameters, weight: f64, key: Key, i: usize) -> Parameters {
    let m = population.len();
    let below = |k: usize, bound: usize| ((u64::from(bits(key, k)) * bound as u64) >> 32) as usize;
    let past = |taken: usize, x: usize| if x >= taken { x + 1 } else { x };
    let first = 1 + below(0, m - 1);
    let second = past(first, 1 + below(1, m - 2));
    let third = past(first.max(second), past(first.min(second), 1 + below(2, m - 3)));
    let member = |distance: usize| &population[(i + distance) % m];
    let base = if below(3, 2) == 0 { best } else { member(first) };
    let forced = below(4, 5);
    std::array::from_fn(|j| {
        let mutant = base[j] + weight * (member(second)[j] - member(third)[j]);
        let taken = j == forced || uniform(bits(key, 5 + j)) <= 0.9;
        if taken && LOWER[j] <= mutant && mutant <= UPPER[j] { mutant } else { population[i][j] }
    })
}

fn uniform(bits: u32) -> f64 {
    f64::from(bits) / 4_294_967_296.0
}

/// A stream of random numbers.
type Key = [u32; 2];

/// Philox 4x32 with ten rounds (Salmon, Moraes, Dror and Shaw, SC'11).
fn philox(mut key: Key, position: usize) -> [u32; 4] {
    let product = |a: u32, b: u32| {
        let product = u64::from(a) * u64::from(b);
        ((product >> 32) as u32, product as u32)
    };
    let mut words = [position as u32, (position as u64 >> 32) as u32, 0, 0];
    for _ in 0..10 {
        let ((high_0, low_0), (high_2, low_2)) =
            (product(0xD251_1F53, words[0]), product(0xCD9E_8D57, words[2]));
        words = [high_2 ^ words[1] ^ key[0], low_2, high_0 ^ words[3] ^ key[1], low_0];
        key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
    }
    words
}

fn bits(key: Key, position: usize) -> u32 {
    philox(key, position)[0]
}

/// The substream with this number.
fn split(key: Key, number: usize) -> Key {
    let [_, _, low, high] = philox(key, number);
    [low, high]
}

/// The stream of a generation.
fn stream(generation: usize) -> Key {
    split([1, 0], generation)
}
