-- Reductions with all kinds of operators: on tuples, not commutative, of length 0 and of lengths around chunk sizes.
-- ==
-- entry: simple
-- input { [3, 1, 2] }
-- output { 6 1 true }
-- input { empty([0]i32) }
-- output { 0 2147483647 true }
-- entry: line
-- input { 0i64 }
-- output { 1u32 0u32 }
-- input { 1i64 }
-- output { 3u32 0u32 }
-- input { 3i64 }
-- output { 105u32 9u32 }
-- entry: total
-- input { 255i64 }
-- output { 32385i64 }
-- input { 256i64 }
-- output { 32640i64 }
-- input { 257i64 }
-- output { 32896i64 }
-- input { 20000000i64 }
-- output { 199999990000000i64 }
-- entry: last
-- input { 100000i64 }
-- output { 99999i64 }

entry simple [n] (xs: [n]i32): (i32, i32, bool) =
  (reduce (+) 0 xs, reduce i32.min i32.highest xs, reduce (&&) true (map (> 0) xs))

-- Composition of affine functions x -> a x + b: associative, not commutative.
def compose (a: u32, b: u32) (c: u32, d: u32): (u32, u32) = (a * c, b * c + d)

entry line (n: i64): (u32, u32) =
  reduce compose (1, 0) (map (\i -> (u32.i64 (2 * i + 3), u32.i64 i)) (iota n))

entry total (n: i64): i64 = reduce (+) 0 (iota n)

entry last (n: i64): i64 = reduce (\x y -> if y < 0 then x else y) (-1) (iota n)
