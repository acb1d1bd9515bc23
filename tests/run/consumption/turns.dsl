-- Loops whose arrays alternate, with and without a useless update. Their results never alias each other,
-- so each may be updated.
-- ==
-- entry: for_nothing
-- input { 3i64 [1i64, 2i64] }
-- output { [3i64, 2i64] [1i64, 2i64] }
-- input { 0i64 [1i64, 2i64] }
-- output { [3i64, 2i64] [1i64, 2i64] }

-- ==
-- entry: three
-- input { 3i64 [1i64, 2i64] }
-- output { [1i64, 2i64] [5i64, 2i64] [3i64, 2i64] }

-- ==
-- entry: leapfrog
-- input { 3i64 [1i64, 5i64] [2i64, 4i64] }
-- output { [4i64, 2i64] [0i64, 1i64] }

-- ==
-- entry: twice
-- input { 3i64 [1i64, 2i64] }
-- output { [3i64, 2i64] [4i64, 5i64] }

-- ==
-- entry: points
-- input { 3i64 [1i64, 2i64] }
-- output { [8i64, 9i64] }

entry for_nothing [n] (k: i64) (x: [n]i64) =
  let (a, b) = loop (a, b) = (copy x, copy x) for _i < k do
    let b[0] = 7
    in (copy a, a)
  let a[0] = 3
  in (a, b)

entry three [n] (k: i64) (x: [n]i64) =
  let (a, b, c) = loop (a, b, c) = (copy x, copy x, copy x) for _i < k do
    let b[0] = 7
    in (c, a, copy a)
  let c[0] = 3
  let b[0] = 5
  in (a, b, c)

entry leapfrog [n] (k: i64) (x: [n]i64) (y: [n]i64) =
  let (last, now) = loop (last, now) = (copy x, copy y) for _i < k do
    (now, map2 (\l m -> 2 * m - l) last now)
  let now[0] = 0
  in (last, now)

entry twice [n] (k: i64) (x: [n]i64) =
  let (a, b) = loop (a, b) = (copy x, map (+ 3) x) for _i < 2 * k do (b, a)
  let (c, d) = loop (a, b) = (a, b) for _i < 2 * k do
    let c = copy b
    let b[1] = 4
    in (c, a)
  let c[0] = 3
  in (c, d)

entry points [n] (k: i64) (x: [n]i64) =
  map (\e ->
         let (a, b) = loop (a, b) = (replicate 2 e, replicate 2 7) for _i < 2 * k do
           let s = copy a
           let a[0] = 9
           in (b, s)
         let a[1] = 2
         in a[0] + b[1])
      x

def difference (a: i32) (b: i32) = a - b

-- The last argument is evaluated first.
-- ==
-- entry: arguments
-- input { [5, 7] }
-- output { -2 }
entry arguments (xs: *[]i32) = difference (xs with [0] = 5)[0] xs[1]

def (+-) (a: i32) (b: i32) = a - b

-- Operands are evaluated from left to right.
-- ==
-- entry: operands
-- input { [5, 7] }
-- output { 6 }
entry operands (xs: *[]i32) = xs[1] +- (xs with [0] = 1)[0]
