//! The expected results of every program for every input size. Integers are compared by a digest. Reals are compared one
//! by one, or by their sum if they are too many to store.
//!
//! All expected results come from implementations in Python with numpy. These read the same inputs and share
//! no code with the programs.

use std::path::Path;

use ravel_abi::{Value, approx_equal};

use crate::values::reals;
use crate::{digest, heston};

/// The size class of a case, which decides where it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SizeClass {
    /// Small enough for the interpreter.
    Small,
    /// Small enough for compiled code in every run of the tests.
    Medium,
    /// Run only by `cargo xtask programs` and the benchmarks.
    Full,
}

/// The expected first result.
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    /// The SHA-256 digest of its elements. If they are few, the folder `expected` of the program lists them too.
    Digest(&'static str),
    /// The root-mean-square error of a calibration in percent. It must lie between `optimum`, less the relative error, and
    /// `GOOD_ENOUGH`. If the calibration reports its parameters, the error must also be the error at these parameters, up
    /// to the relative error.
    Calibration {
        /// The minimum of the root-mean-square error in percent, over all parameters.
        optimum: f64,
        /// The relative error.
        relative: f64,
    },
    /// Reals, which must be right up to a relative and an absolute error. The folder `expected` of the program may list the
    /// first elements or all of them. Unless all are listed, the sum of the elements is compared too.
    Reals {
        /// The sum.
        sum: f64,
        /// The relative error.
        relative: f64,
        /// The absolute error of each element. The last entry also holds for all further elements.
        absolute: &'static [f64],
    },
}

/// A call of a program, and its result.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The file below `programs/`, without its ending.
    pub program: &'static str,
    /// The entry point.
    pub entry: &'static str,
    /// The name of the input size, as for [`crate::inputs::input`].
    pub size: &'static str,
    /// Its size class.
    pub size_class: SizeClass,
    /// The expected result.
    pub expected: Expected,
}

impl Case {
    /// Its name in lists of cases.
    pub fn name(&self) -> String {
        format!("{} {} {}", self.program, self.entry, self.size)
    }

