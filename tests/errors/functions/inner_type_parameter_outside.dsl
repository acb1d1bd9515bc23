def f = let g 'a (x: a) = (x, x) in g (1i32 : a)
