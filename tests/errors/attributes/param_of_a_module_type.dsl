#[param(tile)] module type sized = { val size: i64 }
module m: sized = { def size: i64 = 16 }
entry main (x: i64): i64 = x * m.size
