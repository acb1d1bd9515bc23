//! `ravel profile`: the cost of segments on the machine model.

use crate::support::Folder;

#[test]
fn each_segment_has_a_row_and_carets() {
    let folder = Folder::new("profile").with("a.dsl", "entry main (n: i64) = i64.sum (map (* 2) (iota n))\n");
    let table = folder.ravel(&["profile", "a.dsl"], "1000");
    let rows: Vec<&str> = table.text().lines().collect();
    assert!(rows[0].starts_with("NVIDIA A100 SXM4 40 GB: at least "), "{rows:?}");
    assert!(rows[3].contains(" 1000 ") && rows[3].ends_with("reduce at a.dsl:1:23-50"), "{rows:?}");
    assert!(rows[4].ends_with("entry main (n: i64) = i64.sum (map (* 2) (iota n))"), "{rows:?}");
    assert_eq!(rows[5].find('^').map(|at| at - rows[5].find('|').expect("a bar")), Some(2 + 22), "{rows:?}");
}

#[test]
fn segments_of_imported_files_have_carets() {
    let square = "def squares [n] (xs: [n]i64) =\n  map (\\x -> x * x) xs\n";
    let program = "import \"square\"\nentry main [n] (xs: [n]i64): [n]i64 = squares xs\n";
    let folder = Folder::new("profile_import").with("a.dsl", program).with("square.dsl", square);
    let table = folder.ravel(&["profile", "a.dsl"], "[1, 2]");
    let rows: Vec<&str> = table.text().lines().collect();
    let at = rows.iter().position(|row| row.contains("square.dsl:2:3-22")).expect("a row");
    assert!(rows[at + 1].ends_with("        2 |   map (\\x -> x * x) xs"), "{rows:?}");
    assert!(rows[at + 2].ends_with(&format!("          |   {}", "^".repeat(20))), "{rows:?}");
}

#[test]
fn a_scan_has_its_own_place_after_fusion() {
    let program = "def sums = scan (i32.+) 0\nentry main [n] (xs: [n]i32) =\n  let ys = sums (map (+ 1) xs)\n  let zs = map (* 2) ys\n  in scan i32.max 0 (map (\\z -> z - 1) zs)\n";
    let folder = Folder::new("profile_scans").with("a.dsl", program);
    let table = folder.ravel(&["profile", "a.dsl"], "[1i32, 2i32, 3i32]");
    let places: Vec<&str> =
        table.text().lines().filter_map(|row| row.split_once("  scan at ")).map(|row| row.1).collect();
    assert_eq!(places, ["a.dsl:1:12-25", "a.dsl:5:6-42"], "{}", table.text());
}

#[test]
fn the_segments_of_workgroups_have_rows() {
    let program = "\
entry main [n] [m] (xss: [n][m]i32): [n][m]i32 =
  #[flattening(block)] map (\\xs ->
    let sums = scan (+) 0 xs
    in map (\\sum -> i32.minimum (map (i32.max sum) sums)) sums) xss
";
    let folder = Folder::new("profile_workgroups").with("a.dsl", program);
    let input = "[[1, 2, 3, 4], [5, 6, 7, 8]]";
    let table = folder.ravel(&["profile", "a.dsl"], input);
    let inner: Vec<&str> = table.text().lines().filter(|line| line.starts_with(&" ".repeat(31))).collect();
    assert!(inner.len() >= 2, "{}", table.text());
    assert!(inner[0].ends_with("  scan at a.dsl:3:16-28"), "{}", table.text());
    assert!(table.text().contains("= scan (+) 0 xs\n"), "{}", table.text());
    let json = folder.ravel(&["profile", "--json", "a.dsl"], input);
    let json: serde_json::Value = serde_json::from_str(json.text()).expect("JSON");
    let launch = &json["segments"][0];
    let inner = launch["inner"].as_array().expect("a list");
    assert_eq!([&inner[0]["launches"], &inner[0]["points"]].map(|count| count.as_u64()), [2, 8].map(Some));
    for count in ["bytes", "sectors", "workgroup_words", "bank_conflicts", "barriers"] {
        let of_inner: u64 = inner.iter().filter_map(|segment| segment[count].as_u64()).sum();
        assert_eq!(Some(of_inner), launch[count].as_u64(), "{count} in {json}");
    }
    // The argument, the results, and nothing else.
    assert_eq!(json["allocated"].as_u64(), Some(2 * 4 * 8), "{json}");
}

