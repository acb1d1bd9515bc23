module m = { def x: i32 = 1 }
def m: i32 = 2
