//! Local-volatility calibration, one strike at a time. Systems along x are solved together for all y, whose values are
//! adjacent in memory. Systems along y are solved in groups of lines, which are interleaved first; their pivots are the
//! same for all x.

use ravel_abi::Value;
use ravel_support::values::vector;

use super::{Run, count, real};

/// A market and a grid.
struct Calibration {
    strikes: usize,
    nx: usize,
    ny: usize,
    moments: usize,
    s0: f64,
    t: f64,
    alpha: f64,
    nu: f64,
    beta: f64,
}

/// The diagonals of a tridiagonal matrix: below the main one, the main one, and above it.
type Matrix = [Vec<f64>; 3];

/// The number of lines along y that are solved together.
const SIDE: usize = 8;

pub fn prepare(input: &[Value]) -> Option<Run<'_>> {
    let [n, nx, ny, nt, s0, t, alpha, nu, beta] = input else { return None };
    let calibration = Calibration {
        strikes: count(n)?,
        nx: count(nx)?,
        ny: count(ny)?,
        moments: count(nt)?,
        s0: real(s0)?,
        t: real(t)?,
        alpha: real(alpha)?,
        nu: real(nu)?,
        beta: real(beta)?,
    };
    Some(Box::new(move || vector(&calibration.prices())))
}

impl Calibration {
    fn time(&self, g: usize) -> f64 {
        self.t * g as f64 / (self.moments - 1) as f64
    }

    fn prices(&self) -> Vec<f64> {
        let Calibration { nx, ny, s0, t, alpha, nu, beta, .. } = *self;
        let dx = 20.0 * alpha * s0 * t.sqrt() / nx as f64;
        let dy = 10.0 * nu * t.sqrt() / ny as f64;
        let x0 = (s0 / dx) as usize;
        let y0 = ny / 2;
        let xs: Vec<f64> = (0..nx).map(|i| s0 + (i as f64 - x0 as f64) * dx).collect();
        let ys: Vec<f64> = (0..ny).map(|j| alpha.ln() + (j as f64 - y0 as f64) * dy).collect();
        let grid = Grid {
            nx,
            ny,
            nu,
            variance_of_x: xs.iter().map(|x| (2.0 * beta * x.ln()).exp()).collect(),
            variance_of_y: ys.iter().map(|y| (2.0 * y).exp()).collect(),
            dxx: second_difference(&xs),
            ay: second_difference(&ys).map(|diagonal| diagonal.iter().map(|c| nu * nu / 2.0 * c).collect()),
        };
        let mut memory = Memory::of(&grid);
        let price = |q: usize| {
            let strike = 0.001 * q as f64;
            for (row, x) in memory.f.chunks_exact_mut(ny).zip(&xs) {
                row.fill((x - strike).max(0.0));
            }
            for g in (0..self.moments - 1).rev() {
                grid.step(self.time(g), self.time(g + 1), &mut memory);
            }
            memory.f[x0 * ny + y0]
        };
        (0..self.strikes).map(price).collect()
    }
}

/// The data that do not depend on the strike.
struct Grid {
    nx: usize,
    ny: usize,
    nu: f64,
    variance_of_x: Vec<f64>,
    variance_of_y: Vec<f64>,
    dxx: Matrix,
    ay: Matrix,
}

/// The state of a strike, and temporary memory for a step. In grids, y is the inner dimension.
struct Memory {
    f: Vec<f64>,
    v: Vec<f64>,
    u: Vec<f64>,
    /// The inverse pivots along x, for every y.
    pivots: Vec<f64>,
    /// The factors of the elimination along y, the inverse pivots, and the factors of the back substitution.
    factors_y: Vec<f64>,
    pivots_y: Vec<f64>,
    factors_back: Vec<f64>,
    /// Interleaved lines along y.
    lines: Vec<[f64; SIDE]>,
}

impl Memory {
    fn of(grid: &Grid) -> Memory {
        let points = vec![0.0; grid.nx * grid.ny];
        let row = vec![0.0; grid.ny];
        Memory {
            f: points.clone(),
            v: points.clone(),
            u: points.clone(),
            pivots: points,
            factors_y: row.clone(),
            pivots_y: row.clone(),
            factors_back: row,
            lines: vec![[0.0; SIDE]; grid.ny],
        }
    }
}

/// The second derivative, zero at both ends.
fn second_difference(grid: &[f64]) -> Matrix {
    let mut matrix = [(); 3].map(|()| vec![0.0; grid.len()]);
    for i in 1..grid.len() - 1 {
        let (left, right) = (grid[i] - grid[i - 1], grid[i + 1] - grid[i]);
        let (lower, upper) = (2.0 / (left * (left + right)), 2.0 / (right * (left + right)));
        (matrix[0][i], matrix[1][i], matrix[2][i]) = (lower, -(lower + upper), upper);
    }
    matrix
}

