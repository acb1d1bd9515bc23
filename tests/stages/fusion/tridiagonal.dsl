-- A tridiagonal system by three scans: the pivots, the forward substitution, and the backward
-- substitution over the reversed rows.
-- ==
-- input { [0.0, 1.0, 1.0] [4.0, 4.0, 4.0] [1.0, 1.0, 0.0] [5.0, 6.0, 5.0] }
-- output { [1.0, 1.0, 1.0] }
def compose (a: (f64, f64)) (b: (f64, f64)): (f64, f64) = (b.0 + b.1 * a.0, a.1 * b.1)

entry main [n] (a: [n]f64) (b: [n]f64) (c: [n]f64) (y: [n]f64): [n]f64 =
  let first = b[0]
  let step (i: i64) = if i > 0 then (b[i], -a[i] * c[i - 1], 1f64, 0f64) else (1, 0, 0, 1)
  let times (p: (f64, f64, f64, f64)) (q: (f64, f64, f64, f64)): (f64, f64, f64, f64) =
    let s = 1 / (p.0 * q.0)
    in ((q.0 * p.0 + q.1 * p.2) * s, (q.0 * p.1 + q.1 * p.3) * s,
        (q.2 * p.0 + q.3 * p.2) * s, (q.2 * p.1 + q.3 * p.3) * s)
  let pivots =
    map step (iota n)
    |> scan times (1, 0, 0, 1)
    |> map (\m -> (m.0 * first + m.1) / (m.2 * first + m.3))
  let y0 = y[0]
  let forward =
    map (\i -> if i > 0 then (y[i], -a[i] / pivots[i - 1]) else (0, 1)) (iota n)
    |> scan compose (0, 1)
    |> map (\f -> f.0 + f.1 * y0)
  let last = forward[n - 1] / pivots[n - 1]
  let back =
    map3 (\v p (c, k) -> if k > 0 then (v / p, -c / p) else (0f64, 1f64))
         (forward[::-1]) (pivots[::-1]) (zip (c[::-1]) (iota n))
    |> scan compose (0, 1)
    |> map (\f -> f.0 + f.1 * last)
  in back[::-1]
