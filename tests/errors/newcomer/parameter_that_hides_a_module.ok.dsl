def first = \x -> i32.i64 x
entry main (x: i64): i32 = first x
