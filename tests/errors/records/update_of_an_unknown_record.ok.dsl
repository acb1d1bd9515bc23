def reset (r: {x: i32}) = r with x = 0i32
