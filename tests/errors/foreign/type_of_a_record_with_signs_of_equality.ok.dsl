entry main (p: {x: i32, y: i32}): i32 = p.x
