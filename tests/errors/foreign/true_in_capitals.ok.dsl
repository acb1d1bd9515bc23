entry main (x: i32): bool = x > 0 || true
