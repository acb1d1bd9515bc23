module m = { module n = import "parts/good" }

def f: i32 = m.n.one
