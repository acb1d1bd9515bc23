//! The counts of the machine model for primitives and for the six programs, on two devices.
//!
//! The counts are exact and the same on every machine, so the test compares the whole page: it fails if a change of the
//! compiler changes a count.

use std::fmt::Write as _;
use std::thread;

use ravel_abi::plan::device_bytes;
use ravel_abi::{Array, Element, Failure, Value};
use ravel_driver::{Options, Source};
use ravel_engine::{Cost, DEVICES, Engine, Executable, ModelDevice, Tuning};
use ravel_support::values::{array, scalar, vector};

use crate::{docs, programs, snapshots};

/// The page, and the text before its table.
const PAGE: &str = "docs/benchmarks/model.md";
const HEAD: &str = "\
# Primitives and programs on the machine model

The primitives and some classics of `tests/run/classics` and the programs of `programs/`, on small inputs, counted by the [machine model](../model.md) for two devices. Written by `cargo xtask bench model`. A test compares the page, so a change that costs lanes, sectors or launches is seen.

For each call there is a row with its sums, and below it a row for each segment that takes at least a tenth of the call's time, launches aside. The time is the bound for a device without caches, where every access moves all sectors that it touches.

| column | meaning |
| --- | --- |
| launches | the number of launches |
| lanes | useful lane operations over issued ones |
| coalesced | sectors needed over sectors that the accesses moved |
| traffic | bytes of the sectors touched, each once in a launch, over the bytes of the arguments and results of the call |
| at least | the lower bound on the time |
| no cache | the bound for a device without caches |
| over best | the lower bound, over the least one if limits choose other versions: every nest *full* or every nest *outer*, and every array transposed or none; nothing if the program has one version |

";

/// Sectors and subgroups of two sizes. One device has no `f64`.
const DEVICE_NAMES: [&str; 2] = ["a100", "iris-xe"];

/// More than the most threads of a reduction or scan, and a multiple of nothing.
const ELEMENTS: usize = 200_003;

/// A call of a program.
struct Call {
    /// The file, from the root of the repository.
    file: &'static str,
    entry: &'static str,
    /// The input, in words.
    data: &'static str,
    args: fn() -> Vec<Value>,
}

static CALLS: [Call; 17] = [
    primitive("sum", "200,003 f64", || vec![numbers(ELEMENTS, f64::from)]),
    primitive("dot", "200,003 f32", || vec![numbers(ELEMENTS, small_f32), numbers(ELEMENTS, small_f32)]),
    primitive("prefix_sum", "200,003 i32", || vec![numbers(ELEMENTS, |x| x - 100)]),
    primitive("positive", "200,003 i32, half of them positive", || vec![numbers(ELEMENTS, |x| x - 100)]),
    primitive("histogram", "200,003 in 256 bins", || {
        vec![scalar(256i64), numbers(ELEMENTS, |x| x * 7 % 256)]
    }),
    primitive("transposed", "300 x 300 f32", || vec![square(300)]),
    matrices("stencil_2d", "300 x 300 f32, one round", || vec![square(300), scalar(1i32)]),
    matrices("product", "64 x 64 f32", || vec![square(64), square(64)]),
    program("programs/bfs/iterative.dsl", "main", "d3s", || programs::input("main", "bfs", "d3s")),
    program("programs/sobol/points.dsl", "main", "8x100", || programs::input("main", "sobol", "8x100")),
    program("programs/sobol/pi.dsl", "main_f32", "70,001 points", || vec![scalar(70_001i32)]),
    program("programs/pricing/pricing.dsl", "main_f32", "simple-1024", || {
        programs::input("main_f32", "pricing", "simple-1024")
    }),
    program("programs/hullwhite/hullwhite.dsl", "main_f32", "uniform-20", || {
        programs::input("main_f32", "hullwhite", "uniform-20")
    }),
    program("programs/hullwhite/hullwhite.dsl", "in_bins_f32", "uniform-20", || {
        programs::input("in_bins_f32", "hullwhite", "uniform-20")
    }),
    program("programs/locvol/locvol.dsl", "main_f32", "tiny", || {
        programs::input("main_f32", "locvol", "tiny")
    }),
    program("programs/locvol/locvol.dsl", "by_scans_f32", "tiny", || {
        programs::input("by_scans_f32", "locvol", "tiny")
    }),
    program("programs/heston/heston.dsl", "objective_f32", "100 quotes", || {
        programs::input("objective_f32", "heston", "100")
    }),
];

