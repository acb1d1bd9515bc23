def x (r: {point: {x: i32, y: i32}}) = r.point.y
