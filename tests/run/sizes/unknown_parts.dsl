-- An argument with a part of unknown size cannot be a size. A result that mentions it has an unknown size too.

def ones [n] (counts: [n]i64): [i64.sum counts]i64 = replicate (i64.sum counts) 1

def owners [n] (counts: [n]i64): []i64 =
  let flags = scatter (replicate (i64.sum counts) 0) (scan (+) 0 counts) (map (\_ -> 1) counts)
  in scan (+) 0 flags

-- ==
-- entry: nested
-- input { [1i64, 2, 0, 3] } output { 8i64 6i64 7i64 5i64 5i64 5i64 }
entry nested (xs: []i64): (i64, i64, i64, i64, i64, i64) =
  let positive = filter (> 0) xs
  in ( length (ones (map (+ 1) (filter (> 1) xs) ++ [1]))
     , length (ones (copy (filter (> 0) xs)))
     , length (ones (filter (> 1) xs ++ [2]))
     , length (filter (> 1) xs |> map (+ 0) |> ones)
     , length (ones (reverse (filter (> 1) xs)))
     , length (ones (map2 (+) (map (\_ -> 0) (filter (> 1) xs :> [2]i64)) [2, 3])) )

-- ==
-- entry: inferred
-- input { [1i64, 2, 0, 3] } output { [0i64, 1, 1, 2, 2, 2] }
entry inferred (xs: []i64): []i64 = owners (map (+ 0) (filter (> 0) xs))

-- ==
-- entry: in_a_map
-- input { [1i64, 2, 3] } output { [5i64, 3, 0] }
entry in_a_map (xs: []i64): []i64 = map (\x -> length (ones (map id (filter (> x) xs)))) xs
