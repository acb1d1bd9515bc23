#[param(tile)] module m = { def size: i64 = 16 }
entry main (x: i64): i64 = x * m.size
