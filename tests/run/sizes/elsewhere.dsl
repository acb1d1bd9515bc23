-- Sizes from records, modules, abbreviations, cases and local functions.
-- ==
-- entry: of_a_field
-- input { 2i64 } output { [0i64, 1i64] }
-- entry: of_a_module
-- input { 2i64 } output { [0i64, 1i64, 2i64, 3i64] }
-- entry: of_an_abbreviation
-- input { 2i64 } output { [[0i64, 1i64], [0i64, 1i64]] }
-- entry: of_a_lambda
-- input { [1,2] } output { [1, 2] [2, 4] }
-- entry: of_a_case
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
-- entry: of_a_local_function
-- input { [1,5,2] 2 } output { [5] [1, 2] }
-- entry: of_rows
-- input { [[1,2],[3,4]] } output { [4, 6] }
-- entry: of_chunks
-- input { [1,2,3,4,5,6] 2i64 } output { [[1,2],[3,4],[5,6]] }
-- entry: negative
-- input { -1i64 }
-- error: Range 0..1..<-1 is invalid

entry of_a_field (n: i64) =
  let r = {n, m = n}
  in iota r.n

module m = { def double (n: i64) = 2 * n  def mk (n: i64): [double n]i64 = iota (double n) }

entry of_a_module (n: i64): [m.double n]i64 = map2 (\a _ -> a) (m.mk n) (iota (m.double n))

type square [n] = [n][n]i64

entry of_an_abbreviation (n: i64): square [n] = replicate n (iota n)

entry of_a_lambda [n] (xs: [n]i32): ([n]i32, [n]i32) =
  let f = \(k: i64) (ys: [k]i32) : [k]i32 -> ys
  in (f n xs, map2 (+) (f n xs) xs)

entry of_a_case (n: i64): []i64 =
  match (if n > 2 then #big n else #small : #big i64 | #small)
  case #big k -> iota k
  case #small -> []

entry of_a_local_function (xs: []i32) (k: i32): ([]i32, []i32) =
  let split p ys = (filter p ys, filter (\y -> !(p y)) ys)
  in split (> k) xs

entry of_rows [n] [m] (xss: [n][m]i32): [m]i32 = reduce (map2 (+)) (replicate m 0) xss

entry of_chunks [n] (xs: [n]i32) (k: i64): [][]i32 =
  let c = n / k
  in map (\i -> take k (drop (i * k) xs)) (iota c)

entry negative (n: i64): []i64 = iota n
