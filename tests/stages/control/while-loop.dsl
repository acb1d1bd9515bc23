-- A loop in a thread, and a function that lowering inlines.
-- ==
-- input { [1i64, 6i64] }

def steps (x: i64): i32 =
  let (_, count) = loop (x, count) = (x, 0) while x > 1 do
    (if x % 2 == 0 then x / 2 else 3 * x + 1, count + 1)
  in count

entry main [n] (xs: [n]i64): [n]i32 = map steps xs
