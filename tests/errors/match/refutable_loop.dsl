def f (n: i32) = loop (0, s) = (0i32, 0i32) for i < n do (0, s + i)
