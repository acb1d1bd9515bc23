module m = { def x = 1i64 }
def f = m.x + 1
