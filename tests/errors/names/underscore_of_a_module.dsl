module m = { def _x = 2i32 }
def f = m._x
