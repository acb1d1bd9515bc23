-- What a partial application holds is there in each of its calls. It consumes nothing: a function that consumes an
-- argument gets all its arguments at once.
-- ==
-- entry: called_twice
-- input { [1, 2] 3 } output { 4 5 }
-- entry: in_a_map
-- input { [1, 2] [1, 2, 3] } output { [2, 3, 4] }
-- entry: behind_a_name
-- input { [1, 2] [1, 2, 3] } output { [2, 3, 4] }
-- entry: called_at_once
-- input { [1, 2] 3 } output { 4 }

def add (a: *[]i32) (x: i32): i32 = let a[0] = a[0] + x in a[0]

entry called_twice (xs: []i32) (y: i32): (i32, i32) =
  let f = \x -> add (copy xs) x
  in (f y, f (y + 1))

entry in_a_map (xs: []i32) (ys: []i32): []i32 = map (\y -> add (copy xs) y) ys

entry behind_a_name (xs: []i32) (ys: []i32): []i32 =
  let f = \x -> add (copy xs) x
  in map f ys

entry called_at_once (xs: []i32) (y: i32): i32 = (add (copy xs)) y
