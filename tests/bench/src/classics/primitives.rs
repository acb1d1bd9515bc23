//! Primitives over whole arrays (`tests/run/classics/primitives.dsl`).

use rayon::prelude::*;

use ravel_abi::Value;
use ravel_support::values::scalar;

use super::chunks::{Chunks, InOrder, InParallel};
use super::inputs::Numbers;
use super::{Classic, Run, array, classic, count, elements, shape, vector};

/// The elements that one task of rayon takes in loops over memory.
const CHUNK: usize = 1 << 16;

pub fn all() -> Vec<Classic> {
    vec![
        classic("saxpy", "10^7 f32", (saxpy_input, 10_000_000), [saxpy, saxpy_parallel], 1e-6),
        classic("dot", "10^7 f32", (dot_input, 10_000_000), [dot, dot_parallel], 1e-4),
        classic("sum", "10^7 f64", (sum_input, 10_000_000), [sum, sum_parallel], 1e-10),
        classic("prefix_sum", "10^7 i32", (integers, 10_000_000), [prefix_sum, prefix_sum_parallel], 0.0),
        classic("row_sums", "100 rows of 10^5 f32", (long_rows, 100), [row_sums, row_sums_parallel], 1e-4),
        classic(
            "row_sums",
            "10^6 rows of 10 f32",
            (short_rows, 1_000_000),
            [row_sums, row_sums_parallel],
            1e-4,
        ),
        classic(
            "segment_sums",
            "10^7 f32 in segments of about 10",
            (short_segments, 10_000_000),
            [segment_sums, segment_sums_parallel],
            1e-4,
        ),
        classic(
            "segment_sums",
            "10^7 f32 in segments of about 10^5",
            (long_segments, 10_000_000),
            [segment_sums, segment_sums_parallel],
            1e-3,
        ),
        classic(
            "positive",
            "10^7 i32, half of them positive",
            (integers, 10_000_000),
            [positive, positive_parallel],
            0.0,
        ),
        classic(
            "histogram",
            "10^7 in 256 bins",
            (few_bins, 10_000_000),
            [histogram, histogram_parallel],
            0.0,
        ),
        classic(
            "histogram",
            "10^7 in 10^6 bins",
            (many_bins, 10_000_000),
            [histogram, histogram_parallel],
            0.0,
        ),
        classic(
            "transposed",
            "4000 x 4000 f32",
            (square, 4000),
            [transposed::<InOrder>, transposed::<InParallel>],
            0.0,
        ),
        classic("word_count", "3 x 10^7 bytes", (text, 30_000_000), [word_count, word_count_parallel], 0.0),
        classic("radix", "10^6 u32", (words, 1_000_000), [radix, radix_parallel], 0.0),
        classic("merge", "10^6 f64", (sum_input, 1_000_000), [merge, merge_parallel], 0.0),
    ]
}

fn saxpy_input(n: usize) -> Vec<Value> {
    let mut numbers = Numbers::new();
    vec![scalar(2.5f32), numbers.units(&[n]), numbers.units(&[n])]
}

fn dot_input(n: usize) -> Vec<Value> {
    let mut numbers = Numbers::new();
    vec![numbers.units(&[n]), numbers.units(&[n])]
}

fn sum_input(n: usize) -> Vec<Value> {
    vec![Numbers::new().vector(n, |numbers| numbers.between(0.0, 1.0))]
}

fn integers(n: usize) -> Vec<Value> {
    vec![Numbers::new().vector(n, |numbers| numbers.below(200) as i32 - 100)]
}

fn words(n: usize) -> Vec<Value> {
    vec![Numbers::new().vector(n, |numbers| numbers.bits() as u32)]
}

fn long_rows(n: usize) -> Vec<Value> {
    vec![Numbers::new().units(&[n, 100_000])]
}

fn short_rows(n: usize) -> Vec<Value> {
    vec![Numbers::new().units(&[n, 10])]
}

/// Numbers in segments of this mean length.
fn segments(n: usize, length: u64) -> Vec<Value> {
    let mut numbers = Numbers::new();
    let flags = numbers.vector(n, |numbers| numbers.below(length) == 0);
    vec![flags, numbers.units(&[n])]
}

fn short_segments(n: usize) -> Vec<Value> {
    segments(n, 10)
}

fn long_segments(n: usize) -> Vec<Value> {
    segments(n, 100_000)
}

fn square(n: usize) -> Vec<Value> {
    vec![Numbers::new().units(&[n, n])]
}

fn keys(n: usize, bins: u64) -> Vec<Value> {
    vec![scalar(bins as i64), Numbers::new().vector(n, |numbers| numbers.below(bins) as i32)]
}

