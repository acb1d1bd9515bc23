-- `(!)` and `(-)` as functions.
-- ==
-- entry: main
-- input { [true, false] [1, 2] } output { [false, true] [-2, -3] [-1, 0] }

entry main (bs: []bool) (xs: []i32): ([]bool, []i32, []i32) =
  (map (!) bs, map (!) xs, map (flip (-) 2) xs)
