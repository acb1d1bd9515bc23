def f (n: i32) = loop x = 1 for _i < n do (+ 1i32) x
