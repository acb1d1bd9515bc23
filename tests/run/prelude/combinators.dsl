-- Function combinators, and functions that are only hints for the compiler.
-- ==
-- entry: iterated
-- input { 1 } output { 32 128 64 1 }
-- entry: identities
-- input { [1, 2] } output { 1 [1, 2] [1, 2] [1, 2] }
-- entry: pairs
-- input { 7 2 } output { 5 -5 9 7 2 14 }
-- entry: composed
-- input { 5 } output { 12 11 12 11 }
-- entry: truth
-- input { [true, false] } output { false true true false [false, true] }

entry iterated (x: i32): (i32, i32, i32, i32) =
  (iterate 5 (* 2) x, iterate_until (> 100) (* 2) x, iterate_while (< 50) (* 2) x, iterate 0 (* 2) x)

entry identities (xs: []i32): (i32, []i32, []i32, []i32) =
  (trace xs[0], break xs, opaque xs, manifest xs)

entry pairs (x: i32) (y: i32): (i32, i32, i32, i32, i32, i32) =
  (x - y, flip (-) x y, uncurry (+) (x, y), fst (x, y), snd (x, y), curry (\(a, b) -> a * b) x y)

entry composed (x: i32): (i32, i32, i32, i32) =
  (x |> (+ 1) |> (* 2), (+ 1) <| (* 2) <| x, ((+ 1) >-> (* 2)) x, ((+ 1) <-< (* 2)) x)

entry truth (bs: []bool): (bool, bool, bool, bool, []bool) =
  (and bs, or bs, and (take 0 bs), or (take 0 bs), map not bs)
