//! A thread pool with stacks large enough for recursion over deep trees.

use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The stack size that the compiler needs for any program within the nesting limit.
pub const LARGE_STACK: usize = 1 << 30;

/// Threads with large stacks. `None` if there would be only one thread, or if the system refuses to start them; then
/// the work runs in the thread of the caller.
#[derive(Debug)]
pub struct Workers(Option<ThreadPool>);

impl Workers {
    /// One thread for each processor, but at most `most`.
    pub fn new(most: usize) -> Workers {
        let threads = available_parallelism().map_or(1, usize::from).min(most);
        let pool = || ThreadPoolBuilder::new().num_threads(threads).stack_size(LARGE_STACK).build().ok();
        Workers((threads > 1).then(pool).flatten())
    }

    /// Applies `work` to every item; returns the results in the order of the items.
    ///
    /// # Panics
    /// If `work` panics.
    pub fn each<T: Send, R: Send>(
        &self,
        items: impl IntoIterator<Item = T>,
        work: impl Fn(T) -> R + Sync,
    ) -> Vec<R> {
        let Some(pool) = &self.0 else { return items.into_iter().map(work).collect() };
        let mut slots: Vec<(Option<T>, Option<R>)> =
            items.into_iter().map(|item| (Some(item), None)).collect();
        let work = &work;
        pool.scope_fifo(|scope| {
            for (item, result) in &mut slots {
                scope.spawn_fifo(move |_| *result = item.take().map(work));
            }
        });
        slots.into_iter().filter_map(|(_, result)| result).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_order_of_the_items() {
        for most in [1, 4] {
            let results = Workers::new(most).each(0..1000, |item| item * 2);
            assert_eq!(results, (0..1000).map(|item| item * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_panic_in_a_worker_is_propagated() {
        let work = || Workers::new(2).each([1, 2, 3], |item| assert_ne!(item, 2));
        assert!(std::panic::catch_unwind(work).is_err());
    }
}
