def power (n: i32) (x: i32): i32 = if n == 0 then 1 else x * power (n - 1) x
