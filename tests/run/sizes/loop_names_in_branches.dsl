-- The parameter of a loop has another parameter as its size, and the next values are those of branches, perhaps inside
-- lets. In each branch they must agree.
-- ==
-- entry: chosen
-- input { 3i64 } output { 10i64 45i64 }
-- input { 8i64 } output { 10i64 45i64 }
-- input { 12i64 } output { 12i64 66i64 }
-- entry: by_cases
-- input { 0i64 } output { 20i64 [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64, 12i64, 13i64, 14i64, 15i64, 16i64, 17i64, 18i64, 19i64] }
-- input { 9i64 } output { 9i64 [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64] }
-- entry: of_a_pattern
-- input { 2i64 } output { 5i64 [4i64, 5i64, 6i64, 7i64, 8i64] }
-- entry: named_again
-- input { 2i64 } output { 8i64 [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] }
-- entry: one_of_two
-- input { 5i64 } output { 11i64 33i64 9i64 }
-- input { 2i64 } output { 11i64 33i64 9i64 }
-- entry: at_the_start
-- input { true } output { 4i64 6i64 }
-- input { false } output { 5i64 10i64 }

entry chosen (n: i64) =
  let (k, xs) =
    loop (k, xs: [k]i64) = (n, iota n) while k < 10 do
      if k > 5 then (k + 1, iota (k + 1)) else let m = k + 2 in (m, iota m)
  in (k, i64.sum xs)

entry by_cases (n: i64) =
  loop (k, xs: [k]i64) = (n, iota n) while k < 7 do
    match k
    case 0 -> (4, [5, 6, 7, 8])
    case 4 -> let zs = concat xs xs in (6, take 6 zs)
    case _ -> if k > 5 then (20, iota 20) else (k + 1, iota (k + 1))

entry of_a_pattern (n: i64) =
  loop (k, xs: [k]i64) = (n, iota n) while k < 5 do
    let (a, b) = (k + 1, k)
    let c = a
    let d = c
    in (d, map (+ b) (iota a))

entry named_again (n: i64) =
  loop (k, xs: [k]i64) = (n, iota n) while k < 7 do
    let [m] (ys: [m]i64) = filter (>= 0) (concat xs xs)
    let l = m
    let zeros = map (const 0) ys
    in if k > 100 then (k, xs) else (l, zeros)

-- Only one of the two arrays has the size of the name in both branches.
entry one_of_two (n: i64) =
  let (k, xs, ys) =
    loop (k, xs: []i64, ys: [k]i64) = (n, iota n, iota n) while k < 10 do
      if k == 5 then (k + 1, iota (k + 1), replicate (k + 1) 2)
      else if k < 5 then (k + 1, iota (k + 1), iota (k + 1))
      else (11, map (+ 1) (iota (k + 2)), replicate 11 3)
  in (k, i64.sum xs - ys[0], i64.sum (take 3 ys))

entry at_the_start (c: bool) =
  let (k, xs) = loop (k, xs: [k]i64) = (if c then (4, iota 4) else (5, iota 5)) for i < 2 do (k, map (+ 0) xs)
  in (k, i64.sum xs)
