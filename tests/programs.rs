//! The six programs on realistic data, compared with independent references.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use ravel_abi::{Array, Data, Failure, Value};
use ravel_driver::{Options, Source};
use ravel_engine::{Backend, Engine, Executable, Stats};
use ravel_support::cases::{Case, SizeClass, cases};
use ravel_support::values::{array, reals, scalar, vector};
use ravel_support::{inputs, sobol};

/// A program, compiled.
pub(crate) fn load(backend: Backend, threads: Option<usize>, name: &str) -> Executable {
    let path = crate::snapshots::root().join("../programs").join(name);
    let source = Source::new(path.to_string_lossy(), crate::snapshots::text(&path));
    let engine = Engine::open(backend, threads).expect("the backend is there");
    engine.compile(&source, &Options::default()).unwrap_or_else(|wrong| panic!("{name}: {wrong:?}"))
}

/// Calls an entry point.
pub(crate) fn call(program: &Executable, entry: &str, args: &[Value]) -> (Vec<Value>, Stats) {
    program.call(entry, args).unwrap_or_else(|failure| panic!("{failure}"))
}

/// The input of an entry point at a size. Ravel programs generate the random data. They run on the CPU, and are
/// compiled once.
pub(crate) fn input(entry: &str, program: &str, size: &str) -> Vec<Value> {
    static MAKERS: Mutex<BTreeMap<String, Arc<Executable>>> = Mutex::new(BTreeMap::new());
    let run = |file: &str, entry: &str, args: &[Value]| {
        let mut makers = MAKERS.lock().map_err(|poisoned| poisoned.to_string())?;
        let maker = makers.entry(file.to_owned());
        let maker = Arc::clone(maker.or_insert_with(|| Arc::new(load(Backend::Cpu, None, file))));
        Ok(call(&maker, entry, args).0)
    };
    inputs::input(program, entry, size, &run).unwrap_or_else(|trouble| panic!("{trouble}"))
}

/// Runs all cases of a backend up to this size class.
fn check_cases(backend: Backend, largest: SizeClass, on_backend: impl Fn(&Case) -> bool) {
    let mut programs = BTreeMap::new();
    for case in cases().iter().filter(|case| case.size_class <= largest && on_backend(case)) {
        let program = programs
            .entry(case.program)
            .or_insert_with(|| load(backend, None, &format!("{}.dsl", case.program)));
        let args = input(case.entry, case.folder(), case.size);
        let (results, _) = call(program, case.entry, &args);
        if let Err(wrong) = case.check(&args, &results) {
            panic!("{} {} {} on {}: {wrong}", case.program, case.entry, case.size, backend.name());
        }
    }
}

#[test]
fn programs_agree_with_the_references_on_the_interpreter() {
    check_cases(Backend::Interp, SizeClass::Small, |_| true);
}

#[test]
fn programs_agree_with_the_references_on_the_cpu() {
    check_cases(Backend::Cpu, SizeClass::Medium, |_| true);
}

#[test]
fn programs_agree_with_the_references_on_the_gpu() {
    let quick = ["bfs", "sobol", "pricing"];
    // These two data sets begin with the same 20 options as others, so 100 options of each are tested.
    let last_kinds = ["skewed-constant-height-100", "skewed-constant-width-100"];
    let small =
        |size: &str| size.ends_with("-20") || ["mini", "100"].contains(&size) || last_kinds.contains(&size);
    check_cases(Backend::Gpu, SizeClass::Medium, |case| {
        quick.contains(&case.folder()) || case.size_class == SizeClass::Small || small(case.size)
    });
}

/// The number of points in the circle, from the estimate.
fn hits(program: &Executable, points: i32) -> u64 {
    let (results, _) = call(program, "main", &[scalar(points)]);
    let [estimate] = reals(&results[0]).expect("an f64")[..] else { panic!("not one number: {results:?}") };
    (estimate * f64::from(points) / 4.0).round() as u64
}

