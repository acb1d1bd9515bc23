entry main (n: i32): []i64 = iota (i64.i32 n)
