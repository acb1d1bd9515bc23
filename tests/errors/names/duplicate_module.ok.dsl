module m = { def x: i32 = 1 }
def n: i32 = 2
