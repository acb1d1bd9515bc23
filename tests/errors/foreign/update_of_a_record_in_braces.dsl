def f (p: {x: i32, y: i32}) = {p with x = 1i32}
