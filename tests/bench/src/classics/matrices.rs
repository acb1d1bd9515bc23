//! Dense matrices, transforms and grids (`tests/run/classics/matrices.dsl`).

use std::f64::consts::TAU;
use std::mem::swap;

use rayon::prelude::*;

use ravel_abi::Value;
use ravel_support::values::{array as array_of, scalar};

use super::chunks::{Chunks, InOrder, InParallel};
use super::inputs::Numbers;
use super::{Classic, Prepare, Run, array, classic, count, elements, shape, vector};

pub fn all() -> Vec<Classic> {
    let products: [Prepare; 2] = [product, product_parallel];
    vec![
        classic("product", "256 x 256 f32", (two_squares, 256), products, 1e-4),
        classic("product", "512 x 512 f32", (two_squares, 512), products, 1e-4),
        classic("product", "1024 x 1024 f32", (two_squares, 1024), products, 1e-4),
        classic("product", "2048 x 2048 f32", (two_squares, 2048), products, 1e-4),
        classic("lu", "512 x 512 f64", (diagonally_dominant, 512), [lu::<InOrder>, lu::<InParallel>], 1e-9),
        classic("fft", "2^20 complex f64", (complex, 1 << 20), [fft::<InOrder>, fft::<InParallel>], 1e-6),
        classic(
            "stencil_2d",
            "2000 x 2000 f32, 10 rounds",
            (square, 2000),
            [stencil_2d::<InOrder>, stencil_2d::<InParallel>],
            1e-4,
        ),
        classic(
            "stencil_3d",
            "200^3 f32, 10 rounds",
            (cube, 200),
            [stencil_3d::<InOrder>, stencil_3d::<InParallel>],
            1e-4,
        ),
    ]
}

fn two_squares(n: usize) -> Vec<Value> {
    let mut numbers = Numbers::new();
    vec![numbers.units(&[n, n]), numbers.units(&[n, n])]
}

/// A matrix that needs no pivots.
fn diagonally_dominant(n: usize) -> Vec<Value> {
    let mut numbers = Numbers::new();
    let element =
        |at: usize| numbers.between(0.0, 1.0) + if at.is_multiple_of(n + 1) { n as f64 } else { 0.0 };
    vec![array_of(&[n, n], &(0..n * n).map(element).collect::<Vec<f64>>())]
}

/// Real and imaginary parts.
fn complex(n: usize) -> Vec<Value> {
    let mut numbers = Numbers::new();
    vec![
        numbers.vector(n, |numbers| numbers.between(0.0, 1.0)),
        numbers.vector(n, |numbers| numbers.between(0.0, 1.0)),
    ]
}

fn square(n: usize) -> Vec<Value> {
    vec![Numbers::new().units(&[n, n]), scalar(10i32)]
}

fn cube(n: usize) -> Vec<Value> {
    vec![Numbers::new().units(&[n, n, n]), scalar(10i32)]
}

/// The rows and the columns of a block of the product, which stays in registers.
const TILE: [usize; 2] = [4, 32];

/// Computes the rows of a product that belong to these rows of the first matrix. Sizes are multiples of [`TILE`].
fn product_rows(rows: &[f32], b: &[f32], width: usize, result: &mut [f32]) {
    let inner = b.len() / width;
    for column in (0..width).step_by(TILE[1]) {
        for (rows, result) in rows.chunks_exact(TILE[0] * inner).zip(result.chunks_exact_mut(TILE[0] * width))
        {
            let mut sums = [[0f32; TILE[1]]; TILE[0]];
            for (k, b) in b.chunks_exact(width).enumerate() {
                let b = &b[column..column + TILE[1]];
                for (row, sums) in sums.iter_mut().enumerate() {
                    let factor = rows[row * inner + k];
                    sums.iter_mut().zip(b).for_each(|(sum, x)| *sum = factor.mul_add(*x, *sum));
                }
            }
            for (sums, result) in sums.iter().zip(result.chunks_exact_mut(width)) {
                result[column..column + TILE[1]].copy_from_slice(sums);
            }
        }
    }
}

