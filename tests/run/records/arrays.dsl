-- An array of records is stored as a record of arrays, and is used like any array.
-- ==
-- entry: indexed
-- input { [1, 2, 3] 1i64 }
-- output { 2 4 }
-- entry: updated
-- input { [1, 2, 3] }
-- output { [1, 50, 3] [1, 60, 9] }
-- entry: sliced
-- input { [1, 2, 3, 4] }
-- output { [2, 3] [4, 9] }
-- entry: reduced
-- input { [3, 1, 2] }
-- output { 1 3 }
-- entry: scanned
-- input { [3, 1, 2] }
-- output { [3, 1, 1] [3, 3, 3] }
-- entry: filtered
-- input { [1, -2, 3] }
-- output { [1, 3] [1.0, 9.0] }
-- entry: with_rows
-- input { [[1, 2], [3, 4]] }
-- output { [3, 7] [2, 4] }
-- entry: literal
-- input { 5 }
-- output { [5, 6] [1, 2] }
-- entry: transposed
-- input { [[1, 2], [3, 4]] }
-- output { [[1, 3], [2, 4]] [[2, 6], [4, 8]] }
-- entry: border
-- input { [1, 2] [true, false] }
-- output { [2, 3] [false, true] }
-- entry: looped
-- input { [1, 2, 3] }
-- output { 6 14 }
-- entry: written
-- input { [0i64, 2i64] }
-- output { [1, 0, 1] [true, false, true] }

def squares [n] (xs: [n]i32): *[n]{x: i32, y: i32} = map (\x -> {x, y = x * x}) xs

entry indexed (xs: []i32) (i: i64): (i32, i32) =
  let rs = squares xs
  in (rs[i].x, rs[i].y)

entry updated [n] (xs: [n]i32): ([n]i32, [n]i32) =
  let rs = squares xs
  let rs[1] = {x = 50, y = 60}
  in unzip (map (\r -> (r.x, r.y)) rs)

entry sliced (xs: []i32): ([]i32, []i32) =
  let rs = (squares xs)[1:3]
  in (map (.x) rs, map (.y) rs)

entry reduced (xs: []i32): (i32, i32) =
  let r = reduce (\a b -> {low = i32.min a.low b.low, high = i32.max a.high b.high})
                 {low = i32.highest, high = i32.lowest}
                 (map (\x -> {low = x, high = x}) xs)
  in (r.low, r.high)

entry scanned [n] (xs: [n]i32): ([n]i32, [n]i32) =
  let rs = scan (\a b -> {low = i32.min a.low b.low, high = i32.max a.high b.high})
                {low = i32.highest, high = i32.lowest}
                (map (\x -> {low = x, high = x}) xs)
  in (map (.low) rs, map (.high) rs)

entry filtered (xs: []i32): ([]i32, []f64) =
  let rs = filter (\r -> r.x > 0) (map (\x -> {x, square = f64.i32 (x * x)}) xs)
  in (map (.x) rs, map (.square) rs)

entry with_rows [n] [m] (xss: [n][m]i32): ([n]i32, [n]i32) =
  let rs = map (\xs -> {xs, sum = reduce (+) 0 xs}) xss
  in (map (.sum) rs, map (\r -> r.xs[1]) rs)

entry literal (x: i32): ([]i32, []i32) =
  let rs = [{x, y = 1}, {y = 2, x = x + 1}]
  in (map (.x) rs, map (.y) rs)

entry transposed [n] [m] (xss: [n][m]i32): ([m][n]i32, [m][n]i32) =
  let rss = transpose (map (map (\x -> {x, y = 2 * x})) xss)
  in (map (map (.x)) rss, map (map (.y)) rss)

entry border [n] (rs: [n]{count: i32, flag: bool}): [n]{count: i32, flag: bool} =
  map (\r -> {flag = !r.flag, count = r.count + 1}) rs

entry looped (xs: []i32): (i32, i32) =
  let s = loop s = {sum = 0, squares = 0} for {x, y} in squares xs do
            {sum = s.sum + x, squares = s.squares + y}
  in (s.sum, s.squares)

entry written (is: []i64): ([]i32, []bool) =
  let target = replicate 3 {n = 0, set = false}
  let rs = scatter target is (map (\_ -> {n = 1, set = true}) is)
  in (map (.n) rs, map (.set) rs)
