-- Steps of a stencil, whose arrays stay in the memory of the block.

-- ==
-- entry: smooth
-- input { [[0i32, 0, 16, 0, 0], [32, 0, 0, 0, 0]] 0i64 }
-- output { [[0i32, 0, 16, 0, 0], [32, 0, 0, 0, 0]] }
-- input { [[0i32, 0, 16, 0, 0], [32, 0, 0, 0, 0]] 1i64 }
-- output { [[0i32, 4, 8, 4, 0], [24, 8, 0, 0, 0]] }
-- input { [[0i32, 0, 16, 0, 0], [32, 0, 0, 0, 0]] 3i64 }
-- output { [[1i32, 3, 5, 3, 1], [17, 10, 3, 0, 0]] }
entry smooth [n] [m] (xss: [n][m]i32) (steps: i64): [n][m]i32 =
  #[flattening(block)] map (\xs ->
    loop ys = xs for _i < steps do
      let at i = ys[i64.max 0 (i64.min (m - 1) i)]
      in map (\i -> (at (i - 1) + 2 * at i + at (i + 1)) / 4) (iota m)) xss

-- Two arrays alternate.

-- ==
-- entry: fibonacci
-- input { [[0i64, 1], [2, 1]] [[1i64, 1], [1, 3]] 10i64 }
-- output { [[55i64, 89], [123, 199]] }
entry fibonacci [n] [m] (ass: [n][m]i64) (bss: [n][m]i64) (steps: i64): [n][m]i64 =
  #[flattening(block)] map2 (\as bs ->
    (loop (as, bs) = (as, bs) for _i < steps do (bs, map (\i -> as[i] + bs[i]) (iota m))).0) ass bss
