-- A map over the kept elements fuses with the filter, which writes the mapped values.
-- ==
-- input { [3, 4, 12, 7, 2] } output { [9, 16, 49, 4] }

entry main (xs: []i32): []i32 = map (\x -> x * x) (filter (< 10) xs)
