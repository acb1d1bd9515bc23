module m = { type number = i32 }

def f (x: m.number): i32 = x