impl Call {
    /// Its name in the table.
    fn name(&self) -> String {
        let Call { file, entry, data, .. } = self;
        match file.strip_prefix("programs/").and_then(|file| file.strip_suffix(".dsl")) {
            Some(program) => format!("`{program}` `{entry}`, {data}"),
            None => format!("`{entry}`, {data}"),
        }
    }
}

const fn primitive(entry: &'static str, data: &'static str, args: fn() -> Vec<Value>) -> Call {
    Call { file: "tests/run/classics/primitives.dsl", entry, data, args }
}

const fn matrices(entry: &'static str, data: &'static str, args: fn() -> Vec<Value>) -> Call {
    Call { file: "tests/run/classics/matrices.dsl", entry, data, args }
}

const fn program(
    file: &'static str,
    entry: &'static str,
    data: &'static str,
    args: fn() -> Vec<Value>,
) -> Call {
    Call { file, entry, data, args }
}

/// An array of elements made from numbers below 200.
fn numbers<T: Element>(count: usize, element: impl Fn(i32) -> T) -> Value {
    vector(&(0..count).map(|at| element((at * 37 % 199) as i32)).collect::<Vec<T>>())
}

fn small_f32(number: i32) -> f32 {
    number as f32 / 64.0
}

fn square(side: usize) -> Value {
    array(&[side, side], &(0..side * side).map(|at| small_f32((at % 199) as i32)).collect::<Vec<f32>>())
}

/// Sums of the counts of several segments, and their share of a call's time.
#[derive(Default)]
struct Row {
    launches: u64,
    useful: u64,
    issued: u64,
    needed: u64,
    sectors: u64,
    /// The bytes of the sectors touched, each once in a launch.
    touched: u64,
    at_least: f64,
    no_cache: f64,
}

impl Row {
    fn add(&mut self, cost: &Cost, device: &ModelDevice) {
        let Cost { counts, bound, .. } = cost;
        assert!(
            counts.needed_sectors <= counts.sectors,
            "no segment needs more sectors than it moves: {counts:?}"
        );
        self.launches += counts.launches;
        self.useful += counts.useful;
        self.issued += counts.issued;
        self.needed += counts.needed_sectors;
        self.sectors += counts.sectors;
        self.touched += counts.distinct_sectors * device.sector;
        self.at_least += bound.seconds;
        self.no_cache += bound.without_cache;
    }

    fn of(cost: &Cost, device: &ModelDevice) -> Row {
        let mut row = Row::default();
        row.add(cost, device);
        row
    }

    /// The time without the overhead of launches.
    fn work(&self, device: &ModelDevice) -> f64 {
        self.no_cache - self.launches as f64 * device.launch
    }

    /// The cells of the table, for a call with so many bytes of arguments and results.
    fn cells(&self, bytes: u64) -> String {
        let share = |part: u64, whole: u64| if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
        format!(
            "{} | {:.3} | {:.3} | {:.2} | {:.2} us | {:.2} us |",
            self.launches,
            share(self.useful, self.issued),
            share(self.needed, self.sectors),
            share(self.touched, bytes),
            self.at_least * 1e6,
            self.no_cache * 1e6
        )
    }
}

fn device_named(name: &str) -> &'static ModelDevice {
    DEVICES.iter().find(|device| device.target.name == name).expect("it is known")
}

