def ap 'a 'b (f: a -> b) (x: a) (other: a): b = if length [x] > 1 then f other else f x
entry main (xs: []i32): *[]i32 = ap copy xs xs
