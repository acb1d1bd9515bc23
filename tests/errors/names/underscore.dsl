entry main (_x: i32) (y: i32): i32 = _x + y
