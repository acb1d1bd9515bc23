-- A size is any expression. Its value is the value of the expression at the place of the type.
-- ==
-- entry: of_length
-- input { [5, 6, 7] } output { [0i64, 1i64, 2i64] }
-- input { empty([0]i32) } output { empty([0]i64) }
-- entry: of_a_function
-- input { 3i64 } output { [0i64, 2i64, 4i64, 6i64, 8i64, 10i64] }
-- input { 0i64 } output { empty([0]i64) }
-- entry: of_a_function_twice
-- input { 2i64 [1i64, 1i64, 1i64, 1i64] } output { [1i64, 2i64, 3i64, 4i64] }
-- input { 2i64 [1i64] }
-- error: Value of shape \[1\] cannot match shape of type "\[4\]i64"
-- entry: of_a_component
-- input { 2i64 3i64 } output { [0i64, 1i64] [0i64, 1i64, 2i64] }
-- entry: of_a_branch
-- input { true } output { [0i64, 1i64] }
-- input { false } output { [0i64, 1i64, 2i64] }
-- entry: of_an_element
-- input { [3i64, 2i64] } output { 5i64 }
-- entry: of_a_loop
-- input { 3i64 } output { 8i64 }
-- entry: of_a_parameter
-- input { 2i64 } output { [7, 7, 7, 7, 7] }
-- entry: across_calls
-- input { [1, 2] } output { [1i64, 3i64] }
-- entry: negative
-- input { 3i64 } output { [1, 1] }
-- input { 1i64 } output { empty([0]i32) }

def square (n: i64): i64 = n * n

def indices (xs: []i32): [length xs]i64 = iota (length xs)

entry of_length (xs: []i32) = indices xs

def double (n: i64): i64 = n + n

entry of_a_function (n: i64): [double n]i64 =
  let evens: [double n]i64 = map (* 2) (iota (double n))
  in evens

entry of_a_function_twice (n: i64) (xs: []i64): [square n]i64 =
  map2 (+) (xs :> [square n]i64) (iota (square n))

entry of_a_component (a: i64) (b: i64) =
  let p = (a, b)
  in (iota p.0, iota p.1)

entry of_a_branch (b: bool) = iota (if b then 2 else 3)

entry of_an_element (sizes: []i64): i64 =
  let xs = replicate sizes[0] 1i64
  let ys = replicate sizes[1] 1i64
  in i64.sum (concat xs ys)

entry of_a_loop (n: i64): i64 = length (iota (loop m = 1 for _i < n do 2 * m))

def filled (size: i64 -> i64) (n: i64) (x: i32): [size n]i32 = replicate (size n) x

entry of_a_parameter (n: i64): []i32 = filled (\m -> square m + 1) n 7

entry across_calls (xs: []i32): []i64 = map2 (+) (indices xs) (map i64.i32 xs :> [length xs]i64)

entry negative (n: i64): []i32 = replicate (n - 1) 1