fn product(input: &[Value]) -> Option<Run<'_>> {
    let [a, b] = input else { return None };
    let (a, &[height, _], b, &[_, width]) = (elements(a)?, shape(a)?, elements(b)?, shape(b)?) else {
        return None;
    };
    Some(Box::new(move || {
        let mut result = vec![0f32; height * width];
        product_rows(a, b, width, &mut result);
        array(&[height, width], result)
    }))
}

fn product_parallel(input: &[Value]) -> Option<Run<'_>> {
    let [a, b] = input else { return None };
    let (a, &[height, inner]) = (elements::<f32>(a)?, shape(a)?) else { return None };
    let (b, &[_, width]) = (elements(b)?, shape(b)?) else { return None };
    Some(Box::new(move || {
        let mut result = vec![0f32; height * width];
        // Enough rows in a part that each strip of columns is read from the cache.
        let rows = 32;
        let parts = result.par_chunks_mut(rows * width).zip(a.par_chunks(rows * inner));
        parts.for_each(|(result, a)| product_rows(a, b, width, result));
        array(&[height, width], result)
    }))
}

/// Subtracts a multiple of the pivots' row from a row below it.
fn eliminate(row: &mut [f64], pivots: &[f64], k: usize) {
    let factor = row[k] / pivots[k];
    row[k] = factor;
    row[k + 1..].iter_mut().zip(&pivots[k + 1..]).for_each(|(x, pivot)| *x -= factor * pivot);
}

fn lu<C: Chunks>(input: &[Value]) -> Option<Run<'_>> {
    let (a, &[n, _]) = (elements::<f64>(input.first()?)?, shape(input.first()?)?) else { return None };
    Some(Box::new(move || {
        let mut a = a.to_vec();
        for k in 0..n {
            let (above, below) = a.split_at_mut((k + 1) * n);
            C::each(below, n, |_, row| eliminate(row, &above[k * n..], k));
        }
        array(&[n, n], a)
    }))
}

/// A real and an imaginary part of the same length.
type Parts<'a> = [&'a [f64]; 2];

/// The roots of unity that a transform of `n` numbers needs.
fn roots(n: usize) -> [Vec<f64>; 2] {
    let angle = |i: usize| TAU * i as f64 / n as f64;
    [(0..n / 2).map(|i| angle(i).cos()).collect(), (0..n / 2).map(|i| -angle(i).sin()).collect()]
}

/// Combines two transforms into one of twice their length.
fn butterfly([a, b]: Parts, [c, d]: Parts, [cosine, sine]: [f64; 2], [re, im]: [&mut [f64]; 2]) {
    let done = a.len();
    let ((re_sum, re_rest), (im_sum, im_rest)) = (re.split_at_mut(done), im.split_at_mut(done));
    let sums = re_sum.iter_mut().zip(im_sum).zip(re_rest.iter_mut().zip(im_rest));
    for ((((re_sum, im_sum), (re_rest, im_rest)), (a, b)), (c, d)) in
        sums.zip(a.iter().zip(b)).zip(c.iter().zip(d))
    {
        let (x, y) = (a - c, b - d);
        (*re_sum, *im_sum) = (a + c, b + d);
        (*re_rest, *im_rest) = (x * cosine - y * sine, x * sine + y * cosine);
    }
}

/// The arguments of `butterfly` number `block`, but for the place of its result.
fn of_block<'a>(re: &'a [f64], im: &'a [f64], done: usize, block: usize) -> [Parts<'a>; 2] {
    let half = re.len() / 2;
    let (first, second) = (block * done..(block + 1) * done, half + block * done..half + (block + 1) * done);
    [[&re[first.clone()], &im[first]], [&re[second.clone()], &im[second]]]
}

