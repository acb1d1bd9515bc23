-- In-place updates are visible only in the new array.
-- ==
-- entry: copies
-- input { [1, 2, 3] } output { [1, 2, 3] [9, 2, 3] }
-- entry: swaps
-- input { [1, 2, 3, 4] } output { [4, 3, 2, 1] }
-- entry: rows
-- input { [[1, 2], [3, 4]] } output { [[5, 5], [1, 4]] }
-- entry: branches
-- input { true [1, 2] } output { [9, 2] }
-- input { false [1, 2] } output { [1, 2] }
-- entry: components
-- input { [1, 2] [3, 4] } output { [9, 2] [3, 4] }
-- entry: component_alone
-- input { [1, 2] [3, 4] } output { [9, 2] [3, 8] }
-- entry: functions
-- input { [1, 2, 3] } output { [10, 2, 3] }
-- entry: partial
-- input { [1, 2, 3] } output { [7, 2, 3] }
-- entry: loops
-- input { 5i64 } output { [0i64, 1i64, 3i64, 6i64, 10i64] }
-- entry: exchanged
-- input { 3i64 } output { [0i64, 1i64, 0i64] [0i64, 0i64, 2i64] }
-- entry: inside_a_map
-- input { [[1, 2], [3, 4]] } output { [[2, 1], [4, 3]] }
-- entry: scattered
-- input { [1, 2, 3] [0i64, 2i64, 7i64] [8, 9, 9] } output { [8, 2, 9] }
-- entry: own_elements
-- input { [1, 2, 3] } output { [3, 2, 3] }
-- entry: captured
-- input { [1, 2, 3] } output { 1 [5, 2, 3] }
-- entry: slices
-- input { [1, 2, 3, 4] } output { [3, 4, 3, 4] }
-- entry: nested_loops
-- input { 2i64 3i64 } output { [[0i64, 1i64, 2i64], [1i64, 2i64, 3i64]] }
-- entry: in_while
-- input { [3, 1] } output { [0, 4] }
-- entry: higher_order
-- input { [4, 5] } output { [0, 5] }

entry copies (xs: []i32): ([]i32, []i32) = (xs, copy xs with [0] = 9)

entry swaps [n] (xs: *[n]i32): [n]i32 =
  loop ys = xs for i < n / 2 do
    let a = ys[i]
    let b = ys[n - 1 - i]
    let ys[i] = b
    let ys[n - 1 - i] = a
    in ys

entry rows (xss: *[2][2]i32): [2][2]i32 =
  let first = xss[0, 0]
  let xss[0] = [5, 5]
  let xss[1, 0] = first
  in xss

entry branches (b: bool) (xs: *[]i32): []i32 = if b then xs with [0] = 9 else xs

entry components (xs: *[]i32) (ys: *[]i32): ([]i32, []i32) =
  let (a, b) = (xs, ys)
  let a[0] = 9
  in (a, b)

entry component_alone (xs: *[]i32) (ys: *[]i32): ([]i32, []i32) =
  let p = (xs, ys)
  let a = p.0 with [0] = 9
  let b = p.1 with [1] = 8
  in (a, b)

def set (xs: *[]i32) (i: i64) (x: i32): *[]i32 = xs with [i] = x

entry functions (xs: *[]i32): []i32 =
  let first = xs[0]
  in set (set xs 0 first) 0 (first * 10)

entry partial (xs: *[]i32): []i32 =
  let put (ys: *[]i32) = set ys 0
  in put xs 7

entry loops (n: i64): []i64 =
  loop xs = replicate n 0 for i < n do
    let before = if i > 0 then xs[i - 1] else 0
    in xs with [i] = before + i

entry exchanged (n: i64): ([]i64, []i64) =
  loop (xs, ys) = (replicate n 0, replicate n 0) for i < n do (ys, xs with [i] = i)

entry inside_a_map (xss: [][2]i32): [][2]i32 =
  map (\xs ->
         let ys = copy xs
         let a = ys[0]
         let ys[0] = ys[1]
         in ys with [1] = a)
      xss

entry scattered [n] (xs: *[]i32) (is: [n]i64) (vs: [n]i32): []i32 = scatter xs is vs

entry own_elements [n] (xs: *[n]i32): [n]i32 = xs with [0] = xs[n - 1]

entry captured (xs: *[]i32): (i32, []i32) =
  let at (i: i64) = xs[i]
  let first = at 0
  let xs[0] = 5
  in (first, xs)

entry slices (xs: *[4]i32): [4]i32 = xs with [0:2] = copy xs[2:4]

entry nested_loops (n: i64) (m: i64): [n][m]i64 =
  loop xss = replicate n (replicate m 0) for i < n do
    loop xss for j < m do xss with [i, j] = i + j

entry in_while (xs: *[2]i32): [2]i32 =
  loop ys = xs while ys[0] > 0 do
    let (a, b) = (ys[0], ys[1])
    let ys[0] = a - 1
    in ys with [1] = b + 1

def apply_to 'a 'b (f: *a -> b) (x: *a): b = f x

entry higher_order (xs: *[]i32): []i32 = apply_to (\(ys: *[]i32) -> ys with [0] = 0) xs
