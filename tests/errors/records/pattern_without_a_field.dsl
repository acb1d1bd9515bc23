def f (p: {x: i32, y: i32}) = let {x} = p in x
