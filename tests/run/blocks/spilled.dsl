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

-- Other types, and more points than one workgroup has threads.

-- ==
-- entry: columns
-- input { 3i64 }
-- output { 1598688i64 140i32 }
-- input { 300i64 }
-- output { 22574441193i64 14822i32 }
entry columns (n: i64): (i64, i32) =
  let (as, bs) = unzip (#[flattening(block)] tabulate n (\i ->
    let xs = map (\k -> i32.i64 ((i + k) * 37 % 101)) (iota 1000)
    let ys = map (\k -> xs[(k * 7) % 1000] - xs[k]) (iota 1000)
    let zs = map2 (\y k -> i64.i32 (y ^ xs[999 - k] + ys[k / 2]) % 1009) ys (iota 1000)
    in (i64.sum zs + zs[i % 1000], xs[i % 1000] + ys[(i + 1) % 1000])))
  in (i64.sum (map2 (*) as (iota n)), i32.sum bs)
