def first (r: {a: i64, b: i64}) = r.a

def main (n: i64) = first {a = n, b = 0i64}
