def first (g: (n: i64) -> [n]i64) (l: i64): i64 = (g l)[0]

def f = first (\n -> iota n)
