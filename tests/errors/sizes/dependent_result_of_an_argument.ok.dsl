def row (f: (n: i64) -> [n]i64) = f 1
def g = row iota
