entry main (n: i32): i32 = loop (x = 0) for i < n do x + i
