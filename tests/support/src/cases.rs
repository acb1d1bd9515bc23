//! What every program must give at every size: a digest of integers; reals, or where they would be too
//! many to keep, their sum.
//!
//! All come from implementations written in Python with numpy, which read the same records and share
//! nothing with the programs.

use std::path::Path;

use ravel_abi::{Value, approx_equal};

use crate::values::reals;
use crate::{digest, heston};

/// How far a case reaches; the later, the larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Small enough for the interpreter.
    Interpreter,
    /// Small enough for compiled code in every run of the tests.
    Backends,
    /// At full size, for the chore.
    Chore,
}

/// What the first result must be.
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    /// SHA-256 of its elements, which the folder `expected` of the program lists where they are few.
    Digest(&'static str),
    /// A calibration whose error lies between what the quotes allow, up to the relative error, and what is good enough.
    /// It must be the error at the parameters that are reported, where they are, up to the relative error too.
    Calibration {
        /// The root-mean-square error in percent that no parameters go below.
        optimum: f64,
        /// The relative error.
        relative: f64,
    },
    /// Its elements where they are listed in the folder `expected` of the program; if not all of them are, also their sum; up
    /// to a relative and, for each of them, an absolute error.
    Reals {
        /// The sum.
        sum: f64,
        /// The relative error.
        relative: f64,
        /// The absolute error of each element; of all that follow the last one, that of the last.
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
    /// The size, as [`crate::records::record`] knows it.
    pub size: &'static str,
    /// How far it reaches.
    pub reach: Reach,
    /// What it must give.
    pub expected: Expected,
}

impl Case {
    /// What it is called where cases are listed.
    pub fn name(&self) -> String {
        format!("{} {} {}", self.program, self.entry, self.size)
    }

    /// The folder of the program, which all its versions share.
    pub fn folder(&self) -> &'static str {
        self.program.split_once('/').map_or(self.program, |(folder, _)| folder)
    }

    /// What the sizes have in common that come in order, each larger than those before.
    pub fn kind(&self) -> &'static str {
        match self.size.rsplit_once('-') {
            Some((kind, _)) => kind,
            None if self.folder() == "bfs" => self.size.trim_end_matches('s'),
            None => "",
        }
    }

    /// Are these results what was expected, for this record?
    pub fn check(&self, record: &[Value], results: &[Value]) -> Result<(), String> {
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
                    return Err("the error is no number".to_owned());
                };
                if !(optimum * (1.0 - relative)..=GOOD_ENOUGH).contains(&error) {
                    return Err(format!("the error {error} is not from {optimum} to {GOOD_ENOUGH}"));
                }
                judge(record, &results[1..], error, relative)
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

    /// What the folder of the program lists for this size, or for all that differ by a count only.
    ///
    /// # Errors
    /// What is wrong with the list.
    fn list(&self) -> Result<Option<Value>, String> {
        let name = self.size.rsplit_once('-').map_or(self.size, |(kind, _)| kind);
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs");
        let path = root.join(self.folder()).join("expected").join(name).with_extension("out");
        let Ok(text) = std::fs::read(&path) else { return Ok(None) };
        let values =
            ravel_abi::read_any(&text).map_err(|trouble| format!("{}: {trouble}", path.display()))?;
        Ok(values.into_iter().next())
    }

    /// How many reals there are, and those that are listed: of those that differ by a count only, the first are those of
    /// smaller sizes, since the data are.
    ///
    /// # Errors
    /// What is wrong with the list.
    fn listed(&self) -> Result<Option<(usize, Vec<f64>)>, String> {
        let Some(list) = self.list()? else { return Ok(None) };
        let mut numbers = reals(&list).ok_or_else(|| format!("{}: no reals are listed", self.name()))?;
        let wanted = self.size.rsplit_once('-').and_then(|(_, count)| count.parse().ok());
        let count = wanted.unwrap_or(numbers.len());
        numbers.truncate(count);
        Ok(Some((count, numbers)))
    }
}

/// Is it the error at the parameters that a calibration reports, which are all but the error and the number of
/// evaluations? There is nothing to say of one that reports the error alone.
fn judge(record: &[Value], rest: &[Value], error: f64, relative: f64) -> Result<(), String> {
    let [evaluations, v0, theta, kappa, eta, rho] = rest else {
        return if rest.is_empty() { Ok(()) } else { Err(format!("{} results", 1 + rest.len())) };
    };
    if record.first() != Some(evaluations) {
        return Err(format!("there were {evaluations:?} evaluations"));
    }
    let parameters: Vec<f64> = [v0, theta, rho, kappa, eta].into_iter().filter_map(reals).flatten().collect();
    let parameters = parameters.try_into().map_err(|wrong| format!("{wrong:?} are no parameters"))?;
    let quotes = heston::Objective::of_record(record).ok_or("the record is none of a calibration")?;
    let exact = quotes.rmse(&parameters, &mut quotes.parts());
    if (error - exact).abs() <= relative * exact {
        Ok(())
    } else {
        Err(format!("the error at {parameters:?} is {exact}, not {error}"))
    }
}

