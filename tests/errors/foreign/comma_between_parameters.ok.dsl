entry main (xs: []i32): []i32 = map2 (\x y -> x + y) xs xs
