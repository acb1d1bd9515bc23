def ap 'a 'b (f: a -> b) (x: a) (default: b): b = if length [x] > 1 then default else f x
entry main (xs: []i32): *[]i32 = ap copy xs xs
