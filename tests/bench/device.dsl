-- | What `tests/gpu` measures on a device, in one process: primitives on long arrays, nests in several versions, and the
-- programs. Each data set has a short form for software drivers.

import "sorts"
module hullwhite = import "../../programs/hullwhite/hullwhite"
module one_per_thread = import "../../programs/hullwhite/one_per_thread"
module portfolio = import "../../programs/hullwhite/portfolio"
module heston = import "../../programs/heston/heston"
module locvol = import "../../programs/locvol/locvol"
module pricing = import "../../programs/pricing/pricing"
module graph = import "../../programs/bfs/graph"
module iterative = import "../../programs/bfs/iterative"
module one_time = import "../../programs/bfs/one_time"
module sobol_pi = import "../../programs/sobol/pi"

-- ## Data

def hash (i: i64): u32 =
  let x = u32.i64 i * 0x9E3779B9
  let x = (x ^ x >> 16) * 0x85EBCA6B
  in x ^ x >> 13

def unit (i: i64): f32 = f32.u32 (hash i >> 8) / 16777216

entry floats (n: i64): [n]f32 = tabulate n unit
entry words (n: i64): [n]u32 = tabulate n hash
entry integers (n: i64): [n]i32 = tabulate n (\i -> i32.u32 (hash i % 200) - 100)
entry bytes (n: i64): [n]i32 = tabulate n (\i -> i32.u32 (hash i >> 24))
entry matrix (n: i64) (m: i64): [n][m]f32 = unflatten (floats (n * m))

def single [n] (xs: [n]f64): [n]f32 = map f32.f64 xs

-- Options whose trees have many sizes.
entry options (n: i64) =
  let (strike, maturity, expiry, unit, steps, a, sigma, kind, rates, days) = portfolio.random n 1
  in (single strike, single maturity, single expiry, unit, steps, single a, single sigma, kind, single rates, days)

entry quotes (n: i32) =
  let (maturities, strikes, volatilities) = heston.quotes n 16 20170126 0.01
  in ([0.04f32, 0.06, -0.6, 1.5, 0.5], 20i32, 20170126i32, maturities, single strikes, single volatilities)

entry nodes (n: i64) = graph.uniform n 3 9 1

-- A contract on one underlying, priced over this many paths.
entry contract (paths: i32) =
  (1i32, paths, [tabulate 30 (\i -> 1i32 << (29 - i32.i64 i))], [[[1f32]]], [[[0.19f32]]], [[[-0.02765f32]]],
   [[3758.05f32]], [[0.99978f32]], [[0.98055f32]], [[1i32], [0], [0]], [[0.98898f32], [0], [0]])


-- ## Primitives

-- All others are compared with this one: it reads and writes each element once.
-- ==
-- entry: copied
-- "short" short script input { floats 65536i64 }
-- "long" long script input { floats 33554432i64 }
entry copied [n] (xs: [n]f32): [n]f32 = map f32.neg xs

-- The product of a scalar and a vector, plus another vector.
-- ==
-- entry: saxpy
-- "short" short script input { (floats 65536i64, floats 65536i64) }
-- "long" long script input { (floats 33554432i64, floats 33554432i64) }
entry saxpy [n] (xs: [n]f32) (ys: [n]f32): [n]f32 = map2 (\x y -> 2.5 * x + y) xs ys

-- A sum.
-- ==
-- entry: sum
-- "short" short script input { floats 65536i64 }
-- "long" long script input { floats 33554432i64 }
entry sum [n] (xs: [n]f32): f32 = f32.sum xs

-- A product of vectors.
-- ==
-- entry: dot
-- "short" short script input { (floats 65536i64, floats 65536i64) }
-- "long" long script input { (floats 33554432i64, floats 33554432i64) }
entry dot [n] (xs: [n]f32) (ys: [n]f32): f32 = f32.sum (map2 (*) xs ys)

-- The sums of all prefixes.
-- ==
-- entry: prefix_sums
-- "short" short script input { integers 65536i64 }
-- "long" long script input { integers 33554432i64 }
entry prefix_sums [n] (xs: [n]i32): [n]i32 = scan (+) 0 xs

-- The half of the elements that is positive.
-- ==
-- entry: filtered
-- "short" short script input { integers 65536i64 }
-- "long" long script input { integers 33554432i64 }
entry filtered [n] (xs: [n]i32): []i32 = filter (> 0) xs

-- Counts in 256 bins.
-- ==
-- entry: histogram
-- "short" short script input { bytes 65536i64 }
-- "long" long script input { bytes 33554432i64 }
entry histogram [n] (xs: [n]i32): [256]i32 = hist (+) 0 256 (map i64.i32 xs) (replicate n 1)

-- A transposed matrix.
-- ==
-- entry: transposed
-- "short" short script input { matrix 256i64 256i64 }
-- "long" long script input { matrix 4096i64 8192i64 }
entry transposed [n] [m] (rows: [n][m]f32): [m][n]f32 = map (map f32.neg) (transpose rows)

-- Each element and its four neighbours.
-- ==
-- entry: stencil
-- "short" short script input { matrix 256i64 256i64 }
-- "long" long script input { matrix 4096i64 8192i64 }
entry stencil [n] [m] (grid: [n][m]f32): [n][m]f32 =
  tabulate_2d n m (\i j ->
    if i == 0 || i == n - 1 || j == 0 || j == m - 1 then grid[i, j]
    else 0.2 * (grid[i, j] + grid[i - 1, j] + grid[i + 1, j] + grid[i, j - 1] + grid[i, j + 1]))

