-- The result of a branch or a loop may be an array that is still used. It is not overwritten.
-- ==
-- entry: turned rounds
-- input { [-2i64, -6i64, 7i64, 4i64, 7i64] [17i64, 14i64, -8i64, 15i64, 19i64] 3i64 }
-- output { [2i64, 1i64, 0i64, -1i64, -2i64] }
-- entry: turned
-- input { [1i64, 2i64, 3i64] [10i64, 20i64, 30i64] 0i64 }
-- output { [-8i64, -19i64, -30i64] }
-- entry: straight
-- input { [1i64, 2i64] [10i64, 20i64] 3i64 }
-- output { [0i64, 0i64] }
-- input { [1i64, 2i64] [10i64, 20i64] 0i64 }
-- output { [-10i64, -19i64] }
-- entry: in_rounds
-- input { [1i64, 2i64, 4i64] 1i64 }
-- output { [3i64, 0i64, -3i64] }
-- input { [1i64, 2i64, 4i64] 2i64 }
-- output { [1i64, 2i64, 4i64] }

entry turned [n] (ys: [n]i64) (xs: [n]i64) (k: i64): [n]i64 =
  let a = map (+ 1) xs
  let b = if k > 2 then a else ys
  in map2 (-) (b[::-1]) a

entry rounds [n] (ys: [n]i64) (xs: [n]i64) (k: i64): [n]i64 =
  let a = map (+ 1) xs
  let b = loop p = ys for _i < k do a
  in map2 (-) (b[::-1]) a

entry straight [n] (ys: [n]i64) (xs: [n]i64) (k: i64): [n]i64 =
  let a = map (+ 1) xs
  let b = loop p = ys for _i < k do a
  in map2 (-) b a

entry in_rounds [n] (xs: [n]i64) (k: i64): [n]i64 =
  loop (a: [n]i64) = map (+ 1) xs for i < k do
    let b = if i % 2 == 0 then a else xs
    in map2 (-) (b[::-1]) a