#[test]
fn counts_are_the_same_in_every_run() {
    let folder = Folder::new("profile_json").with("a.dsl", "entry main (xs: []f32) = map (+ 1) xs\n");
    let run = || folder.ravel(&["profile", "--json", "--device", "h100", "a.dsl"], "[1f32, 2f32, 3f32]");
    let json: serde_json::Value = serde_json::from_str(run().text()).expect("JSON");
    let segment = &json["segments"][0];
    let counts = ["launches", "points", "issued", "useful", "bytes", "sectors", "needed_sectors"]
        .map(|name| segment[name].as_u64());
    assert_eq!(counts, [1, 3, 96, 9, 24, 2, 2].map(Some), "{json}");
    assert_eq!(run().text(), run().text());
    let table = folder.ravel(&["profile", "--device", "h100", "a.dsl"], "[1f32, 2f32, 3f32]");
    let row = table.text().lines().nth(3).expect("a row");
    let counts = ["1", "3", "96", "9", "%"];
    assert!(row.split_whitespace().collect::<Vec<_>>().windows(5).any(|part| part == counts), "{row}");
}

#[test]
fn errors_are_reported() {
    let folder =
        Folder::new("profile_wrong").with("a.dsl", "entry main (x: f64) = f64.sum (map (* x) [1, 2])\n");
    folder
        .ravel(&["profile", "a.dsl", "--device", "toaster"], "1")
        .fails_with(2, "possible values: iris-xe, ");
    let none = folder.ravel(&["profile", "a.dsl", "--device", "iris-xe"], "1");
    none.fails_with(3, "this device has no 64-bit floating-point numbers");
    folder.ravel(&["profile", "a.dsl", "-e", "other"], "1").fails_with(1, "other");
    folder.ravel(&["profile", "a.dsl"], "true").fails_with(1, "f64");
}

#[test]
fn a_program_without_segments_has_no_table() {
    let folder = Folder::new("profile_none").with("a.dsl", "entry main (n: i64) = n\n");
    folder
        .ravel(&["profile", "a.dsl"], "1")
        .gives("NVIDIA A100 SXM4 40 GB: the program has no parallel segments\n");
}

/// Copies, and the launches of reductions and scans, count on the model as on a GPU: in one workgroup and in several.
#[test]
fn a_gpu_makes_as_many_launches_as_the_model_counts() {
    let programs = [
        ("scan", "entry main (n: i64): i64 = i64.sum (scan (+) 0 (iota n))"),
        ("concat", "entry main (n: i64): []i64 = iota n ++ map (* 2) (iota n) ++ replicate n 3"),
        (
            "blocks",
            "entry main (n: i64): [][]i64 = #[flattening(block)] map (\\i -> scan (+) i (iota 9)) (iota n)",
        ),
    ];
    for (name, program) in programs {
        let folder = Folder::new(&format!("launches_{name}")).with("a.dsl", program);
        for input in ["0", "1", "1000", "100000"] {
            check_launches(&folder, "a.dsl", name, input);
        }
    }
    // Counting the bins takes no launch.
    let program = "entry main (n: i64) = #[flattening(bins)] map (\\p -> i64.sum (map (* p) (iota (p % 600)))) (iota n)";
    let folder = Folder::new("launches_bins").with("a.dsl", program);
    for input in ["0", "1", "1000"] {
        check_launches(&folder, "a.dsl", "bins", input);
    }
    let pi = concat!(env!("CARGO_MANIFEST_DIR"), "/../../programs/sobol/pi.dsl");
    check_launches(&Folder::new("launches_pi"), pi, "pi", "1000");
}

fn check_launches(folder: &Folder, file: &str, name: &str, input: &str) {
    let profile = folder.ravel(&["profile", "--json", file], input);
    let json: serde_json::Value = serde_json::from_str(profile.text()).expect("JSON");
    let segments = json["segments"].as_array().expect("a list");
    let on_model: u64 = segments.iter().filter_map(|segment| segment["launches"].as_u64()).sum();
    for backend in ["gpu", "model"] {
        let run = folder.ravel(&["run", "--backend", backend, "--stats", file], input);
        let launches = run.err.lines().find_map(|line| line.strip_prefix("launches: ")?.parse().ok());
        assert_eq!(Some(on_model), launches, "{name} of {input} on {backend}\n{}{}", profile.text(), run.err);
    }
}
