-- The result of a polymorphic function is fresh if only its functional arguments can make it, and they return it fresh.
-- ==
-- entry: composed
-- input { [1, 2, 3] } output { [1, 2, 3] [7, 2, 3] }
-- entry: applied
-- input { [1, 2, 3] } output { [1, 2, 3] [7, 2, 3] }
-- entry: through_a_name
-- input { [1, 2, 3] } output { [1, 2, 3] [7, 2, 3] }
-- entry: through_a_lambda
-- input { [1, 2, 3] } output { [1, 2, 3] [7, 3, 4] }
-- entry: as_argument
-- input { [1, 2, 3] } output { [1, 2, 3] [7, 2, 3] }
-- entry: twice_composed
-- input { [1, 2, 3] } output { [1, 2, 3] [7, 2, 3] }
-- entry: each_call_its_own
-- input { [1, 2, 3] } output { [7, 2, 3] [1, 2, 3] }
-- entry: pairs
-- input { [1, 2, 3] } output { [7, 2, 3] [1, 8, 3] [1, 2, 3] }
-- entry: of_two_functions
-- input { [1, 2, 3] } output { [7, 2, 3] [1, 8, 3] [1, 2, 3] }

def copier: []i32 -> *[]i32 = id >-> copy

def ap 'a 'b (f: a -> b) (x: a): b = f x

def updated (f: []i32 -> *[]i32) (xs: []i32): ([]i32, []i32) =
  let ys = f xs
  let ys[0] = 7
  in (xs, ys)

entry composed (xs: []i32): ([]i32, []i32) = updated copier xs

entry applied (xs: []i32): ([]i32, []i32) =
  let ys: *[]i32 = ap copy xs
  in (xs, ys with [0] = 7)

entry through_a_name (xs: []i32): ([]i32, []i32) =
  let f = id >-> copy
  in updated f xs

entry through_a_lambda (xs: []i32): ([]i32, []i32) = updated (id >-> \ys -> map (+ 1) ys) xs

entry as_argument (xs: []i32): ([]i32, []i32) = updated (copy <-< id) xs

entry twice_composed (xs: []i32): ([]i32, []i32) = updated (id >-> id >-> copy) xs

entry each_call_its_own (xs: []i32): ([]i32, []i32) =
  let f = id >-> copy
  let (ys, zs) = (f xs, f xs)
  in (ys with [0] = 7, zs)

entry pairs (xs: []i32): ([]i32, []i32, []i32) =
  let both (zs: []i32): (*[]i32, *[]i32) = (copy zs, copy zs)
  let (ys, zs) = ap both xs
  in (ys with [0] = 7, zs with [1] = 8, xs)

def both 'a 'b 'c (f: a -> b) (g: a -> c) (x: a): (b, c) = (f x, g x)

entry of_two_functions (xs: []i32): ([]i32, []i32, []i32) =
  let (ys, zs) = both copy copy xs
  in (ys with [0] = 7, zs with [1] = 8, xs)
