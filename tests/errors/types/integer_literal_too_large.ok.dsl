def large: i64 = 3_000_000_000
