module scale = {
  def factor: i32 = 3
  def times (x: i32): i32 = factor * x
}

entry main (x: i32): i32 = let y = scale.times x in y
