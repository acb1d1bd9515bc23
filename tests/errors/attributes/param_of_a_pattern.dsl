entry main (x: i64): i64 = let #[param(tile)] size = 16 in x * size
