-- Loops carry scalars and arrays, on the host and in threads.
-- ==
-- entry: fibonacci
-- input { 10i32 }
-- output { 55i64 }
-- input { 0i32 }
-- output { 0i64 }
-- entry: collatz
-- input { [1i64, 6i64, 27i64] }
-- output { [0i32, 8i32, 111i32] }
-- entry: doubling
-- input { 4i32 }
-- output { [16i64, 17i64, 18i64] }
-- entry: sieve
-- input { 20i64 }
-- output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64] }
-- entry: swap
-- input { 3i32 [1, 2] [3, 4] }
-- output { [3, 4] [1, 2] }
-- entry: growing
-- input { 3i32 }
-- output { [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] }
-- entry: along
-- input { [1, 2, 3] }
-- output { 123 }

entry fibonacci (n: i32): i64 =
  let (a, _) = loop (a, b) = (0i64, 1i64) for _i < n do (b, a + b)
  in a

entry collatz [n] (xs: [n]i64): [n]i32 =
  let steps (x: i64): i32 =
    let (_, count) =
      loop (x, count) = (x, 0i32) while x != 1 do
        (if x % 2 == 0 then x / 2 else 3 * x + 1, count + 1)
    in count
  in map steps xs

entry doubling (n: i32): [3]i64 =
  let steps = loop x = 1 for _i < n do x * 2
  in map (+ steps) (iota 3)

entry sieve (n: i64): []i64 =
  let flags = loop flags = replicate n true for i < n do
    if i < 2
    then flags with [i] = false
    else if flags[i]
    then scatter flags (map (\k -> i * (k + 2)) (iota (n / i))) (replicate (n / i) false)
    else flags
  in filter (\i -> flags[i]) (iota n)

entry swap [n] (k: i32) (xs: [n]i32) (ys: [n]i32): ([n]i32, [n]i32) =
  loop (xs, ys) = (xs, ys) for _i < k do (ys, xs)

entry growing (k: i32): []i64 =
  loop xs = replicate 1 0i64 for _i < k do concat xs xs

entry along [n] (xs: [n]i32): i32 =
  loop sum = 0 for x in xs do sum * 10 + x
