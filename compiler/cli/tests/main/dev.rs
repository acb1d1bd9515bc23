//! `ravel dev`: the firings of rules, dumps that replay, passes by name, and rules that are switched off.

use crate::support::Folder;

#[test]
fn an_unknown_rule_is_an_error() {
    let folder = Folder::new("dev_rules").with("b.dsl", "entry main = 1");
    folder.ravel(&["dev", "--trace", "F9", "b.dsl"], "").fails_with(2, "there is no rule `F9`");
    for rule in ["scatter-construct", "map-write"] {
        folder.ravel(&["dev", "--trace", rule, "b.dsl"], "").gives(&format!("{rule} did not fire\n"));
    }
}

/// Options of `ravel dev` that would be ignored in combination are refused.
#[test]
fn conflicting_options_of_dev_are_refused() {
    let folder = Folder::new("dev_twice").with("a.dsl", "entry main (xs: []i32): i32 = i32.sum xs");
    for asked in [
        &["--dump-after", "reuse", "--emit", "core", "a.dsl"][..],
        &["--dump-after", "simplify", "--emit", "kernel", "a.dsl"],
        &["--trace", "map-map", "--emit", "core", "a.dsl"],
        &["--list-passes", "--trace", "x"],
        &["--list-passes", "a.dsl"],
    ] {
        folder.ravel(&[&["dev"], asked].concat(), "").fails_with(2, "cannot be used with");
    }
}

#[test]
fn rewrites_of_vector_code_have_a_heading_of_their_own() {
    let list = Folder::new("dev_list").ravel(&["dev", "--list-passes"], "");
    let (passes, rewrites) = list
        .text()
        .split_once("\nRewrites of vector code, which only --without names:\n")
        .expect("two lists");
    let names = |text: &str| text.lines().filter(|line| !line.starts_with(' ')).count();
    assert_eq!((names(rewrites), rewrites.lines().count()), (2, 2), "{rewrites}");
    assert_eq!(2 * names(passes), passes.lines().count(), "{passes}");
    let folder = Folder::new("dev_rewrites").with("a.dsl", "entry main = 1");
    for rewrite in rewrites.lines().filter_map(|line| line.split_whitespace().next()) {
        assert_eq!(folder.ravel(&["dev", "--without", rewrite, "a.dsl"], "").code, Some(0));
        for option in ["--trace", "--dump-after", "--passes", "--from"] {
            let message = format!("`{rewrite}` is a rewrite of vector code, which only `--without` takes");
            folder.ravel(&["dev", option, rewrite, "a.dsl"], "").fails_with(2, &message);
        }
    }
}

#[test]
fn a_rule_in_place_of_a_pass_is_an_error_that_names_the_pass() {
    let folder = Folder::new("dev_rule_as_pass").with("a.dsl", "entry main = 1");
    let of_core = folder.ravel(&["dev", "--dump-after", "map-map", "a.dsl"], "");
    of_core.fails_with(2, "`map-map` is a rule; its pass is fuse-vertical");
    let of_kernel = folder.ravel(&["dev", "--passes", "branch-select", "a.dsl"], "");
    of_kernel.fails_with(2, "`branch-select` is a rule; its pass is if-convert");
}

#[test]
fn each_firing_is_shown_with_the_lines_that_it_removed_and_added() {
    let program = "entry main (xs: []i32): i32 = i32.sum (map (\\x -> x * x) xs)";
    let folder = Folder::new("trace").with("a.dsl", program);
    let trace = folder.ravel(&["dev", "--trace", "map-reduce", "a.dsl"], "");
    let text = trace.text();
    folder
        .ravel(&["dev", "--trace", "map-reduce", "--dump-after", "sink", "a.dsl"], "")
        .fails_with(2, "cannot be used with");
    let [spaced, compact] = ["inline, simplify ,fuse-vertical", "inline,simplify,fuse-vertical"]
        .map(|passes| folder.ravel(&["dev", "--passes", passes, "a.dsl"], "").text().to_owned());
    assert_eq!(spaced, compact);
    let head = "map-reduce 1, in 05-fuse-vertical, at a.dsl:1:31-60 and a.dsl:1:39-60\n";
    assert!(text.starts_with(head), "{text}");
    assert!(text.contains("\n  -   to map\n  - }\n  - let v9: i32 = screma v0 {\n"), "{text}");
    assert!(text.contains("\n  + let v9: i32 = screma v0 {\n      from xs_1\n"), "{text}");
    assert_eq!(text.matches("map-reduce ").count(), 1, "{text}");
}

