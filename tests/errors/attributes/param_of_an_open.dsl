module m = { def size: i64 = 16 }
#[param(tile)] open m
entry main (x: i64): i64 = x * size
