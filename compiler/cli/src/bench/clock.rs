//! The processor time of this process.
//!
//! On a shared machine, the elapsed time of a run includes waiting for a processor, which is not a property of the program. The
//! processor time of its threads is.

/// The processor time of all threads of this process, in seconds; none if the system does not count it.
pub fn processor_time() -> Option<f64> {
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
        let before = super::processor_time().expect("the system counts");
        (0..1_000_000_u64).for_each(|number| {
            black_box(number);
        });
        assert!(super::processor_time().expect("the system counts") > before);
    }
}
