def f (g: i32 -> i32, k: i32) (n: i32): i32 = if n == 0 then g k else f (g, k + 1) (n - 1)
