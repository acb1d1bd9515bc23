//! The input of every program at every size, by name.

use ravel_abi::Value;

use crate::values::{array, in_single_precision, scalar, vector};
use crate::{locvol, pricing, sobol};

/// The seed of all data to which a digest or a scalar refers.
pub const SEED: u64 = 1;

/// Runs an entry point of a file of `programs/` on these arguments.
pub type Run<'a> = &'a dyn Fn(&str, &str, &[Value]) -> Result<Vec<Value>, String>;

/// The input of an entry point of a program at a size: `bfs d5`, `sobol 1111x2000` or `sobol 30000000`, `pricing
/// medium-1024`, `hullwhite skewed-1000`, `hullwhite book`, `locvol small`, `heston 1062`. Programs generate the random
/// data. Entry points whose names end in `_f32` take single precision.
///
/// # Errors
/// No data have this name, or the program that generates them fails.
pub fn input(program: &str, entry: &str, size: &str, run: Run) -> Result<Vec<Value>, String> {
    let values = in_double_precision(program, entry, size, run)?;
    Ok(if entry.ends_with("_f32") { in_single_precision(values) } else { values })
}

/// The input of the f64 version of an entry point.
fn in_double_precision(program: &str, entry: &str, size: &str, run: Run) -> Result<Vec<Value>, String> {
    let seed = scalar(SEED);
    match (program, size.rsplit_once('-')) {
        ("bfs", _) => return run("bfs/graph.dsl", size, &[seed]),
        ("hullwhite", None) => return run("hullwhite/portfolio.dsl", size, &[]),
        ("hullwhite", Some((kind, count))) => {
            if let Ok(count) = count.parse::<i64>() {
                return run("hullwhite/portfolio.dsl", &kind.replace('-', "_"), &[scalar(count), seed]);
            }
        }
        ("heston", _) => {
            if let Ok(count) = size.parse() {
                let quotes = run("heston/heston.dsl", "quotes", &quotes_arguments(count))?;
                let of_objective = entry.starts_with("objective");
                return Ok(if of_objective { objective(PARAMETERS, quotes) } else { calibration(quotes) });
            }
        }
        _ => {}
    }
    let mut input =
        constant(program, size).ok_or_else(|| format!("no data are known for {program} at {size}"))?;
    // The library has the direction numbers itself.
    Ok(if entry == "joe_kuo" { input.split_off(3) } else { input })
}

/// The input of a program without random data.
fn constant(program: &str, size: &str) -> Option<Vec<Value>> {
    match program {
        "sobol" => match size.split_once('x') {
            Some((dimensions, points)) => Some(points_input(dimensions.parse().ok()?, points.parse().ok()?)),
            None => Some(vec![scalar(size.parse::<i32>().ok()?)]),
        },
        "pricing" => {
            let (contract, paths) = size.rsplit_once('-')?;
            pricing::input(contract, paths.parse().ok()?)
        }
        "locvol" => locvol::input(size),
        _ => None,
    }
}

/// The dimensions of a Sobol sequence, and the number of points from index 1 on.
fn points_input(dimensions: usize, points: i32) -> Vec<Value> {
    let table = sobol::dimensions(dimensions);
    let longest = table.iter().map(|dimension| dimension.initial.len()).max().unwrap_or(0);
    let column = |number: fn(&sobol::Dimension) -> u32| table.iter().map(number).collect::<Vec<_>>();
    let degrees: Vec<i32> =
        column(|dimension| dimension.degree).iter().map(|&degree| degree as i32).collect();
    let initial: Vec<u32> = table
        .iter()
        .flat_map(|dimension| dimension.initial.iter().copied().chain(std::iter::repeat(0)).take(longest))
        .collect();
    vec![
        vector(&degrees),
        vector(&column(|dimension| dimension.coefficients)),
        array(&[dimensions, longest], &initial),
        scalar(1i32),
        scalar(points),
    ]
}

/// The arguments of the Heston program's entry point `quotes` for `count` quotes.
pub fn quotes_arguments(count: i32) -> Vec<Value> {
    let distinct = match count {
        100 => 5,
        1_062 => 17,
        10_000 => 100,
        100_000 => 1_000,
        _ => 2 + count / 100,
    };
    vec![scalar(count), scalar(distinct), scalar(TODAY), scalar(0.002)]
}

/// The default parameters at which the objective is evaluated.
const PARAMETERS: [f64; 5] = [0.04, 0.06, -0.6, 1.5, 0.5];

/// The day of the quotes.
const TODAY: i32 = 20_170_126;

/// The input of a calibration to these quotes: maturities, strikes and volatilities.
pub fn calibration(quotes: Vec<Value>) -> Vec<Value> {
    [scalar(2000), scalar(20), scalar(40), scalar(TODAY)].into_iter().chain(quotes).collect()
}

/// The input of the objective at these parameters, for the same quotes.
pub fn objective(parameters: [f64; 5], quotes: Vec<Value>) -> Vec<Value> {
    [vector(&parameters), scalar(20), scalar(TODAY)].into_iter().chain(quotes).collect()
}
