module type n = { val x: i32 }
module m: n = { def x: i32 = 1 }
