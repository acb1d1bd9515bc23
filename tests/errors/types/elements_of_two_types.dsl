def mixed = [1i32, 2.5]
