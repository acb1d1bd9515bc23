//! How long the processor worked for this process.
//!
//! On a machine that others use too, a run waits for its turn, and how long it waits has nothing to do
//! with the program. How long its threads were at work has.

/// The seconds that all threads of this process were at work together; none where the system does
/// not count them.
pub fn worked() -> Option<f64> {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Some(time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9)
    }
    #[cfg(not(unix))]
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::hint::black_box;

    #[test]
    fn work_is_counted() {
        let before = super::worked().expect("the system counts");
        (0..1_000_000_u64).for_each(|number| {
            black_box(number);
        });
        assert!(super::worked().expect("the system counts") > before);
    }
}
