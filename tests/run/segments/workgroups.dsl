-- With the attribute `flattening(block)`, each row is computed by a workgroup, and the constructs of the row are segments of the
-- workgroup (the rule `block-level`).

-- ==
-- entry: below
-- structure flat { grid 1 block 2 screma 0 }
-- input { [[3i32, 1, 2], [0, 0, 5]] }
-- output { [[3i32, 2, 0], [5, 5, 0]] }
entry below [n] [m] (xss: [n][m]i32): [n][m]i32 =
  #[flattening(block)] map (\xs ->
    let sums = scan (+) 0 xs
    in map (\sum -> last sums - sum) sums) xss
