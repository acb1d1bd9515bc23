def f (n: i32): i32 = let g (k: i32) = if k < 1 then 0 else g (k - 1) in g n
