def ap 'a 'b (f: a -> b) (x: a): b = f x
entry main (base: []i32) (xs: *[]i32): *[]i32 = ap (\ys -> copy ys with [0] = base[0]) xs
