def depth 'a (n: i32) (x: a): i32 = if n == 0 then 0 else 1 + depth (n - 1) (x, x)
