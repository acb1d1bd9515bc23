module m = { #[param(tile)] def size: i64 = 16 }
open m
entry main (x: i64): i64 = x * size
