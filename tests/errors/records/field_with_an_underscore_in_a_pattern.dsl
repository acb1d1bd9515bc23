def f (r: {x: i32, y: i32}) = let {_x, y} = r in y
