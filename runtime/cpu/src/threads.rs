//! Pools of threads, with stacks as large as the system grants.

use std::thread::{Builder, JoinHandle};

use ravel_abi::{Failure, memory};
use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};

use crate::allocator::keep_reserve;
use crate::stack;

/// Starts a pool with this many threads.
pub fn start(count: usize) -> Result<ThreadPool, Failure> {
    keep_reserve();
    let [most, less @ ..] = stack::SIZES;
    less.into_iter()
        .fold(start_with_stacks(count, most), |pool, size| pool.or_else(|_| start_with_stacks(count, size)))
        .map_err(|error| Failure::System(format!("cannot start {count} threads: {error}")))
}

/// Starts a pool whose threads have stacks of `size` bytes.
fn start_with_stacks(count: usize, size: usize) -> Result<ThreadPool, String> {
    memory::check_room_for_stacks(count, size).map_err(|error| error.to_string())?;
    let mut started: Vec<JoinHandle<()>> = Vec::new();
    let start = |thread: ThreadBuilder| {
        let builder = Builder::new().name(format!("ravel-{}", thread.index())).stack_size(size);
        started.push(builder.spawn(move || {
            stack::begin(size);
            thread.run();
        })?);
        Ok(())
    };
    let pool = ThreadPoolBuilder::new().num_threads(count).spawn_handler(start).build();
    pool.map_err(|error| {
        // A smaller pool may need the memory of these threads, which end now.
        for thread in started {
            let _ended = thread.join();
        }
        error.to_string()
    })
}
