entry main (n: i32): i32 = loop x = 1 for i < n do f64.i32 x * 1.5
