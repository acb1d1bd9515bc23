def f x = let g 'b (y: b) = (y, x) in g
