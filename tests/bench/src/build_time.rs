//! The build time of whole files with all their entry points, as the user sees it.

use std::time::Duration;

use ravel_support::command::ravel;

use crate::times::{median, millis, timed};

/// The number of builds of each file; the median is shown.
const TIMES: usize = 7;

/// The folder for the output of builds.
const FOLDER: &str = "target/tmp/built";

/// Prints a table with a row for each of these programs.
///
/// # Errors
/// A failed build.
pub fn print<'a>(programs: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
    println!("| file | for the CPU | for the GPU |");
    println!("| --- | ---: | ---: |");
    for program in programs {
        let [cpu, gpu] = ["cpu", "gpu"].map(|backend| building(program, backend));
        println!("| `{program}` | {} | {} |", millis(cpu?), millis(gpu?));
    }
    Ok(())
}

/// The time of `ravel build` from start to end. It writes only a manifest, no executable.
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
