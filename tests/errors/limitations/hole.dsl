def missing '^a (_: i32): a = ???
entry main (x: i32): i32 = (missing 1 : i32 -> i32) x
