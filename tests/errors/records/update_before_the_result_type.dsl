def reset r: {x: i32, y: i32} = r with x = 0
entry main (x: i32): i32 = (reset {x, y = 2}).y