fn few_bins(n: usize) -> Vec<Value> {
    keys(n, 256)
}

fn many_bins(n: usize) -> Vec<Value> {
    keys(n, 1_000_000)
}

fn text(n: usize) -> Vec<Value> {
    let letter =
        |numbers: &mut Numbers| if numbers.below(6) == 0 { b' ' } else { b'a' + numbers.below(26) as u8 };
    vec![Numbers::new().vector(n, letter)]
}

/// The arguments of `saxpy`.
fn scaled(input: &[Value]) -> Option<(f32, &[f32], &[f32])> {
    let [Value::Scalar(ravel_prim::PrimValue::F32(a)), xs, ys] = input else { return None };
    Some((*a, elements(xs)?, elements(ys)?))
}

fn saxpy(input: &[Value]) -> Option<Run<'_>> {
    let (a, xs, ys) = scaled(input)?;
    Some(Box::new(move || vec![vector(xs.iter().zip(ys).map(|(x, y)| a * x + y).collect::<Vec<f32>>())]))
}

fn saxpy_parallel(input: &[Value]) -> Option<Run<'_>> {
    let (a, xs, ys) = scaled(input)?;
    Some(Box::new(move || vec![vector(xs.par_iter().zip(ys).map(|(x, y)| a * x + y).collect::<Vec<f32>>())]))
}

/// The sum of products, in as many accumulators as fill a few vector registers.
fn dot_of(xs: &[f32], ys: &[f32]) -> f32 {
    let mut sums = [0f32; 32];
    let (mut x_chunks, mut y_chunks) = (xs.chunks_exact(32), ys.chunks_exact(32));
    for (xs, ys) in (&mut x_chunks).zip(&mut y_chunks) {
        for ((sum, x), y) in sums.iter_mut().zip(xs).zip(ys) {
            *sum += x * y;
        }
    }
    let rest = x_chunks.remainder().iter().zip(y_chunks.remainder()).map(|(x, y)| x * y);
    sums.iter().sum::<f32>() + rest.sum::<f32>()
}

fn dot(input: &[Value]) -> Option<Run<'_>> {
    let [xs, ys] = input else { return None };
    let (xs, ys) = (elements(xs)?, elements(ys)?);
    Some(Box::new(move || vec![scalar(dot_of(xs, ys))]))
}

fn dot_parallel(input: &[Value]) -> Option<Run<'_>> {
    let [xs, ys] = input else { return None };
    let (xs, ys) = (elements::<f32>(xs)?, elements::<f32>(ys)?);
    Some(Box::new(move || {
        let parts = xs.par_chunks(CHUNK).zip(ys.par_chunks(CHUNK));
        vec![scalar(parts.map(|(xs, ys)| dot_of(xs, ys)).sum::<f32>())]
    }))
}

/// The sum in as many accumulators as fill a few vector registers.
fn sum_of(xs: &[f64]) -> f64 {
    let mut sums = [0f64; 16];
    let mut chunks = xs.chunks_exact(16);
    for xs in &mut chunks {
        sums.iter_mut().zip(xs).for_each(|(sum, x)| *sum += x);
    }
    sums.iter().sum::<f64>() + chunks.remainder().iter().sum::<f64>()
}

fn sum(input: &[Value]) -> Option<Run<'_>> {
    let xs = elements(input.first()?)?;
    Some(Box::new(move || vec![scalar(sum_of(xs))]))
}

fn sum_parallel(input: &[Value]) -> Option<Run<'_>> {
    let xs = elements::<f64>(input.first()?)?;
    Some(Box::new(move || vec![scalar(xs.par_chunks(CHUNK).map(sum_of).sum::<f64>())]))
}

/// Appends the sums of the segments that a flag begins, and returns the sum of the elements before the first of these.
fn extend_by_segments(sums: &mut Vec<f32>, flags: &[bool], xs: &[f32]) -> f32 {
    let first = flags.iter().position(|&begins| begins).unwrap_or(flags.len());
    let before = xs[..first].iter().sum();
    let mut sum = 0.0;
    for (place, (&begins, x)) in flags[first..].iter().zip(&xs[first..]).enumerate() {
        if begins && place > 0 {
            sums.push(sum);
            sum = 0.0;
        }
        sum += x;
    }
    sums.extend((first < flags.len()).then_some(sum));
    before
}

/// The arguments of `segment_sums`.
fn flagged(input: &[Value]) -> Option<(&[bool], &[f32])> {
    let [flags, xs] = input else { return None };
    Some((elements(flags)?, elements(xs)?))
}

fn segment_sums(input: &[Value]) -> Option<Run<'_>> {
    let (flags, xs) = flagged(input)?;
    Some(Box::new(move || {
        let mut sums = Vec::new();
        let before = extend_by_segments(&mut sums, flags, xs);
        if flags.first() == Some(&false) {
            sums.insert(0, before);
        }
        vec![vector(sums)]
    }))
}

