type vector [n] = [n]f64

def add [n] [m] (a: vector [n]) (b: vector [m]): vector [n] = map2 (+) a b
