//! How long whole files take to compile, with all their entry points, as who builds them waits for it.

use std::time::Duration;

use ravel_support::command::ravel;

use crate::times::{median, millis, timed};

/// How often each is built; the median is shown.
const TIMES: usize = 7;

/// Where what is written of a build goes.
const FOLDER: &str = "target/tmp/built";

/// Prints a table with a row for each of these programs.
///
/// # Errors
/// What went wrong.
pub fn print<'a>(programs: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
    println!("| file | for the CPU | for the GPU |");
    println!("| --- | ---: | ---: |");
    for program in programs {
        let [cpu, gpu] = ["cpu", "gpu"].map(|backend| building(program, backend));
        println!("| `{program}` | {} | {} |", millis(cpu?), millis(gpu?));
    }
    Ok(())
}

/// How long `ravel build` takes, from its start to its end, if it writes no executable but a page about it.
fn building(program: &str, backend: &str) -> Result<Duration, String> {
    let file = format!("programs/{program}.dsl");
    let args = ["build", "--backend", backend, "--emit", "manifest", "-o", FOLDER, &file];
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let mut built = Ok(());
        times.push(timed(|| built = ravel(&args, b"").map(drop)));
        built?;
    }
    Ok(median(times))
}
