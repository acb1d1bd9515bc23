entry main (a: bool) (n: i32): bool = a && n != 0
