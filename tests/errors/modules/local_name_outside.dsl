module m = {
  local def secret: i32 = 1
  def open_one: i32 = secret
}

def f: i32 = m.secret
