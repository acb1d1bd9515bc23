def factorial (n: i64): i64 = loop f = 1 for i < n do f * (i + 1)
