type double [n] = [let two = 2 in two * n]i32
