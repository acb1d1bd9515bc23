-- Rows of sizes around the width of a workgroup, 256, compared with the same code without blocks.

def rows (n: i64) (m: i64): [n][m]i32 = tabulate_2d n m (\i j -> i32.i64 ((i * 7919 + j * 104729) % 1000) - 500)

-- ==
-- entry: scans
-- input { 3i64 0i64 } output { true }
-- input { 3i64 1i64 } output { true }
-- input { 2i64 2i64 } output { true }
-- input { 2i64 255i64 } output { true }
-- input { 2i64 256i64 } output { true }
-- input { 2i64 257i64 } output { true }
-- input { 1i64 1000i64 } output { true }
-- input { 0i64 5i64 } output { true }
-- input { 300i64 3i64 } output { true }
entry scans (n: i64) (m: i64): bool =
  let xss = rows n m
  let step xs = let sums = scan (+) 0 xs let top = i32.maximum sums in map2 (\s x -> top - s + x) sums xs
  let blocks = #[flattening(block)] map step xss
  let threads = map step xss
  in and (map2 (\bs ts -> and (map2 (==) bs ts)) blocks threads)

-- ==
-- entry: compositions
-- input { 2i64 0i64 } output { true }
-- input { 2i64 1i64 } output { true }
-- input { 2i64 255i64 } output { true }
-- input { 2i64 256i64 } output { true }
-- input { 2i64 257i64 } output { true }
-- input { 1i64 700i64 } output { true }
entry compositions (n: i64) (m: i64): bool =
  let xss = rows n m
  let compose (a, b) (c, d) = (a * c, b * c + d)
  let composed xs = reduce compose (1, 0) (map (\x -> (x, x + 1)) xs)
  let blocks = #[flattening(block)] map composed xss
  let threads = map composed xss
  in and (map2 (\(a, b) (c, d) -> a == c && b == d) blocks threads)
