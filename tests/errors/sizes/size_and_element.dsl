def first (g: (n: i64) -> [n]i32) (l: i64): i32 = (g l)[0]

def f = first (\n -> iota (n + 1))
