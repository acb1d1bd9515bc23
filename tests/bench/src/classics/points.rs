//! Much arithmetic for each point (`tests/run/classics/points.dsl`).

use rayon::prelude::*;

use ravel_abi::Value;
use ravel_support::values::{array as array_of, scalar};

use super::inputs::Numbers;
use super::{Classic, Run, array, classic, count, elements, shape, vector};

pub fn all() -> Vec<Classic> {
    vec![
        classic("n_body", "10^4 bodies, f32", (bodies, 10_000), [n_body, n_body_parallel], 1e-2),
        classic(
            "mandelbrot",
            "1024 x 768, 1000 iterations",
            (picture, 1024),
            [mandelbrot, mandelbrot_parallel],
            0.0,
        ),
        classic(
            "satisfy",
            "10^4 formulas of 48 clauses",
            (formulas, 10_000),
            [satisfy, satisfy_parallel],
            0.0,
        ),
        classic("collatz", "10^6 numbers", (limit, 1_000_000), [collatz, collatz_parallel], 0.0),
        classic(
            "black_scholes_f32",
            "10^6 f32",
            (options_f32, 1_000_000),
            [in_f32::sequential, in_f32::parallel],
            1e-2,
        ),
        classic(
            "black_scholes_f64",
            "10^6 f64",
            (options_f64, 1_000_000),
            [in_f64::sequential, in_f64::parallel],
            1e-9,
        ),
        classic(
            "k_means",
            "10^5 points of 34 f32, 5 rounds",
            (clusters, 100_000),
            [k_means, k_means_parallel],
            1e-3,
        ),
    ]
}

fn bodies(n: usize) -> Vec<Value> {
    let mut numbers = Numbers::new();
    (0..4).map(|_| numbers.units(&[n])).collect()
}

/// A picture as wide as `n`, with three quarters of its height.
fn picture(n: usize) -> Vec<Value> {
    vec![scalar(n as i64), scalar((n / 4 * 3) as i64), scalar(1000i32)]
}

/// Formulas of 48 clauses. A clause has three of twelve variables.
fn formulas(n: usize) -> Vec<Value> {
    let mut numbers = Numbers::new();
    let (mut trues, mut falses) = (Vec::new(), Vec::new());
    for _ in 0..48 * n {
        let mut clause = [0u32; 2];
        for _ in 0..3 {
            clause[numbers.below(2) as usize] |= 1 << numbers.below(12);
        }
        trues.push(clause[0]);
        falses.push(clause[1]);
    }
    vec![array_of(&[n, 48], &trues), array_of(&[n, 48], &falses)]
}

fn limit(n: usize) -> Vec<Value> {
    vec![scalar(n as i64)]
}

fn options_f64(n: usize) -> Vec<Value> {
    let mut numbers = Numbers::new();
    [(50.0, 150.0), (50.0, 150.0), (0.25, 5.0)]
        .map(|(low, high)| numbers.vector(n, |numbers| numbers.between(low, high)))
        .into()
}

fn options_f32(n: usize) -> Vec<Value> {
    ravel_support::values::in_single_precision(options_f64(n))
}

/// Points of 34 coordinates, and the first ten of them as centres.
fn clusters(n: usize) -> Vec<Value> {
    let mut numbers = Numbers::new();
    let points = numbers.units(&[n, 34]);
    let centres = elements::<f32>(&points).map(|points| array_of(&[10, 34], &points[..340]));
    [Some(points), centres, Some(scalar(5i32))].into_iter().flatten().collect()
}