#[test]
fn a_dump_lists_firings_and_resumes_from_any_pass() {
    let program = "entry main (xs: []i32): i32 = i32.sum (map (\\x -> x * x) xs)";
    let folder = Folder::new("dump").with("a.dsl", program);
    let dumped = folder.ravel(&["dev", "--dump-all", "out", "a.dsl"], "");
    assert_eq!(dumped.code, Some(0), "{}", dumped.err);
    assert!(dumped.err.contains("05-fuse-vertical.core: changed\n"), "{}", dumped.err);
    assert!(dumped.err.contains("-fuse-views.core: unchanged\n"), "{}", dumped.err);
    let written = std::fs::read_dir(folder.path("out")).expect("the folder was made");
    let names = written.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    assert!(names.into_iter().all(|name| !name.contains("fuse-views")), "unchanged passes leave a file");
    let dump = folder.read("out/05-fuse-vertical.core").expect("the pass has changed it");
    assert!(dump.starts_with("-- a.dsl after fuse-vertical\n-- map-reduce fired (1)\n"), "{dump}");
    assert_replays(&folder, &dump, folder.ravel(&["dev", "a.dsl"], "").text());
}

/// The text of a dump names places in files of the program, which are not at hand when the dump is read.
#[test]
fn dumps_of_a_program_with_imports_resume() {
    let folder = Folder::new("dump_imports")
        .with("a.dsl", "def inverse (x: []i32): i32 = i32.sum (map (\\y -> y / x[0]) x)")
        .with("b.dsl", "import \"a\" entry main (xs: []i32): i32 = inverse xs");
    let options = ["dev", "--backend", "gpu"];
    let dumped = folder.ravel(&[&options[..], &["--dump-all", "out", "b.dsl"]].concat(), "");
    assert_eq!(dumped.code, Some(0), "{}", dumped.err);
    let names = ["00-before.core", "05-fuse-vertical.core"];
    let kernel = std::fs::read_dir(folder.path("out")).expect("the folder was made");
    let kernel = kernel.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    let kernel = kernel.filter(|name| name.ends_with(".kernel")).map(|name| ("merge-parameters", name));
    let core = names.iter().map(|name| ("inline", (*name).to_owned()));
    for (pass, name) in core.chain(kernel) {
        let file = format!("out/{name}");
        let wgsl = folder.ravel(&[&options[..], &["--from", pass, &file, "--emit", "wgsl"]].concat(), "");
        assert_eq!(wgsl.code, Some(0), "{name}: {}", wgsl.err);
        let trace = folder.ravel(&["dev", "--from", pass, &file, "--trace", "copy-coalescing"], "");
        assert_eq!(trace.code, Some(0), "{name}: {}", trace.err);
    }
}

#[test]
fn the_rules_of_lowering_are_counted_before_the_first_pass() {
    let program =
        "entry main (xs: *[]i32) (is: []i64) = scatter (scatter xs is (map i32.i64 is)) is (map i32.i64 is)";
    let folder = Folder::new("lowering").with("a.dsl", program);
    let dumped = folder.ravel(&["dev", "--dump-all", "out", "--time-passes", "a.dsl"], "");
    assert_eq!(dumped.code, Some(0), "{}", dumped.err);
    assert!(dumped.err.contains("scatter-construct fired (2)\ninline "), "{}", dumped.err);
    let trace = folder.ravel(&["dev", "--trace", "scatter-construct", "a.dsl"], "");
    assert!(
        trace.text().starts_with("scatter-construct 1, in lowering, at a.dsl:1:47-78\n  + let v"),
        "{}",
        trace.text()
    );
    assert_eq!(
        trace.text().matches("\nscatter-construct 2, in lowering, at a.dsl:1:").count(),
        1,
        "{}",
        trace.text()
    );
    let first = folder.read("out/00-before.core").expect("the input of the passes");
    assert!(first.starts_with("-- a.dsl before inline\n-- scatter-construct fired (2)\n"), "{first}");
}

/// Asserts that the shell commands in the header of a dump reproduce the dump and the whole output.
fn assert_replays(folder: &Folder, dump: &str, whole: &str) {
    let commands: Vec<&str> = dump.lines().filter_map(|line| line.strip_prefix("-- to ")).collect();
    assert_eq!(commands.len(), 2, "{dump}");
    for line in commands {
        let (what, command) = line.split_once(": ravel ").expect("a command");
        let arguments = arguments(command);
        let output = folder.ravel(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), "");
        if what == "reproduce" {
            let body: Vec<&str> = dump.lines().filter(|line| !line.starts_with("--")).collect();
            assert_eq!(output.text().trim_end(), body.join("\n"));
        } else {
            output.gives(whole);
        }
    }
}

