def f (p: {x: i32, y: i32}) = let {x, y = _} = p in x