#[test]
fn pi_counts_the_points_that_the_reference_counts() {
    for (backend, lengths) in [
        (Backend::Interp, &[1_000, 16_000][..]),
        (Backend::Cpu, &[1, 1_000, 16_000, 64_000, 256_000, 1_000_000, 2_000_000, 8_000_000]),
        (Backend::Gpu, &[1, 1_000, 16_000, 64_000, 256_000, 1_000_000]),
    ] {
        let program = load(backend, None, "sobol/pi.dsl");
        for &points in lengths {
            assert_eq!(
                hits(&program, points),
                sobol::hits(points as u32),
                "{points} points on {}",
                backend.name()
            );
        }
    }
}

#[test]
fn pi_needs_no_array_of_numbers() {
    let program = load(Backend::Cpu, Some(1), "sobol/pi.dsl");
    let (_, stats) = call(&program, "main", &[scalar(1_000_000)]);
    assert!(stats.peak_bytes < 64 * 1024, "{stats:?}");
}

#[test]
fn the_sum_of_thirty_million_sobol_numbers_is_exact() {
    for backend in [Backend::Cpu, Backend::Gpu] {
        let (results, stats) = call(&load(backend, None, "sobol/sum.dsl"), "main", &[scalar(30_000_000)]);
        assert_eq!(results, [scalar(3_932_159_918_431.0 / 262_144.0)], "{}", backend.name());
        assert!(stats.peak_bytes < 64 * 1024, "{stats:?}");
    }
}

#[test]
fn chunks_of_any_length_give_the_same_points() {
    let expected = sobol::points(8, 1, 100);
    let mut args = input("main", "sobol", "8x100");
    for backend in [Backend::Interp, Backend::Cpu, Backend::Gpu] {
        let program = load(backend, None, "sobol/points.dsl");
        for length in [1, 7, 64, 100, 1_000] {
            args.push(scalar(length));
            let (results, _) = call(&program, "chunked", &args);
            assert_eq!(results, [array(&[100, 8], &expected)], "{length} on {}", backend.name());
            args.pop();
        }
    }
}

/// Compares the library's Sobol module with `main`, which gets the same direction numbers as an argument.
#[test]
fn the_library_computes_the_points_of_its_direction_numbers() {
    let args = input("main", "sobol", "1111x40");
    let [.., first, n] = &args[..] else { panic!("an index and a number of points") };
    for backend in [Backend::Interp, Backend::Cpu, Backend::Gpu] {
        let program = load(backend, None, "sobol/points.dsl");
        let (expected, _) = call(&program, "main", &args);
        let (points, _) = call(&program, "joe_kuo", &[first.clone(), n.clone()]);
        assert!(points == expected, "on {}", backend.name());
    }
}

#[test]
fn a_million_nodes_are_searched_with_few_submits() {
    let program = load(Backend::Gpu, None, "bfs/padded.dsl");
    for family in ["d3s", "d5"] {
        let (levels, stats) = call(&program, "main", &input("main", "bfs", family));
        let Value::Array(Array { data: Data::I32(levels), .. }) = &levels[0] else { panic!("{levels:?}") };
        let deepest = levels.iter().max().expect("a node");
        check_traffic(family, *deepest as u64 + 1, &stats);
    }
}

/// On a GPU each level may submit twice and read back 32 bytes, with some more before and after the loop.
fn check_traffic(family: &str, levels: u64, stats: &Stats) {
    assert!(stats.submits <= 2 * (levels + 2), "{family}: {stats:?}, {levels} levels");
    assert!(stats.bytes_read_back <= 32 * (levels + 2), "{family}: {stats:?}, {levels} levels");
}

/// Calls an entry point on the GPU with a limit on the bytes of private arrays.
fn call_within(
    most: Option<u64>,
    options: &Options,
    name: &str,
    entry: &str,
    args: &[Value],
) -> Result<(Vec<Value>, Stats), Failure> {
    let path = crate::snapshots::root().join("../programs").join(name);
    let source = Source::new(path.to_string_lossy(), crate::snapshots::text(&path));
    let engine = Engine::open(Backend::Gpu, None).expect("a device").with_max_memory(most);
    engine.compile(&source, options).expect("it compiles").call(entry, args)
}

