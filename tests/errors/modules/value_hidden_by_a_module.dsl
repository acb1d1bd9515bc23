module m = { def x: i32 = 1 }

def m2 (m: i32): i32 = m.x
