module m = import "parts/good"

def f: i32 = one
