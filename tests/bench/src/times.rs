//! Measures and formats times, and names the machine.

use std::time::{Duration, Instant};

/// The time that the work takes.
pub fn timed(work: impl FnOnce()) -> Duration {
    let before = Instant::now();
    work();
    before.elapsed()
}

/// The median.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// A time in milliseconds, as text.
pub fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// A time divided by another one, as text.
pub fn ratio(a: Duration, b: Duration) -> String {
    format!("{:.2}", a.as_secs_f64() / b.as_secs_f64())
}

/// The processor's name from the system, and the number of its cores.
pub fn processor() -> String {
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = about.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} ({cores} cores)", model.map_or(std::env::consts::ARCH, |(_, model)| model))
}
