//! Contracts on several underlyings: the inputs of the pricing program.

use ravel_abi::Value;

use crate::sobol;
use crate::values::{array, scalar};

/// The number of bits of a Sobol number.
const BITS: usize = 30;

/// Today's prices of the underlyings.
const START: [f64; 3] = [3758.05, 11840.0, 1200.0];

/// The lower Cholesky factor of the correlation matrix of the underlyings, mirrored above the diagonal.
const FACTOR: [f64; 9] = [1.0, 0.6, 0.8, 0.6, 0.8, 0.15, 0.8, 0.15, 0.5809475];

/// The volatilities of the underlyings.
const VOLATILITY: [f64; 3] = [0.19, 0.19, 0.15];

/// The drifts of the second contract, one row for each date.
const MEDIUM_DRIFT: [[f64; 3]; 5] = [
    [-0.0283491736871803, 0.0178771081725381, 0.0043096808044729],
    [-0.0183841413744211, -0.0044530897672834, 0.0024263805987983],
    [-0.0172686581005089, 0.0125638544546015, 0.0094452810918001],
    [-0.0144179417871814, 0.0157411263968213, 0.0125315353728014],
    [-0.0121497422218761, 0.0182904634062437, 0.0151125070556484],
];

/// The discounts of the second contract.
const MEDIUM_DISCOUNT: [f64; 5] =
    [0.979786286180593, 0.9505748482484491, 0.9214621679912968, 0.8906693055891434, 0.8588567633110704];

/// The drifts of the third contract, each with the number of dates for which it holds.
const COMPLEX_DRIFT: [(usize, [f64; 3]); 26] = [
    (1, [0.0, 0.0, 0.0]),
    (3, [-7.69148269844e-05, 3.2774973197e-05, -5.1340050666e-06]),
    (2, [-7.6911741022e-05, 3.27819160986e-05, -5.1309191042e-06]),
    (1, [-7.69197006278e-05, 3.42555768863e-05, -3.647021548e-06]),
    (5, [-7.69231082238e-05, 3.48871540378e-05, -3.0110617889e-06]),
    (1, [-7.69364349073e-05, 3.71477302492e-05, -7.324359e-07]),
    (6, [-7.69436108138e-05, 3.83649635937e-05, 4.945165018e-07]),
    (1, [-7.6960906977e-05, 4.76737925826e-05, 9.8342203061e-06]),
    (1, [-7.69695550586e-05, 5.2328207077e-05, 1.45040722083e-05]),
    (13, [-7.69782031402e-05, 5.69826215715e-05, 1.91739241105e-05]),
    (5, [-7.70387184138e-05, 5.25750483138e-05, 1.48283938103e-05]),
    (1, [-7.70387184138e-05, 5.16935336623e-05, 1.48283938103e-05]),
    (1, [-7.70931821601e-05, 4.81674750561e-05, 1.09174165401e-05]),
    (51, [-7.70992336875e-05, 4.81674750561e-05, 1.04828635101e-05]),
    (3, [-7.70992336875e-05, 4.86764057747e-05, 1.04828635101e-05]),
    (6, [-7.72189449197e-05, 4.86764057747e-05, 1.12366493239e-05]),
    (1, [-7.72189449197e-05, 4.89308711339e-05, 1.12366493239e-05]),
    (2, [-7.72189449197e-05, 4.91853364932e-05, 1.12366493239e-05]),
    (1, [-7.73147139055e-05, 4.91853364932e-05, 1.18396779749e-05]),
    (82, [-7.7338656152e-05, 4.91853364932e-05, 1.19904351377e-05]),
    (9, [-7.74788281904e-05, 5.02714491067e-05, 1.32707320858e-05]),
    (1, [-7.75909658212e-05, 5.11403391975e-05, 1.42949696444e-05]),
    (82, [-7.76190002289e-05, 5.13575617202e-05, 1.4551029034e-05]),
    (9, [-7.77566242513e-05, 4.94090965224e-05, 1.28043798313e-05]),
    (1, [-7.78667234691e-05, 4.78503243642e-05, 1.14070604692e-05]),
    (78, [-7.78942482736e-05, 4.74606313246e-05, 1.10577306286e-05]),
];

/// The names of the contracts.
pub const CONTRACTS: [&str; 3] = ["simple", "medium", "complex"];

