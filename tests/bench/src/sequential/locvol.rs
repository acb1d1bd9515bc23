//! Local-volatility calibration, one strike after the other. Systems along x are solved side by side
//! for all y, which lie next to each other in memory; the pivots along y are shared by all x.

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

/// A row of a tridiagonal matrix.
type Row = [f64; 3];

pub fn prepare(record: &[Value]) -> Option<Run<'_>> {
    let [n, nx, ny, nt, s0, t, alpha, nu, beta] = record else { return None };
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
            ay: second_difference(&ys).iter().map(|row| row.map(|c| nu * nu / 2.0 * c)).collect(),
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

/// What does not depend on the strike.
struct Grid {
    nx: usize,
    ny: usize,
    nu: f64,
    variance_of_x: Vec<f64>,
    variance_of_y: Vec<f64>,
    dxx: Vec<Row>,
    ay: Vec<Row>,
}

/// The state of a strike and what a step needs. Grids are stored with y inside.
struct Memory {
    f: Vec<f64>,
    v: Vec<f64>,
    u: Vec<f64>,
    /// The inverse pivots along x, for every y.
    pivots: Vec<f64>,
    /// The factors of the elimination and the inverse pivots along y.
    factors_y: Vec<f64>,
    pivots_y: Vec<f64>,
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
            pivots_y: row,
        }
    }
}

/// The second derivative, with nothing at both ends.
fn second_difference(grid: &[f64]) -> Vec<Row> {
    let row = |i: usize| {
        if i == 0 || i == grid.len() - 1 {
            return [0.0; 3];
        }
        let (left, right) = (grid[i] - grid[i - 1], grid[i + 1] - grid[i]);
        let (lower, upper) = (2.0 / (left * (left + right)), 2.0 / (right * (left + right)));
        [lower, -(lower + upper), upper]
    };
    (0..grid.len()).map(row).collect()
}

impl Grid {
    /// One step back in time.
    fn step(&self, time: f64, later: f64, memory: &mut Memory) {
        let (nx, ny) = (self.nx, self.ny);
        let r = 1.0 / (later - time);
        let decay = (-self.nu * self.nu * time).exp() / 2.0;
        let Memory { f, v, u, pivots, factors_y, pivots_y } = memory;

        // v = Ay f
        for (v, f) in v.chunks_exact_mut(ny).zip(f.chunks_exact(ny)) {
            v[0] = 0.0;
            v[ny - 1] = 0.0;
            for ((v, f), [lower, diagonal, upper]) in
                v[1..ny - 1].iter_mut().zip(f.windows(3)).zip(&self.ay[1..])
            {
                *v = lower * f[0] + diagonal * f[1] + upper * f[2];
            }
        }

        // u = r f + Ax f / 2 + v, and down through (r - Ax / 2) u' = u, for all y at once
        let half = |i: usize, c: usize| self.dxx[i][c] * self.variance_of_x[i] * decay / 2.0;
        for i in 0..nx {
            let inner = i > 0 && i < nx - 1;
            let (done, rest) = u.split_at_mut(i * ny);
            let above = if i > 0 { &done[(i - 1) * ny..] } else { &[][..] };
            let (pivots_done, pivots_rest) = pivots.split_at_mut(i * ny);
            let (row, pivot_row) = (&mut rest[..ny], &mut pivots_rest[..ny]);
            let (f_row, v_row) = (&f[i * ny..][..ny], &v[i * ny..][..ny]);
            if !inner {
                // A row of zeros: only r is left on the diagonal.
                for j in 0..ny {
                    row[j] = r * f_row[j] + v_row[j];
                    pivot_row[j] = 1.0 / r;
                }
                continue;
            }
            let (lower, diagonal, upper) = (half(i, 0), half(i, 1), half(i, 2));
            let upper_above = half(i - 1, 2);
            let (f_above, f_below) = (&f[(i - 1) * ny..][..ny], &f[(i + 1) * ny..][..ny]);
            let pivots_above = &pivots_done[(i - 1) * ny..][..ny];
            for j in 0..ny {
                let variance = self.variance_of_y[j];
                let (lower, diagonal, upper) = (lower * variance, diagonal * variance, upper * variance);
                let explicit =
                    r * f_row[j] + (lower * f_above[j] + diagonal * f_row[j] + upper * f_below[j]) + v_row[j];
                let factor = -lower * pivots_above[j];
                pivot_row[j] = 1.0 / (r - diagonal + factor * upper_above * variance);
                row[j] = explicit - factor * above[j];
            }
        }
        for value in &mut u[(nx - 1) * ny..] {
            *value /= r;
        }
        for i in (0..nx - 1).rev() {
            let upper = half(i, 2);
            let (rows, below) = u.split_at_mut((i + 1) * ny);
            let row = &mut rows[i * ny..];
            let pivot_row = &pivots[i * ny..][..ny];
            for j in 0..ny {
                row[j] = (row[j] + upper * self.variance_of_y[j] * below[j]) * pivot_row[j];
            }
        }

        // (r - Ay / 2) f' = r u' - v / 2, row by row
        let row_y = |j: usize| self.ay[j].map(|c| c / 2.0);
        pivots_y[0] = 1.0 / (r - row_y(0)[1]);
        for j in 1..ny {
            let ([lower, diagonal, _], [_, _, upper_above]) = (row_y(j), row_y(j - 1));
            factors_y[j] = -lower * pivots_y[j - 1];
            pivots_y[j] = 1.0 / (r - diagonal + factors_y[j] * upper_above);
        }
        let lines = f.chunks_exact_mut(ny).zip(u.chunks_exact(ny)).zip(v.chunks_exact(ny));
        for ((f, u), v) in lines {
            let mut remaining = r * u[0] - v[0] / 2.0;
            f[0] = remaining;
            for j in 1..ny {
                remaining = r * u[j] - v[j] / 2.0 - factors_y[j] * remaining;
                f[j] = remaining;
            }
            let mut unknown = f[ny - 1] * pivots_y[ny - 1];
            f[ny - 1] = unknown;
            for j in (0..ny - 1).rev() {
                unknown = (f[j] + self.ay[j][2] / 2.0 * unknown) * pivots_y[j];
                f[j] = unknown;
            }
        }
    }
}
