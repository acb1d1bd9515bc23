-- Elements of every width in the memory of a block.

-- ==
-- entry: flags
-- input { [[1i32, 2, 3], [2, 2, 2]] }
-- output { [[false, true, true], [true, true, true]] [true, true] [[1u8, 3, 255], [2, 4, 255]] }
entry flags [n] (xss: [n][3]i32): ([n][3]bool, [n]bool, [n][3]u8) =
  unzip3 (#[flattening(block)] map (\xs ->
    let seen = scan (||) false (map (\x -> x % 2 == 0) xs)
    let any = reduce (||) false seen
    let bytes = scan (+) 0 (map u8.i32 xs)
    in (seen, any, bytes with [2] = if any then 255 else 0)) xss)

-- ==
-- entry: wide
-- input { [[1i64, 4611686018427387904], [-1, 5]] }
-- output { [[1i64, 4611686018427387905], [-1, 4]] [4611686018427387905i64, 4] }
entry wide [n] [m] (xss: [n][m]i64): ([n][m]i64, [n]i64) =
  unzip (#[flattening(block)] map (\xs -> let sums = scan (+) 0 xs in (sums, i64.maximum sums)) xss)

-- ==
-- entry: floats
-- input { [[0.5f64, 1.5], [-1.0, 4.0]] [[0.25f32, 0.5], [2.0, -8.0]] }
-- output { [[0.5f64, 2.0], [-1.0, 3.0]] [[0.75f32, 0.5], [-6.0, -8.0]] }
entry floats [n] [m] (xss: [n][m]f64) (yss: [n][m]f32): ([n][m]f64, [n][m]f32) =
  unzip (#[flattening(block)] map2 (\xs ys ->
    let sums = scan (+) 0 xs
    let back = reverse (scan (+) 0 (reverse ys))
    in (sums, map2 (\b s -> if s > 1e9 then 0 else b) back sums)) xss yss)

-- ==
-- entry: small
-- input { [[100i8, 27], [-128, -1]] [[1i16, 2], [30000, 30000]] }
-- output { [[100i8, 127], [-128, 127]] [3i16, -5536] }
entry small [n] [m] (xss: [n][m]i8) (yss: [n][m]i16): ([n][m]i8, [n]i16) =
  unzip (#[flattening(block)] map2 (\xs ys -> (scan (+) 0 xs, last (scan (+) 0 ys))) xss yss)
