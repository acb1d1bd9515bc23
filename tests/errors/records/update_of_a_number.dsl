def reset (r: i32) = r with x = 0
