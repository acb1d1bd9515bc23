def missing '^a (_: i32) (known: a): a = known
entry main (x: i32): i32 = (missing 1 (\y -> y) : i32 -> i32) x
