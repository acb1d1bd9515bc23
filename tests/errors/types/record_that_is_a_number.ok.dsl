entry main (n: i32): i32 = (\r -> r.x + n) {x = 2}
