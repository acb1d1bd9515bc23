type vector [n] = [n]f64

def f (v: vector i32): f64 = v[0]
