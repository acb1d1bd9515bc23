module m: t = { def x: i32 = 1 }
module type t = { val x: i32 }
