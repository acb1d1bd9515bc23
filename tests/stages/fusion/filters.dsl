-- The mean square of the even numbers among the small ones. Two filters, a map and two sums become one
-- reduction, and no array is materialised.
-- ==
-- input { [3, 4, 12, 7, 2] } output { 10.0 }

entry main (xs: []i32): f64 =
  let ys = filter (\x -> x % 2 == 0) (filter (< 10) xs)
  in f64.i32 (i32.sum (map (\y -> y * y) ys)) / f64.i64 (length ys)