/// The data-parallel versions of breadth-first search.
pub const SEARCHES: [&str; 4] = ["bfs/padded", "bfs/flattened", "bfs/iterative", "bfs/one_time"];

/// Digests of the levels of all nodes of graphs.
const LEVELS: &[(&str, &str, Reach)] = &[
    ("d1s", "2d1981223f2030a81ce45059a0ab0013d0c05561d7a460934a229e4e3945eec3", Reach::Backends),
    ("d2s", "c71f87fd7d4f602c0375a787d104414e3b1c5665af893b8f2ae7b7cdd694ca25", Reach::Backends),
    ("d3s", "a8fa8b539209e427389fdee4c42091a8ab1426b6dd2ae4979eed96ff5832c85e", Reach::Interpreter),
    ("d4s", "aa708baa3399670e6a871407890036a624c0128c405057b78709f15217c593ea", Reach::Backends),
    ("d5s", "c2ccc3d375fc8f54da8c64885658f08a62d021dd306ba97476e0f4c1cdb35c0b", Reach::Backends),
    ("d6s", "dcacfbf245aa1a733d2e921c205dde50ccc3e13991dd0d26c9d7ede94c7c507d", Reach::Interpreter),
    ("d1", "89aa88c442e9aed134923f7a60daa7eae1cb22295badc083b8dea544b800fb15", Reach::Chore),
    ("d2", "b0fe8dea0d10d6b3f954d1e0214a20d35ba3a1260bfb5bc38fbbcf23cf845e51", Reach::Chore),
    ("d3", "88224becc55ef0f75568057da33600c6db1d710d93047cc6ad45126fda8a587c", Reach::Chore),
    ("d4", "6bf2d7dd58c99f4a53813e4a42601c42790e3758c7b5cfe77a6f67b8f5cf3c24", Reach::Chore),
    ("d5", "2c530471a6f3b0ba736a94af46bf80468a15ff8ca0770dcbcd5c44f25fb1b1de", Reach::Chore),
    ("d6", "df51551d297f55f9ede6c3112bb126bfc303a030e778033968cc54b5416672c9", Reach::Chore),
];

/// Prices of contracts at numbers of paths.
const PRICES: &[(&str, f64, Reach)] = &[
    ("simple-1024", 165.52568817883116, Reach::Interpreter),
    ("simple-65536", 167.02145841887548, Reach::Backends),
    ("simple-1048576", 167.05347734168, Reach::Chore),
    ("simple-8388608", 167.05571416613856, Reach::Chore),
    ("medium-1024", 939.2088020602575, Reach::Interpreter),
    ("medium-65536", 937.2073109847306, Reach::Backends),
    ("medium-1048576", 937.4414964758203, Reach::Chore),
    ("complex-256", 1050.879949367862, Reach::Backends),
    ("complex-4096", 1047.1194450773671, Reach::Chore),
    ("complex-131072", 1046.4002164923618, Reach::Chore),
];

/// What the other ways to the points are tried on.
const OTHER_FORMS: &[(&str, f64, Reach)] = &[
    ("simple-1024", 165.52568817883116, Reach::Interpreter),
    ("medium-1024", 939.2088020602575, Reach::Backends),
    ("medium-65536", 937.2073109847306, Reach::Chore),
    ("complex-4096", 1047.1194450773671, Reach::Chore),
    ("simple-8388608", 167.05571416613856, Reach::Chore),
    ("medium-1048576", 937.4414964758203, Reach::Chore),
    ("complex-131072", 1046.4002164923618, Reach::Chore),
];

/// The sum of the values of Hull and White's book.
const BOOK: &[(&str, f64, Reach)] = &[("book", 10.968172663520335, Reach::Backends)];

/// The absolute errors of the book's values in f32. The last of its trees has 3,285 levels, each of which rounds values
/// of 64 and more, to 7.6e-6: a random walk that ends 4.4e-4 from its start, as a rule. An option that is worth 1.8 is
/// then allowed 1e-3.
const BOOK_IN_F32: &[f64] = &[1e-4, 1e-4, 1e-4, 1e-4, 1e-4, 1e-3];

