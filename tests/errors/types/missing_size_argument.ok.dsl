type vector [n] = [n]f64

def sum (v: vector []): f64 = reduce (+) 0 v