/// The arguments of a command as a shell reads them.
fn arguments(command: &str) -> Vec<String> {
    let script = format!("printf '%s\\n' {command}");
    let shell = std::process::Command::new("sh").args(["-c", &script]).output().expect("a shell");
    String::from_utf8_lossy(&shell.stdout).lines().map(str::to_owned).collect()
}

/// The commands keep the remaining fuel, the machine and the passes, and quote the folder.
#[test]
fn the_commands_of_a_dump_keep_all_options() {
    let program =
        "entry main [m][n] (xs: [m][n]i64): i64 = i64.sum (flatten (map (map (\\x -> x * x + 1)) xs))";
    let folder = Folder::new("dump_all").with("a.dsl", program);
    let names = "inline,simplify,fuse-vertical,simplify,fuse-views,fuse-vertical,reuse";
    for (at, options) in [
        vec!["--fuel", "3"],
        vec!["--without", "map-reduce,map-reshape"],
        vec!["--backend", "gpu"],
        vec!["--passes", names],
        vec!["--passes", names, "--backend", "gpu", "--fuel", "5"],
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("it's out {at}");
        let with = |more: &[&str]| folder.ravel(&[&["dev"], &options[..], more, &["a.dsl"]].concat(), "");
        let dumped = with(&["--dump-all", &out]);
        assert_eq!(dumped.code, Some(0), "{}", dumped.err);
        let whole = with(&[]);
        let files = std::fs::read_dir(folder.path(&out)).expect("the folder was made");
        let mut dumps = 0;
        for file in files {
            let name = file.expect("a file").file_name().into_string().expect("a name");
            let dump = folder.read(&format!("{out}/{name}")).expect("a dump");
            let resumes = dump.lines().filter(|line| line.starts_with("-- to ")).count() == 2;
            // What resumes after `flatten` prints segments, and the whole output has constructs.
            if resumes && name.ends_with(".core") && !name.ends_with("-flatten.core") {
                assert_replays(&folder, &dump, whole.text());
                dumps += 1;
            }
        }
        assert!(dumps > 0, "{options:?} changed nothing");
    }
}

/// In the dump, the code after the scan of the filter uses the counter of its segment. Without optional rules the scan is a loop.
#[test]
fn a_dump_with_code_after_a_scan_resumes_after_flatten() {
    let folder = Folder::new("resume_scan").with("a.dsl", "entry main (xs: []i32): []i32 = filter (> 7) xs");
    let flat = folder.ravel(&["dev", "a.dsl", "--emit", "flat", "--backend", "gpu"], "");
    assert!(flat.text().contains("post"), "{}", flat.text());
    let folder = folder.with("a.core", flat.text());
    for form in ["clif", "wgsl"] {
        let resumed = folder.ravel(&["dev", "a.core", "--from", "layout", "--emit", form], "");
        assert_eq!(resumed.code, Some(0), "{}", resumed.err);
    }
}

/// Later stages rely on segments. So `flatten` runs, without its optional rules, if it is not among the passes that run.
#[test]
fn programs_without_segments_may_skip_flatten() {
    let program = "entry main [n] (xs: [n]i64): ([n]i64, i64) = (scan (+) 0 xs, i64.sum xs)";
    // Segments, a stream and a construct.
    let unplaced = "
        fun main (n: i64, xs: [n]i64) -> (r: [n]i64, s: [n]i64, t: [n]i64) = {
          let sums: [n]i64 = segment grid (g < n) block { map \\() -> {
            let a: i64 = segment block (k < 3) { map \\() -> { let row: [3]i64 = replicate 3 g let x: i64 = row[k] in x }
              to reduce \\(l: i64, q: i64) -> { let d: i64 = add l q in d } (0) }
            in a } to map }
          let chunks: [n]i64 = stream n { from xs chunk \\(c: i64, start: i64, zs: [c]i64) -> zs to map }
          let more: [n]i64 = screma n { from xs map \\(y: i64) -> { let z: i64 = add y 1 in z } to map }
          in (sums, chunks, more) }
        entry main = main (xs = xs) -> (*r, s, *t)";
    let folder = Folder::new("skip_flatten").with("a.dsl", program).with("a.core", unplaced);
    for backend in ["cpu", "gpu"] {
        let emit = ["--emit", "kernel", "--backend", backend];
        for passes in ["bins", "low-bits", "inline,simplify,layout"] {
            let output = folder.ravel(&[&["dev", "a.dsl", "--passes", passes], &emit[..]].concat(), "");
            assert_eq!(output.code, Some(0), "{passes}: {}", output.err);
        }
        for from in ["bins", "flatten", "low-bits", "layout"] {
            let output = folder.ravel(&[&["dev", "a.core", "--from", from], &emit[..]].concat(), "");
            assert_eq!(output.code, Some(0), "{from}: {}", output.err);
        }
    }
}

