module m = { def x = 2i32 }
def f = m.x
