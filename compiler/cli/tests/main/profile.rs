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

/// The counts of the shader: each of 256 threads scans eight neighbouring elements, twice. So the 32 lanes of a subgroup touch
/// 32 sectors, and conflict when they store to workgroup memory.
#[test]
fn a_scan_in_a_workgroup_counts_as_its_shader_runs() {
    let program = |attribute: &str| {
        format!(
            "entry main [n] [m] (xss: [n][m]i32): [n]i32 =\n  #[flattening({attribute})] map (\\xs -> i32.sum (scan (+) 0 xs)) xss\n"
        )
    };
    let numbers: Vec<String> = (0..2048).map(|x| format!("{}i32", x % 100)).collect();
    for attribute in ["block", "full"] {
        let folder = Folder::new(&format!("profile_shader_{attribute}")).with("a.dsl", program(attribute));
        let json = folder.ravel(&["profile", "--json", "a.dsl"], format!("[[{}]]", numbers.join(", ")));
        let json: serde_json::Value = serde_json::from_str(json.text()).expect("JSON");
        let launches = json["segments"].as_array().expect("a list");
        let inner = launches.iter().filter_map(|launch| launch["inner"].as_array()).flatten();
        let scan = inner.clone().find(|segment| segment["segment"] == "scan").expect("a scan");
        let loads = (8 * 8 * 32 * 2, 8 * 8 * 4 * 2, 4 * 2048 * 2);
        // The results go to workgroup memory, or with rows in the grid to device memory.
        let [sectors, needed, bytes, conflicts, words] = match attribute {
            "block" => [loads.0, loads.1, loads.2, 8 * 8 * 7, 2048],
            _ => [loads.0 * 3 / 2, loads.1 * 3 / 2, loads.2 * 3 / 2, 0, 0],
        };
        // The threads store their sums. In three steps, half of them load and store one. Then all but the first load one.
        let words = words + 256 + 3 * 2 * 128 + 255;
        for (count, expected) in [
            ("points", 2048),
            ("sectors", sectors),
            ("needed_sectors", needed),
            ("bytes", bytes),
            ("bank_conflicts", conflicts),
            ("workgroup_words", words),
            ("barriers", 4),
        ] {
            assert_eq!(scan[count].as_u64(), Some(expected), "{attribute}: {count} of {scan}");
        }
    }
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
    let mut moved = Vec::new();
    for backend in ["gpu", "model"] {
        let run = folder.ravel(&["run", "--backend", backend, "--stats", file], input);
        let launches = run.err.lines().find_map(|line| line.strip_prefix("launches: ")?.parse().ok());
        assert_eq!(Some(on_model), launches, "{name} of {input} on {backend}\n{}{}", profile.text(), run.err);
        let bytes =
            run.err.lines().filter(|line| line.starts_with("bytes up: ") || line.starts_with("bytes down: "));
        moved.push(bytes.map(str::to_owned).collect::<Vec<_>>());
    }
    assert_eq!(moved[0], moved[1], "{name} of {input}");
}

/// Sums of floating-point numbers show the order in which values are combined.
#[test]
fn the_model_combines_values_in_the_order_of_a_gpu() {
    let program = "\
def op (a: f32, p: f32) (b: f32, q: f32): (f32, f32) = (a * q + b, p * q)
def ordered [n] (xs: [n]f32): f32 = (reduce op (0, 1) (map (\\x -> (x, 0.999f32 + x / 1e6)) xs)).0
def numbers (n: i64) (m: i64): [n][m]f32 =
  tabulate_2d n m (\\i j -> f32.i64 ((i * 1009 + j * 617) % 1013) / 7 - 60)
entry in_blocks (n: i64) (m: i64): ([n][m]f32, [n]f32, [n]f32) =
  let xss = numbers n m
  let scans = #[flattening(block)] map (\\xs -> scan (+) 0 xs) xss
  let sums = #[flattening(block)] map (\\xs -> f32.sum (scan (+) 0 xs)) xss
  in (scans, sums, #[flattening(block)] map ordered xss)
entry in_full (n: i64) (m: i64): ([n][m]f32, [n]f32, [n]f32) =
  let xss = numbers n m
  let scans = #[flattening(full)] map (\\xs -> scan (+) 0 xs) xss
  let sums = #[flattening(full)] map (\\xs -> f32.sum xs) xss
  in (scans, sums, #[flattening(full)] map ordered xss)
entry in_grid (n: i64) (m: i64): ([]f32, f32, f32) =
  let xs = flatten (numbers n m)
  in (scan (+) 0 xs, f32.sum xs, ordered xs)
";
    let folder = Folder::new("order").with("a.dsl", program);
    for entry in ["in_blocks", "in_full", "in_grid"] {
        for input in ["1 0", "1 3", "1 2000", "3 100", "16 100", "300 5"] {
            let [gpu, model] = ["gpu", "model"].map(|backend| {
                let run = folder.ravel(&["run", "--backend", backend, "-e", entry, "a.dsl"], input);
                run.text().to_owned()
            });
            assert_eq!(gpu, model, "{entry} of {input}");
        }
    }
}
