//! The two ways to run code on all chunks of a result: in order, or on rayon's threads.

use rayon::prelude::*;

/// About the fewest elements of a rayon task: shorter chunks share one task.
const LEAST: usize = 4096;

/// A way to run code on the chunks of a slice.
pub trait Chunks {
    /// Runs `code` on each chunk of `size` elements, with its number. The last chunk may be shorter.
    fn each<T: Send>(elements: &mut [T], size: usize, code: impl Fn(usize, &mut [T]) + Sync + Send);

    /// Runs `code` on each pair of chunks of `size` elements, with its number.
    fn each_pair<T: Send>(
        pair: [&mut [T]; 2],
        size: usize,
        code: impl Fn(usize, [&mut [T]; 2]) + Sync + Send,
    );
}

/// One chunk after the other.
pub struct InOrder;

impl Chunks for InOrder {
    fn each<T: Send>(elements: &mut [T], size: usize, code: impl Fn(usize, &mut [T]) + Sync + Send) {
        elements.chunks_mut(size).enumerate().for_each(|(number, chunk)| code(number, chunk));
    }

    fn each_pair<T: Send>(
        [a, b]: [&mut [T]; 2],
        size: usize,
        code: impl Fn(usize, [&mut [T]; 2]) + Sync + Send,
    ) {
        let pairs = a.chunks_exact_mut(size).zip(b.chunks_exact_mut(size));
        pairs.enumerate().for_each(|(number, (a, b))| code(number, [a, b]));
    }
}

/// Side by side, on rayon's threads.
pub struct InParallel;

impl Chunks for InParallel {
    fn each<T: Send>(elements: &mut [T], size: usize, code: impl Fn(usize, &mut [T]) + Sync + Send) {
        let chunks = elements.par_chunks_mut(size).enumerate().with_min_len((LEAST / size).max(1));
        chunks.for_each(|(number, chunk)| code(number, chunk));
    }

    fn each_pair<T: Send>(
        [a, b]: [&mut [T]; 2],
        size: usize,
        code: impl Fn(usize, [&mut [T]; 2]) + Sync + Send,
    ) {
        let pairs = a.par_chunks_exact_mut(size).zip(b.par_chunks_exact_mut(size)).enumerate();
        pairs.with_min_len((LEAST / size).max(1)).for_each(|(number, (a, b))| code(number, [a, b]));
    }
}
