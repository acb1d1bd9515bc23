-- Arrays that are updated on one side of a branch, or swapped in each iteration.
-- ==
-- entry: buffers
-- input { 3i32 [1, 2, 3] }
-- output { [12, 6, 3] }
-- input { 0i32 [1, 2, 3] }
-- output { [7, 6, 3] }
-- entry: sides
-- input { [1, 2, 3] true }
-- output { [4, 5, 3] }
-- input { [1, 2, 3] false }
-- output { [4, 1, 3] }
-- entry: nested
-- input { 6i64 }
-- output { [10i64, 1i64, 12i64, 3i64, 4i64, 25i64] }
-- entry: again
-- input { 3i64 [1i64, 2i64, 3i64, 4i64, 7i64] }
-- output { 2336i64 }
-- entry: on_one_side
-- input { 2i64 [1i64, 2i64, 3i64, 4i64, 7i64] }
-- output { 12i64 [1i64, 2i64, 3i64, 4i64, 7i64] }

entry buffers [n] (k: i32) (xs: [n]i32): [n]i32 =
  let (a, b) = loop (a, b) = (copy xs, copy xs) for i < k do
    let b[0] = i + 5
    in (b, a)
  let a[1] = 6
  let c = a[1] + b[0]
  let a[0] = c
  in a

entry sides [n] (xs: [n]i32) (c: bool): [n]i32 =
  let a = copy xs
  let b = copy xs
  let (a, b) = if c then (a with [0] = 5, b) else (a, b with [1] = 7)
  let b[0] = 4
  let b[1] = a[0]
  in b

entry nested (n: i64): [n]i64 =
  loop xs = iota n for i < n do
    let xs =
      if i % 5 == 0
      then xs with [i] = i + 10
      else if i == 2 then xs with [i] = 12 else xs
    in if i == n - 1 then xs with [i] = xs[i] + 10 else xs

-- The function owns the array, but every iteration of the outer loop begins with it.
entry again [n] (k: i64) (xs: *[n]i64): i64 =
  loop s = 0 for _i < k do
    let ys = loop ys = xs for _j < k do tabulate n (\j -> ys[(j + 1) % n] * 2 + s)
    in s + ys[0]

-- The same after a branch.
entry on_one_side [n] (k: i64) (xs: *[n]i64): (i64, [n]i64) =
  let s =
    if k > 1 then
      let ys = loop ys = xs for _j < k do tabulate n (\j -> ys[(j + 1) % n] * 2)
      in ys[0]
    else 0
  in (s, xs)