/// The values of limits by which nests are *full* or *outer*, and arrays transposed or not. The product of two of the large ones
/// is an i64.
const SETTINGS: [[(&str, i64); 3]; 4] = {
    const LARGE: i64 = 1 << 31;
    const FULL: [(&str, i64); 2] = [(".points", LARGE), (".inner", 0)];
    const OUTER: [(&str, i64); 2] = [(".points", 0), (".inner", LARGE)];
    const TRANSPOSED: (&str, i64) = (".transposed_bytes", 0);
    const ROW_MAJOR: (&str, i64) = (".transposed_bytes", LARGE);
    [
        [FULL[0], FULL[1], TRANSPOSED],
        [FULL[0], FULL[1], ROW_MAJOR],
        [OUTER[0], OUTER[1], TRANSPOSED],
        [OUTER[0], OUTER[1], ROW_MAJOR],
    ]
};

/// The least bound on the time of a call among the settings of its limits; `None` if it has no limits. Leaves the last setting.
fn best(program: &mut Executable, entry: &str, args: &[Value]) -> Option<f64> {
    let limits = program.signature(entry)?.tuning_params.clone();
    let is_limit = |name: &String| SETTINGS[0].iter().any(|(limit, _)| name.ends_with(limit));
    if !limits.iter().any(is_limit) {
        return None;
    }
    let bounds = SETTINGS.iter().map(|setting| {
        let mut tuning = Tuning::default();
        for name in &limits {
            for (_, value) in setting.iter().filter(|(limit, _)| name.ends_with(limit)) {
                tuning.set(name, &value.to_string()).expect("a number");
            }
        }
        program.tune(&tuning).expect("its own limits");
        let (_, cost) = program.cost(entry, args).expect("it ran before");
        cost.segments.iter().map(|segment| segment.bound.seconds).sum::<f64>()
    });
    bounds.reduce(f64::min)
}

/// The bytes of the arrays among these values, on a device.
fn bytes(values: &[Value]) -> u64 {
    let of = |value: &Value| match value {
        Value::Array(Array { data, .. }) => data.len() * device_bytes(data.elem()),
        Value::Scalar(_) => 0,
    };
    values.iter().map(of).sum::<usize>() as u64
}

/// The rows of a call on a device.
fn rows(call: &Call, device: &'static ModelDevice) -> String {
    let path = snapshots::root().join("..").join(call.file);
    let source = Source::new(path.to_string_lossy(), snapshots::text(&path));
    let program = Engine::model(device).compile(&source, &Options::default());
    let mut program = program.unwrap_or_else(|wrong| panic!("{}: {wrong:?}", call.file));
    let args = (call.args)();
    let name = format!("{} | {}", call.name(), device.target.name);
    let (results, cost) = match program.cost(call.entry, &args) {
        Ok(done) => done,
        Err(Failure::Limitation(_)) => {
            return format!("| {name} | not on this device: no `f64` | | | | | | |\n");
        }
        Err(failure) => panic!("{name}: {failure}"),
    };
    let mut all = Row::default();
    cost.segments.iter().for_each(|segment| all.add(segment, device));
    let bytes = bytes(&args) + bytes(&results);
    let best = best(&mut program, call.entry, &args);
    let over_best = best.map_or(String::new(), |best| format!("{:.2} ", all.at_least / best));
    let mut text = format!("| {name} | {} {over_best}|\n", all.cells(bytes));
    for segment in &cost.segments {
        let row = Row::of(segment, device);
        if row.work(device) >= all.work(device) / 10.0 {
            let place = segment.place.as_deref().and_then(|place| place.rsplit('/').next());
            let _ = writeln!(
                text,
                "| – {} at {} | | {} |",
                segment.name,
                place.unwrap_or("an unknown place"),
                row.cells(bytes)
            );
        }
    }
    text
}

#[test]
fn the_page_of_model_counts_is_up_to_date() {
    let mut page = String::from(HEAD);
    page.push_str(
        "| call | device | launches | lanes | coalesced | traffic | at least | no cache | over best |\n",
    );
    page.push_str("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    let both = |call: &'static Call| move || DEVICE_NAMES.map(|name| rows(call, device_named(name))).concat();
    thread::scope(|scope| {
        let running: Vec<_> = CALLS.iter().map(|call| scope.spawn(both(call))).collect();
        running.into_iter().for_each(|call| page.push_str(&call.join().expect("it does not panic")));
    });
    docs::check_file(PAGE, &page);
}
