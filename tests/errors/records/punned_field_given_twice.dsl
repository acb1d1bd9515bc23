def point (x: i32) = {x, x = 3}
