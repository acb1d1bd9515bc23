def xs (i: i64): [2]i32 = if i == 0 then [0, 0] else [0, (xs (i - 1))[0]]
