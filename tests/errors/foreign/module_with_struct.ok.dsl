module m = {
  def x = 1i32
}

entry main = m.x
