def f = let g = \r -> r.x in 1