/// The acceleration of a body by all bodies, in as many accumulators as fill a vector register.
fn acceleration(body: [f32; 3], [xs, ys, zs, masses]: [&[f32]; 4]) -> [f32; 3] {
    const LANES: usize = 8;
    let pull = |[x, y, z, mass]: [f32; 4]| {
        let [dx, dy, dz] = [x - body[0], y - body[1], z - body[2]];
        let square = dx * dx + dy * dy + dz * dz + 0.01;
        let factor = mass / (square * square.sqrt());
        [dx * factor, dy * factor, dz * factor]
    };
    let mut sums = [[0f32; LANES]; 3];
    let [mut xs, mut ys, mut zs, mut masses] = [xs, ys, zs, masses].map(|values| values.chunks_exact(LANES));
    for (((xs, ys), zs), masses) in (&mut xs).zip(&mut ys).zip(&mut zs).zip(&mut masses) {
        for lane in 0..LANES {
            let pull = pull([xs[lane], ys[lane], zs[lane], masses[lane]]);
            for (sums, pull) in sums.iter_mut().zip(pull) {
                sums[lane] += pull;
            }
        }
    }
    let mut total = sums.map(|sums| sums.iter().sum::<f32>());
    let rest = xs.remainder().iter().zip(ys.remainder()).zip(zs.remainder().iter().zip(masses.remainder()));
    for ((x, y), (z, mass)) in rest {
        total.iter_mut().zip(pull([*x, *y, *z, *mass])).for_each(|(total, pull)| *total += pull);
    }
    total
}

/// The arguments of `n_body`.
fn four(input: &[Value]) -> Option<[&[f32]; 4]> {
    let [xs, ys, zs, masses] = input else { return None };
    Some([elements(xs)?, elements(ys)?, elements(zs)?, elements(masses)?])
}

/// The three results of `n_body`.
fn three(accelerations: &[[f32; 3]]) -> Vec<Value> {
    (0..3).map(|axis| vector(accelerations.iter().map(|vector| vector[axis]).collect::<Vec<f32>>())).collect()
}

fn n_body(input: &[Value]) -> Option<Run<'_>> {
    let all @ [xs, ys, zs, _] = four(input)?;
    Some(Box::new(move || {
        let of = |((x, y), z): ((&f32, &f32), &f32)| acceleration([*x, *y, *z], all);
        three(&xs.iter().zip(ys).zip(zs).map(of).collect::<Vec<_>>())
    }))
}

fn n_body_parallel(input: &[Value]) -> Option<Run<'_>> {
    let all @ [xs, ys, zs, _] = four(input)?;
    Some(Box::new(move || {
        let of = |((x, y), z): ((&f32, &f32), &f32)| acceleration([*x, *y, *z], all);
        three(&xs.par_iter().zip(ys).zip(zs).map(of).collect::<Vec<_>>())
    }))
}

/// The iterations after which a point leaves the circle of radius 2.
fn iterations(a: f64, b: f64, limit: i32) -> i32 {
    let (mut x, mut y, mut count) = (0f64, 0f64, 0);
    while count < limit && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + a, 2.0 * x * y + b);
        count += 1;
    }
    count
}

/// A pixel of the picture.
fn pixel([width, height]: [usize; 2], limit: i32, at: usize) -> i32 {
    let (row, column) = ((at / width) as f64, (at % width) as f64);
    iterations(3.0 * column / width as f64 - 2.0, 2.0 * row / height as f64 - 1.0, limit)
}

fn mandelbrot(input: &[Value]) -> Option<Run<'_>> {
    let [width, height, limit] = input else { return None };
    let (width, height, limit) = (count(width)?, count(height)?, count(limit)? as i32);
    Some(Box::new(move || {
        let pixels = (0..width * height).map(|at| pixel([width, height], limit, at));
        array(&[height, width], pixels.collect::<Vec<i32>>())
    }))
}

fn mandelbrot_parallel(input: &[Value]) -> Option<Run<'_>> {
    let [width, height, limit] = input else { return None };
    let (width, height, limit) = (count(width)?, count(height)?, count(limit)? as i32);
    Some(Box::new(move || {
        let pixels = (0..width * height).into_par_iter().map(|at| pixel([width, height], limit, at));
        array(&[height, width], pixels.collect::<Vec<i32>>())
    }))
}

/// The steps from a number to 1.
fn steps(mut x: i64) -> i32 {
    let mut count = 0;
    while x != 1 {
        x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
        count += 1;
    }
    count
}

