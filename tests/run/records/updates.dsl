-- A record update replaces one field at any depth, and keeps the others.
-- ==
-- entry: field
-- input { 1 2 }
-- output { 9 2 }
-- entry: deep
-- input { 1 2 }
-- output { 1 12 3 }
-- entry: chain
-- input { 1 }
-- output { 5 6 }
-- entry: component
-- input { 1 true }
-- output { 1 false }
-- entry: in_place
-- input { [1, 2, 3] }
-- output { [7, 2, 3] 6 }
-- entry: other_size
-- input { [1, 2, 3] }
-- output { [1, 2] 3i64 }
-- entry: of_elements
-- input { [1, 2] }
-- output { [1, 2] [10, 20] }
-- entry: untouched
-- input { 4 }
-- output { 4 0 }

entry field (x: i32) (y: i32): (i32, i32) =
  let r = {x, y}
  let s = r with x = 9
  in (s.x, s.y)

entry deep (x: i32) (y: i32): (i32, i32, i32) =
  let r = {a = {b = {x, y}, c = 3}}
  let s = r with a.b.y = r.a.b.y + 10
  in (s.a.b.x, s.a.b.y, s.a.c)

entry chain (x: i32): (i32, i32) =
  let r = {x, y = x} with x = 5 with y = 6
  in (r.x, r.y)

entry component (x: i32) (b: bool): (i32, bool) =
  (x, b) with 1 = !b

-- The old array, and the record that contains it, is consumed. The new record has the other fields.
entry in_place (xs: *[]i32): ([]i32, i32) =
  let r = {xs, sum = reduce (+) 0 xs}
  let r = r with xs = (r.xs with [0] = 7)
  in (r.xs, r.sum)

entry other_size [n] (xs: [n]i32): ([]i32, i64) =
  let r = {xs, count = n}
  let s = r with xs = take 2 r.xs
  in (s.xs, s.count)

entry of_elements [n] (xs: [n]i32): ([n]i32, [n]i32) =
  let rs = map (\x -> {x, y = 0}) xs
  let ss = map (\(r: {x: i32, y: i32}) -> r with y = 10 * r.x) rs
  in (map (.x) ss, map (.y) ss)

entry untouched (x: i32): (i32, i32) =
  let r = {x, y = 0}
  let _ = r with x = 1
  in (r.x, r.y)

-- The accumulator of a fold is a record that is updated.
-- ==
-- entry: accumulated
-- input { [1, 2, 3] }
-- output { 6 3i64 }
entry accumulated (xs: []i32) =
  let r = foldl (\(acc: {sum: i32, n: i64}) x -> let acc = acc with sum = acc.sum + x in acc with n = acc.n + 1) {sum = 0, n = 0i64} xs
  in (r.sum, r.n)
