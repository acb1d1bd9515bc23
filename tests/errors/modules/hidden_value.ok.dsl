module m: { val x: i32 } = { def x: i32 = 1 def y: i32 = 2 }

def f: i32 = m.x
