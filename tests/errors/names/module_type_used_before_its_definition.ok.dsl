module type t = { val x: i32 }
module m: t = { def x: i32 = 1 }
