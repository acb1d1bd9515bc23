-- Local functions with type and size parameters.
-- ==
-- entry: types
-- input { 1 true } output { true 1 2 false }
-- entry: sizes
-- input { [1, 2] [1, 2, 3] } output { 2i64 3i64 }
-- entry: captured
-- input { 3 } output { 3 6 }
-- entry: lifted
-- input { 4 } output { 9 }
-- entry: inside_a_map
-- input { [1, 2] } output { [2, 4] }
-- entry: nested
-- input { 5 } output { 5 true }
-- entry: explicit_and_inferred
-- input { [1, 2, 3] } output { [2, 3, 4] [1f32, 1f32] }

entry types (x: i32) (b: bool): (bool, i32, i32, bool) =
  let swap 'a 'b (p: (a, b)): (b, a) = (p.1, p.0)
  let (c, y) = swap (x, b)
  let (z, d) = swap (!b, x + 1)
  in (c, y, z, d)

entry sizes [n] [m] (xs: [n]i32) (ys: [m]i32): (i64, i64) =
  let count [k] 'a (_: [k]a): i64 = k
  in (count xs, count ys)

entry captured (x: i32): (i32, i32) =
  let with_x 'a (f: i32 -> a): a = f x
  in (with_x (+ 0), with_x (* 2))

entry lifted (x: i32): i32 =
  let thrice '^a (f: a -> a) (y: a): a = f (f (f y))
  let add (g: i32 -> i32) (y: i32) = g y + 1
  in (thrice add (\y -> y + 2)) x

entry inside_a_map (xs: []i32): []i32 =
  map (\x -> let both 'a (y: a): (a, a) = (y, y) let (a, b) = both x in a + b) xs

entry nested (x: i32): (i32, bool) =
  let outer 'a (y: a) =
    let inner 'b (z: b): (a, b) = (y, z)
    in inner true
  in outer x

entry explicit_and_inferred [n] (xs: [n]i32): ([n]i32, []f32) =
  let over 'a 'b (f: a -> b) (ys: []a) = map f ys
  in (over (+ 1) xs, over f32.bool [true, true] :> []f32)
