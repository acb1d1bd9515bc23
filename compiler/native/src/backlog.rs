//! Work that begins while its items are still produced, the largest item first.

use std::collections::BinaryHeap;
use std::panic::resume_unwind;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle, available_parallelism, scope};

use ravel_base::LARGE_STACK;

/// Items that wait for a thread. A thread takes the largest one.
pub(crate) struct Backlog<T> {
    state: Mutex<State<T>>,
    /// Signalled when an item is added, and when the last one has been added.
    changed: Condvar,
}

struct State<T> {
    /// The sizes and numbers of the waiting items.
    waiting: BinaryHeap<(usize, usize)>,
    /// The items by number, until a thread takes them.
    items: Vec<Option<T>>,
    /// The sum of the sizes of all items so far.
    size: usize,
    /// Whether all items have been added.
    complete: bool,
}

impl<T: Send> Backlog<T> {
    /// Applies `work` to every item that `produce` adds. Returns the result of `produce`, and the results of the items in
    /// the order in which they were added.
    ///
    /// The thread of the caller runs `produce`, and then takes part in the work. Other threads begin at once: one for each
    /// processor, but at most one for each `size_per_thread` of the items' total size so far.
    ///
    /// # Panics
    /// If `work` or `produce` panics.
    pub fn process<R: Send, P>(
        size_per_thread: usize,
        work: impl Fn(T) -> R + Sync,
        produce: impl FnOnce(&mut dyn FnMut(usize, T)) -> P,
    ) -> (P, Vec<R>) {
        let state = State { waiting: BinaryHeap::new(), items: Vec::new(), size: 0, complete: false };
        let backlog = Backlog { state: Mutex::new(state), changed: Condvar::new() };
        let processors = available_parallelism().map_or(1, usize::from);
        let (backlog, work) = (&backlog, &work);
        scope(|scope| {
            let mut helpers = Vec::new();
            // Also if `produce` panics: the scope waits for the helpers.
            let completion = Completion(backlog);
            let produced = produce(&mut |size, item| {
                let total = backlog.add(size, item);
                if helpers.len() + 1 < processors.min(1 + total / size_per_thread) {
                    helpers.extend(backlog.helper(scope, work));
                }
            });
            drop(completion);
            let mut results = backlog.work_off(work);
            for helper in helpers {
                results.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            results.sort_by_key(|&(number, _)| number);
            (produced, results.into_iter().map(|(_, result)| result).collect())
        })
    }

    /// A thread that works until no item is left; `None` if the system refuses to start it.
    fn helper<'s, R: Send + 's>(
        &'s self,
        scope: &'s Scope<'s, '_>,
        work: &'s (impl Fn(T) -> R + Sync),
    ) -> Option<ScopedJoinHandle<'s, Vec<(usize, R)>>> {
        Builder::new().stack_size(LARGE_STACK).spawn_scoped(scope, move || self.work_off(work)).ok()
    }

    /// Adds an item. Returns the total size so far.
    fn add(&self, size: usize, item: T) -> usize {
        let mut state = self.lock();
        let number = state.items.len();
        state.items.push(Some(item));
        state.waiting.push((size, number));
        state.size += size;
        self.changed.notify_one();
        state.size
    }

    /// Works until all items have been added and taken. Returns the results with the numbers of their items.
    fn work_off<R>(&self, work: &impl Fn(T) -> R) -> Vec<(usize, R)> {
        let mut results = Vec::new();
        while let Some((number, item)) = self.take() {
            results.push((number, work(item)));
        }
        results
    }

    /// The largest item that waits, with its number. Waits for one unless all items have been added.
    fn take(&self) -> Option<(usize, T)> {
        let mut state = self.lock();
        loop {
            if let Some((_, number)) = state.waiting.pop() {
                return state.items[number].take().map(|item| (number, item));
            }
            if state.complete {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No panic leaves the state half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When it is dropped, all items have been added.
struct Completion<'b, T: Send>(&'b Backlog<T>);

impl<T: Send> Drop for Completion<'_, T> {
    fn drop(&mut self) {
        self.0.lock().complete = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn results_have_the_order_of_the_items() {
        for size_per_thread in [1, usize::MAX] {
            let (produced, results) = Backlog::process(
                size_per_thread,
                |item| item * 2,
                |add| {
                    (0..1000).for_each(|item| add(item % 7, item));
                    "done"
                },
            );
            assert_eq!((produced, results), ("done", (0..1000).map(|item| item * 2).collect::<Vec<_>>()));
        }
    }

    #[test]
    fn the_largest_item_is_taken_first() {
        let order = Mutex::new(Vec::new());
        let work = |item: usize| order.lock().unwrap().push(item);
        Backlog::process(usize::MAX, work, |add| [2, 5, 3].into_iter().for_each(|item| add(item, item)));
        assert_eq!(*order.lock().unwrap(), [5, 3, 2]);
    }

    #[test]
    fn a_panic_of_work_or_of_the_producer_is_propagated() {
        let work =
            || Backlog::process(1, |item| assert_ne!(item, 2), |add| (0..9).for_each(|item| add(1, item)));
        assert!(catch_unwind(work).is_err());
        let produce = || {
            Backlog::process(
                1,
                |item: usize| item,
                |add| {
                    add(1, 1);
                    panic!("the producer");
                },
            )
        };
        assert!(catch_unwind(AssertUnwindSafe(produce)).is_err());
    }
}