-- Numbers sorted by their bits.
-- ==
-- entry: sorted
-- "short" short script input { words 65536i64 }
-- "long" long script input { words 4194304i64 }
entry sorted [n] (xs: [n]u32): [n]u32 = radix_sort u32.num_bits u32.get_bit xs

-- A product of matrices.
-- ==
-- entry: product
-- "short" short script input { (matrix 64i64 64i64, matrix 64i64 64i64) }
-- "long" long script input { (matrix 2048i64 2048i64, matrix 2048i64 2048i64) }
entry product [n] [m] [k] (xss: [n][m]f32) (yss: [m][k]f32): [n][k]f32 =
  map (\xs -> map (\ys -> f32.sum (map2 (*) xs ys)) (transpose yss)) xss

-- ## Versions of nests: the one that the compiler chooses, and each by hand

-- The sums of few long rows.
-- ==
-- entry: few_rows
-- "short" short script input { matrix 16i64 4096i64 }
-- "long" long script input { matrix 64i64 524288i64 }
entry few_rows [n] [m] (rows: [n][m]f32): [n]f32 = map f32.sum rows

-- The same: one row a thread.
-- ==
-- entry: few_rows_outer
-- "short" short script input { matrix 16i64 4096i64 }
-- "long" long script input { matrix 64i64 524288i64 }
entry few_rows_outer [n] [m] (rows: [n][m]f32): [n]f32 = #[sequential_inner] map f32.sum rows

-- The same: all elements in parallel.
-- ==
-- entry: few_rows_full
-- "short" short script input { matrix 16i64 4096i64 }
-- "long" long script input { matrix 64i64 524288i64 }
entry few_rows_full [n] [m] (rows: [n][m]f32): [n]f32 = #[flattening(full)] map f32.sum rows

-- The same: one row a workgroup.
-- ==
-- entry: few_rows_block
-- "short" short script input { matrix 16i64 4096i64 }
-- "long" long script input { matrix 64i64 524288i64 }
entry few_rows_block [n] [m] (rows: [n][m]f32): [n]f32 = #[flattening(block)] map f32.sum rows

-- The sums of many short rows.
-- ==
-- entry: many_rows
-- "short" short script input { matrix 8192i64 8i64 }
-- "long" long script input { matrix 2097152i64 16i64 }
entry many_rows [n] [m] (rows: [n][m]f32): [n]f32 = map f32.sum rows

-- The same: one row a thread.
-- ==
-- entry: many_rows_outer
-- "short" short script input { matrix 8192i64 8i64 }
-- "long" long script input { matrix 2097152i64 16i64 }
entry many_rows_outer [n] [m] (rows: [n][m]f32): [n]f32 = #[sequential_inner] map f32.sum rows

-- The same: all elements in parallel.
-- ==
-- entry: many_rows_full
-- "short" short script input { matrix 8192i64 8i64 }
-- "long" long script input { matrix 2097152i64 16i64 }
entry many_rows_full [n] [m] (rows: [n][m]f32): [n]f32 = #[flattening(full)] map f32.sum rows

-- The same: one row a workgroup.
-- ==
-- entry: many_rows_block
-- "short" short script input { matrix 8192i64 8i64 }
-- "long" long script input { matrix 2097152i64 16i64 }
entry many_rows_block [n] [m] (rows: [n][m]f32): [n]f32 = #[flattening(block)] map f32.sum rows

-- Trees of many sizes.
-- ==
-- entry: trees
-- "short" short script input { options 1i64 }
-- "long" long script input { options 1000i64 }
entry trees = hullwhite.main_f32

-- The same: many trees in a workgroup.
-- ==
-- entry: trees_bins
-- "short" short script input { options 1i64 }
-- "long" long script input { options 1000i64 }
entry trees_bins = hullwhite.in_bins_f32

-- The same: one tree a thread.
-- ==
-- entry: trees_outer
-- "short" short script input { options 1i64 }
-- "long" long script input { options 1000i64 }
entry trees_outer = one_per_thread.main_f32

-- ## Programs

-- A Monte-Carlo price.
-- ==
-- entry: prices
-- "short" short script input { contract 1024i32 }
-- "long" long script input { contract 8388608i32 }
entry prices = pricing.main_f32

-- One value of the objective of a calibration.
-- ==
-- entry: objective
-- "short" short script input { quotes 40i32 }
-- "long" long script input { quotes 10000i32 }
entry objective = heston.objective_f32

-- Prices under local volatility.
-- ==
-- entry: local_volatility
-- "short" short script input { (2i32, 8i32, 12i32, 10i32, 0.03f32, 5f32, 0.2f32, 0.6f32, 0.5f32) }
-- "long" long script input { (64i32, 256i32, 32i32, 64i32, 0.03f32, 5f32, 0.2f32, 0.6f32, 0.5f32) }
entry local_volatility = locvol.main_f32

-- A breadth-first search that visits the edges in rounds.
-- ==
-- entry: search
-- "short" short script input { nodes 1000i64 }
-- "long" long script input { nodes 1000000i64 }
entry search = iterative.main

-- The same with all edges of a level at once.
-- ==
-- entry: search_one_time
-- "short" short script input { nodes 1000i64 }
-- "long" long script input { nodes 1000000i64 }
entry search_one_time = one_time.main

-- Pi by Sobol numbers.
-- ==
-- entry: pi
-- "short" short script input { 70001i32 }
-- "long" long script input { 30000000i32 }
entry pi = sobol_pi.main_f32
