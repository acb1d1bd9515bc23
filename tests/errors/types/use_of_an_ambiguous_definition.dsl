-- Only the definition is wrong: its type does not become a parameter that the use could not match.
def first r = r.a

def main (n: i64) = first {a = n, b = 0i64}
