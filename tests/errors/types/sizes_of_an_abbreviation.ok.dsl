type vector [n] = [n]f64

def add [n] (a: vector [n]) (b: vector [n]): vector [n] = map2 (+) a b
