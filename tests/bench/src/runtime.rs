//! The rows of `docs/measurements.md` on the costs of the runtime: page faults, parallel regions, answers of a server, streams
//! over large arrays, and the speed-up of two threads.
//!
//! All but the last are measured on a server, which keeps its arrays from call to call.

use std::fs;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use ravel_support::cases::cases;
use ravel_support::command::{self, Call, LONGEST};

use crate::measurements::{ROUNDS, row};
use crate::times::{median, ratio, timed};

const SOURCE: &str = "target/runtime.dsl";
const EXECUTABLE: &str = "target/runtime";
const SCALARS: &str = "target/runtime.in";

/// The program of the server. The neighbours in `regions` keep the compiler from running the loop inside the map.
const PROGRAM: &str = "\
entry numbers (n: i64): []f64 = map f64.i64 (iota n)
entry add [n] (xs: [n]f64) (ys: [n]f64): [n]f64 = map2 (+) xs ys
entry small (n: i64): []i64 = iota n
entry regions [n] (k: i64) (xs: [n]i64): i64 =
  i64.sum (loop xs for i < k do map2 (\\x y -> (x + y + i) & 1023) xs (rotate 1 xs))
entry id (n: i64): i64 = n
";

/// The elements of the arrays of a stream: 80 MB each.
const ELEMENTS: usize = 10_000_000;

/// The most page faults of a call that finds the memory of its result warm. More are an error, because other work on the
/// machine adds none.
const MOST_FAULTS: u64 = 20;

/// The regions of a call, and their points: enough that two threads share them.
const REGIONS: u32 = 5_000;
const POINTS: usize = 8_192;

/// The answers of a server, of which the row has the median.
const ANSWERS: usize = 2_000;

/// Prints the rows.
pub fn print() -> Result<(), String> {
    fs::write(SOURCE, PROGRAM).map_err(|trouble| format!("cannot write {SOURCE}: {trouble}"))?;
    let scalars = format!("{ELEMENTS}i64 {POINTS}i64 {REGIONS}i64");
    fs::write(SCALARS, scalars).map_err(|trouble| format!("cannot write {SCALARS}: {trouble}"))?;
    command::ravel(&["build", "--server", SOURCE, "-o", EXECUTABLE], b"")?;
    streams()?;
    regions()?;
    answers()?;
    speed_up()
}

/// The page faults and the time of an addition of two large arrays.
fn streams() -> Result<(), String> {
    let mut server = Server::start(1)?;
    for array in ["xs", "ys"] {
        server.command(&format!("call numbers {array} elements"))?;
    }
    let (mut faults, mut times, mut copies) = (Vec::new(), Vec::new(), Vec::new());
    // Two arrays are read and one is written, so a copy of three halves moves as many bytes.
    let from = vec![1.0_f64; ELEMENTS * 3 / 2];
    let mut to = vec![0.0_f64; from.len()];
    for _ in 0..=ROUNDS {
        let before = server.faults()?;
        times.push(server.command("call add sums xs ys")?);
        faults.push(server.faults()? - before);
        server.command("free sums")?;
        copies.push(timed(|| black_box(&mut to[..]).copy_from_slice(black_box(&from))));
    }
    let second = faults[1..].iter().max().copied().unwrap_or_default();
    row(
        &format!(
            "page faults of a call that adds two arrays of {ELEMENTS} f64, in a server: the first call, and the most of the {ROUNDS} after it"
        ),
        &source("call add sums xs ys"),
        &format!("{} and {second}", faults[0]),
        &format!("at most {MOST_FAULTS} after the first"),
    );
    if second > MOST_FAULTS {
        return Err(format!("{second} page faults in a call whose result has memory from an earlier one"));
    }
    let (time, copy) = (median(times.split_off(1)), median(copies.split_off(1)));
    row(
        &format!("bandwidth of this addition on one thread, divided by that of `memcpy`; median of {ROUNDS}"),
        "the row above, and `copy_from_slice` of as many bytes in Rust, alternately",
        &format!("{} ({:.1} and {:.1} ms)", ratio(copy, time), millis(time), millis(copy)),
        "at least 0.9",
    );
    server.end()
}

/// The time to enter a parallel region on two threads.
fn regions() -> Result<(), String> {
    let mut servers = [Server::start(1)?, Server::start(2)?];
    let mut times = [Vec::new(), Vec::new()];
    for server in &mut servers {
        server.command("call small xs points")?;
    }
    for _ in 0..ROUNDS {
        for (server, times) in servers.iter_mut().zip(&mut times) {
            times.push(server.command("call regions total regions xs")?);
            server.command("free total")?;
        }
    }
    let [one, two] = times.map(median);
    let region = two.saturating_sub(one / 2) / REGIONS;
    row(
        &format!(
            "time to enter a parallel region on two threads: a region of {POINTS} points on two threads, less half of its time on one; mean of {REGIONS}, median of {ROUNDS}"
        ),
        &source("call regions total regions xs"),
        &micros(region),
        "under 5 µs",
    );
    servers.into_iter().try_for_each(Server::end)
}