    /// The folder of the program, which all its versions share.
    pub fn folder(&self) -> &'static str {
        self.program.split_once('/').map_or(self.program, |(folder, _)| folder)
    }

    /// The kind of the size. The sizes of one kind are listed in increasing order.
    pub fn kind(&self) -> &'static str {
        match self.size.rsplit_once('-') {
            Some((kind, _)) => kind,
            None if self.folder() == "bfs" => self.size.trim_end_matches('s'),
            None => "",
        }
    }

    /// Compares the results for an input with the expected ones.
    pub fn check(&self, input: &[Value], results: &[Value]) -> Result<(), String> {
        let Some(result) = results.first() else { return Err("there is no result".to_owned()) };
        match self.expected {
            Expected::Digest(expected) => {
                let actual = digest::sha256(result);
                if actual == expected {
                    return Ok(());
                }
                Err(match self.list()?.and_then(|list| approx_equal(&list, result, 0.0).err()) {
                    Some(mismatch) => mismatch.to_string(),
                    None => format!("the digest is {actual}, not {expected}"),
                })
            }
            Expected::Calibration { optimum, relative } => {
                let Some(&[error]) = reals(result).as_deref() else {
                    return Err("the error is not a number".to_owned());
                };
                if !(optimum * (1.0 - relative)..=GOOD_ENOUGH).contains(&error) {
                    return Err(format!("the error {error} is not from {optimum} to {GOOD_ENOUGH}"));
                }
                check_reported(input, &results[1..], error, relative)
            }
            Expected::Reals { sum, relative, absolute } => {
                let numbers = reals(result).ok_or("the result does not hold reals")?;
                let near = |actual: f64, expected: f64, absolute: f64| {
                    (actual - expected).abs() <= relative * expected.abs() + absolute
                };
                let absolute = |i: usize| absolute[i.min(absolute.len() - 1)];
                let listed = self.listed()?;
                if let Some((count, listed)) = &listed {
                    if numbers.len() != *count {
                        return Err(format!("there are {} numbers, not {count}", numbers.len()));
                    }
                    let wrong = (0..listed.len()).find(|&i| !near(numbers[i], listed[i], absolute(i)));
                    if let Some(i) = wrong {
                        return Err(format!("number {i} is {:e}, not {:e}", numbers[i], listed[i]));
                    }
                }
                if listed.is_some_and(|(count, listed)| count == listed.len()) {
                    return Ok(());
                }
                let actual: f64 = numbers.iter().sum();
                let right = near(actual, sum, (0..numbers.len()).map(absolute).sum());
                if right { Ok(()) } else { Err(format!("the sum is {actual:e}, not {sum:e}")) }
            }
        }
    }

    /// The list in the folder `expected` of the program, if there is one. Sizes that differ only in a count, as `random-20` and
    /// `random-100` do, share one list.
    ///
    /// # Errors
    /// The list cannot be read.
    fn list(&self) -> Result<Option<Value>, String> {
        let name = self.size.rsplit_once('-').map_or(self.size, |(kind, _)| kind);
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs");
        let path = root.join(self.folder()).join("expected").join(name).with_extension("out");
        let Ok(text) = std::fs::read(&path) else { return Ok(None) };
        let values =
            ravel_abi::read_any(&text).map_err(|trouble| format!("{}: {trouble}", path.display()))?;
        Ok(values.into_iter().next())
    }

    /// The number of reals in the result, and the listed ones. If sizes differ only in a count, the input of a smaller one is
    /// the beginning of the input of a larger one, and so is the result. So one list has the first elements of all of them.
    ///
    /// # Errors
    /// The list cannot be read, or it has no reals.
    fn listed(&self) -> Result<Option<(usize, Vec<f64>)>, String> {
        let Some(list) = self.list()? else { return Ok(None) };
        let mut numbers = reals(&list).ok_or_else(|| format!("{}: no reals are listed", self.name()))?;
        let wanted = self.size.rsplit_once('-').and_then(|(_, count)| count.parse().ok());
        let count = wanted.unwrap_or(numbers.len());
        numbers.truncate(count);
        Ok(Some((count, numbers)))
    }
}

/// Checks that the error of a calibration is the error at the parameters that it reports. `rest` holds its other results:
/// the number of evaluations and then the parameters. A calibration that reports only the error passes.
fn check_reported(input: &[Value], rest: &[Value], error: f64, relative: f64) -> Result<(), String> {
    let [evaluations, v0, theta, kappa, eta, rho] = rest else {
        return if rest.is_empty() { Ok(()) } else { Err(format!("{} results", 1 + rest.len())) };
    };
    if input.first() != Some(evaluations) {
        return Err(format!("there were {evaluations:?} evaluations"));
    }
    let parameters: Vec<f64> = [v0, theta, rho, kappa, eta].into_iter().filter_map(reals).flatten().collect();
    let parameters = parameters.try_into().map_err(|wrong| format!("{wrong:?} are not five parameters"))?;
    let quotes = heston::Objective::of_input(input).ok_or("the input does not belong to a calibration")?;
    let exact = quotes.rmse(&parameters, &mut quotes.parts());
    if (error - exact).abs() <= relative * exact {
        Ok(())
    } else {
        Err(format!("the error at {parameters:?} is {exact}, not {error}"))
    }
}

/// The data-parallel versions of breadth-first search.
pub const SEARCHES: [&str; 4] = ["bfs/padded", "bfs/flattened", "bfs/iterative", "bfs/one_time"];

