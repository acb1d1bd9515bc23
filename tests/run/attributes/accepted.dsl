-- Attributes are accepted in all places and change no results.
-- ==
-- entry: on_expressions
-- input { [1, 2, 3] } output { [2, 3, 4] 6 }
-- entry: on_declarations
-- input { 3 } output { 4 }
-- entry: on_patterns
-- input { 3 } output { 7 }
-- entry: on_loops
-- input { 4 } output { 6 }
-- entry: unchecked
-- input { [1, 2, 3] 1i64 } output { 2 [2, 3] 2 }
-- entry: unchecked_inside_only
-- input { [1, 2, 3] 3i64 }
-- error: Index \[3\] out of bounds for array of shape \[3\]
-- entry: asserted_outside_only
-- input { 2 } output { 2 }
-- input { 3 }
-- error: Assertion is false: \(x < 3\)

entry on_expressions [n] (xs: [n]i32): ([n]i32, i32) =
  ( #[incremental_flattening(only_inner)] #[sequential_outer] map (+ 1) xs
  , #[sequential] reduce (+) 0 xs)

#[inline]
def inc (x: i32): i32 = #[trace] x + 1

#[unsafe]
entry on_declarations (x: i32): i32 = #[opaque] inc x

entry on_patterns (#[blank] x: i32): i32 =
  let (#[scratch] y, z) = (x, 4)
  in y + z

entry on_loops (n: i32): i32 = #[unroll] loop s = 0 for i < n do s + i

entry unchecked [n] (xs: [n]i32) (i: i64): (i32, []i32, i32) =
  let at (j: i64) = xs[j]
  in (#[unsafe] xs[i], #[unsafe] xs[i:], #[unsafe] at i)

entry unchecked_inside_only [n] (xs: [n]i32) (i: i64): i32 = (#[unsafe] xs[i - 1]) + xs[i]

entry asserted_outside_only (x: i32): i32 = assert (x < 3) (#[unsafe] assert (x < 2) x)
