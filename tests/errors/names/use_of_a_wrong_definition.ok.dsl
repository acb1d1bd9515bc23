def total xs = reduce (+) 0i64 xs

def main n = total n
