module type s = { type t val x: t }
module p: s = { type t = i32 def x = 1i32 }
module m: s with t = (p.t, p.t) = p
