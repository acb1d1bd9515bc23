type vector [n] = [n]f64

def f (v: vector [1]): f64 = v[0]
