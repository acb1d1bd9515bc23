def point (x: i32) = {x, y = 3}
