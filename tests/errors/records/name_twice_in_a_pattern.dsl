def f ({x = a, y = a}: {x: i32, y: i32}) = a
