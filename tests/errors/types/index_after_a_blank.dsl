entry main (xs: []i32) (i: i64): i32 = xs [i]
