entry main (x: i64): i64 = let size = #[param(tile)] 16 in x * size
