def half (n: i64): i64 = if n < 2 then 0 else 1 + half (n - 2.5)