/// The time of the smallest call of a server, from the command to the answer.
fn answers() -> Result<(), String> {
    let mut server = Server::start(1)?;
    let mut times = Vec::new();
    for _ in 0..ANSWERS {
        times.push(server.command("call id result points")?);
        server.command("free result")?;
    }
    let what = format!("an answer of a server, from the command to the last line, median of {ANSWERS} calls");
    row(&what, &source("call id result points"), &micros(median(times)), "under 20 µs");
    server.end()
}

/// The time of skewed Hull-White portfolios on one thread, divided by that on two.
fn speed_up() -> Result<(), String> {
    let is_wanted = |program: &str, entry: &str, size: &str| {
        (program, entry, size) == ("hullwhite/hullwhite", "main", "skewed-1000")
    };
    let all = cases();
    let case = all.iter().find(|case| is_wanted(case.program, case.entry, case.size));
    let case = case.ok_or("there is no case `hullwhite/hullwhite main skewed-1000`")?;
    let input = command::input(case.folder(), case.entry, case.size)?;
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (threads, times) in [1, 2].into_iter().zip(&mut times) {
            let call = Call { backend: "cpu", threads: Some(threads), runs: 5, limit: LONGEST };
            times.push(call.of(case, &input).map_err(|trouble| trouble.to_string())?.run);
        }
    }
    let [one, two] = times.map(median);
    row(
        &format!(
            "time of `hullwhite` on 1000 skewed portfolios on one thread, divided by that on two, median of {ROUNDS} runs"
        ),
        "`cargo xtask bench cpu hullwhite`",
        &ratio(one, two),
        "at least 1.85",
    );
    Ok(())
}

/// The command of a row, as the table shows it.
fn source(command: &str) -> String {
    format!("`{command}` to the server of `tests/bench/src/runtime.rs`")
}

fn micros(time: Duration) -> String {
    format!("{:.1} µs", time.as_secs_f64() * 1e6)
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A running server.
struct Server {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    /// A server on so many threads, with the scalars that the calls need.
    fn start(threads: usize) -> Result<Server, String> {
        let mut command = Command::new(EXECUTABLE);
        command.args(["--num-threads", &threads.to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().map_err(|trouble| format!("cannot run {EXECUTABLE}: {trouble}"))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(format!("{EXECUTABLE} has no input or output"));
        };
        let mut server = Server { process, input, output: BufReader::new(output) };
        server.answer()?;
        server.command(&format!("restore {SCALARS} elements i64 points i64 regions i64"))?;
        Ok(server)
    }

    /// The time from a command to the end of its answer.
    fn command(&mut self, command: &str) -> Result<Duration, String> {
        let before = Instant::now();
        self.input.write_all(format!("{command}\n").as_bytes()).map_err(|trouble| trouble.to_string())?;
        self.answer().map_err(|failure| format!("{command}: {failure}"))?;
        Ok(before.elapsed())
    }

    /// Reads an answer to its end.
    fn answer(&mut self) -> Result<(), String> {
        let (mut lines, mut failed) = (String::new(), false);
        loop {
            let begin = lines.len();
            match self.output.read_line(&mut lines) {
                Ok(0) => return Err(format!("the server has ended: {lines}")),
                Ok(_) => {}
                Err(trouble) => return Err(trouble.to_string()),
            }
            match lines[begin..].trim_end() {
                "%%% OK" if failed => return Err(lines),
                "%%% OK" => return Ok(()),
                "%%% FAILURE" => failed = true,
                _ => {}
            }
        }
    }

    /// The page faults of the server so far that needed no disk.
    fn faults(&self) -> Result<u64, String> {
        let path = format!("/proc/{}/stat", self.process.id());
        let text = fs::read_to_string(&path).map_err(|trouble| format!("cannot read {path}: {trouble}"))?;
        // The name of the executable ends with the last parenthesis. The faults are the eighth word after it.
        let words = text.rsplit_once(')').map(|(_, rest)| rest.split_whitespace());
        let faults = words.and_then(|mut words| words.nth(7)?.parse().ok());
        faults.ok_or_else(|| format!("{path} has no page faults: {text}"))
    }

    /// Ends the server by closing its input.
    fn end(mut self) -> Result<(), String> {
        drop(self.input);
        match self.process.wait() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{EXECUTABLE}: {status}")),
            Err(trouble) => Err(trouble.to_string()),
        }
    }
}
