def ap 'a 'b 'c (f: (a, b) -> c) (x: a) (y: b): c = f (x, y)
entry main (xs: []i32): *[]i32 = ap (\(ys, k) -> map (+ k) ys) xs 1