fn segment_sums_parallel(input: &[Value]) -> Option<Run<'_>> {
    let (flags, xs) = flagged(input)?;
    Some(Box::new(move || {
        let chunks = flags.par_chunks(CHUNK).zip(xs.par_chunks(CHUNK));
        let parts: Vec<(f32, Vec<f32>)> = chunks
            .map(|(flags, xs)| {
                let mut sums = Vec::new();
                (extend_by_segments(&mut sums, flags, xs), sums)
            })
            .collect();
        let mut all: Vec<f32> = Vec::new();
        for (before, sums) in parts {
            match all.last_mut() {
                Some(last) => *last += before,
                None => all.extend((flags.first() == Some(&false)).then_some(before)),
            }
            all.extend(sums);
        }
        vec![vector(all)]
    }))
}

/// Appends the sums of all prefixes, each plus `start`.
fn extend_by_sums(sums: &mut Vec<i32>, xs: &[i32]) {
    let mut sum = 0i32;
    sums.extend(xs.iter().map(|x| {
        sum = sum.wrapping_add(*x);
        sum
    }));
}

fn prefix_sum(input: &[Value]) -> Option<Run<'_>> {
    let xs = elements::<i32>(input.first()?)?;
    Some(Box::new(move || {
        let mut sums = Vec::with_capacity(xs.len());
        extend_by_sums(&mut sums, xs);
        vec![vector(sums)]
    }))
}

fn prefix_sum_parallel(input: &[Value]) -> Option<Run<'_>> {
    let xs = elements::<i32>(input.first()?)?;
    Some(Box::new(move || {
        let totals: Vec<i32> = xs.par_chunks(CHUNK).map(|xs| xs.iter().sum()).collect();
        let mut before = Vec::with_capacity(totals.len());
        extend_by_sums(&mut before, &totals);
        let mut sums = vec![0i32; xs.len()];
        let chunks = sums.par_chunks_mut(CHUNK).zip(xs.par_chunks(CHUNK)).enumerate();
        chunks.for_each(|(chunk, (sums, xs))| {
            let mut sum = if chunk == 0 { 0 } else { before[chunk - 1] };
            for (place, x) in sums.iter_mut().zip(xs) {
                sum += x;
                *place = sum;
            }
        });
        vec![vector(sums)]
    }))
}

/// The sum of a row. A short row is too short for accumulators in a vector register.
fn row_sum(row: &[f32]) -> f32 {
    if row.len() < 64 {
        return row.iter().sum();
    }
    let mut sums = [0f32; 32];
    let mut chunks = row.chunks_exact(32);
    for xs in &mut chunks {
        sums.iter_mut().zip(xs).for_each(|(sum, x)| *sum += x);
    }
    sums.iter().sum::<f32>() + chunks.remainder().iter().sum::<f32>()
}

fn row_sums(input: &[Value]) -> Option<Run<'_>> {
    let (rows, &[_, width]) = (elements(input.first()?)?, shape(input.first()?)?) else { return None };
    Some(Box::new(move || vec![vector(rows.chunks_exact(width).map(row_sum).collect::<Vec<f32>>())]))
}

fn row_sums_parallel(input: &[Value]) -> Option<Run<'_>> {
    let (rows, &[_, width]) = (elements(input.first()?)?, shape(input.first()?)?) else { return None };
    Some(Box::new(move || vec![vector(rows.par_chunks_exact(width).map(row_sum).collect::<Vec<f32>>())]))
}

fn positive(input: &[Value]) -> Option<Run<'_>> {
    let xs = elements::<i32>(input.first()?)?;
    Some(Box::new(move || vec![vector(xs.iter().copied().filter(|&x| x > 0).collect::<Vec<i32>>())]))
}

fn positive_parallel(input: &[Value]) -> Option<Run<'_>> {
    let xs = elements::<i32>(input.first()?)?;
    Some(Box::new(move || vec![vector(xs.par_iter().copied().filter(|&x| x > 0).collect::<Vec<i32>>())]))
}

/// The number of keys in each bin.
fn counts_of(bins: usize, keys: &[i32]) -> Vec<i32> {
    let mut counts = vec![0i32; bins];
    for &key in keys {
        if let Some(count) = counts.get_mut(key as usize) {
            *count += 1;
        }
    }
    counts
}

fn histogram(input: &[Value]) -> Option<Run<'_>> {
    let [bins, keys] = input else { return None };
    let (bins, keys) = (count(bins)?, elements(keys)?);
    Some(Box::new(move || vec![vector(counts_of(bins, keys))]))
}

