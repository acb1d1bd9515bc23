def f (r: {x: i32, y: i32}) = let {x = _, y} = r in y
