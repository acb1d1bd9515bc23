entry f (n: i64): [0][n]i32 = []
