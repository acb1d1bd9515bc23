//! The chunks of a parallel region, divided over its threads.
//!
//! Each thread has a *range* of neighbouring chunks, which it runs in order. When its range is empty, it takes chunks of
//! the other ranges, one by one. So work is balanced, threads rarely write to the same line of the cache, and in a loop
//! of regions over equal points each thread finds most of its data in the cache of its core.

use std::sync::atomic::{AtomicI64, Ordering};

/// The ranges of all threads of a call.
pub struct Ranges(Vec<Range>);

/// The chunks of a thread that have not been taken. It has lines of the cache of its own: two, because some processors
/// fetch lines in pairs.
#[repr(align(128))]
#[derive(Default)]
pub struct Range {
    next: AtomicI64,
    end: AtomicI64,
}

impl Ranges {
    /// Ranges for this many threads, which are at least one.
    pub fn new(threads: usize) -> Ranges {
        Ranges((0..threads).map(|_| Range::default()).collect())
    }

    /// Divides `count` chunks, which are at least one. Returns a range for each thread that gets any.
    pub fn divide(&self, count: i64) -> &[Range] {
        let ranges = &self.0[..self.0.len().min(usize::try_from(count).unwrap_or(usize::MAX))];
        let threads = ranges.len() as i64;
        let (each, rest) = (count / threads, count % threads);
        let mut begin = 0;
        for (thread, range) in (0..).zip(ranges) {
            range.next.store(begin, Ordering::Relaxed);
            begin += each + i64::from(thread < rest);
            range.end.store(begin, Ordering::Relaxed);
        }
        ranges
    }
}

impl Range {
    /// Takes the number of the next chunk, if there is one.
    pub fn take(&self) -> Option<i64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.end.load(Ordering::Relaxed)).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_each_chunk_once_and_nearly_equal_lengths() {
        for threads in [1, 2, 3, 8, 2000] {
            let ranges = Ranges::new(threads);
            for count in [7, 1, 2, 8, 1000] {
                let ranges = ranges.divide(count);
                let taken: Vec<Vec<i64>> =
                    ranges.iter().map(|range| std::iter::from_fn(|| range.take()).collect()).collect();
                assert!(
                    taken.concat().into_iter().eq(0..count),
                    "{count} chunks, {threads} threads: {taken:?}"
                );
                let lengths = || taken.iter().map(Vec::len);
                assert!(
                    lengths().min() > Some(0) && lengths().max() <= lengths().min().map(|least| least + 1)
                );
            }
        }
    }
}
