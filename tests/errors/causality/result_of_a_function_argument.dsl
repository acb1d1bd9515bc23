def row (f: i64 -> [3]i64) = f 1
def g = row (\n -> filter (> 1) (iota n))
