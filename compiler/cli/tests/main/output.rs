//! Results, times and counts, and closed pipes.

use crate::support::{BACKENDS, Folder, finish};

const PROGRAM: &str = "\
entry main (n: i64): []i64 = iota n
entry two (x: i32) (b: bool): (bool, i32) = (b, x)
";

#[test]
fn results_are_text_or_binary() {
    let folder = Folder::new("results").with("a.dsl", PROGRAM);
    for backend in BACKENDS {
        let run = |entry, option, input: &str| {
            folder.ravel(&["run", "a.dsl", "-e", entry, "--backend", backend, option], input)
        };
        run("main", "--threads=1", "3").gives("[0i64, 1i64, 2i64]\n");
        run("main", "--threads=1", "0").gives("empty([0]i64)\n");
        run("two", "--threads=1", "5 true").gives("true\n5i32\n");
        let binary = run("main", "-b", "1");
        assert_eq!(binary.out, b"b\x02\x01 i64\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
        // The output can be read back.
        assert_eq!(run("two", "-b", "5 true").code, Some(0));
    }
}

#[test]
fn times_are_one_a_run_and_counts_go_to_standard_error() {
    let folder = Folder::new("times").with("a.dsl", PROGRAM);
    let run = folder.ravel(&["run", "a.dsl", "-r", "3", "-t", "times", "--stats"], "2");
    assert_eq!((run.code, run.text()), (Some(0), "[0i64, 1i64]\n"));
    assert!(run.err.starts_with("backend: cpu\n") && run.err.contains("\nrun (median): "), "{}", run.err);
    let times = folder.read("times").expect("times were written");
    assert_eq!(times.lines().count(), 3);
    assert!(times.lines().all(|line| line.parse::<u64>().is_ok()), "{times}");
    let run = folder.ravel(&["run", "a.dsl", "-r", "1", "-t", "no/such/folder"], "2");
    run.fails_with(1, "error: cannot write no/such/folder: ");
}

/// The file keeps its content, and outputs do not overwrite each other.
#[test]
#[cfg(target_os = "linux")]
fn standard_output_takes_times_and_results_by_any_name() {
    let folder = Folder::new("times_to_output").with("a.dsl", PROGRAM).with("out", "before\n");
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let out =
            std::fs::OpenOptions::new().append(true).open(folder.path("out")).expect("it can be opened");
        let mut command = folder.command(&["run", "a.dsl", "-r", "1", "-t", name]);
        let outcome = finish(command.stdout(out).spawn().expect("ravel starts"), b"2");
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{name}");
    }
    let text = folder.read("out").expect("there is a file");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 7 && lines[0] == "before", "{text}");
    for run in lines[1..].chunks(2) {
        assert!(run[0].parse::<u64>().is_ok() && run[1] == "[0i64, 1i64]", "{text}");
    }
}

#[test]
fn a_closed_output_is_no_error() {
    let folder = Folder::new("reader").with("a.dsl", PROGRAM);
    for args in [&["run", "a.dsl"][..], &["dev", "--list-passes"]] {
        let mut process = folder.command(args).spawn().expect("ravel starts");
        // The output is closed before the process writes anything: it is still starting, or waits for its input.
        drop(process.stdout.take());
        let outcome = finish(process, b"1000000");
        assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::new("full_disk").with("a.dsl", PROGRAM);
    let full = std::fs::File::create("/dev/full").expect("the device is there");
    let process = folder.command(&["run", "a.dsl"]).stdout(full).spawn().expect("ravel starts");
    finish(process, b"3").fails_with(1, "error: cannot write to standard output: ");
    for args in [&["help"][..], &["--version"], &["help", "run"], &["man"], &["completions", "bash"]] {
        let full = std::fs::File::create("/dev/full").expect("the device is there");
        let process = folder.command(args).stdout(full).spawn().expect("ravel starts");
        finish(process, b"").fails_with(1, "error: cannot write to standard output: ");
    }
}

#[test]
fn results_can_be_suppressed() {
    let folder = Folder::new("unprinted").with("a.dsl", PROGRAM);
    for option in ["-n", "--no-print-result"] {
        folder.ravel(&["run", "a.dsl", option], "3").gives("");
        folder.ravel(&["run", "a.dsl", option, "-b"], "3").gives("");
    }
    folder.ravel(&["run", "a.dsl", "-n"], "-3").fails_with(1, "Range 0..1..<-3 is invalid.");
    folder.ravel(&["run", "a.dsl", "-n", "--npy-out", "x.npy"], "3").fails_with(2, "cannot be used with");
}

#[test]
fn traces_are_printed_outside_of_parallel_parts_and_change_no_result() {
    let program = "\
entry main (n: i64): i64 =
  let xs = #[trace(squares)] map (\\i -> i * i) (iota n)
  let (total, _) = trace (i64.sum xs, n < 9)
  in loop s = total for i < 2 do #[trace] s + xs[i]
";
    let folder = Folder::new("traces").with("a.dsl", program);
    for backend in BACKENDS {
        let run = folder.ravel(&["run", "a.dsl", "--backend", backend], "3");
        let traces = "squares at a.dsl:2:30-55: [0i64, 1i64, 4i64]\n\
                    trace at a.dsl:3:20-44: 5i64 true\n\
                    trace at a.dsl:4:43-51: 5i64\n\
                    trace at a.dsl:4:43-51: 6i64\n";
        assert_eq!((run.code, run.text(), run.err.as_str()), (Some(0), "6i64\n", traces));
    }

    let folder = Folder::new("traces_inside").with("a.dsl", "entry main (n: i64) = map trace (iota n)");
    for backend in BACKENDS {
        let run = folder.ravel(&["run", "a.dsl", "--backend", backend], "2");
        let traces = match backend {
            "interp" => "trace at a.dsl:1:27-31: 0i64\ntrace at a.dsl:1:27-31: 1i64\n",
            _ => "",
        };
        assert_eq!((run.code, run.text(), run.err.as_str()), (Some(0), "[0i64, 1i64]\n", traces));
    }
}
