module m = import "parts/good"

def f: i32 = m.one
