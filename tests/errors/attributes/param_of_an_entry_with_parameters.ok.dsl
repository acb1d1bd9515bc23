entry main (x: i64): i64 = x * #[param(tile)] 16
