def reset (r: {x: {y: i32}}) = r with x.y = true
