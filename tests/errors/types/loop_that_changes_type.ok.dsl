entry main (n: i32): i32 = loop x = 1 for i < n do x * 2