/// With its rule switched off, a construct stays, and the program gives the same results on every backend.
#[test]
fn a_rule_that_is_switched_off_does_not_fire() {
    let program = "entry main (xs: []i64): i64 = i64.sum (map (\\x -> x * x) xs)";
    let folder = Folder::new("without").with("a.dsl", program);
    let constructs = |options: &[&str]| {
        let core = folder.ravel(&[&["dev", "a.dsl"], options].concat(), "");
        core.text().matches("= screma").count()
    };
    assert_eq!(constructs(&[]), 1);
    assert_eq!(constructs(&["--without", "map-map,map-reduce"]), 2);
    let launches = |options: &[&str]| {
        let output =
            folder.ravel(&[&["run", "--stats", "a.dsl", "--backend", "gpu"], options].concat(), "[1, 2, 3]");
        assert_eq!(output.text(), "14i64\n", "{}", output.err);
        output.err.lines().find_map(|line| line.strip_prefix("launches: ")?.parse::<u32>().ok())
    };
    assert!(launches(&["--without", "map-reduce"]) > launches(&[]));
    // The structure test that relies on a rule fails without it.
    let tested = format!(
        "{program}\n-- ==\n-- input {{ [1i64, 2i64] }}\n-- output {{ 5i64 }}\n-- structure {{ screma 1 }}\n"
    );
    let folder = Folder::new("without_structure").with("a.dsl", &tested);
    folder.ravel(&["test", "a.dsl"], "").gives("2 passed, 0 failed, 0 skipped, 0 limited\n");
    let failed = folder.ravel(&["test", "a.dsl", "--without", "map-reduce"], "");
    assert_eq!(failed.code, Some(1));
    assert!(failed.text().contains("2 `screma`, but there should be 1"), "{}", failed.text());
    let swap = "entry main (k: i64) (xs: *[]f64): *[]f64 = loop xs for _i < k do map2 (+) xs (reverse xs)";
    let folder = Folder::new("without_swap").with("a.dsl", swap);
    let off = ["--without", "swap-allocated"];
    let run = |options: &[&str]| folder.ravel(&[&["run", "a.dsl"], options].concat(), "9i64 [1.0, 2.0]");
    assert_eq!(run(&[]).text(), run(&off).text());
    let kernel = |options: &[&str]| {
        let emitted = folder.ravel(&[&["dev", "--emit", "kernel", "a.dsl"], options].concat(), "");
        emitted.text().to_owned()
    };
    assert_ne!(kernel(&[]), kernel(&off));
}

/// Passes over kernel IR are replayed, traced and limited by fuel, as those over core IR are.
#[test]
fn memory_passes_are_replayed_traced_and_limited() {
    let program =
        "entry main [n] (k: i64) (xs: *[n]f64): *[n]f64 =\n  loop xs for _i < k do map2 (+) xs (reverse xs)";
    let folder = Folder::new("memory_passes").with("a.dsl", program);
    let whole = folder.ravel(&["dev", "--emit", "kernel", "a.dsl"], "");
    assert_eq!(folder.ravel(&["dev", "--dump-all", "out", "a.dsl"], "").code, Some(0));
    let files = std::fs::read_dir(folder.path("out")).expect("the folder was made");
    let names = files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    let name = names
        .into_iter()
        .find(|name| name.ends_with("-double-buffer.kernel"))
        .expect("the pass has changed it");
    let dump = folder.read(&format!("out/{name}")).expect("a dump");
    assert!(dump.starts_with("-- a.dsl after double-buffer\n-- swap-allocated fired (1)\n"), "{dump}");
    assert_replays(&folder, &dump, whole.text());
    let trace = folder.ravel(&["dev", "--trace", "swap-allocated", "a.dsl"], "");
    let number = name.trim_end_matches("-double-buffer.kernel");
    let head = format!("swap-allocated 1, in {number}-double-buffer, at a.dsl:2:");
    assert!(trace.text().starts_with(&head), "{}", trace.text());
    assert!(trace.text().contains("\n  -   alloc "), "{}", trace.text());
    // The fuel that core IR takes, and one firing more.
    let emitted = |form: &str, fuel: &str| {
        folder.ravel(&["dev", "--fuel", fuel, "--emit", form, "a.dsl"], "").text().to_owned()
    };
    let enough =
        (0..).find(|fuel| emitted("core", &fuel.to_string()) == emitted("core", "1000")).expect("a number");
    let [none, one] = [enough, enough + 1].map(|fuel: u32| emitted("kernel", &fuel.to_string()));
    assert!(none != one, "a firing more changes nothing:\n{one}");
    let named = folder.ravel(
        &["dev", "--passes", "inline,simplify,hoist,flatten,double-buffer", "--emit", "kernel", "a.dsl"],
        "",
    );
    named.gives(whole.text());
    let alone = folder.ravel(&["dev", "--passes", "reuse", "a.dsl"], "");
    assert!(alone.text().contains("entry \"main\" ["), "{}", alone.text());
    folder.ravel(&["dev", "--dump-after", "double-buffer", "a.dsl"], "").gives(
        &dump
            .lines()
            .filter(|line| !line.starts_with("--"))
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    );
}