/// The least assignment of twelve variables that satisfies all clauses.
fn least_assignment((trues, falses): (&[u32], &[u32])) -> u32 {
    let holds = |assigned: u32| trues.iter().zip(falses).all(|(t, f)| t & assigned | f & !assigned != 0);
    (0..4096).find(|&assigned| holds(assigned)).unwrap_or(4096)
}

/// The clauses of formulas, and their number in each.
fn clauses(input: &[Value]) -> Option<(&[u32], &[u32], usize)> {
    let [trues, falses] = input else { return None };
    let &[_, clauses] = shape(trues)? else { return None };
    Some((elements(trues)?, elements(falses)?, clauses))
}

fn satisfy(input: &[Value]) -> Option<Run<'_>> {
    let (trues, falses, clauses) = clauses(input)?;
    Some(Box::new(move || {
        let formulas = trues.chunks_exact(clauses).zip(falses.chunks_exact(clauses));
        vec![vector(formulas.map(least_assignment).collect::<Vec<u32>>())]
    }))
}

fn satisfy_parallel(input: &[Value]) -> Option<Run<'_>> {
    let (trues, falses, clauses) = clauses(input)?;
    Some(Box::new(move || {
        let formulas = trues.par_chunks_exact(clauses).zip(falses.par_chunks_exact(clauses));
        vec![vector(formulas.map(least_assignment).collect::<Vec<u32>>())]
    }))
}

fn collatz(input: &[Value]) -> Option<Run<'_>> {
    let n = count(input.first()?)? as i64;
    Some(Box::new(move || vec![scalar((1..n).map(steps).max().unwrap_or(i32::MIN))]))
}

fn collatz_parallel(input: &[Value]) -> Option<Run<'_>> {
    let n = count(input.first()?)? as i64;
    Some(Box::new(move || vec![scalar((1..n).into_par_iter().map(steps).max().unwrap_or(i32::MIN))]))
}

/// The polynomial of the normal distribution.
const COEFFICIENTS: [f64; 5] = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];

/// Black and Scholes' prices in one floating-point type.
macro_rules! black_scholes {
    ($module:ident, $real:ident) => {
        mod $module {
            use rayon::prelude::*;

            use ravel_abi::Value;

            use super::COEFFICIENTS;
            use crate::classics::{Run, elements, vector};

            const RATE: $real = 0.02;
            const VOLATILITY: $real = 0.21;

            /// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17.
            fn normal(x: $real) -> $real {
                let [slope, scale] = [0.231_641_9_f64, 0.398_942_280_401_432_7].map(|number| number as $real);
                let t = 1.0 / (1.0 + slope * x.abs());
                let polynomial =
                    COEFFICIENTS.iter().rev().fold(0.0, |sum, &number| t * (number as $real + sum));
                let tail = scale * (-0.5 * x * x).exp() * polynomial;
                if x > 0.0 { 1.0 - tail } else { tail }
            }

            /// The prices of a call and a put.
            fn prices(spot: $real, strike: $real, years: $real) -> ($real, $real) {
                let deviation = VOLATILITY * years.sqrt();
                let d1 = ((spot / strike).ln() + (RATE + 0.5 * VOLATILITY * VOLATILITY) * years) / deviation;
                let d2 = d1 - deviation;
                let discounted = strike * (-RATE * years).exp();
                let call = spot * normal(d1) - discounted * normal(d2);
                (call, call + discounted - spot)
            }

            pub fn sequential(input: &[Value]) -> Option<Run<'_>> {
                let [spots, strikes, years] = input else { return None };
                let (spots, strikes, years) = (elements(spots)?, elements(strikes)?, elements(years)?);
                Some(Box::new(move || {
                    let options = spots.iter().zip(strikes).zip(years);
                    let (calls, puts): (Vec<$real>, Vec<$real>) =
                        options.map(|((spot, strike), years)| prices(*spot, *strike, *years)).unzip();
                    vec![vector(calls), vector(puts)]
                }))
            }

            pub fn parallel(input: &[Value]) -> Option<Run<'_>> {
                let [spots, strikes, years] = input else { return None };
                let (spots, strikes) = (elements::<$real>(spots)?, elements::<$real>(strikes)?);
                let years = elements::<$real>(years)?;
                Some(Box::new(move || {
                    let options = spots.par_iter().zip(strikes).zip(years);
                    let (calls, puts): (Vec<$real>, Vec<$real>) =
                        options.map(|((spot, strike), years)| prices(*spot, *strike, *years)).unzip();
                    vec![vector(calls), vector(puts)]
                }))
            }
        }
    };
}

