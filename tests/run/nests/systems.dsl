-- Systems of linear equations with one matrix for all points, and with one for each point. What all points share is computed
-- once, and coefficients are computed where the elimination reads them.

def solve [n] (a: [n]f64) (b: [n]f64) (c: [n]f64) (y: [n]f64): [n]f64 =
  let (pivots, r) =
    loop (pivots, r) = (copy b, copy y) for i in 1..<n do
      let factor = a[i] / pivots[i - 1]
      in (pivots with [i] = b[i] - factor * c[i - 1], r with [i] = y[i] - factor * r[i - 1])
  let r = r with [n - 1] = r[n - 1] / pivots[n - 1]
  in loop r for j < n - 1 do
       let i = n - 2 - j
       in r with [i] = (r[i] - c[i] * r[i + 1]) / pivots[i]

-- | The largest error of an equation.
def error [n] (a: [n]f64) (b: [n]f64) (c: [n]f64) (y: [n]f64) (x: [n]f64): f64 =
  let row i = (if i > 0 then a[i] * x[i - 1] else 0) + b[i] * x[i] + (if i < n - 1 then c[i] * x[i + 1] else 0)
  in f64.maximum (map (\i -> f64.abs (row i - y[i])) (iota n))

-- ==
-- entry: shared
-- input { 5i64 1i64 } output { true }
-- input { 5i64 2i64 } output { true }
-- input { 3i64 40i64 } output { true }
-- input { 0i64 7i64 } output { true }
-- input { 0i64 0i64 } output { true }
-- input { 2i64 0i64 }
-- error: Range 1..<0 is invalid.
entry shared (m: i64) (n: i64): bool =
  let a = map (\i -> -0.25 - f64.i64 i / 100) (iota n)
  let b = map (\i -> 2 + f64.i64 (i % 3)) (iota n)
  let c = map (\i -> -0.5 + f64.i64 i / 200) (iota n)
  let right k = map (\i -> f64.i64 ((i * 7 + k * 3) % 11)) (iota n)
  let solutions = map (\k -> solve a b c (right k)) (iota m)
  in and (map2 (\k x -> n == 0 || error a b c (right k) x < 1e-9) (iota m) solutions)

-- ==
-- entry: own
-- input { 5i64 1i64 } output { true }
-- input { 5i64 2i64 } output { true }
-- input { 3i64 40i64 } output { true }
-- input { 0i64 7i64 } output { true }
-- input { 2i64 0i64 }
-- error: Range 1..<0 is invalid.
entry own (m: i64) (n: i64): bool =
  let weights = map (\i -> f64.i64 (i % 5) / 10) (iota n)
  let solved k =
    let v = f64.i64 k
    let a = map (\w -> -0.25 - w) weights
    let b = map (\w -> 2 + v + w * v) weights
    let c = map (\w -> -0.5 - w / (v + 1)) weights
    let right = map (\i -> f64.i64 ((i * 7 + k * 3) % 11)) (iota n)
    let x = solve a b c right
    in n == 0 || error a b c right x < 1e-9
  in and (map solved (iota m))

-- Exponentials of a counter, for as many iterations as there are points; and the state of a generator of numbers.

-- ==
-- entry: discounted
-- input { [1f64, 2, 4] 0.5f64 } output { [1.9744101f64, 3.9488202, 7.8976404] }
-- input { empty([0]f64) 0.5f64 } output { empty([0]f64) }
entry discounted [n] (xs: [n]f64) (rate: f64): [n]f64 =
  map (\x ->
    let (_, sum) =
      loop (t, sum) = (0, 0) for k < n do
        let y = xs[k]
        in (t + rate, sum + x * f64.exp (-t) + y * 0)
    in sum) xs

-- ==
-- entry: remainders
-- input { [3i64, 1, 4, 1, 5] [2i64, 7, 1, 8, 2] 97i64 } output { [222i64, 212i64, 227i64, 212i64, 232i64] }
-- input { [3i64] [2i64] 0i64 }
-- error: division by zero
-- input { empty([0]i64) empty([0]i64) 0i64 } output { empty([0]i64) }
entry remainders [n] (xs: [n]i64) (ys: [n]i64) (m: i64): [n]i64 =
  map (\x -> (loop (s, sum) = (1, 0) for k < n do ((s * 31 + ys[k]) % m, sum + s + x + xs[k])).1) xs

-- Checks on which only the recurrence depends fail all the same, and in their order.

-- ==
-- entry: checked
-- input { [1f64, 2] [0.5f64, 2, 1] } output { [1.2811188f64, 2.5622376] }
-- input { [1f64] [0.5f64] }
-- error: Range 2..<1 is invalid.
-- input { empty([0]f64) [0.5f64] } output { empty([0]f64) }
entry checked [m][n] (us: [m]f64) (ds: [n]f64): [m]f64 =
  map (\u ->
    let s = loop s = ds[0] for i in 2..<n do f64.sqrt (s + ds[i])
    in u * (s + 0.0563743)) us

-- ==
-- entry: in_order
-- input { [1f64] 0i64 }
-- error: Index .0. out of bounds for array of shape .0..
-- input { [1f64] 3i64 } output { [2f64] }
entry in_order [m] (us: [m]f64) (n: i64): [m]f64 =
  let ds = map (\i -> f64.i64 i + 0.5) (iota n)
  in map (\u ->
    let (s, z) = loop (s, z) = (ds[0], u) for i in 1..<n do (f64.sqrt (s * 2 + ds[i] / 4), z + ds[i] / 4)
    in z + s * 0) us

-- ==
-- entry: sized
-- input { [1f64, 2] 3i64 } output { [4f64, 8] }
-- input { [1f64, 2] -1i64 }
-- error: Range 0..1..<-1 is invalid.
entry sized [m] (us: [m]f64) (n: i64): [m]f64 =
  map (\u ->
    let xs = map (\i -> u * f64.i64 i) (iota n)
    in loop s = u for i < n do s + xs[i]) us

-- A recurrence that begins with the result of another one.

-- ==
-- entry: chained
-- input { [1f64, 2] [0.5f64, 2, 1] } output { [2.1277269f64, 4.2554538] }
-- input { [1f64] empty([0]f64) }
-- error: Index .0. out of bounds for array of shape .0..
entry chained [m][n] (us: [m]f64) (ds: [n]f64): [m]f64 =
  map (\u ->
    let s = loop s = ds[0] for i in 1..<n do f64.sqrt (s + ds[i])
    let t = loop t = s for i < n do f64.sqrt (t * s + ds[i])
    in u * t) us
