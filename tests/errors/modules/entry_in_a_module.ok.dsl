module m = {
  def f (x: i32): i32 = x + 1
}

entry f = m.f
