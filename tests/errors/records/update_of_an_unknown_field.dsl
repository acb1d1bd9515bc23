def reset (r: {x: i32}) = r with y = 0
