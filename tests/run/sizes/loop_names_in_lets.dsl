-- The parameter of a loop has another parameter as its size, and an iteration binds the next values by lets.
-- ==
-- entry: grown
-- input { 3i64 } output { 10i64 [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64] }
-- input { 12i64 } output { 12i64 [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64] }
-- entry: computed
-- input { [3i64, 1i64, 2i64, 7i64, 5i64] } output { 1i64 [5i64] }
-- input { empty([0]i64) } output { 0i64 empty([0]i64) }
-- entry: several
-- input { 4i64 } output { 2i64 8i64 [[0i64, 0i64], [0i64, 0i64], [0i64, 0i64], [0i64, 0i64], [0i64, 0i64], [0i64, 0i64], [0i64, 0i64], [0i64, 0i64]] }
-- entry: updated
-- input { 2i64 } output { 5i64 [9i64, 1i64, 2i64, 3i64, 4i64] }

entry grown (n: i64) = loop (k, xs: [k]i64) = (n, iota n) while k < 10 do let m = k + 1 in (m, iota m)

def halves (k: i64): i64 = loop k = k while k % 2 == 0 && k > 0 do k / 2

entry computed [n] (xs: [n]i64) =
  loop (k, xs: [k]i64) = (n, xs) while k > 1 do
    let m = halves (k - 1)
    let (l, half) = (m, k / 2)
    let ys = map2 i64.max (take l xs) (drop (k - l) xs :> [l]i64)
    in (l, ys)

entry several (n: i64) =
  loop (k, l, xss: [l][k]i64) = (n, n, replicate n (replicate n 1)) while k > 2 do
    let m = k / 2
    let row = replicate m 0
    let f (x: i64) = x * 2
    let o = f l
    in (m, o, replicate o row)

entry updated (n: i64) =
  loop (k, xs: *[k]i64) = (n, iota n) while k < 5 do
    let m = k + 1
    let ys = iota m
    let ys[0] = 9
    in (m, ys)