#[test]
fn invalid_kernel_text_is_an_error_and_has_no_core_ir() {
    let lawful = "entry \"main\" [] (k: i64) -> (i64) {\n  yield k\n}\n";
    let folder = Folder::new("kernel_text").with("a.kernel", lawful).with("b.kernel", "entry main [");
    let folder = folder.with("c.kernel", lawful.replace("yield k", "yield 1.0f64"));
    assert_eq!(folder.ravel(&["dev", "--from", "reuse", "a.kernel"], "").code, Some(0));
    folder.ravel(&["dev", "--from", "reuse", "b.kernel"], "").fails_with(1, "--> b.kernel:1:7\n");
    folder.ravel(&["dev", "--from", "reuse", "c.kernel"], "").fails_with(1, "--> c.kernel:2:3\n");
    let core = ["dev", "--from", "reuse", "--emit", "core", "a.kernel"];
    folder.ravel(&core, "").fails_with(2, "kernel IR cannot be turned back into core IR");
}

/// Errors in the text of an IR show the statement as it is written there.
#[test]
fn faults_in_core_and_kernel_text_have_a_place() {
    let core = "fun main (n: i64) -> (r: i64) = {\n  let `ä b`_9: bool = lt n 1\n  let z_3: i64 = add n `ä b`_9\n  in z_3\n}\n";
    let kernel = "entry \"main\" [] (k_5: i64) -> (i64) {\n  if true {\n    let z: i32 = neg(k_5)\n  } else {\n  }\n  yield k_5\n}\n";
    let folder = Folder::new("faults_in_text").with("a.core", core).with("a.kernel", kernel);
    let folder = folder.with("b.core", core.replace("add n `ä b`_9", "copy `ä b`_9 ?"));
    let fails = |file: &str, from: &str, message: &str| {
        folder.ravel(&["dev", "--from", from, file], "").fails_with(1, message);
    };
    let of_core = "has type bool, where i64 is expected
  --> a.core:3:3
  |
3 |   let z_3: i64 = add n `ä b`_9
  |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
";
    fails("a.core", "simplify", of_core);
    let of_kernel = "error[E0201]: invalid kernel IR: z is i64, not i32
  --> a.kernel:3:5
  |
3 |     let z: i32 = neg(k_5)
  |     ^^^^^^^^^^^^^^^^^^^^^
";
    fails("a.kernel", "reuse", of_kernel);
    fails("b.core", "simplify", "--> b.core:3:31\n");
}

/// So do limitations, which only later stages find.
#[test]
fn limitations_of_core_text_have_a_place() {
    let core = r"fun main (n: i64, xs: [n]i64) -> (r: [n]i64) = {
  let sums: [n]i64 = segment grid (i < n) block {
    map \() -> {
      let m: i64 = xs[i]
      let row: [m]i64 = segment block (k < m) { map \() -> k to map }
      let sum: i64 = segment block (k2 < m) {
        map \() -> { let x: i64 = row[k2] in x }
        to reduce \(a: i64, b: i64) -> { let c: i64 = add a b in c } (0)
      }
      in sum
    }
    to map
  }
  in sums
}
entry main = main (n, xs) -> (r)
";
    let folder = Folder::new("limitation_in_text").with("a.core", core);
    let place = "limitation: this segment of a file of core IR is not supported yet
  --> a.core:5:7
  |
5 |       let row: [m]i64 = segment block (k < m) { map \\() -> k to map }
";
    folder.ravel(&["dev", "--from", "flatten", "--emit", "wgsl", "a.core"], "").fails_with(3, place);
}
