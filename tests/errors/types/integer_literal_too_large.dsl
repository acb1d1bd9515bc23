def large: i32 = 3_000_000_000