/// Digests of the levels of all nodes, by graph.
const LEVELS: &[(&str, &str, SizeClass)] = &[
    ("d1s", "2d1981223f2030a81ce45059a0ab0013d0c05561d7a460934a229e4e3945eec3", SizeClass::Medium),
    ("d2s", "c71f87fd7d4f602c0375a787d104414e3b1c5665af893b8f2ae7b7cdd694ca25", SizeClass::Medium),
    ("d3s", "a8fa8b539209e427389fdee4c42091a8ab1426b6dd2ae4979eed96ff5832c85e", SizeClass::Small),
    ("d4s", "aa708baa3399670e6a871407890036a624c0128c405057b78709f15217c593ea", SizeClass::Medium),
    ("d5s", "c2ccc3d375fc8f54da8c64885658f08a62d021dd306ba97476e0f4c1cdb35c0b", SizeClass::Medium),
    ("d6s", "dcacfbf245aa1a733d2e921c205dde50ccc3e13991dd0d26c9d7ede94c7c507d", SizeClass::Small),
    ("d1", "89aa88c442e9aed134923f7a60daa7eae1cb22295badc083b8dea544b800fb15", SizeClass::Full),
    ("d2", "b0fe8dea0d10d6b3f954d1e0214a20d35ba3a1260bfb5bc38fbbcf23cf845e51", SizeClass::Full),
    ("d3", "88224becc55ef0f75568057da33600c6db1d710d93047cc6ad45126fda8a587c", SizeClass::Full),
    ("d4", "6bf2d7dd58c99f4a53813e4a42601c42790e3758c7b5cfe77a6f67b8f5cf3c24", SizeClass::Full),
    ("d5", "2c530471a6f3b0ba736a94af46bf80468a15ff8ca0770dcbcd5c44f25fb1b1de", SizeClass::Full),
    ("d6", "df51551d297f55f9ede6c3112bb126bfc303a030e778033968cc54b5416672c9", SizeClass::Full),
];

/// Prices, by contract and number of paths.
const PRICES: &[(&str, f64, SizeClass)] = &[
    ("simple-1024", 165.52568817883116, SizeClass::Small),
    ("simple-65536", 167.02145841887548, SizeClass::Medium),
    ("simple-1048576", 167.05347734168, SizeClass::Full),
    ("simple-8388608", 167.05571416613856, SizeClass::Full),
    ("medium-1024", 939.2088020602575, SizeClass::Small),
    ("medium-65536", 937.2073109847306, SizeClass::Medium),
    ("medium-1048576", 937.4414964758203, SizeClass::Full),
    ("complex-256", 1050.879949367862, SizeClass::Medium),
    ("complex-4096", 1047.1194450773671, SizeClass::Full),
    ("complex-131072", 1046.4002164923618, SizeClass::Full),
];

/// The prices for testing the entry points that generate the Sobol points in another way than `main`.
const PRICES_OF_VARIANTS: &[(&str, f64, SizeClass)] = &[
    ("simple-1024", 165.52568817883116, SizeClass::Small),
    ("medium-1024", 939.2088020602575, SizeClass::Medium),
    ("medium-65536", 937.2073109847306, SizeClass::Full),
    ("complex-4096", 1047.1194450773671, SizeClass::Full),
    ("simple-8388608", 167.05571416613856, SizeClass::Full),
    ("medium-1048576", 937.4414964758203, SizeClass::Full),
    ("complex-131072", 1046.4002164923618, SizeClass::Full),
];

/// The sum of the option values in Hull and White's book.
const BOOK: &[(&str, f64, SizeClass)] = &[("book", 10.968172663520335, SizeClass::Medium)];

/// The absolute errors of the book's values in f32. The last tree has 3,285 levels. Each level rounds values of 64 and more
/// to multiples of 7.6e-6. The sum of the rounding errors is a random walk, which typically ends 4.4e-4 from its start. So
/// the last option, which is worth 1.8, may be wrong by 1e-3.
const BOOK_IN_F32: &[f64] = &[1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-3];

