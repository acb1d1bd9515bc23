//! The rows of `docs/measurements.md` on the start-up times of `ravel`, executables and sessions.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use ravel_support::command::{self, RAVEL};

use crate::measurements::{TIMES, row};
use crate::times::{median, millis};

const EMPTY: &str = "target/empty.dsl";
const EXECUTABLE: &str = "target/empty";
const ASKED: &str = "1 + 1";

/// The time that a session gets to become ready for its first input.
const READY: Duration = Duration::from_millis(300);

/// Prints the rows.
pub fn print() -> Result<(), String> {
    fs::write(EMPTY, "entry main = 0i64\n").map_err(|trouble| format!("cannot write {EMPTY}: {trouble}"))?;
    command::ravel(&["build", EMPTY, "-o", EXECUTABLE], b"")?;
    for (what, program, args) in [
        ("`ravel run` of an empty program", RAVEL, &["run", EMPTY][..]),
        ("an executable of an empty program", EXECUTABLE, &[]),
    ] {
        let times: Result<Vec<_>, _> = (0..TIMES).map(|_| run(program, args)).collect();
        let line = [&[program.trim_start_matches("target/release/")], args].concat().join(" ");
        let what = format!("{what}, from the start of the process to its end, median of {TIMES} runs");
        row(&what, &format!("`{line}`"), &millis(median(times?)), "under 5 ms");
    }
    let times: Result<Vec<_>, _> = (0..TIMES).map(|_| answer()).collect();
    let what =
        format!("the first answer of `ravel repl`, from the input to the answer, median of {TIMES} runs");
    row(&what, &format!("`{ASKED}` in `ravel repl`"), &millis(median(times?)), "under 50 ms");
    Ok(())
}

/// The time of a process from start to end.
fn run(program: &str, args: &[&str]) -> Result<Duration, String> {
    let before = Instant::now();
    let output = Command::new(program).args(args).stdin(Stdio::null()).output();
    let took = before.elapsed();
    match output {
        Ok(output) if output.stdout == b"0i64\n" => Ok(took),
        Ok(output) => Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr))),
        Err(trouble) => Err(format!("cannot run {program}: {trouble}")),
    }
}

/// The time of a new session from an input to its result.
fn answer() -> Result<Duration, String> {
    let failed = |trouble: std::io::Error| format!("cannot run {RAVEL} repl: {trouble}");
    let mut session = Command::new(RAVEL);
    session.arg("repl").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut session = session.spawn().map_err(failed)?;
    let (Some(mut input), Some(output)) = (session.stdin.take(), session.stdout.take()) else {
        return Err(format!("{RAVEL} repl has no input or output"));
    };
    std::thread::sleep(READY);
    let (before, mut line) = (Instant::now(), String::new());
    writeln!(input, "{ASKED}").map_err(failed)?;
    BufReader::new(output).read_line(&mut line).map_err(failed)?;
    let took = before.elapsed();
    drop(input);
    session.wait().map_err(failed)?;
    if line == "2i32\n" { Ok(took) } else { Err(format!("{ASKED} is {line}")) }
}
