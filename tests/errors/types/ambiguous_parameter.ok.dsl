def same (x: i32) y = x == y
