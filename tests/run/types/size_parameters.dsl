-- Abbreviations with size parameters, applied to names, expressions and anonymous sizes.
-- ==
-- input { [1, 2, 3] }
-- output { [[1, 2, 3], [1, 2, 3]] [1, 2, 3, 1, 2, 3] 3i64 14 }

type matrix [n] [m] = [n][m]i32
type square [n] = matrix [n] [n]
type vector [n] = [n]i32

def double [n] (xs: vector [n]): vector [n + n] = xs ++ xs

def stack [n] (xs: vector [n]): matrix [2] [n] = [xs, xs]

def length_of (xs: vector []): i64 = length xs

def outer [n] (xs: vector [n]): square [n] = map (\x -> map (* x) xs) xs

def trace_of [n] (xss: square [n]): i32 = reduce (+) 0 (map (\i -> xss[i, i]) (iota n))

entry main [n] (xs: [n]i32): ([2][n]i32, []i32, i64, i32) =
  (stack xs, double xs, length_of xs, trace_of (outer xs))
