def one = 1i32
