-- The type of a lambda or local function names a parameter if another parameter turns out to have its size.

type^ summed 'a = {zero: a, sum: (k: i64) -> [k]a -> a}

def pairs 'a 'b (x: summed a) (y: summed b): summed (a, b) =
  let sum k both =
    let (xs, ys) = unzip both
    in (x.sum k xs, y.sum k ys)
  in {zero = (x.zero, y.zero), sum}

def numbers: summed i64 = {zero = 0, sum = \k (xs: [k]i64) -> i64.sum xs}

def flipped 'a (s: summed a): summed a = {zero = s.zero, sum = \k xs -> s.sum k (reverse xs)}

-- ==
-- entry: of_a_local_function
-- input { [1i64, 2, 3] } output { 6i64 14i64 0i64 }
entry of_a_local_function [n] (xs: [n]i64) =
  let both = pairs numbers numbers
  let (a, b) = both.sum n (zip xs (map2 (*) xs xs))
  in (a, b, both.zero.0)

-- ==
-- entry: of_a_lambda
-- input { [1i64, 2, 3] } output { 6i64 }
entry of_a_lambda [n] (xs: [n]i64) = (flipped numbers).sum n xs
