//! Failing runs: the same message on every backend, exit code 1, and no partial results.

use crate::support::{BACKENDS, Folder};

const PROGRAM: &str = "\
entry bounds [n] (xs: [n]i32) (is: []i64): []i32 = map (\\i -> xs[i]) is
entry slice (xs: []i32) (k: i64): []i32 = xs[1:k]
entry update (xs: *[]i32) (i: i64): []i32 = xs with [i] = 1
entry size [n] (k: i64) (xs: [n]i32): [k]i32 = xs :> [k]i32
entry divide (xs: []i32) (d: i32): []i32 = map (\\x -> x / d) xs
entry divide_host (x: i32) (d: i32): i32 = x / d
entry holds (xs: []i32): []i32 = map (\\x -> assert (x < 2) x) xs
entry negative (n: i64): []i64 = iota n
entry huge (n: i64): []i64 = iota (n << 40)
entry table (n: i64) (m: i64): [][]i32 = replicate n (replicate m 1)
entry square [k] (n: i64) (m: i64) (xs: [k]i32): [][]i32 = unflatten (xs :> [n * m]i32)
entry longer [n] (xs: [n]i32) (ys: [n + 1]i32): i32 = xs[0] + ys[0]
entry two (x: i32) (y: i32): (i32, i32) = (x / y, y / x)
entry quotient (n: i64) (m: i64): [n / m]i64 = iota 3 :> [n / m]i64
def counted (n: i64) = #[unsafe] iota (n << 40)
entry inlined (n: i64): i64 = i64.sum (copy (counted n))
";

/// Functions that fail: through two calls, a recursion, a `map`, a constant and a library file.
const CALLS: &str = "\
def at [n] (xs: [n]i32) (i: i64): i32 = xs[i]
def sum_at [n] (xs: [n]i32) (is: []i64): i32 = i32.sum (map (at xs) is)
entry once (xs: []i32) (i: i64): i32 = at xs i
entry twice (xs: []i32) (i: i64): i32 = at xs 0 + at xs i
entry mapped (xs: []i32) (is: []i64): i32 = sum_at xs is * sum_at xs [0]
def table: []i64 = tabulate 3 (\\i -> 6 / (i - 1))
entry constant (i: i64): i64 = #[unsafe] table[i]
";

/// Functions that fail in calls that are not inlined on the CPU.
const CALLS_THAT_STAY: &str = "\
def down (x: i32): i32 = if x < 0 then 10 / (x + 1) else 1 + down (x - 1)
entry recursive (x: i32): i32 = down x
#[noinline]
def third (x: i32): i32 = 10 / x
entry threads (xs: []i32): []i32 = map (\\x -> third (x - 1)) xs
#[noinline]
def fill (n: i64): [n << 40]i64 = replicate (n << 40) n
entry filled_once (n: i64): i64 = (fill n)[0]
entry filled (ns: []i64): []i64 = map (\\n -> (fill n)[0]) ns
";

/// Runs an entry point on every backend; each must fail with this message.
#[track_caller]
fn fails(folder: &Folder, entry: &str, input: &str, message: &str) {
    for backend in BACKENDS {
        folder.ravel(&["run", "a.dsl", "-e", entry, "--backend", backend], input).fails(1, message);
    }
}

#[test]
fn failed_checks_give_the_same_message_on_every_backend() {
    let folder = Folder::new("failed_checks").with("a.dsl", PROGRAM);
    let fails = |entry, input, said: &str, places: &[&str]| {
        fails(&folder, entry, input, &report(said, places));
    };
    let out = |index: &str| format!("Index [{index}] out of bounds for array of shape [3].");
    fails("bounds", "[1, 2, 3] [0i64, 5i64, 7i64]", &out("5"), &["1:63-67", "1:52-71"]);
    fails("slice", "[1, 2, 3] 9i64", &out("1:9"), &["2:43-49"]);
    fails("update", "[1, 2, 3] -1i64", &out("-1"), &["3:45-59"]);
    let size = "Value of shape [3] cannot match shape of type \"[5]i32\".";
    fails("size", "5i64 [1, 2, 3]", size, &["4:48-59"]);
    fails("divide", "[1, 2, 3] 0", "division by zero", &["5:55-59", "5:44-63"]);
    fails("divide_host", "1 0", "division by zero", &["6:44-48"]);
    fails("holds", "[0, 1, 2]", "Assertion is false: (x < 2)", &["7:45-60", "7:34-64"]);
    fails("negative", "-3i64", "Range 0..1..<-3 is invalid.", &["8:34-39"]);
    fails("two", "0 3", "division by zero", &["13:51-55"]);
    fails(
        "square",
        "-2i64 -2i64 [1, 2, 3, 4]",
        "Cannot unflatten array of shape [4] to array of shape [-2][-2].",
        &["11:60-87"],
    );
    let sizes =
        "Entry point arguments have invalid sizes: value of shape [3] cannot match shape of type \"[2]i32\".";
    fails("longer", "[1] [1, 2, 3]", sizes, &["12:32-45"]);
    fails("quotient", "3i64 0i64", "division by zero", &["14:35-44"]);
}

/// The backtrace of a failure at these places of the program.
fn report(said: &str, places: &[&str]) -> String {
    let arrow = |number| if number == 0 { "->" } else { "  " };
    let places = places.iter().enumerate();
    let lines = places.map(|(number, place)| format!("{} #{number}  a.dsl:{place}\n", arrow(number)));
    format!("Error: {said}\n\nBacktrace:\n{}", lines.collect::<String>())
}

