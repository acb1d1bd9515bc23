-- The forward steps of a Hull-White tree: today's values of the states of a level, discounted, are
-- summed for the shift of the level, and distributed to the states of the next level.
-- ==
-- entry: main
-- input { 3i64 [0.1, 0.2, 0.4, 0.2, 0.1] [0.99, 0.98, 0.97, 0.96, 0.95] }

entry main [n] (levels: i64) (root: *[n]f64) (discount: [n]f64): [n]f64 =
  loop states = root for _i < levels do
    let discounted = map2 (*) states discount
    let shift = 1 / f64.sum discounted
    let receive (k: i64): f64 =
      let (below, above) = (i64.max 0 (k - 1), i64.min (n - 1) (k + 1))
      in discounted[below] / 6 + 2 * discounted[k] / 3 + discounted[above] / 6
    in map (\k -> shift * receive k) (iota n)
