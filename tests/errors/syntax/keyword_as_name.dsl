def loop (n: i32): i32 = n + 1
