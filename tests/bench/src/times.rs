//! Measures and formats times.

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
