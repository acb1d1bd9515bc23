entry main (n: i32): []i64 = iota n
