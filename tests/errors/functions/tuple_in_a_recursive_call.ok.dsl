def f (p: (i32 -> i32, i32)) (k: i32) (n: i32): i32 = if n == 0 then p.0 k else f p (k + 1) (n - 1)
