def x (r: i32) = r.x
