entry main (n: i64): i64 = n + length ???