/// Sums of the values of the options in a portfolio.
const PORTFOLIOS: &[(&str, f64, Reach)] = &[
    ("uniform-20", 36.278691052064, Reach::Interpreter),
    ("uniform-100", 181.39345526032, Reach::Backends),
    ("uniform-1000", 1813.9345526032, Reach::Chore),
    ("uniform-65536", 118878.01483940332, Reach::Chore),
    ("random-20", 856.8694019389583, Reach::Backends),
    ("random-100", 4084.114113227615, Reach::Chore),
    ("random-1000", 42625.79586110408, Reach::Chore),
    ("random-65536", 2858956.7210648647, Reach::Chore),
    ("random-constant-height-20", 47.88980579428881, Reach::Backends),
    ("random-constant-height-100", 227.99262945714895, Reach::Backends),
    ("random-constant-height-1000", 2255.243110311481, Reach::Chore),
    ("random-constant-height-65536", 148614.6085632513, Reach::Chore),
    ("random-constant-width-20", 976.1966857664771, Reach::Backends),
    ("random-constant-width-100", 4295.8619432498535, Reach::Chore),
    ("random-constant-width-1000", 43169.65046080069, Reach::Chore),
    ("random-constant-width-65536", 2855365.9770121668, Reach::Chore),
    ("skewed-20", 678.0001273195537, Reach::Backends),
    ("skewed-100", 3051.860084870893, Reach::Backends),
    ("skewed-1000", 28179.417587725402, Reach::Chore),
    ("skewed-65536", 1856146.090412234, Reach::Chore),
    ("skewed-constant-height-100", 3033.1665834665764, Reach::Backends),
    ("skewed-constant-height-1000", 29117.569092266724, Reach::Chore),
    ("skewed-constant-height-65536", 1875911.9759561357, Reach::Chore),
    ("skewed-constant-width-100", 3018.9588526581842, Reach::Backends),
    ("skewed-constant-width-1000", 28968.519474499633, Reach::Chore),
    ("skewed-constant-width-65536", 1860031.8639063607, Reach::Chore),
];

/// Sums of the prices for all strikes.
const CALIBRATIONS: &[(&str, f64, Reach)] = &[
    ("tiny", 0.11400000000000005, Reach::Interpreter),
    ("mini", 0.21440106905838616, Reach::Backends),
    ("small", 0.39879552930043843, Reach::Chore),
    ("medium", 1.9151384054813196, Reach::Chore),
    ("large", 2.3765326245907925, Reach::Chore),
];

/// Digests of points of Sobol sequences.
const POINTS: &[(&str, &str, Reach)] = &[
    ("8x100", "b1f48e8a15524759fd24c0aa8c9d96301783c100b504fa49f6bd185f41ce4968", Reach::Interpreter),
    ("1111x2000", "88d621880c391e69e4e5e5db9c67bcd956416caf893a2b1cfddff0f802e42040", Reach::Backends),
    ("1111x20000", "96f0c5024a3f913d0de99591efe72503b0c2a17da4fa66bbdf09dd2a86b5e6b8", Reach::Chore),
];

/// Numbers of points, and pi as the share of hits says.
const HITS: &[(&str, f64, Reach)] = &[
    ("1000", 3.144, Reach::Interpreter),
    ("1000000", 3.141696, Reach::Chore),
    ("8000000", 3.141599, Reach::Chore),
];

/// Numbers of one-dimensional points, and their sums.
const SUMS: &[(&str, f64, Reach)] =
    &[("1000", 499.7265625, Reach::Interpreter), ("30000000", 3_932_159_918_431.0 / 262_144.0, Reach::Chore)];

/// Numbers of quotes to calibrate against: the root-mean-square error in percent that no parameters go below, as a local
/// search from the parameters of the quotes found it.
const QUOTES: &[(&str, f64, Reach)] = &[
    ("100", 0.18713973368, Reach::Backends),
    ("1062", 0.17756753203, Reach::Chore),
    ("10000", 0.18682390631, Reach::Chore),
    ("100000", 0.19418604273, Reach::Chore),
];

/// The root-mean-square error in percent with which a calibration is good enough.
const GOOD_ENOUGH: f64 = 0.25;

/// Numbers of quotes, and the objective at the parameters of [`crate::records`]; few quotes are tried at others too, in
/// the tests.
const OBJECTIVES: &[(&str, f64, Reach)] =
    &[("10000", 1.3381349472761348, Reach::Chore), ("100000", 14.483978687549845, Reach::Chore)];

