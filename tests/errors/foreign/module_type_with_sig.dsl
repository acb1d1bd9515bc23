module type s = sig
  val x: i32
end

module m: s = { def x = 1i32 }

entry main = m.x
