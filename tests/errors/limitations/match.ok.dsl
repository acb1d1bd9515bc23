def name (x: i32): i32 = if x == 0 then 10 else 20
