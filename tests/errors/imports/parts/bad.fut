def one: i32 = true
