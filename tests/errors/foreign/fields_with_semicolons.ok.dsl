type p = {x: i32, y: i32}
