//! The machine model against published measurements: kernels written by hand, in layouts whose effect on real GPUs is known.
//!
//! The layout of a kernel's arrays is an argument, so that its versions have the same code.

use std::fmt::Write as _;

use ravel_abi::{Tuning, Value};
use ravel_kernel::{MemProgram, Target, parse};
use ravel_model::{Counts, Device, Options, run};

use crate::snapshots;

/// The threads of a kernel, and the elements of each.
const THREADS: usize = 256;
const ELEMENTS: usize = 33;

/// The lanes of a subgroup.
const LANES: usize = 32;

/// A device of today, and one of the time of the measurements.
const DEVICES: [&str; 2] = ["a100", "m2090"];

/// The layout of arrays that have `ELEMENTS` elements for each thread.
#[derive(Clone, Copy)]
enum Layout {
    /// Each thread has consecutive elements.
    Rows,
    /// The elements of the threads of a subgroup are interleaved: the shape `[x/B, y, x%B]`.
    Interleaved,
    /// The elements of all threads are interleaved.
    Transposed,
}

impl Layout {
    /// The distances of neighbouring subgroups, elements and lanes.
    fn strides(self) -> [usize; 3] {
        match self {
            Layout::Rows => [LANES * ELEMENTS, 1, ELEMENTS],
            Layout::Interleaved => [LANES * ELEMENTS, LANES, 1],
            Layout::Transposed => [LANES, THREADS, 1],
        }
    }

    /// An array in this layout, from the value of each element of each thread.
    fn array(self, value: impl Fn(usize, usize) -> f32) -> Value {
        let [group, step, lane] = self.strides();
        let mut elements = vec![0f32; THREADS * ELEMENTS];
        for (thread, element) in points() {
            elements[thread / LANES * group + element * step + thread % LANES * lane] =
                value(thread, element);
        }
        Value::array(&[THREADS, ELEMENTS], elements).expect("as many elements")
    }

    fn args(self) -> Vec<Value> {
        self.strides().map(|stride| Value::from(stride as i64)).to_vec()
    }
}

fn points() -> impl Iterator<Item = (usize, usize)> {
    (0..THREADS).flat_map(|thread| (0..ELEMENTS).map(move |element| (thread, element)))
}

/// A published measurement: a kernel, and the gain of a coalesced layout over rows.
struct Measurement {
    kernel: &'static str,
    layouts: &'static str,
    published: &'static str,
    counts: fn(Layout, &str) -> Counts,
    coalesced: Layout,
}

const MEASUREMENTS: [Measurement; 2] = [
    Measurement {
        kernel: "Brownian bridge",
        layouts: "`[x, y]`, `[x/32, y, x%32]`",
        published: "5 to 28 (Oancea et al.)",
        counts: |layout, device| bridge(layout, device).1,
        coalesced: Layout::Interleaved,
    },
    Measurement {
        kernel: "tridiagonal solver",
        layouts: "`[x, y]`, `[y, x]`",
        published: "24 (Jepsen)",
        counts: |layout, device| tridag(layout, device).1,
        coalesced: Layout::Transposed,
    },
];