/// Source: Stockham, High-speed convolution and correlation (Spring Joint Computer Conference 1966).
fn fft<C: Chunks>(input: &[Value]) -> Option<Run<'_>> {
    let [re, im] = input else { return None };
    let (re, im) = (elements::<f64>(re)?, elements::<f64>(im)?);
    Some(Box::new(move || {
        let n = re.len();
        let [cosines, sines] = roots(n);
        let (mut re, mut im) = (re.to_vec(), im.to_vec());
        let (mut next_re, mut next_im) = (vec![0f64; n], vec![0f64; n]);
        let mut done = 1;
        while done < n {
            C::each_pair([&mut next_re, &mut next_im], 2 * done, |block, results| {
                let [first, second] = of_block(&re, &im, done, block);
                butterfly(first, second, [cosines[block * done], sines[block * done]], results);
            });
            swap(&mut re, &mut next_re);
            swap(&mut im, &mut next_im);
            done *= 2;
        }
        vec![vector(re), vector(im)]
    }))
}

/// Row `i` of the next grid.
fn stencil_row(grid: &[f32], [height, width]: [usize; 2], i: usize, next: &mut [f32]) {
    let row = |i: usize| &grid[i * width..(i + 1) * width];
    let here = row(i);
    if i == 0 || i == height - 1 || width < 3 {
        next.copy_from_slice(here);
        return;
    }
    let (above, below) = (row(i - 1), row(i + 1));
    (next[0], next[width - 1]) = (here[0], here[width - 1]);
    let inner = next[1..width - 1].iter_mut().zip(here.windows(3)).zip(&above[1..]).zip(&below[1..]);
    for (((next, here), above), below) in inner {
        *next = 0.2 * (here[1] + above + below + here[0] + here[2]);
    }
}

fn stencil_2d<C: Chunks>(input: &[Value]) -> Option<Run<'_>> {
    let [grid, rounds] = input else { return None };
    let (elements, &[height, width]) = (elements::<f32>(grid)?, shape(grid)?) else { return None };
    let rounds = count(rounds)?;
    Some(Box::new(move || {
        let (mut grid, mut next) = (elements.to_vec(), vec![0f32; elements.len()]);
        for _ in 0..rounds {
            C::each(&mut next, width, |i, next| stencil_row(&grid, [height, width], i, next));
            swap(&mut grid, &mut next);
        }
        array(&[height, width], grid)
    }))
}

/// Layer `x` of the next box.
fn stencil_layer(grid: &[f32], [depth, height, width]: [usize; 3], x: usize, next: &mut [f32]) {
    let row = |x: usize, y: usize| &grid[(x * height + y) * width..][..width];
    for (y, next) in next.chunks_exact_mut(width).enumerate() {
        let here = row(x, y);
        if x == 0 || x == depth - 1 || y == 0 || y == height - 1 || width < 3 {
            next.copy_from_slice(here);
            continue;
        }
        let [before, after, above, below] = [row(x - 1, y), row(x + 1, y), row(x, y - 1), row(x, y + 1)];
        (next[0], next[width - 1]) = (here[0], here[width - 1]);
        let inner = next[1..width - 1].iter_mut().zip(here.windows(3));
        let sides = before[1..].iter().zip(&after[1..]).zip(above[1..].iter().zip(&below[1..]));
        for ((next, here), ((before, after), (above, below))) in inner.zip(sides) {
            *next = 0.25 * here[1] + 0.125 * (before + after + above + below + here[0] + here[2]);
        }
    }
}

fn stencil_3d<C: Chunks>(input: &[Value]) -> Option<Run<'_>> {
    let [grid, rounds] = input else { return None };
    let (elements, &[depth, height, width]) = (elements::<f32>(grid)?, shape(grid)?) else { return None };
    let rounds = count(rounds)?;
    Some(Box::new(move || {
        let (mut grid, mut next) = (elements.to_vec(), vec![0f32; elements.len()]);
        for _ in 0..rounds {
            C::each(&mut next, height * width, |x, next| {
                stencil_layer(&grid, [depth, height, width], x, next);
            });
            swap(&mut grid, &mut next);
        }
        array(&[depth, height, width], grid)
    }))
}
