module add (m: {val x: i32}) = {def y (z: i32) = m.x + z}
module add_one = add {def x = 1i32}
entry main x = add_one.y x
