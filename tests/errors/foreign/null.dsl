entry main (x: i32): bool = x == null
