def x (r: {x: i32}) = r.x
