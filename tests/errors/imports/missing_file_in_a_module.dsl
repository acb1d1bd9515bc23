module m = { module n = import "parts/nothing" }

def f: i32 = m.n.one
