def f (n: i32): i32 = loop k = n while k >= 1 do k - 1