#[test]
fn a_backtrace_includes_inlined_functions() {
    let folder = Folder::new("backtraces").with("a.dsl", CALLS);
    let out = "Index [5] out of bounds for array of shape [1].";
    let fails = |entry, input, said, places: &[&str]| fails(&folder, entry, input, &report(said, places));
    fails("once", "[1] 5i64", out, &["1:41-45", "3:40-46"]);
    fails("twice", "[1] 5i64", out, &["1:41-45", "4:51-57"]);
    fails("mapped", "[1] [0i64, 5i64]", out, &["1:41-45", "2:56-71", "5:45-56"]);
    fails("constant", "0i64", "division by zero", &["6:38-48", "6:20-49"]);
}

#[test]
fn a_backtrace_includes_calls() {
    let folder = Folder::new("backtraces_calls").with("a.dsl", CALLS_THAT_STAY);
    for backend in ["interp", "cpu"] {
        let fails = |entry, input, said: &str| {
            folder.ravel(&["run", "a.dsl", "-e", entry, "--backend", backend], input).fails(1, said);
        };
        let third = report("division by zero", &["4:27-32", "5:47-59", "5:36-63"]);
        fails("threads", "[3, 1]", &third);
        let down = ["1:40-51", "1:62-73", "1:62-73", "2:33-38"];
        fails("recursive", "1", &report("division by zero", &down));
    }
}

#[test]
fn too_little_memory_is_a_failure_at_the_expression_that_needs_the_memory() {
    let folder = Folder::new("too_little_memory").with("a.dsl", PROGRAM);
    let fails = |entry, input, bytes: &str, places: &[&str]| {
        let said = format!("not enough memory for an array of {bytes} bytes");
        fails(&folder, entry, input, &report(&said, places));
    };
    fails("huge", "1i64", "8796093022208", &["9:30-43"]);
    fails("table", "4611686018427387904i64 4i64", "more than 9223372036854775807", &["10:42-68"]);
    fails("inlined", "1i64", "8796093022208", &["15:34-47", "16:45-55"]);
}

/// The backtrace lists the calls that are not inlined: of a function in each point of a map, and of a host function.
#[test]
fn too_little_memory_in_calls_has_a_backtrace() {
    let folder = Folder::new("too_little_memory_in_calls").with("a.dsl", CALLS_THAT_STAY);
    let said = "not enough memory for an array of 8796093022208 bytes";
    for backend in ["interp", "cpu"] {
        let fails = |entry, input, places: &[&str]| {
            let args = ["run", "a.dsl", "-e", entry, "--backend", backend];
            folder.ravel(&args, input).fails(1, &report(said, places));
        };
        fails("filled_once", "1i64", &["7:35-55", "8:35-42"]);
        fails("filled", "[1i64, 1i64]", &["7:35-55", "9:46-53", "9:35-60"]);
    }
}

/// `up` is recursive through a function that compiled code inlines.
#[test]
fn as_many_calls_may_nest_on_every_backend() {
    let program = "\
def twice (f: i64 -> i64) (n: i64): i64 = f (n - 1) + 1
def up (n: i64): i64 = if n <= 0 then 0 else twice (\\m -> up m) n
def down (n: i64): i64 = if n <= 0 then 0 else 1 + down (n - 1)
entry inlined (n: i64): i64 = up n
entry direct (n: i64): i64 = down n
entry mapped (ns: []i64): []i64 = map down ns
";
    let folder = Folder::new("nested_calls").with("a.dsl", program);
    for backend in ["interp", "cpu"] {
        let run = |entry, input| folder.ravel(&["run", "a.dsl", "-e", entry, "--backend", backend], input);
        let too_deep = "Error: not enough memory for calls nested this deeply; the limit is 200000\n";
        run("direct", "199999i64").gives("199999i64\n");
        run("direct", "200000i64").fails_with(1, too_deep);
        run("mapped", "[3i64, 199999i64]").gives("[3i64, 199999i64]\n");
        run("mapped", "[3i64, 200000i64]").fails_with(1, too_deep);
        run("inlined", "66666i64").gives("66666i64\n");
        run("inlined", "66667i64").fails_with(1, too_deep);
    }
}

#[test]
fn failed_runs_write_no_times_and_no_counts() {
    let folder = Folder::new("failed_runs").with("a.dsl", PROGRAM);
    let args = ["run", "a.dsl", "-e", "divide_host", "-r", "3", "-t", "times", "--stats", "-b"];
    folder.ravel(&args, "1 0").fails(1, &report("division by zero", &["6:44-48"]));
    assert_eq!(folder.read("times"), None);
}

/// A call that fails in bins runs again, and shows its traces once.
#[test]
fn a_call_that_fails_in_bins_traces_once() {
    let program = "entry main [n] (ws: [n]i64) (ks: [n]i64): [n]i64 =
  let vs = #[trace(vs)] map (+ 1) ws
  in #[flattening(bins)] map2 (\\w k -> let xs = scan (+) 0 (iota w) in xs[k] + i64.maximum xs) vs ks\n";
    let folder = Folder::new("failures_in_bins").with("a.dsl", program);
    let run = folder.ravel(&["run", "a.dsl", "--backend", "gpu"], "[2i64, 3, 1] [1i64, 7, 8]");
    run.fails_with(1, "Index [7] out of bounds for array of shape [4]");
    assert_eq!(run.err.matches("vs at ").count(), 1, "{}", run.err);
    let fine = folder.ravel(&["run", "a.dsl", "--backend", "gpu"], "[2i64, 3, 1] [1i64, 2, 1]");
    assert_eq!((fine.code, fine.err.matches("vs at ").count()), (Some(0), 1), "{}", fine.err);
}
