-- Sizes computed from arrays: the same expression for arrays of several sizes, and of existential sizes.
-- ==
-- entry: of_several of_several_mapped
-- input { [1i64, 2, 1] [1i64, 1] } output { 4i64 2i64 }
-- input { [1i64, 0, 0] [7i64] } output { 1i64 7i64 }
entry of_several [n] (xs: [3]i64) (ys: [n]i64) = (length (iota (i64.sum xs)), length (iota (i64.sum ys)))
entry of_several_mapped [n] (xs: [3]i64) (ys: [n]i64) =
  (length (iota (i64.sum (map (+ 0) xs))), length (iota (i64.sum (map (+ 0) ys))))

-- ==
-- entry: stated
-- input { [1i64, 2, 1] [1i64, 1] } output { 12i64 2i64 0i64 }
def counted [n] (xs: [n]i64): [i64.sum xs]i64 = iota (i64.sum xs)
def of_two [n] [k] (xs: [n]i64) (ys: [k]i64): [i64.sum (map (* length ys) xs)]i64 = iota (i64.sum (map (* length ys) xs))
entry stated [n] (xs: [3]i64) (ys: [n]i64) =
  ( i64.sum (map2 (+) (counted xs) (iota (i64.sum xs)))
  , i64.sum (map2 (+) (counted ys) (iota (i64.sum ys)))
  , i64.sum (map2 (-) (of_two ys ys) (iota (i64.sum (map (* length ys) ys)))) )

-- ==
-- entry: of_a_slice
-- input { [2i64, 5, 6] } output { 5i64 }
entry of_a_slice (xs: []i64) = length (replicate (i64.sum xs[1:xs[0]]) 1i32)

-- ==
-- entry: of_a_range
-- input { [2i64, 5, 6] } output { 5i64 11i64 }
entry of_a_range (xs: []i64) = (length (iota (length (0..<xs[1]))), length (replicate (i64.max xs[2] (length (0...xs[0] * xs[1]))) 1i32))

-- ==
-- entry: of_a_coercion
-- input { 2i64 [1i64, 2, 3, 4] } output { 3i64 10i64 }
-- input { 3i64 [1i64, 2, 3, 4] } error: Value of shape \[4\] cannot match shape of type
entry of_a_coercion (i: i64) (xs: []i64) =
  (length (replicate (transpose (unflatten (xs :> [2 * i]i64)))[1, 0] 1i32) + 1, length (iota (i64.sum (xs :> [2 * i]i64))))

-- ==
-- entry: of_a_module
-- input { [1i64, 2] } output { [0i64, 2, 4, 6, 8] }
module type counter = { val k: i64  val f [n]: (xs: [n]i64) -> [i64.sum (map (+ k) xs)]i64 }
module twice (m: counter) = { def g (xs: []i64) = map2 (+) (m.f xs) (iota (i64.sum (map (+ m.k) xs))) }
module one = twice { def k = 1i64  def f (xs: []i64): [i64.sum (map (+ k) xs)]i64 = iota (i64.sum (map (+ k) xs)) }
entry of_a_module (xs: []i64) = one.g xs
