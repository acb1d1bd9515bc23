module m = { type number = i32 }

def f (x: m.numbr): i32 = x