/// The data of a contract.
struct Contract {
    number: i32,
    underlyings: usize,
    /// The monitoring dates, in days from today.
    days: Vec<f64>,
    volatilities: Vec<f64>,
    drifts: Vec<f64>,
    deterministic_factor: f64,
    discounts: Vec<f64>,
}

fn contract(name: &str) -> Option<Contract> {
    Some(match name {
        "simple" => Contract {
            number: 1,
            underlyings: 1,
            days: vec![357.0],
            volatilities: vec![0.19],
            drifts: vec![-0.0276481070940405],
            deterministic_factor: 0.9997817434496459,
            discounts: vec![0.9805494836196852],
        },
        "medium" => Contract {
            number: 2,
            underlyings: 3,
            days: vec![366.0, 731.0, 1096.0, 1461.0, 1827.0],
            volatilities: VOLATILITY.repeat(5),
            drifts: MEDIUM_DRIFT.concat(),
            deterministic_factor: 0.0,
            discounts: MEDIUM_DISCOUNT.to_vec(),
        },
        "complex" => Contract {
            number: 3,
            underlyings: 3,
            days: (0..367).map(f64::from).collect(),
            volatilities: [vec![0.0; 3], VOLATILITY.repeat(366)].concat(),
            drifts: COMPLEX_DRIFT.iter().flat_map(|(dates, row)| row.repeat(*dates)).collect(),
            deterministic_factor: 0.0,
            discounts: vec![0.9800680293073579; 2],
        },
        _ => return None,
    })
}

/// The input of the pricing program for a contract and a number of paths, or `None` if no contract has this name.
pub fn input(name: &str, paths: i32) -> Option<Vec<Value>> {
    let Contract { number, underlyings, days, volatilities, drifts, deterministic_factor, discounts } =
        contract(name)?;
    let (dates, coordinates) = (days.len(), days.len() * underlyings);
    let directions: Vec<i32> = sobol::dimensions(coordinates)
        .iter()
        .flat_map(|dimension| dimension.directions(BITS))
        .map(|direction| direction as i32)
        .collect();
    let factor: Vec<f64> =
        (0..underlyings).flat_map(|row| FACTOR[3 * row..].iter().copied().take(underlyings)).collect();
    let (steps, weights) = bridge(&days);
    Some(vec![
        scalar(number),
        scalar(paths),
        array(&[coordinates, BITS], &directions),
        array(&[1, underlyings, underlyings], &factor),
        array(&[1, dates, underlyings], &volatilities),
        array(&[1, dates, underlyings], &drifts),
        array(&[1, underlyings], &START[..underlyings]),
        array(&[1, 1], &[deterministic_factor]),
        array(&[1, discounts.len()], &discounts),
        array(&[3, dates], &steps),
        array(&[3, dates], &weights),
    ])
}

/// The steps of a Brownian bridge over these days. Each step has the date that it sets, the known dates to its
/// left and right, its standard deviation, and the weights of the two known dates. Dates count from 1.
///
/// The first step sets the last date. Then each interval is halved, the left half before the right one.
fn bridge(days: &[f64]) -> (Vec<i32>, Vec<f64>) {
    let years: Vec<f64> = [0.0].iter().chain(days).map(|day| day / 365.0).collect();
    let last = days.len();
    let mut steps = vec![([last, 0, 0], [years[last].sqrt(), 0.0, 0.0])];
    let mut intervals = vec![(0, last)];
    while let Some((left, right)) = intervals.pop() {
        if right - left < 2 {
            continue;
        }
        let middle = usize::midpoint(left, right);
        let (before, after) = (years[middle] - years[left], years[right] - years[middle]);
        let span = years[right] - years[left];
        steps.push(([middle, left, right], [(before * after / span).sqrt(), after / span, before / span]));
        intervals.extend([(middle, right), (left, middle)]);
    }
    (
        (0..3).flat_map(|row| steps.iter().map(move |step| step.0[row] as i32)).collect(),
        (0..3).flat_map(|row| steps.iter().map(move |step| step.1[row])).collect(),
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_bridge_over_five_dates_bisects_depth_first() {
        let (steps, weights) = super::bridge(&[365.0, 730.0, 1095.0, 1460.0, 1825.0]);
        assert_eq!(steps, [5, 2, 1, 3, 4, 0, 0, 0, 2, 3, 0, 5, 2, 5, 5]);
        assert_eq!(weights[..3], [5f64.sqrt(), 1.2f64.sqrt(), 0.5f64.sqrt()]);
    }
}
