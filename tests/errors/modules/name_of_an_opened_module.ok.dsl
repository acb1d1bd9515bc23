module m = { def x: i32 = 1 }

def f: i32 = m.(x + x)
