//! The rows of `docs/measurements.md` on the reliability of `ravel bench --compare` on this machine: a program is
//! compared with itself, and with one that does 20 % more work.

use std::fs;
use std::process::Command;

use ravel_support::command::{self, RAVEL};

use crate::measurements::row;

const PROGRAM: &str = "target/compared.dsl";
const RECORD: &str = "target/compared.json";

/// The number of comparisons of each pair.
const TIMES: usize = 10;

/// The iterations of each point in the program, and in the one with 20 % more.
const ROUNDS: [u32; 2] = [1000, 1200];

/// Prints the rows, for the CPU and for a GPU if there is one.
pub fn print() -> Result<(), String> {
    let has_gpu = command::ravel(&["devices", "--gpu"], b"").is_ok();
    for backend in if has_gpu { &["cpu", "gpu"][..] } else { &["cpu"] } {
        let bench = ["bench", "--limit", "2", "--backend", backend, PROGRAM];
        write(ROUNDS[0])?;
        command::ravel(&[&bench[..], &["--json", RECORD]].concat(), b"")?;
        for (rounds, verdict) in ROUNDS.into_iter().zip(["equal", "SLOWER"]) {
            write(rounds)?;
            let mut found = 0;
            for _ in 0..TIMES {
                let compare = [&bench[..], &["--compare", RECORD]].concat();
                let said = Command::new(RAVEL).args(compare).output();
                let said = said.map_err(|trouble| format!("cannot run {RAVEL}: {trouble}"))?;
                found +=
                    usize::from(String::from_utf8_lossy(&said.stdout).contains(&format!(": {verdict}, ")));
            }
            let device = backend.to_uppercase();
            let (what, count, aim) = match rounds == ROUNDS[0] {
                true => (
                    format!(
                        "a program compared with itself on the {device}: how often `--compare` finds a difference"
                    ),
                    TIMES - found,
                    "at most 1",
                ),
                false => (
                    format!(
                        "the same program with 20 % more work ({rounds} iterations in place of {}) on the {device}: how often \
                         `--compare` finds the slowdown",
                        ROUNDS[0]
                    ),
                    found,
                    "at least 9",
                ),
            };
            let line = format!("`ravel {} --compare {RECORD}`", bench.join(" "));
            row(&what, &line, &format!("{count} of {TIMES}"), aim);
        }
    }
    Ok(())
}

fn write(rounds: u32) -> Result<(), String> {
    let program = format!(
        "-- ==\n-- input {{ 20000i64 }}\nentry main (n: i64): f32 =\n  \
         f32.sum (map (\\i -> loop x = f32.i64 i / 2000 for _i < {rounds} do 3.7 * x * (1 - x)) (iota n))\n"
    );
    fs::write(PROGRAM, program).map_err(|trouble| format!("cannot write {PROGRAM}: {trouble}"))
}
