module m: { val f [n]: *[n]i32 -> [n]i32 } = { def f [n] (xs: *[n]i32): [n]i32 = xs with [0] = 1 }
