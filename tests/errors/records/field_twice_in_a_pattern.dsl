def f ({x = a, x = b}: {x: i32, y: i32}) = a + b
