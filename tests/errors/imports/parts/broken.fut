def one: i32 = (1
