//! Runs that fail: the same words on every backend, exit code 1, and no half results.

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
entry two (x: i32) (y: i32): (i32, i32) = (x / y, y / x)
";

/// Runs an entry point on every backend; each must fail with this.
#[track_caller]
fn fails(folder: &Folder, entry: &str, input: &str, message: &str) {
    for backend in BACKENDS {
        folder.ravel(&["run", "a.dsl", "-e", entry, "--backend", backend], input).fails(1, message);
    }
}

#[test]
fn failed_checks_say_the_same_on_every_backend() {
    let folder = Folder::new("failed_checks").with("a.dsl", PROGRAM);
    let fails =
        |entry, input, message: &str| fails(&folder, entry, input, &format!("error: a.dsl:{message}\n"));
    let index = "1:63-67: Index [5] out of bounds for array of shape [3].";
    fails("bounds", "[1, 2, 3] [0i64, 5i64, 7i64]", index);
    fails("slice", "[1, 2, 3] 9i64", "2:43-49: Index [1:9] out of bounds for array of shape [3].");
    fails("update", "[1, 2, 3] -1i64", "3:45-59: Index [-1] out of bounds for array of shape [3].");
    fails("size", "5i64 [1, 2, 3]", "4:48-59: Value of shape [3] cannot match shape of type \"[5]i32\".");
    fails("divide", "[1, 2, 3] 0", "5:55-59: division by zero");
    fails("divide_host", "1 0", "6:44-48: division by zero");
    fails("holds", "[0, 1, 2]", "7:45-60: Assertion is false: (x < 2)");
    fails("negative", "-3i64", "8:34-39: Range 0..1..<-3 is invalid.");
    fails("two", "0 3", "12:51-55: division by zero");
    fails("square", "-2i64 -2i64 [1, 2, 3, 4]", "11:60-87: Range 0..1..<-2 is invalid.");
}

#[test]
fn too_little_memory_is_an_error() {
    let folder = Folder::new("too_little_memory").with("a.dsl", PROGRAM);
    let fails = |entry, input, bytes: &str| {
        fails(&folder, entry, input, &format!("error: not enough memory for an array of {bytes} bytes\n"));
    };
    fails("huge", "1i64", "8796093022208");
    fails("table", "4611686018427387904i64 4i64", "more than 9223372036854775807");
}

#[test]
fn failed_runs_write_no_times_and_no_counts() {
    let folder = Folder::new("failed_runs").with("a.dsl", PROGRAM);
    let args = ["run", "a.dsl", "-e", "divide_host", "-r", "3", "-t", "times", "--stats", "-b"];
    folder.ravel(&args, "1 0").fails(1, "error: a.dsl:6:44-48: division by zero\n");
    assert_eq!(folder.read("times"), None);
}
