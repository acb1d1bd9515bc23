def f ({x = a, y = b}: {x: i32, y: i32}) = a