/// Sums of the values of the options, by portfolio.
const PORTFOLIOS: &[(&str, f64, SizeClass)] = &[
    ("uniform-20", 36.278691052064, SizeClass::Small),
    ("uniform-100", 181.39345526032, SizeClass::Medium),
    ("uniform-1000", 1813.9345526032, SizeClass::Full),
    ("uniform-65536", 118878.01483940332, SizeClass::Full),
    ("random-20", 856.8694019389583, SizeClass::Medium),
    ("random-100", 4084.114113227615, SizeClass::Full),
    ("random-1000", 42625.79586110408, SizeClass::Full),
    ("random-65536", 2858956.7210648647, SizeClass::Full),
    ("random-constant-height-20", 47.88980579428881, SizeClass::Medium),
    ("random-constant-height-100", 227.99262945714895, SizeClass::Medium),
    ("random-constant-height-1000", 2255.243110311481, SizeClass::Full),
    ("random-constant-height-65536", 148614.6085632513, SizeClass::Full),
    ("random-constant-width-20", 976.1966857664771, SizeClass::Medium),
    ("random-constant-width-100", 4295.8619432498535, SizeClass::Full),
    ("random-constant-width-1000", 43169.65046080069, SizeClass::Full),
    ("random-constant-width-65536", 2855365.9770121668, SizeClass::Full),
    ("skewed-20", 678.0001273195537, SizeClass::Medium),
    ("skewed-100", 3051.860084870893, SizeClass::Medium),
    ("skewed-1000", 28179.417587725402, SizeClass::Full),
    ("skewed-65536", 1856146.090412234, SizeClass::Full),
    ("skewed-constant-height-100", 3033.1665834665764, SizeClass::Medium),
    ("skewed-constant-height-1000", 29117.569092266724, SizeClass::Full),
    ("skewed-constant-height-65536", 1875911.9759561357, SizeClass::Full),
    ("skewed-constant-width-100", 3018.9588526581842, SizeClass::Medium),
    ("skewed-constant-width-1000", 28968.519474499633, SizeClass::Full),
    ("skewed-constant-width-65536", 1860031.8639063607, SizeClass::Full),
];

/// Sums of the prices for all strikes, by size.
const CALIBRATIONS: &[(&str, f64, SizeClass)] = &[
    ("tiny", 0.11400000000000005, SizeClass::Small),
    ("mini", 0.21440106905838616, SizeClass::Medium),
    ("small", 0.39879552930043843, SizeClass::Full),
    ("medium", 1.9151384054813196, SizeClass::Full),
    ("large", 2.3765326245907925, SizeClass::Full),
];

/// Digests of the points of Sobol sequences, by numbers of dimensions and points.
const POINTS: &[(&str, &str, SizeClass)] = &[
    ("8x100", "b1f48e8a15524759fd24c0aa8c9d96301783c100b504fa49f6bd185f41ce4968", SizeClass::Small),
    ("1111x2000", "88d621880c391e69e4e5e5db9c67bcd956416caf893a2b1cfddff0f802e42040", SizeClass::Medium),
    ("1111x20000", "96f0c5024a3f913d0de99591efe72503b0c2a17da4fa66bbdf09dd2a86b5e6b8", SizeClass::Full),
];

/// Estimates of pi from the share of points in the quarter circle, by number of points.
const HITS: &[(&str, f64, SizeClass)] = &[
    ("1000", 3.144, SizeClass::Small),
    ("1000000", 3.141696, SizeClass::Full),
    ("8000000", 3.141599, SizeClass::Full),
];

/// Sums of one-dimensional points, by number of points.
const SUMS: &[(&str, f64, SizeClass)] = &[
    ("1000", 499.7265625, SizeClass::Small),
    ("30000000", 3_932_159_918_431.0 / 262_144.0, SizeClass::Full),
];

/// The minimum of the root-mean-square error in percent, by number of quotes. It was found by a local search from the
/// parameters that the quotes were made with.
const QUOTES: &[(&str, f64, SizeClass)] = &[
    ("100", 0.18713973368, SizeClass::Medium),
    ("1062", 0.17756753203, SizeClass::Full),
    ("10000", 0.18682390631, SizeClass::Full),
    ("100000", 0.19418604273, SizeClass::Full),
];

/// The maximum of the root-mean-square error of a calibration, in percent.
const GOOD_ENOUGH: f64 = 0.25;

/// The objective at the parameters of [`crate::inputs`], by number of quotes. The tests evaluate it at other parameters too,
/// with few quotes.
const OBJECTIVES: &[(&str, f64, SizeClass)] =
    &[("10000", 1.3381349472761348, SizeClass::Full), ("100000", 14.483978687549845, SizeClass::Full)];