fn histogram_parallel(input: &[Value]) -> Option<Run<'_>> {
    let [bins, keys] = input else { return None };
    let (bins, keys) = (count(bins)?, elements::<i32>(keys)?);
    Some(Box::new(move || {
        // One histogram for each thread.
        let part = keys.len().div_ceil(rayon::current_num_threads()).max(1);
        let parts: Vec<Vec<i32>> = keys.par_chunks(part).map(|keys| counts_of(bins, keys)).collect();
        let sum = |bin: usize| parts.iter().map(|counts| counts[bin]).sum();
        vec![vector((0..bins).into_par_iter().with_min_len(CHUNK).map(sum).collect::<Vec<i32>>())]
    }))
}

/// Writes the columns of a matrix from `first` on as rows, in blocks that stay in the cache.
fn transpose_into(columns: &mut [f32], first: usize, matrix: &[f32], [height, width]: [usize; 2]) {
    const BLOCK: usize = 16;
    for from in (0..height).step_by(BLOCK) {
        for (column, rows) in columns.chunks_exact_mut(height).enumerate() {
            let column = first + column;
            for (row, place) in rows.iter_mut().enumerate().skip(from).take(BLOCK) {
                *place = matrix[row * width + column];
            }
        }
    }
}

/// The columns that are transposed together.
const COLUMNS: usize = 16;

fn transposed<C: Chunks>(input: &[Value]) -> Option<Run<'_>> {
    let (matrix, &[height, width]) = (elements(input.first()?)?, shape(input.first()?)?) else { return None };
    Some(Box::new(move || {
        let mut result = vec![0f32; matrix.len()];
        C::each(&mut result, COLUMNS * height, |block, columns| {
            transpose_into(columns, block * COLUMNS, matrix, [height, width]);
        });
        array(&[width, height], result)
    }))
}

fn is_space(byte: u8) -> bool {
    byte == b' ' || byte == b'\n'
}

/// Whether a word begins at the second of two bytes.
fn begins(pair: &[u8]) -> bool {
    is_space(pair[0]) && !is_space(pair[1])
}

fn word_count(input: &[Value]) -> Option<Run<'_>> {
    let text = elements::<u8>(input.first()?)?;
    Some(Box::new(move || {
        let first = text.first().is_some_and(|&byte| !is_space(byte));
        vec![scalar(text.windows(2).map(|pair| i64::from(begins(pair))).sum::<i64>() + i64::from(first))]
    }))
}

fn word_count_parallel(input: &[Value]) -> Option<Run<'_>> {
    let text = elements::<u8>(input.first()?)?;
    Some(Box::new(move || {
        let first = text.first().is_some_and(|&byte| !is_space(byte));
        vec![scalar(text.par_windows(2).map(|pair| i64::from(begins(pair))).sum::<i64>() + i64::from(first))]
    }))
}

/// Sorts by digits of eight bits, from the least significant one.
fn radix(input: &[Value]) -> Option<Run<'_>> {
    let xs = elements::<u32>(input.first()?)?;
    Some(Box::new(move || {
        let mut counts = [[0usize; 256]; 4];
        for x in xs {
            for (digit, counts) in counts.iter_mut().enumerate() {
                counts[(x >> (8 * digit)) as usize & 255] += 1;
            }
        }
        let (mut from, mut to) = (xs.to_vec(), vec![0u32; xs.len()]);
        for (digit, counts) in counts.iter_mut().enumerate() {
            let mut next = 0;
            for count in counts.iter_mut() {
                (next, *count) = (next + *count, next);
            }
            for x in &from {
                let place = &mut counts[(x >> (8 * digit)) as usize & 255];
                to[*place] = *x;
                *place += 1;
            }
            std::mem::swap(&mut from, &mut to);
        }
        vec![vector(from)]
    }))
}

fn radix_parallel(input: &[Value]) -> Option<Run<'_>> {
    let xs = elements::<u32>(input.first()?)?;
    Some(Box::new(move || {
        let mut xs = xs.to_vec();
        xs.par_sort_unstable();
        vec![vector(xs)]
    }))
}

fn merge(input: &[Value]) -> Option<Run<'_>> {
    let xs = elements::<f64>(input.first()?)?;
    Some(Box::new(move || {
        let mut xs = xs.to_vec();
        xs.sort_by(f64::total_cmp);
        vec![vector(xs)]
    }))
}

fn merge_parallel(input: &[Value]) -> Option<Run<'_>> {
    let xs = elements::<f64>(input.first()?)?;
    Some(Box::new(move || {
        let mut xs = xs.to_vec();
        xs.par_sort_by(f64::total_cmp);
        vec![vector(xs)]
    }))
}
