module m = { def two 't (x: t) : [2]t = [x, x] def none 't : [0]t = [] }

def main (k: i32) (x: i32) = m.none with [k] = x
