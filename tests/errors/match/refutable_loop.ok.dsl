def f (n: i32) = loop (_, s) = (0i32, 0i32) for i < n do (0, s + i)