impl Grid {
    /// One step back in time.
    fn step(&self, time: f64, later: f64, memory: &mut Memory) {
        let (nx, ny) = (self.nx, self.ny);
        let r = 1.0 / (later - time);
        let decay = (-self.nu * self.nu * time).exp() / 2.0;
        let Memory { f, v, u, pivots, factors_y, pivots_y, factors_back, lines } = memory;
        let variance_of_y = &self.variance_of_y[..ny];
        let [lower_y, diagonal_y, upper_y] = self.ay.each_ref().map(|diagonal| &diagonal[..ny]);

        // v = Ay f
        for (v, f) in v.chunks_exact_mut(ny).zip(f.chunks_exact(ny)) {
            v[0] = 0.0;
            v[ny - 1] = 0.0;
            let rows = lower_y[1..].iter().zip(&diagonal_y[1..]).zip(&upper_y[1..]);
            for ((v, f), ((lower, diagonal), upper)) in v[1..ny - 1].iter_mut().zip(f.windows(3)).zip(rows) {
                *v = lower.mul_add(f[0], diagonal.mul_add(f[1], upper * f[2]));
            }
        }

        // u = r f + Ax f / 2 + v, and the elimination of (r - Ax / 2) u' = u, for all y together
        let half = |i: usize, c: usize| self.dxx[c][i] * self.variance_of_x[i] * decay / 2.0;
        for i in 0..nx {
            let inner = i > 0 && i < nx - 1;
            let (done, rest) = u.split_at_mut(i * ny);
            let (pivots_done, pivots_rest) = pivots.split_at_mut(i * ny);
            let (row, pivot_row) = (&mut rest[..ny], &mut pivots_rest[..ny]);
            let (f_row, v_row) = (&f[i * ny..][..ny], &v[i * ny..][..ny]);
            if !inner {
                // The first and last rows of Ax are zero: only r is on the diagonal.
                for j in 0..ny {
                    row[j] = r * f_row[j] + v_row[j];
                    pivot_row[j] = 1.0 / r;
                }
                continue;
            }
            let (lower, diagonal, upper) = (half(i, 0), half(i, 1), half(i, 2));
            let upper_above = half(i - 1, 2);
            let (f_above, f_below) = (&f[(i - 1) * ny..][..ny], &f[(i + 1) * ny..][..ny]);
            let (above, pivots_above) = (&done[(i - 1) * ny..][..ny], &pivots_done[(i - 1) * ny..][..ny]);
            for j in 0..ny {
                let variance = variance_of_y[j];
                let (lower, diagonal, upper) = (lower * variance, diagonal * variance, upper * variance);
                let ax = lower.mul_add(f_above[j], diagonal.mul_add(f_row[j], upper * f_below[j]));
                let explicit = r.mul_add(f_row[j], ax) + v_row[j];
                let factor = -lower * pivots_above[j];
                pivot_row[j] = 1.0 / (upper_above * variance).mul_add(factor, r - diagonal);
                row[j] = (-factor).mul_add(above[j], explicit);
            }
        }
        for value in &mut u[(nx - 1) * ny..] {
            *value /= r;
        }
        for i in (0..nx - 1).rev() {
            let upper = half(i, 2);
            let (rows, below) = u.split_at_mut((i + 1) * ny);
            back(&mut rows[i * ny..], &below[..ny], &pivots[i * ny..][..ny], variance_of_y, upper);
        }

        // (r - Ay / 2) f' = r u' - v / 2, on interleaved lines
        let mut pivot = 1.0 / (r - diagonal_y[0] / 2.0);
        pivots_y[0] = pivot;
        for j in 1..ny {
            factors_y[j] = -lower_y[j] / 2.0 * pivot;
            pivot = 1.0 / (r - diagonal_y[j] / 2.0 + factors_y[j] * upper_y[j - 1] / 2.0);
            pivots_y[j] = pivot;
        }
        for ((back, upper), pivot) in factors_back.iter_mut().zip(upper_y).zip(&*pivots_y) {
            *back = upper / 2.0 * pivot;
        }
        let groups = f.chunks_mut(SIDE * ny).zip(u.chunks(SIDE * ny)).zip(v.chunks(SIDE * ny));
        for ((f, u), v) in groups {
            for (k, (u, v)) in u.chunks_exact(ny).zip(v.chunks_exact(ny)).enumerate() {
                for ((line, u), v) in lines.iter_mut().zip(u).zip(v) {
                    line[k] = r * u - v / 2.0;
                }
            }
            let mut remaining = [0.0; SIDE];
            for (line, factor) in lines.iter_mut().zip(&*factors_y) {
                for (remaining, right) in remaining.iter_mut().zip(&*line) {
                    *remaining = (-factor).mul_add(*remaining, *right);
                }
                *line = remaining;
            }
            let mut unknown = [0.0; SIDE];
            for ((line, pivot), factor) in lines.iter_mut().zip(&*pivots_y).zip(&*factors_back).rev() {
                for (unknown, remaining) in unknown.iter_mut().zip(&*line) {
                    *unknown = factor.mul_add(*unknown, remaining * pivot);
                }
                *line = unknown;
            }
            for (k, f) in f.chunks_exact_mut(ny).enumerate() {
                for (f, line) in f.iter_mut().zip(&*lines) {
                    *f = line[k];
                }
            }
        }
    }
}

/// A row of the unknowns along x, from the next row. This is a separate function because the compiler vectorises it
/// only if it sees that the rows do not overlap.
#[inline(never)]
fn back(row: &mut [f64], below: &[f64], pivots: &[f64], variance_of_y: &[f64], upper: f64) {
    let coefficients = variance_of_y.iter().zip(pivots);
    for ((value, below), (variance, pivot)) in row.iter_mut().zip(below).zip(coefficients) {
        *value = (upper * variance).mul_add(*below, *value) * pivot;
    }
}