black_scholes!(in_f32, f32);
black_scholes!(in_f64, f64);

/// The square of the distance of two points.
fn distance(point: &[f32], centre: &[f32]) -> f32 {
    let mut sums = [0f32; 8];
    let (mut points, mut centres) = (point.chunks_exact(8), centre.chunks_exact(8));
    for (point, centre) in (&mut points).zip(&mut centres) {
        for ((sum, x), y) in sums.iter_mut().zip(point).zip(centre) {
            *sum += (x - y) * (x - y);
        }
    }
    let rest = points.remainder().iter().zip(centres.remainder()).map(|(x, y)| (x - y) * (x - y));
    sums.iter().sum::<f32>() + rest.sum::<f32>()
}

/// The number of points next to each centre, and the sums of their coordinates.
type Clusters = (Vec<i32>, Vec<f32>);

/// Assigns points to their nearest centres.
fn assign(points: &[f32], centres: &[f32], dimensions: usize) -> Clusters {
    let mut clusters = (vec![0i32; centres.len() / dimensions], vec![0f32; centres.len()]);
    for point in points.chunks_exact(dimensions) {
        let (mut best, mut least) = (0, f32::INFINITY);
        for (number, centre) in centres.chunks_exact(dimensions).enumerate() {
            let distance = distance(point, centre);
            if distance < least {
                (best, least) = (number, distance);
            }
        }
        clusters.0[best] += 1;
        let sums = &mut clusters.1[best * dimensions..][..dimensions];
        sums.iter_mut().zip(point).for_each(|(sum, x)| *sum += x);
    }
    clusters
}

/// The means of the clusters.
fn means((counts, sums): &Clusters, dimensions: usize) -> Vec<f32> {
    let clusters = sums.chunks_exact(dimensions).zip(counts);
    clusters.flat_map(|(sums, &count)| sums.iter().map(move |sum| sum / count.max(1) as f32)).collect()
}

fn k_means(input: &[Value]) -> Option<Run<'_>> {
    let [points, centres, rounds] = input else { return None };
    let (points, first, &[k, d], rounds) =
        (elements(points)?, elements(centres)?, shape(centres)?, count(rounds)?)
    else {
        return None;
    };
    Some(Box::new(move || {
        let mut centres = first.to_vec();
        for _ in 0..rounds {
            centres = means(&assign(points, &centres, d), d);
        }
        array(&[k, d], centres)
    }))
}

fn k_means_parallel(input: &[Value]) -> Option<Run<'_>> {
    let [points, centres, rounds] = input else { return None };
    let (points, first) = (elements::<f32>(points)?, elements::<f32>(centres)?);
    let (&[k, d], rounds) = (shape(centres)?, count(rounds)?) else { return None };
    Some(Box::new(move || {
        let mut centres = first.to_vec();
        for _ in 0..rounds {
            let parts = points.par_chunks(1024 * d).map(|points| assign(points, &centres, d));
            let add = |mut a: Clusters, b: Clusters| {
                a.0.iter_mut().zip(b.0).for_each(|(a, b)| *a += b);
                a.1.iter_mut().zip(b.1).for_each(|(a, b)| *a += b);
                a
            };
            centres = means(&parts.reduce(|| (vec![0; k], vec![0.0; k * d]), add), d);
        }
        array(&[k, d], centres)
    }))
}
