module type s = {
  val x: i32
}

module m: s = { def x = 1i32 }

entry main = m.x
