-- The type of a function names a parameter that its body determines to be the size of another one.
-- ==
-- entry: of_a_lambda
-- input { 4i64 } output { 12i64 }
-- entry: of_a_local_function
-- input { 4i64 } output { 12i64 }
-- entry: of_a_definition
-- input { 4i64 } output { 12i64 }
-- entry: of_a_field
-- input { [1, 2, 3] } output { 6 12 }

type^ summing 'p = {sum: (k: i64) -> [k]p -> p}

def on_an_iota (f: (k: i64) -> [k]i64 -> i64) (n: i64): i64 = f n (iota n)

entry of_a_lambda (n: i64): i64 = on_an_iota (\k xs -> i64.sum (map2 (+) xs (iota k))) n

entry of_a_local_function (n: i64): i64 =
  let f k xs = i64.sum (map2 (+) xs (iota k))
  in on_an_iota f n

def weighted k xs = i64.sum (map2 (+) xs (iota k))

entry of_a_definition (n: i64): i64 = on_an_iota weighted n

def both 'p (a: summing p): summing (p, p) =
  let sum k ps =
    let (xs, ys) = unzip ps
    in (a.sum k xs, a.sum k ys)
  in {sum}

def total: summing i32 = {sum = \k (xs: [k]i32) -> i32.sum xs}

entry of_a_field [n] (xs: [n]i32): (i32, i32) = (both total).sum n (zip xs (map (* 2) xs))
