def x r = r.x + 1i32