/// All cases.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for &(size, levels, size_class) in LEVELS {
        let expected = Expected::Digest(levels);
        let case = |program, size_class| Case { program, entry: "main", size, size_class, expected };
        cases.extend(SEARCHES.map(|program| case(program, size_class)));
        cases.push(case("bfs/sequential", size_class));
    }
    for &(size, digest, size_class) in POINTS {
        let expected = Expected::Digest(digest);
        let case = |entry| Case { program: "sobol/points", entry, size, size_class, expected };
        cases.push(case("main"));
        // This entry point takes the direction numbers of 1,111 dimensions from the library.
        if size.starts_with("1111x") {
            cases.push(case("joe_kuo"));
        }
    }
    for &(size, optimum, size_class) in QUOTES {
        for (entry, relative) in [("main", 1e-9), ("main_f32", 1e-3)] {
            let expected = Expected::Calibration { optimum, relative };
            cases.push(Case { program: "heston/heston", entry, size, size_class, expected });
        }
    }
    let mut add =
        |program, entry, table: &[(&'static str, f64, SizeClass)], relative, absolute: &'static [f64]| {
            for &(size, sum, size_class) in table {
                let expected = Expected::Reals { sum, relative, absolute };
                cases.push(Case { program, entry, size, size_class, expected });
            }
        };
    add("heston/heston", "objective", OBJECTIVES, 1e-7, &[0.0]);
    add("heston/heston", "objective_f32", OBJECTIVES, 1e-3, &[0.0]);
    add("sobol/sum", "main", SUMS, 1e-12, &[0.0]);
    add("sobol/sum", "main_f32", SUMS, 1e-5, &[0.0]);
    add("sobol/stream", "sum", SUMS, 1e-12, &[0.0]);
    add("sobol/pi", "main", HITS, 1e-15, &[0.0]);
    // Three hits more or fewer, of eight million points.
    add("sobol/pi", "main_f32", HITS, 6e-7, &[0.0]);
    add("sobol/stream", "pi", HITS, 1e-15, &[0.0]);
    add("pricing/pricing", "main", PRICES, 1e-9, &[0.0]);
    add("pricing/pricing", "main_f32", PRICES, 1e-4, &[0.0]);
    add("pricing/pricing", "by_index", PRICES_OF_VARIANTS, 1e-9, &[0.0]);
    add("pricing/pricing", "by_recurrence", PRICES_OF_VARIANTS, 1e-9, &[0.0]);
    for entry in ["main", "by_height", "by_width", "by_shape", "in_bins"] {
        add("hullwhite/hullwhite", entry, BOOK, 0.0, &[1e-9]);
        add("hullwhite/hullwhite", entry, PORTFOLIOS, 0.0, &[1e-9]);
    }
    for program in ["hullwhite/one_per_thread", "hullwhite/flat"] {
        add(program, "main", BOOK, 0.0, &[1e-9]);
        add(program, "main", PORTFOLIOS, 0.0, &[1e-9]);
    }
    for program in ["hullwhite/hullwhite", "hullwhite/one_per_thread", "hullwhite/flat"] {
        add(program, "main_f32", BOOK, 0.0, BOOK_IN_F32);
        add(program, "main_f32", PORTFOLIOS, 0.0, &[1e-4]);
    }
    add("hullwhite/hullwhite", "in_bins_f32", BOOK, 0.0, BOOK_IN_F32);
    add("hullwhite/hullwhite", "in_bins_f32", PORTFOLIOS, 0.0, &[1e-4]);
    add("locvol/locvol", "main", CALIBRATIONS, 0.0, &[1e-10]);
    add("locvol/locvol", "main_f32", CALIBRATIONS, 0.0, &[1e-5]);
    add("locvol/locvol", "by_scans", CALIBRATIONS, 0.0, &[1e-10]);
    add("locvol/locvol", "by_scans_f32", CALIBRATIONS, 0.0, &[1e-5]);
    cases
}

#[cfg(test)]
mod tests {
    use super::{Expected, cases};
    use crate::values::{scalar, vector};
    use crate::{heston, inputs};

    #[test]
    fn sizes_have_kinds() {
        let kind = |size| cases().iter().find(|case| case.size == size).map(super::Case::kind);
        assert_eq!(kind("random-constant-height-100"), Some("random-constant-height"));
        assert_eq!((kind("d3s"), kind("d3"), kind("30000000")), (Some("d3"), Some("d3"), Some("")));
    }

    #[test]
    fn the_error_of_a_calibration_is_checked_at_its_parameters() {
        let case = cases().into_iter().find(|case| case.name() == "heston/heston main 100").expect("a case");
        let quotes = vec![vector(&[20_170_217, 20_180_126]), vector(&[0.9, 1.1]), vector(&[0.2, 0.25])];
        let input = inputs::calibration(quotes);
        let mut results = vec![scalar(0.0), scalar(2000)];
        let reported = [0.05, 0.07, 1.2, 0.6, -0.7];
        results.extend(reported.map(scalar));
        let exact = heston::Objective::of_input(&input).expect("an input");
        let exact = exact.rmse(&[0.05, 0.07, -0.7, 1.2, 0.6], &mut exact.parts());
        let wrong = |error: f64, of: &str| {
            let mut results = results.clone();
            results[0] = scalar(error);
            let wrong = case.check(&input, &results).expect_err("it is not such a calibration");
            assert!(wrong.contains(of), "{wrong}");
        };
        wrong(0.2, &format!("is {exact}, not 0.2"));
        wrong(0.1, "0.1 is not from 0.187");
        wrong(0.3, "to 0.25");
        wrong(f64::NAN, "NaN is not from");
    }

    #[test]
    fn small_results_are_listed_completely() {
        let small = |case: &&super::Case| match case.folder() {
            "hullwhite" => ["book", "-20", "-100"].iter().any(|end| case.size.ends_with(end)),
            folder => folder == "locvol",
        };
        for case in cases().iter().filter(small) {
            let listed = case.listed().unwrap_or_else(|wrong| panic!("{wrong}"));
            assert!(listed.is_some_and(|(count, listed)| listed.len() == count), "{}", case.name());
        }
        let small =
            |case: &&super::Case| case.size == "8x100" || case.folder() == "bfs" && case.size.ends_with('s');
        for case in cases().iter().filter(small) {
            let list = case.list().unwrap_or_else(|wrong| panic!("{wrong}")).expect("a list");
            assert_eq!(case.check(&[], &[list]), Ok(()), "{}", case.name());
        }
    }

    #[test]
    fn larger_results_are_compared_by_their_first_elements_and_their_sum() {
        let name = "hullwhite/hullwhite main random-1000";
        let case = cases().into_iter().find(|case| case.name() == name).expect("a case");
        let (count, listed) = case.listed().expect("a list").expect("a list");
        let Expected::Reals { sum, .. } = case.expected else { panic!("no reals") };
        assert_eq!((count, listed.len()), (1000, 100));
        let rest = (sum - listed.iter().sum::<f64>()) / 900.0;
        let mut values: Vec<f64> = listed.into_iter().chain(std::iter::repeat_n(rest, 900)).collect();
        let check = |values: &[f64]| case.check(&[], &[vector(values)]);
        assert_eq!(check(&values), Ok(()));
        assert!(check(&values[1..]).is_err_and(|wrong| wrong.contains("999 numbers, not 1000")));
        values[999] += 1.0;
        assert!(check(&values).is_err_and(|wrong| wrong.contains("the sum is")));
        values[999] -= 1.0;
        values.swap(0, 1);
        assert!(check(&values).is_err_and(|wrong| wrong.contains("number 0 is")));
    }

    #[test]
    fn a_wrong_digest_of_a_listed_result_names_the_wrong_element() {
        let case = cases().into_iter().find(|case| case.size == "d1s").expect("a case");
        let wrong = case.check(&[], &[vector(&[0i32; 300])]).expect_err("there are other levels");
        assert!(wrong.contains("expected ") && wrong.contains(", got 0"), "{wrong}");
    }
}