#[test]
fn programs_that_have_little_memory_run_in_batches_and_give_the_same_results() {
    for (name, entry, size, little) in [
        ("pricing/pricing.dsl", "main", "medium-1024", 4_000),
        ("pricing/pricing.dsl", "by_recurrence", "medium-1024", 4_000),
        ("hullwhite/one_per_thread.dsl", "main", "uniform-20", 10_000),
        ("hullwhite/flat.dsl", "main", "uniform-100", 250_000),
        ("locvol/locvol.dsl", "by_scans", "tiny", 5_000),
    ] {
        let program = name.split('/').next().unwrap_or_default();
        let args = input(entry, program, size);
        let options = Options::default();
        let within = |most| call_within(most, &options, name, entry, &args).expect("there is enough");
        let (results, plenty) = within(None);
        let (same, little) = within(Some(little));
        assert_eq!(results, same, "{name} {entry}");
        assert!(little.launches > plenty.launches, "{name} {entry}: {plenty:?} {little:?}");
        let failure = call_within(Some(50), &options, name, entry, &args).expect_err("that is too little");
        assert!(failure.to_string().contains("the arrays of a single thread take "), "{failure}");
    }
}

#[test]
fn trees_that_have_little_memory_grow_in_batches_and_give_the_same_prices() {
    let args = input("main", "hullwhite", "skewed-1000");
    let options = Options { without: vec!["bins"], ..Options::default() };
    let priced = |most| call_within(most, &options, "hullwhite/hullwhite.dsl", "main", &args);
    let (prices, plenty) = priced(None).expect("there is plenty");
    let (same, little) = priced(Some(1 << 20)).expect("there is enough");
    assert_eq!(prices, same);
    assert!(little.launches > plenty.launches + 10, "{plenty:?} {little:?}");
    assert!(little.peak_bytes < (3 << 20) && plenty.peak_bytes > (4 << 20), "{plenty:?} {little:?}");
    let failure = priced(Some(10_000)).expect_err("the largest tree does not fit");
    let message = failure.to_string();
    assert!(
        message.contains("the arrays of a single thread take ") && message.contains("hullwhite.dsl:"),
        "{message}"
    );
}

#[test]
fn trees_in_bins_that_have_little_memory_run_in_batches_and_give_the_same_prices() {
    let args = input("main", "hullwhite", "skewed-1000");
    let options = Options::default();
    let priced = |most| call_within(most, &options, "hullwhite/hullwhite.dsl", "main", &args);
    let (prices, plenty) = priced(None).expect("there is plenty");
    let (same, little) = priced(Some(1 << 20)).expect("there is enough");
    assert_eq!(prices, same);
    assert!(little.launches > plenty.launches + 5, "{plenty:?} {little:?}");
    assert!(little.peak_bytes < (3 << 20) && plenty.peak_bytes > (4 << 20), "{plenty:?} {little:?}");
}

#[test]
fn a_single_thread_respects_the_memory_limit() {
    let text = "def main [n] (k: i64) (xs: [n]i64): [n]i64 =
                  let last (x: i64) =
                    let ys = loop ys = replicate k x for i < k do ys with [i] = ys[(i * 7 + 1) % k] + i
                    in i64.sum ys
                  in map last xs";
    let source = Source::new("sums.dsl", text.to_owned());
    let engine = Engine::open(Backend::Gpu, None).expect("a device").with_max_memory(Some(1000));
    let program = engine.compile(&source, &Options::default()).expect("it compiles");
    let call = |wide: i64| program.call("main", &[scalar(wide), vector(&[1i64; 100])]);
    call(10).expect("there is enough");
    let failure = call(200).expect_err("the arrays do not fit").to_string();
    assert!(failure.contains("the arrays of a single thread take "), "{failure}");
}

#[test]
fn threads_do_not_change_a_result() {
    for (name, entry, args) in [
        ("sobol/pi.dsl", "main", vec![scalar(123_457)]),
        ("pricing/pricing.dsl", "main", input("main", "pricing", "medium-1024")),
        ("hullwhite/hullwhite.dsl", "main", input("main", "hullwhite", "book")),
    ] {
        let [one, two] = [1, 2].map(|threads| call(&load(Backend::Cpu, Some(threads), name), entry, &args).0);
        assert_eq!(one, two, "{name}");
    }
}
