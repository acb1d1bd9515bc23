-- Applications as sizes, with operators, functions and other applications among their arguments.

def repeated [n] (reps: [n]i64): [reduce (+) 0 reps]i64 = replicate (reduce (+) 0 reps) 1
def largest [n] (xs: [n]i64): [reduce i64.max 1 (map (* 2) xs)]i64 = iota (reduce i64.max 1 (map (* 2) xs))

-- ==
-- entry: sections
-- input { [1i64, 2] } output { [2i64, 2, 2, 2, 2] [0i64, 2, 4, 6] }
entry sections (xs: []i64) =
  ( map2 (+) (repeated (map (+ 1) xs)) (repeated (map (+ 1) xs))
  , map2 (+) (largest xs) (largest xs) )

-- ==
-- entry: others
-- input { [1i64, 2] } output { [1i64, 1, 1, 1, 1] [1i64, 1, 1] [2i64, 2, 2, 2, 2] }
entry others (xs: []i64) =
  let ys = repeated (map (\x -> x + 1) xs)
  in (ys, repeated (filter (> 0) xs), map2 (+) ys ys)

-- The same operator on two number types gives two different sizes.
def of_ints (xs: []i32): [length (map (+ 1) xs)]i64 = iota (length (map (+ 1) xs))
def of_floats (xs: []f64): [length (map (+ 1) xs)]i64 = iota (length (map (+ 1) xs))

-- ==
-- entry: types
-- input { [1, 2] [1.5, 2.5, 3.5] } output { [0i64, 1] [0i64, 1, 2] }
entry types (xs: []i32) (ys: []f64) = (of_ints xs, of_floats ys)
