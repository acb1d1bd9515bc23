def f x = let g 'b (y: b) = if true then y else x in g
