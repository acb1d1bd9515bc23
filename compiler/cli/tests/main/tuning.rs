//! Tuning parameters: set on command lines, in files, and by clients of servers.

use serde_json::json;

use crate::build::{built, execute};
use crate::server::Client;
use crate::support::{BACKENDS, Folder};

const PROGRAM: &str = "\
-- ==
-- input { 1i64 } output { 17i64 }
entry main (x: i64): i64 = x + #[param(tile)] 16
entry mapped (n: i64): []i64 = map (\\x -> #[param(other)] (x + #[param(tile)] 16)) (iota n)
entry plain (x: i64): i64 = x
";

fn folder(name: &str) -> Folder {
    Folder::new(name).with("a.dsl", PROGRAM).with("tuned", "tile=3\n\nother = 7\n")
}

#[test]
fn parameters_are_set_on_every_backend() {
    let folder = folder("tuning");
    for backend in BACKENDS {
        let run = |args: &[&str], input: &str| {
            folder.ravel(&[&["run", "a.dsl", "--backend", backend], args].concat(), input)
        };
        run(&[], "1").gives("17i64\n");
        run(&["--param", "tile=-2"], "1").gives("-1i64\n");
        run(&["--tuning", "tuned"], "1").gives("4i64\n");
        run(&["--tuning", "tuned", "--param", "tile=9223372036854775807"], "0")
            .gives("9223372036854775807i64\n");
        run(&["-e", "mapped"], "2").gives("[16i64, 17i64]\n");
        run(&["-e", "mapped", "--param", "tile=1"], "2").gives("[1i64, 2i64]\n");
        run(&["-e", "mapped", "--tuning", "tuned"], "2").gives("[7i64, 7i64]\n");
    }
}

/// Each segment that runs in lanes has a parameter with which its points run one by one; the results are the same.
#[test]
fn lanes_are_switched_off() {
    let program = "entry main (xs: []f64): f64 = f64.sum (map (\\x -> x * x) (filter (> 1) xs))";
    let folder = Folder::new("lanes").with("a.dsl", program);
    for switch in [&[][..], &["--param", "main.lanes0.enabled=0"], &["--param", "main.lanes1.enabled=0"]] {
        for backend in BACKENDS {
            folder
                .ravel(&[&["run", "a.dsl", "--backend", backend], switch].concat(), "[3, 1, 2, 0.5]")
                .gives("13.0f64\n");
        }
    }
    let folder = built("lanes_executable", program, "cpu");
    let run = |args: &[&str]| execute(&folder.path("program"), args, "[3, 1, 2, 0.5]");
    run(&["--param", "main.lanes0.enabled=0"]).gives("13.0f64\n");
    run(&["--param", "other.lanes0.enabled=0"])
        .fails(1, "error: there is no tuning parameter `other.lanes0.enabled`: the program has none\n");
}

/// A recursive function is a limitation on a GPU, but only for the entry point that calls it.
#[test]
fn only_the_entry_that_runs_is_compiled() {
    let recursive = "def f (n: i64): i64 = if n == 0 then #[param(depth)] 0 else 1 + f (n - 1)\n\
                     entry main (x: i64): i64 = x + #[param(w)] 1\nentry r (x: i64): i64 = f x\n";
    let folder = Folder::new("tuning_entries").with("a.dsl", recursive);
    let run = |args: &[&str]| folder.ravel(&[&["run", "a.dsl", "--backend", "gpu"], args].concat(), "5");
    run(&["--param", "w=3", "--param", "depth=4"]).gives("8i64\n");
    run(&["--param", "v=3"]).fails(1, "error: there is no tuning parameter `v`; there is `depth`, `w`\n");
}

#[test]
fn unknown_parameters_are_refused() {
    let folder = folder("tuning_refused").with("wrong", "tile=3\ntile\n").with("unknown", "none=1\n");
    let run = |args: &[&str]| folder.ravel(&[&["run", "a.dsl"], args].concat(), "1");
    let unknown = "error: there is no tuning parameter `none`; there is `other`, `tile`\n";
    run(&["--param", "none=1"]).fails(1, unknown);
    run(&["--tuning", "unknown"]).fails(1, unknown);
    run(&["--param", "tile"]).fails(2, "error: a tuning parameter is set by NAME=INT, not `tile`\n");
    run(&["--param", "tile=9223372036854775808"])
        .fails(2, "error: the tuning parameter `tile` takes an i64, not `9223372036854775808`\n");
    run(&["--tuning", "wrong"])
        .fails(1, "error: wrong: line 2: a tuning parameter is set by NAME=INT, not `tile`\n");
    run(&["--tuning", "none"]).fails_with(1, "error: cannot read none: ");
}

#[test]
fn limits_for_gpus_have_no_effect_elsewhere() {
    let rows = "entry main [n] [m] (xss: [n][m]i64): [n]i64 = map i64.sum xss\n\
                entry other [n] [m] (xss: [n][m]i64): [n]i64 = map i64.product xss\n";
    let limits =
        "main.0.points=4\nmain.0.inner=2\nother.0.points=4\nother.0.inner=2\nmain.transposed_bytes=64\n";
    let folder = Folder::new("tuning_limits").with("a.dsl", rows).with("limits", limits);
    for backend in BACKENDS {
        let run = |args: &[&str]| {
            folder.ravel(
                &[&["run", "a.dsl", "--backend", backend], args].concat(),
                "[[1i64, 2i64], [3i64, 4i64]]",
            )
        };
        run(&["--tuning", "limits"]).gives("[3i64, 7i64]\n");
        for wrong in ["main.0.point=4", "mian.0.points=4", "main.points=4"] {
            run(&["--param", wrong]).fails_with(1, "error: there is no tuning parameter `");
        }
    }
}

#[test]
fn tests_read_the_file_next_to_the_program() {
    let folder = folder("tuning_tests");
    let test = |args: &[&str]| folder.ravel(&[&["test", "a.dsl"], args].concat(), "");
    let (passed, failed) =
        ("1 passed, 0 failed, 0 skipped, 0 limited\n", "0 passed, 1 failed, 0 skipped, 0 limited\n");
    test(&[]).gives(passed);
    std::fs::write(folder.path("a.dsl.tuning"), "tile=3\nunknown=4\n").expect("a file can be written");
    for backend in BACKENDS {
        let tuned = test(&["--backend", backend]);
        assert!(tuned.text().contains("expected 17i64, got 4i64"), "{}", tuned.text());
        assert!(tuned.text().ends_with(failed), "{}", tuned.text());
        assert_eq!(tuned.err, "note: a.dsl.tuning sets `unknown`, which the program does not have\n");
    }
    test(&["--no-tuning"]).gives(passed);
    let given = test(&["--param", "tile=16", "--backend", "interp"]);
    assert!(given.text() == passed && given.code == Some(0), "{}", given.text());
    let refused = test(&["--no-tuning", "--param", "unknown=4"]);
    assert!(refused.text().contains("there is no tuning parameter `unknown`"), "{}", refused.text());
    std::fs::write(folder.path("a.dsl.tuning"), "tile=x\n").expect("a file can be written");
    let refused = test(&[]);
    assert!(refused.text().contains("a.dsl.tuning: line 1: the tuning parameter"), "{}", refused.text());
    assert_eq!(refused.code, Some(1));
}

#[test]
fn manifests_list_the_parameters_of_each_entry_point() {
    for part in ["wgsl", "clif"] {
        let folder = folder(&format!("tuning_manifest_{part}"));
        folder.ravel(&["build", "a.dsl", "--emit", &format!("{part},manifest"), "-o", "parts"], "").gives("");
        let text = folder.read("parts/manifest.json").expect("there is a manifest");
        let manifest: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let listed = |at: usize| &manifest["entry_points"][at]["tuning_params"];
        assert_eq!([0, 1, 2].map(listed), [&json!(["tile"]), &json!(["other", "tile"]), &json!([])]);
    }
}

#[test]
fn executables_and_servers_are_tuned() {
    for backend in ["cpu", "gpu"] {
        let folder = built(&format!("tuning_{backend}"), PROGRAM, backend).with("one", "1");
        let run = |args: &[&str], input| execute(&folder.path("program"), args, input);
        run(&[], "1").gives("17i64\n");
        run(&["--print-params"], "").gives("other (user)\ntile (user)\n");
        run(&["--param", "tile=3"], "1").gives("4i64\n");
        run(&["--size", "tile=3"], "1").gives("4i64\n");
        run(&["--param", "none=3"], "1")
            .fails(1, "error: there is no tuning parameter `none`; there is `other`, `tile`\n");
        let mut client = Client::new(&folder, &["--param", "tile=3"]);
        client.says("tuning_params main", &["tile user"]);
        client.says("tuning_params mapped", &["other user", "tile user"]);
        client.says("tuning_params plain", &[]);
        client.says("tuning_param_class tile", &["user"]);
        client.refuses("tuning_param_class none", "there is no tuning parameter `none`");
        client.says("restore one x i64", &[]);
        client.says("call main y x", &[]);
        client.says("set_tuning_param tile -3", &[]);
        client.says("call main z x", &[]);
        assert_eq!(client.text(&folder, "y z"), "4i64\n-2i64\n");
        client.refuses("set_tuning_param none 3", "there is no tuning parameter `none`");
        client.refuses("set_tuning_param tile 1.5", "the tuning parameter `tile` takes an i64, not `1.5`");
        client.says("call main again x", &[]);
        assert_eq!(client.text(&folder, "again"), "-2i64\n");
        client.leave();
    }
}

/// A named pipe blocks, and a device may be endless. Streams that are open already are neither.
#[test]
#[cfg(target_os = "linux")]
fn files_of_parameters_and_of_tests_are_regular() {
    let by_file = "-- ==\n-- input @ pipe\n-- output { 17i64 }\nentry main (x: i64): i64 = x + 16\n";
    let folder = folder("no_regular_files").with("b.dsl", by_file).with("c.dsl", PROGRAM).with("one", "1");
    std::os::unix::fs::symlink("/dev/zero", folder.path("zero")).expect("a link can be made");
    for pipe in ["pipe", "c.dsl.tuning"] {
        let made = std::process::Command::new("mkfifo").arg(folder.path(pipe)).status();
        assert!(made.expect("mkfifo starts").success());
    }
    let refused = |file: &str| format!("cannot read {file}: it is not a regular file\n");
    for file in ["pipe", "zero"] {
        let error = format!("error: {}", refused(file));
        folder.ravel(&["run", "a.dsl", "--tuning", file, "--input", "one"], "").fails(1, &error);
        folder.ravel(&["bench", "a.dsl", "--compare", file], "").fails(1, &error);
    }
    for (program, file) in [("b.dsl", "pipe"), ("c.dsl", "c.dsl.tuning")] {
        let tested = folder.ravel(&["test", program], "");
        assert!(tested.text().contains(&refused(file)), "{}", tested.text());
    }
    folder.ravel(&["test", "c.dsl", "--no-tuning"], "").gives("1 passed, 0 failed, 0 skipped, 0 limited\n");
    let streamed = folder.ravel(&["run", "a.dsl", "--tuning", "/dev/stdin", "--input", "one"], "tile=3");
    streamed.gives("4i64\n");
}
