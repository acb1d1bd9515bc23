entry main (x: i64): i64 = x + 2i64