/// All cases.
pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for &(size, levels, reach) in LEVELS {
        let expected = Expected::Digest(levels);
        let case = |program, reach| Case { program, entry: "main", size, reach, expected };
        cases.extend(SEARCHES.map(|program| case(program, reach)));
        cases.push(case("bfs/sequential", reach));
    }
    for &(size, digest, reach) in POINTS {
        let expected = Expected::Digest(digest);
        let case = |entry| Case { program: "sobol/points", entry, size, reach, expected };
        cases.push(case("main"));
        // The library has direction numbers too.
        if size.starts_with("1111x") {
            cases.push(case("joe_kuo"));
        }
    }
    for &(size, optimum, reach) in QUOTES {
        for (entry, relative) in [("main", 1e-9), ("main_f32", 1e-3)] {
            let expected = Expected::Calibration { optimum, relative };
            cases.push(Case { program: "heston/heston", entry, size, reach, expected });
        }
    }
    let mut add =
        |program, entry, table: &[(&'static str, f64, Reach)], relative, absolute: &'static [f64]| {
            for &(size, sum, reach) in table {
                let expected = Expected::Reals { sum, relative, absolute };
                cases.push(Case { program, entry, size, reach, expected });
            }
        };
    add("heston/heston", "objective", OBJECTIVES, 1e-7, &[0.0]);
    add("heston/heston", "objective_f32", OBJECTIVES, 1e-3, &[0.0]);
    add("sobol/sum", "main", SUMS, 1e-12, &[0.0]);
    add("sobol/sum", "main_f32", SUMS, 1e-5, &[0.0]);
    add("sobol/stream", "sum", SUMS, 1e-12, &[0.0]);
    add("sobol/pi", "main", HITS, 1e-15, &[0.0]);
    // Four hits more or fewer, of eight million.
    add("sobol/pi", "main_f32", HITS, 6e-7, &[0.0]);
    add("sobol/stream", "pi", HITS, 1e-15, &[0.0]);
    add("pricing/pricing", "main", PRICES, 1e-9, &[0.0]);
    add("pricing/pricing", "main_f32", PRICES, 1e-4, &[0.0]);
    add("pricing/pricing", "by_index", OTHER_FORMS, 1e-9, &[0.0]);
    add("pricing/pricing", "by_recurrence", OTHER_FORMS, 1e-9, &[0.0]);
    for entry in ["main", "by_height", "by_width"] {
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
    use crate::{heston, records};

    #[test]
    fn sizes_have_kinds() {
        let kind = |size| cases().iter().find(|case| case.size == size).map(super::Case::kind);
        assert_eq!(kind("random-constant-height-100"), Some("random-constant-height"));
        assert_eq!((kind("d3s"), kind("d3"), kind("30000000")), (Some("d3"), Some("d3"), Some("")));
    }

    #[test]
    fn a_calibration_is_judged_by_the_parameters_that_it_reports() {
        let case = cases().into_iter().find(|case| case.name() == "heston/heston main 100").expect("a case");
        let quotes = vec![vector(&[20_170_217, 20_180_126]), vector(&[0.9, 1.1]), vector(&[0.2, 0.25])];
        let record = records::calibration(quotes);
        let mut results = vec![scalar(0.0), scalar(2000)];
        let reported = [0.05, 0.07, 1.2, 0.6, -0.7];
        results.extend(reported.map(scalar));
        let exact = heston::Objective::of_record(&record).expect("a record");
        let exact = exact.rmse(&[0.05, 0.07, -0.7, 1.2, 0.6], &mut exact.parts());
        let wrong = |error: f64, of: &str| {
            let mut results = results.clone();
            results[0] = scalar(error);
            let wrong = case.check(&record, &results).expect_err("it is no such calibration");
            assert!(wrong.contains(of), "{wrong}");
        };
        wrong(0.2, &format!("is {exact}, not 0.2"));
        wrong(0.1, "0.1 is not from 0.187");
        wrong(0.3, "to 0.25");
        wrong(f64::NAN, "NaN is not from");
    }

    #[test]
    fn small_results_are_listed_whole() {
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
    fn of_larger_sizes_the_first_are_listed_and_the_sum_is_known() {
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
    fn of_what_is_listed_it_is_said_where_it_differs() {
        let case = cases().into_iter().find(|case| case.size == "d1s").expect("a case");
        let wrong = case.check(&[], &[vector(&[0i32; 300])]).expect_err("there are other levels");
        assert!(wrong.contains("expected ") && wrong.contains(", got 0"), "{wrong}");
    }
}
