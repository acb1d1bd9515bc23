def reset r = r with x = 0i32
