-- The arguments of a partial application are available in each of its calls, even if a call consumes them.
-- ==
-- entry: called_twice
-- input { [1, 2] 3 } output { 4 5 }
-- entry: in_a_map
-- input { [1, 2] [1, 2, 3] } output { [2, 3, 4] }
-- entry: behind_a_name
-- input { [1, 2] [1, 2, 3] } output { [2, 3, 4] }
-- entry: of_components
-- input { [1, 2] [5, 6] } output { [6, 2] [6, 2] [5, 6] }

def add (a: *[]i32) (x: i32): i32 = let a[0] = a[0] + x in a[0]

def add_to_the_first (a: *[]i32, b: []i32) (x: i32): ([]i32, []i32) = (a with [0] = a[0] + x, b)

entry called_twice (xs: []i32) (y: i32): (i32, i32) =
  let f = add (copy xs)
  in (f y, f (y + 1))

entry in_a_map (xs: []i32) (ys: []i32): []i32 = map (add (copy xs)) ys

entry behind_a_name (xs: []i32) (ys: []i32): []i32 =
  let f = add (copy xs)
  in map (\y -> f y) ys

entry of_components (xs: []i32) (ys: []i32): ([]i32, []i32, []i32) =
  let f = add_to_the_first (copy xs, ys)
  in (copy (f 5).0, copy (f 5).0, copy (f 5).1)
