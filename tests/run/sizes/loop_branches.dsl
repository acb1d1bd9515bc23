-- Branches in loops between a loop parameter and an array of its initial size: the loop keeps the size, unless the
-- parameter changes its size elsewhere in the body.
-- ==
-- entry: lambda
-- input { [1, 2, 3] true } output { [1, 2, 3] }
-- input { [1, 2, 3] false } output { [4, 8, 12] }
-- entry: rows
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[1, 2], [1, 2], [3, 4]] }
-- entry: local_function
-- input { [1, 2] true } output { [4, 8] }
-- input { [1, 2] false } output { [8, 16] }
-- entry: result
-- input { [1, 2] true } output { [1, 2] }
-- input { [1, 2] false } output { [2, 3] }
-- entry: nested
-- input { [1, 2] true } output { [16385, 16385] }
-- input { [1, 2] false } output { [19, 19] }
-- entry: pairs
-- input { [1, 2] [3, 4] 3i64 } output { [3, 4] [1, 2] }
-- input { [1, 2] [3, 4] 2i64 } output { [1, 2] [3, 4] }
-- entry: records
-- input { [1, 2] } output { [2, 3] 3 }
-- entry: cases
-- input { [5, 6] 0 } output { [6, 7] }
-- input { [5, 6] 1 } output { [7, 8] }
-- entry: condition
-- input { [1, 2] true } output { [9, 10] }
-- input { [10, 20] false } output { [10, 20] }
-- entry: rows_of_rows
-- input { [[1], [-2], [3]] } output { [-1] }
-- entry: of_a_filter
-- input { [1, -1, 2] true } output { [5, 10] }
-- input { [1, -1, 2] false } output { [2, 4] }
-- entry: sum
-- input { [1, 2] 0i64 } output { 1 }
-- input { [1, 2] 1i64 } output { 7 }
-- entry: grows
-- input { 2i64 true } output { [1, 1, 1, 1] }
-- input { 2i64 false } output { [7, 7] }
-- entry: begins_again
-- input { [true, true, false, true] } output { [2i64, 3i64] }
-- entry: doubles
-- input { [true, false] } output { [1, 1] [1] }
-- input { [false, false] } output { [1, 1, 1, 1] [1, 1] }
-- entry: both
-- input { [5, 6] true } output { [0, 1, 2] [5, 6] }
-- input { [5, 6] false } output { [2] [5, 6] }

entry lambda (a: [3]i32) (c: bool) =
  loop w = a for k < 3i64 do
    map2 (+) (if c then map (const 0) w else a) (head (map (\(i: i64) -> if c then a else w) (iota 4)))

entry rows [n] [m] (a: [n][m]i32): [n][m]i32 =
  loop w = a for k < 2i64 do tabulate n (\i -> if i > k then a[i - 1] else w[i])

entry local_function [n] (a: [n]i32) (c: bool): [n]i32 =
  loop w = a for k < 3i64 do
    let g (j: i64): [n]i32 = if c && j >= 0 then a else w
    in map2 (+) (g k) w

entry result [n] (a: [n]i32) (c: bool): [n]i32 =
  let b = map (+ 1) a
  in loop w = a for k < 2i64 do if c then w else b

entry nested [n] (a: [n]i32) (c: bool): [n]i32 =
  loop w = a for i < 2i64 do
    loop v = w for j < 2i64 do
      map (\_ -> reduce (+) 0 (map2 (*) (if c then v else a) w) + i32.i64 j) (iota n)

entry pairs [n] (a: [n]i32) (b: [n]i32) (k: i64): ([n]i32, [n]i32) =
  loop (w, v) = (a, b) for i < k do head (map (\(j: i64) -> if j > 0 then (w, v) else (v, w)) (iota 3))

entry records [n] (a: [n]i32): ([n]i32, i32) =
  let r = loop r = {xs = a, k = 0i32} while r.k < 3 do
    {xs = map (\i -> (if r.k > 0 then r.xs else map (+ 1) a)[i]) (iota n), k = r.k + 1}
  in (r.xs, r.k)

entry cases [n] (a: [n]i32) (k: i32): [n]i32 =
  loop w = a for i < 2 do
    map (\j -> (match k + i case 0 -> w case 1 -> a case _ -> map (+ 1) w)[j] + i) (iota n)

entry condition [n] (a: [n]i32) (c: bool): [n]i32 =
  loop w = a while all (\i -> (if c then w else a)[i] < 10) (iota n) do map2 (+) (if c then w else a) (replicate n 1)

entry rows_of_rows [n] [m] (xss: [n][m]i32): [m]i32 =
  loop w = replicate m 1 for xs in xss do if xs[0] > 0 then map (\x -> x / x * w[0]) xs else map (* (-1)) w

entry of_a_filter (xs: []i32) (c: bool): []i32 =
  let a = filter (> 0) xs
  in loop w = a for k < (if c then 2i64 else 1i64) do map2 (+) (if c then w else a) a |> map2 (+) (map (* i32.i64 k) w)

type opt [n] = #some ([n]i32) | #none

entry sum [n] (a: [n]i32) (k: i64): i32 =
  let r = loop w = (#some a : opt [n]) for i < k do
    head (map (\j -> if j > 3 then w else #some (map (* 7) a)) (iota 2))
  in match r
     case #some xs -> xs[0]
     case #none -> -1

entry grows (n: i64) (c: bool): []i32 =
  loop w = [1] for i < n do
    let v = if c then w else [7]
    in if c then v ++ v else if i > 0 then w else v ++ v

entry begins_again (p: []bool): []i64 =
  loop acc = [] for i < length p do
    let x = if p[i] then acc else []
    in x ++ [i]

entry doubles (p: []bool): ([]i32, []i32) =
  loop (w, v) = ([1], [1]) for c in p do if c then (w, v) else (w ++ w, w)

entry both [n] (a: [n]i32) (c: bool): ([]i32, [n]i32) =
  let g = loop acc = [] for i < 3 do
    let x = if c then acc else []
    in x ++ [i]
  let k = loop w = a for i < 3 do if c then w else a
  in (g, k)
