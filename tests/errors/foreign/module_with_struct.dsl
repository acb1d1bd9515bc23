module m = struct
  def x = 1i32
end

entry main = m.x
