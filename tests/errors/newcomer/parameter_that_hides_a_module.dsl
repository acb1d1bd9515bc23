def first = \i32 -> i32.i64 1
entry main (x: i64): i32 = first x
