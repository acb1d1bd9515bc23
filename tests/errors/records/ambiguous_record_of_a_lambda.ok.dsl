def f = let g = \(r: {x: i32}) -> r.x in 1
