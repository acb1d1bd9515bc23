module n = { def x: i32 = 1 }
module m: n = { def x: i32 = 1 }
