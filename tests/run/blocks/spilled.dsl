-- Arrays of constant size that do not fit the memory of a workgroup together: on a GPU, some lie in device memory.

-- ==
-- entry: waves
-- input { [1i64, 2, 3] }
-- output { [4911i64, 5121, 5640] }
-- input { empty([0]i64) }
-- output { empty([0]i64) }
entry waves [n] (seeds: [n]i64): [n]i64 =
  #[flattening(block)] map (\seed ->
    let as = map (\i -> (i * seed + 7) % 1009) (iota 600)
    let bs = scan (+) 0 as
    let cs = map2 (\a b -> (a * b) % 1013) as bs
    let (ds, es) =
      loop (ds, es) = (copy as, copy cs) for i < seed do
        let total = i64.sum ds % 1019
        in (map (\k -> (ds[(k + i) % 600] + es[599 - k] + total) % 1021) (iota 600),
            map2 (\d c -> (d * c + i) % 1031) ds cs)
    in i64.sum (map2 (\d e -> (d + 3 * e) % 17) ds es) + bs[599] % 11 + cs[seed]) seeds

-- More points than run at the same time, in two dimensions.

-- ==
-- entry: grids
-- input { 3i64 5i64 }
-- output { [[81i32, 20, 56, 14, 2], [37, 69, 27, 19, 46], [86, 48, 36, 63, 17]] }
entry grids (n: i64) (m: i64): [n][m]i32 =
  #[flattening(block)] tabulate_2d n m (\i j ->
    let xs = map (\k -> i32.i64 ((i + j + k) * 37 % 101)) (iota 1000)
    let ys = map (\k -> xs[(k * 7) % 1000] - xs[k]) (iota 1000)
    let zs = map2 (\y k -> y ^ xs[999 - k] + ys[k / 2]) ys (iota 1000)
    in (xs[i] + ys[j] + i32.sum (map (% 100) zs) + zs[500]) % 97)