/// Runs `published/NAME.kernel` on a device; gives the elements of its result, and its counts.
fn measure(name: &str, args: &[Value], device: &str) -> (Vec<f32>, Counts) {
    let path = snapshots::root().join("published").join(name).with_extension("kernel");
    let program = parse(&snapshots::text(&path)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let program = MemProgram::verify(program, &Target::GPU).unwrap_or_else(|error| panic!("{name}: {error}"));
    let device = Device::named(device).expect("it is known");
    let options = Options { device, tuning: &Tuning::default(), stop: None, private_limit: 0 };
    let (entry, sizes) = (program.entries[0].name, [THREADS as i64, ELEMENTS as i64]);
    let outcome = run(&program, entry, &sizes, args, options, &|_| String::new());
    let outcome = outcome.unwrap_or_else(|failure| panic!("{name}: {failure}"));
    let [segment] = &outcome.segments[..] else { panic!("{name}: one segment") };
    (outcome.results[0].elements::<f32>().expect("an array of f32").to_vec(), segment.counts)
}

/// The sums of the paths of the Brownian bridge, and the counts.
fn bridge(layout: Layout, device: &str) -> (Vec<f32>, Counts) {
    let mut dates: Vec<[i64; 3]> = vec![[0; 3], [ELEMENTS as i64 - 1, 0, 0]];
    let mut stretches = std::collections::VecDeque::from([(0, ELEMENTS as i64 - 1)]);
    while let Some((left, right)) = stretches.pop_front() {
        let middle = i64::midpoint(left, right);
        if middle > left {
            dates.push([middle, left, right]);
            stretches.extend([(left, middle), (middle, right)]);
        }
    }
    let column = |at: usize| Value::from(dates.iter().map(|date| date[at]).collect::<Vec<i64>>());
    let zs = layout.array(|path, date| ((path * 7 + date * 3) % 5) as f32);
    measure("bridge", &[vec![zs, column(0), column(1), column(2)], layout.args()].concat(), device)
}

/// The right-hand side of the tridiagonal systems.
fn right_hand_side(system: usize, equation: usize) -> f32 {
    ((system * 5 + equation * 11) % 13) as f32
}

/// The solutions of the tridiagonal systems, and the counts.
fn tridag(layout: Layout, device: &str) -> (Vec<f32>, Counts) {
    measure("tridag", &[vec![layout.array(right_hand_side)], layout.args()].concat(), device)
}

#[test]
fn the_versions_of_a_kernel_have_the_same_result() {
    let [rows, interleaved] = [Layout::Rows, Layout::Interleaved].map(|layout| bridge(layout, "a100").0);
    assert_eq!(rows, interleaved);
    assert!(rows[0] != rows[1] && rows[0] > 0.0);
    for layout in [Layout::Rows, Layout::Transposed] {
        let (solutions, [group, step, lane]) = (tridag(layout, "a100").0, layout.strides());
        for (system, equation) in points() {
            let x =
                |equation: usize| solutions[system / LANES * group + equation * step + system % LANES * lane];
            let before = if equation > 0 { x(equation - 1) } else { 0.0 };
            let after = if equation + 1 < ELEMENTS { x(equation + 1) } else { 0.0 };
            let residual = 2.5 * x(equation) - before - after - right_hand_side(system, equation);
            assert!(residual.abs() < 1e-4, "system {system}, equation {equation}: {residual}");
        }
    }
}

/// The gains of a coalesced layout in the model are of the order of the published gains. The measured GPUs move units of
/// another size than the devices of today.
#[test]
fn the_page_of_the_model_compares_it_with_published_gains() {
    let mut table = String::from("| kernel | layouts | published gain |");
    for device in DEVICES.map(|name| Device::named(name).expect("it is known")) {
        let _ = write!(table, " gain on {} ({} bytes) |", device.target.name, device.sector);
    }
    table.push_str("\n| --- | --- | --- | --- | --- |\n");
    for Measurement { kernel, layouts, published, counts, coalesced } in MEASUREMENTS {
        let _ = write!(table, "| {kernel} | {layouts} | {published} |");
        for device in DEVICES {
            let [slow, fast] = [Layout::Rows, coalesced].map(|layout| counts(layout, device));
            assert_eq!((slow.bytes, slow.useful), (fast.bytes, fast.useful), "{kernel}: the same work");
            let gain = slow.sectors as f64 / fast.sectors as f64;
            assert!((5.0..=32.0).contains(&gain), "{kernel} on {device}: {gain}");
            let _ = write!(table, " {} / {} = {gain:.1} |", slow.sectors, fast.sectors);
        }
        table.push('\n');
    }
    crate::docs::check("docs/model.md", "published", &table);
}
